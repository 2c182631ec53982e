#!/usr/bin/python3
"""Counts the instructions of calls of the C library, by class: the rows of sw/abi/hal/library_costs.h.

usage: library_costs.py [NAME...]        of these measurements; all without a name

library/calls.c calls each function with typical arguments in valgrind's callgrind, which counts each instruction of
libc.so, libm.so and libgcc; objdump says what they are. The C library is told to take its variants without vectors. A
row measured with two numbers of units (bytes, characters ...) gives a cost per call and one per unit.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
CLASSES = (
    *("integer", "shift", "multiply", "divide", "load", "store", "branch", "call"),
    *("float_add", "float_multiply", "float_divide", "float_sqrt", "conversion", "move", "atomic"),
)
PLAIN = "AVX2,AVX,FMA,FMA4,SSE4_1,SSE4_2,SSSE3,ERMS,FSRM".replace(",", ",-")
ENVIRONMENT = {**os.environ, "LD_BIND_NOW": "1", "GLIBC_TUNABLES": f"glibc.cpu.hwcaps=-{PLAIN}"}
UNITS = {"vsscanf": "value", "qsort": "n log2 n", "bsearch": "log2 n"}  # the others': bytes
COUNTED = re.compile(r"libc\.so|libm\.so")
COUNTED_OF_PROGRAM = re.compile(r"plain_(?!random)|__\w+[cdsft][cfi][23]$")  # plain.h, libgcc
OPERATION = (  # of registers, without what memory operands add
    ("branch", r"j\w+$"),
    ("call", r"call|ret"),
    ("shift", r"(sh|ro|sa)[lr]d?[bwlq]?$|ps[rl][lra]\w+$"),
    ("multiply", r"i?mul[bwlq]?$|pmul"),
    ("divide", r"i?div[bwlq]?$"),
    ("conversion", r"cvt|fild|fist"),
    ("float_sqrt", r"sqrt|fsqrt"),
    ("float_multiply", r"mul[sp][sd]|fi?mul"),
    ("float_divide", r"div[sp][sd]|fi?div"),
    ("float_add", r"(add|sub|min|max|u?comi|cmp\w*)[sp][sd]$|fi?(add|sub|u?com)"),
    (
        "move",
        r"mov(ap|up|s[sd]|d|q|dqa|h|l)|mov[bwlqsz]|mov$|movabs|c[lwq]t[lqod]|unpck|shuf|pshuf|punpck|andn?p|x?orp",
    ),
    ("move", r"fld|fst|fxch|fchs|fabs|fnst|xchg|lahf|sahf|leave|frndint"),
    (None, r"nop|endbr|push|pop|data16|ldmxcsr|stmxcsr|ld|st|fldcw|fnstcw|cs$|fwait|rep"),
    ("integer", r""),
)
OPERATION = [(name, re.compile(pattern)) for name, pattern in OPERATION]
READS_ONLY = re.compile(
    r"cmp|test|bt[lq]?$|u?comi|call|jmp|push|i?mul[lq]$|i?div|fld|fild|fi?(add|sub|mul|div|u?com)|ldmxcsr"
)
WRITES_ONLY = re.compile(r"mov|set|pop|fn?st|fist|stmxcsr|cvt")


def lanes(name: str) -> int:
    """Of vector arithmetic on 16 bytes."""
    if name.endswith("pd") or re.match(r"p(and|or|xor)", name):
        return 2
    if name.endswith("ps") or re.match(r"p(add|sub|cmp)\w*d", name):
        return 4
    return 16 if re.match(r"p(cmp|min|max|sub|add)\w*b", name) else 2 if name.startswith("p") and "x" in name else 1


def classes_of(text: str) -> Counter[str]:
    """Of one instruction, as objdump writes it."""
    name, _, operands = text.partition(" ")
    while name in ("rep", "repz", "repnz", "lock", "bnd", "notrack", "data16", "cs"):
        name, _, operands = operands.strip().partition(" ")
    operands = re.sub(r"[#<].*", "", operands).strip()
    parts = re.findall(r"(?:[^,(]|\([^)]*\))+", operands)
    found: Counter[str] = Counter()
    kind = next(kind for kind, pattern in OPERATION if pattern.match(name))
    vector = "%xmm" in operands
    in_memory = [place for place, part in enumerate(parts) if "(" in part or part.startswith("%fs:")]
    if name.startswith(("lea", "nop")) or (name == "xchg" and not in_memory):
        in_memory = []
    if text.startswith("lock") or name.startswith("mfence"):
        found["atomic"] += 1
    if name.startswith("push"):
        found["store"] += 1
    elif name.startswith("pop"):
        found["load"] += 1
    words = 2 if vector and re.search(r"ap|up|dq|[ap][ds]$", name) and not re.match(r"mov[hl]", name) else 1
    for place in in_memory:
        last = place == len(parts) - 1
        if not last or not WRITES_ONLY.match(name) or READS_ONLY.match(name):
            found["load"] += words
        if last and (len(parts) > 1 or not READS_ONLY.match(name)) and not READS_ONLY.match(name):
            found["store"] += words
    if kind == "move" and in_memory and not re.match(r"x?or|and|unp|shuf|psh|pun", name):
        kind = None  # a load or a store alone
    elif kind == "move" and parts and parts[0].startswith("$") and name.startswith("mov"):
        kind = "integer"
    if kind:
        found[kind] += lanes(name) if kind not in ("move", "branch", "call") and vector else 1
    return found


@cache
def listing(path: str) -> dict[int, Counter[str]]:
    """By address."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True)
    lines = (re.match(r" +([0-9a-f]+):\t(.+)", line) for line in text.stdout.splitlines())
    return {int(match[1], 16): classes_of(match[2].strip()) for match in lines if match}


