#!/usr/bin/python3 -IS
"""The assembler, for code of images: instructions reach data that can be written through %gs, so that copies of an
image can have the code in common, each with data of its own (models/native/README.md).

usage: as [options of the assembler] FILE       the compiler calls it: it finds an `as` in the folder of its option -B

    movl  count(%rip), %eax             movl  %gs:count(%rip), %eax
    movq  count@GOTPCREL(%rip), %rax    movq  %gs:count@GOTPCREL(%rip), %rax
    leaq  count+8(%rip), %rax           movq  %gs:.Lown0(%rip), %rax       .Lown0 holds &count, in each copy its own
                                        leaq  8(%rax), %rax                no flag of the processor changes

What it does not understand stays as it was: `share` finds it, and copies of that image have code of their own.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SECTION = re.compile(r'\s*\.(?:push)?section\s+("[^"]*"|[^\s,]+)(?:.*?,\s*"([^"]*)")?')
LABEL = re.compile(r"([^\s:#\"]+):")
COMMON = re.compile(r"\s*\.l?comm\s+([^\s,]+)")
ALIAS = re.compile(r"\s*\.set\s+([^\s,]+)\s*,\s*([^\s+-]+)")
# GCC writes count+8, and 8+count for the second half of something.
OPERAND = re.compile(
    r"(?P<before>.*?[\s,*])(?P<address>(?P<first>(?:-?\d+\+)?)(?P<symbol>[^\s,*():%$@+-]+)(?P<got>@GOTPCREL)?"
    r"(?P<offset>(?:[+-]\d+)*))\(%rip\)(?P<behind>.*)",
    re.DOTALL,
)
LEA = re.compile(r"\slea([qlw]?)\s+$")
REGISTER = re.compile(r"^,\s*(%\w+)\s*(?:#.*)?$")
ANY_LEA = re.compile(r"\blea[qlw]?\b")


def is_writable(name, flags):
    """A section, by its flags, or by its name where it has the usual ones."""
    return "w" in flags if flags is not None else name.strip('"').startswith((".data", ".bss"))


def writable_symbols(lines):
    """Those that are defined here, in sections that can be written."""
    found, aliases = set(), []
    here, before, pushed = False, False, []
    for line in lines:
        label = LABEL.match(line)
        if label:
            if here:
                found.add(label[1])
            continue
        directive = line.split(None, 1)[0] if line.strip() else ""
        if directive in (".section", ".pushsection"):
            if directive == ".pushsection":
                pushed.append((here, before))
            section = SECTION.match(line)
            before, here = here, section is not None and is_writable(section[1], section[2])
        elif directive in (".text", ".data", ".bss"):
            before, here = here, directive != ".text"
        elif directive == ".popsection" and pushed:
            here, before = pushed.pop()
        elif directive == ".previous":
            here, before = before, here
        elif directive in (".comm", ".lcomm"):
            found.add(COMMON.match(line)[1])
        elif directive == ".set":
            alias = ALIAS.match(line)
            if alias:
                aliases.append((alias[1], alias[2]))
    return found | {name for name, of in aliases if of in found}


def through_gs(lines):
    """The lines of an assembly file, and behind them the addresses that instructions load."""
    writable = writable_symbols(lines)
    slots = {}
    for line in lines:
        operand = OPERAND.match(line) if "(%rip)" in line and line[:1].isspace() else None
        if operand is None or not (operand["got"] or operand["symbol"] in writable):
            yield line
            continue
        before, symbol, behind = operand["before"], operand["symbol"], operand["behind"]
        lea, register = LEA.search(before), REGISTER.search(behind)
        if operand["got"] and before.lstrip().startswith(("call", "jmp")):
            yield line  # functions are where they are
        elif lea and register and not operand["got"]:
            slot = slots.setdefault(symbol, f".Lown{len(slots)}")
            yield f"{before[: lea.start()]}\tmov{lea[1]}\t%gs:{slot}(%rip){behind}"
            offset = (operand["first"].rstrip("+") + operand["offset"]).lstrip("+")
            if offset:
                yield f"\tlea{lea[1]}\t{offset}({register[1]}), {register[1]}\n"
        elif ANY_LEA.search(before):
            yield line
        else:
            yield f"{before}%gs:{operand['address']}(%rip){behind}"
    for symbol, slot in slots.items():
        yield f'\t.section\t.data.rel.local.{slot[2:]},"aw"\n\t.p2align 3\n{slot}:\n\t.quad\t{symbol}\n'


def main(arguments):
    """As the assembler would, which is the next of that name on the path."""
    real = shutil.which("as")
    if "--version" in arguments:
        os.execv(real, [real, *arguments])
    sources = [word for word in arguments if word.endswith(".s")]
    text = Path(sources[-1]).read_bytes() if sources else sys.stdin.buffer.read()
    lines = [line + "\n" for line in text.decode("latin-1").split("\n")]
    with tempfile.NamedTemporaryFile("w", suffix=".s", encoding="latin-1") as changed:
        changed.writelines(through_gs(lines))
        changed.flush()
        options = [word for word in arguments if word != "-" and word not in sources[-1:]]
        return subprocess.run([real, *options, changed.name], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