def counts_of(dump: str) -> Counter[str]:
    total: Counter[str] = Counter()
    path, counted, skip, caller = "", False, False, ""
    for line in dump.splitlines():
        if line.startswith("ob="):
            path = line[3:]
        elif line.startswith("fn="):
            caller = ""
            counted = bool(COUNTED.search(path) or COUNTED_OF_PROGRAM.match(line[3:]))
        elif line.startswith("calls="):
            skip = True  # the next lines of this address are what the call took
        elif line.startswith("0x"):
            address, _, times = line.split()
            caller = address if skip else caller
            if counted and address != caller:
                for kind, count in listing(path)[int(address, 16)].items():
                    total[kind] += count * int(times)
            skip = False
    return total


def measured(folder: Path) -> dict[str, list[tuple[int, int, Counter[str]]]]:
    """Of each name: calls, units, counts."""
    program = folder / "calls"
    source = HERE / "library" / "calls.c"
    subprocess.run(
        ["gcc", "-O0", "-fno-builtin", "-w", "-I", HERE.parents[1], source, "-o", program, "-lm"], check=True
    )
    options = ["-q", "--dump-instr=yes", "--instr-atstart=no", "--compress-strings=no", "--compress-pos=no"]
    command = ["valgrind", "--tool=callgrind", *options, f"--callgrind-out-file={folder}/dump", program]
    subprocess.run(command, check=True, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
    found = defaultdict(list)
    for number in range(1, len(list(folder.glob("dump.*"))) + 1):
        dump = (folder / f"dump.{number}").read_text()
        trigger = re.search(r"Client Request: (\S+) (\d+) (\d+)", dump)
        if trigger:
            found[trigger[1]].append((int(trigger[2]), int(trigger[3]), counts_of(dump)))
    return found


def row(kind: str, name: str, counts: dict[str, float], text: str = "") -> str:
    def column(of: str) -> str:
        number = counts.get(of, 0)
        if kind == "CALL" or number >= 10:
            return f"{number:.0f}"
        return f"{number:.3f}"[: 5 if number >= 1 else None].strip("0").rstrip(".") or "0"

    return f"{kind}({name}, {text}".ljust(24) + ",".join(f"{column(of):>5}" for of in CLASSES) + ")"


def rows(name: str, runs: list[tuple[int, int, Counter[str]]]) -> list[str]:
    calls, units, counts = runs[0]
    call = {kind: count / calls for kind, count in counts.items()}
    if len(runs) == 1:
        return [row("CALL", name, call)]
    more_calls, more_units, more = runs[1]
    each, of_each = units / calls, more_units / more_calls
    unit = {kind: max(0, (more[kind] / more_calls - call.get(kind, 0)) / (of_each - each)) for kind in more}
    call = {kind: max(0, count - unit.get(kind, 0) * each) for kind, count in call.items()}
    return [row("CALL", name, call), row("UNIT", name, unit, f'"{UNITS.get(name, "byte")}",')]


def main() -> None:
    if sys.argv[1:2] and sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        for name, runs in measured(Path(folder)).items():
            if not sys.argv[1:] or name in sys.argv[1:]:
                print(*rows(name, runs), sep="\n")


main()
