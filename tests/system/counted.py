"""Programs that count their instructions (scripts/images), run by themselves: without a simulator that sets prices and
takes the CPU away."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
IMAGES = ROOT / "scripts" / "images"
# What sanvp-cc adds, and code depends on.
OPTIONS = ("-fPIC", "-fno-ipa-ra", "-w")
BLOCKS, LOOPS = ".sanvp.blocks", ".sanvp.loops"
UNPRICED = b"\xff\xff\xff\x7f"

# In the simulator's place: each time that the counter gets positive, it begins again.
RUNTIME = r"""
#include <stdio.h>
#include <stdlib.h>
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
long sanvp_spent = -QUANTUM, sanvp_kept, sanvp_repeats, sanvp_total, sanvp_times, sanvp_spins;
__asm__(
    ".text\n.globl sanvp_give_way, sanvp_spin\n"
    "sanvp_spin:\n incq sanvp_spins(%rip)\n"
    "sanvp_give_way:\n pushfq\n push %rax\n incq sanvp_times(%rip)\n movq sanvp_spent(%rip), %rax\n"
    " addq $" TEXT(QUANTUM) ", %rax\n addq %rax, sanvp_total(%rip)\n movq $-" TEXT(QUANTUM) ", sanvp_spent(%rip)\n"
    " movq $0x5555, sanvp_kept(%rip)\n movq $0x5555, sanvp_repeats(%rip)\n pop %rax\n popfq\n ret\n");
__attribute__((destructor)) static void report(void) {
  const char* name = getenv("SANVP_COUNTS");
  FILE* file = name ? fopen(name, "w") : NULL;
  if (file == NULL) return;
  fprintf(file, "%ld %ld %ld\n", sanvp_total + sanvp_spent + QUANTUM, sanvp_times, sanvp_spins);
  fclose(file);
}
"""


@dataclass
class Record:
    """A block: where its price stands in the file, its instructions, and how many of each class."""

    offset: int
    instructions: int
    classes: dict[int, int]


@dataclass
class Counts:
    """Of a run: instructions, and how often the CPU was taken away, or a loop that only waits went round."""

    instructions: int
    times: int
    spins: int
    output: str


def tools(folder: Path) -> Path:
    """The assembler as it is installed, in a new folder."""
    folder.mkdir(exist_ok=True)
    for module in IMAGES.glob("*.py"):
        shutil.copy(module, folder)
    shutil.copy(IMAGES / "as.py", folder / "as")
    (folder / "as").chmod(0o755)
    return folder


def _uleb128(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        number |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return number, at


def _sections(data: bytes) -> list[tuple[str, int, int, int, int]]:
    """Name, flags, address, offset and size of each."""
    table = struct.unpack_from("<Q", data, 0x28)[0]
    count, names = struct.unpack_from("<HH", data, 0x3C)
    headers = [struct.unpack_from("<IIQQQQ", data, table + 64 * number) for number in range(count)]
    begin = headers[names][4]
    found = []
    for name, _, flags, address, offset, size in headers:
        text = data[begin + name : data.index(b"\0", begin + name)].decode()
        found.append((text, flags, address, offset, size))
    return found


def records(data: bytes) -> Iterator[Record]:
    """Those of a linked program."""
    sections = _sections(data)
    code = [section for section in sections if section[1] & 4]  # SHF_EXECINSTR
    for name, _, address, offset, size in sections:
        if name != BLOCKS:
            continue
        at = offset
        while at < offset + size:
            target = address + at - offset + struct.unpack_from("<i", data, at)[0]
            instructions, at = _uleb128(data, at + 4)
            number = data[at]
            at += 1
            classes = {}
            for _ in range(number):
                kind = data[at]
                classes[kind], at = _uleb128(data, at + 1)
            place = next(target - s[2] + s[3] for s in code if s[2] <= target < s[2] + s[4])
            yield Record(place, instructions, classes)


def instructions_of(record: Record) -> int:
    """A price: of instructions, and of repetitions."""
    return record.instructions or 1


def set_prices(program: Path, price: Callable[[Record], int] = instructions_of) -> int:
    """As the loader does it; how many there are."""
    data = bytearray(program.read_bytes())
    number = 0
    for record in records(bytes(data)):
        assert data[record.offset : record.offset + 4] == UNPRICED
        struct.pack_into("<i", data, record.offset, price(record))
        number += 1
    program.write_bytes(data)
    return number


def is_cxx(source: Path) -> bool:
    """By its name."""
    return source.suffix in (".cpp", ".cc")


def build(
    source: Path,
    folder: Path,
    flags: list[str],
    *,
    counts: bool,
    aligned: bool = True,
    extra: list[Path] | None = None,
    quantum: int = 1000,
) -> Path:
    """A program of its own, in a new file. callgrind counts the instructions that align code, unless `aligned` is off;
    options of the compiler do not drop them all."""
    compiler = "g++" if is_cxx(source) else "gcc"
    stem = folder / f"{source.stem}-{'counted' if counts else 'plain'}"
    assembly = Path(f"{stem}.s")
    subprocess.run([compiler, *flags, *OPTIONS, "-S", str(source), "-o", str(assembly)], check=True)
    if not aligned:
        assembly.write_text(re.sub(r"^\t\.p2align\b.*\n", "", assembly.read_text(), flags=re.MULTILINE))
    words = [compiler, "-c", str(assembly), "-o", f"{stem}.o"]
    if counts:
        words += [f"-B{tools(folder / 'tools')}/"] + (["-Wa,--sanvp-unshared"] if is_cxx(source) else [])
    subprocess.run(words, check=True)
    linked = [f"{stem}.o", *map(str, extra or [])]
    if counts:
        runtime = folder / "runtime.c"
        runtime.write_text(RUNTIME)
        subprocess.run(
            ["gcc", "-O1", "-fPIE", f"-DQUANTUM={quantum}", "-c", str(runtime), "-o", f"{runtime}.o"], check=True
        )
        linked.append(f"{runtime}.o")
    # The linker must leave instructions as they are, as in images.
    subprocess.run([compiler, *linked, "-Wl,--no-relax", "-lm", "-o", str(stem)], check=True)
    if counts:
        set_prices(stem)
    return stem


def run(program: Path, *arguments: str) -> Counts:
    """What it counted."""
    report = program.with_suffix(".counts")
    done = subprocess.run(
        [program, *arguments],
        env={**os.environ, "SANVP_COUNTS": str(report)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode >= 0, f"signal {-done.returncode}"
    return Counts(*map(int, report.read_text().split()), done.stdout)


def callgrind(program: Path, names: set[str]) -> int:
    """Instructions of the program's own functions, by valgrind; linkage stubs are none of them."""
    report = program.with_suffix(".callgrind")
    subprocess.run(
        ["valgrind", "--quiet", "--tool=callgrind", "--skip-plt=no", f"--callgrind-out-file={report}", program],
        check=False,
        capture_output=True,
    )
    known: dict[str, dict[str, str]] = {"ob": {}, "fn": {}}
    here = {"ob": "", "fn": ""}
    total, is_call = 0, False
    for line in report.read_text().splitlines():
        name = re.match(r"(c?)(ob|fn)=\((\d+)\)(?: (.*))?$", line)
        if name:
            if name[4]:
                known[name[2]][name[3]] = name[4]
            if not name[1]:
                here[name[2]] = known[name[2]][name[3]]
        elif line.startswith("calls="):
            is_call = True  # the next line is what the called function takes
        elif line[:1] and line[0] in "0123456789+-*":
            function = re.sub(r"'\d+$", "", here["fn"])
            if not is_call and here["ob"] == str(program.resolve()) and function in names:
                total += int(line.split()[1])
            is_call = False
    return total


def functions(program: Path) -> set[str]:
    """Names of those that an object defines, as callgrind writes them."""
    listed = subprocess.run(["nm", f"{program}.o"], check=True, capture_output=True, text=True).stdout
    names = [line.split()[-1] for line in listed.splitlines() if line.split()[-2] in "tTwW"]
    plain = subprocess.run(["c++filt"], input="\n".join(names), check=True, capture_output=True, text=True).stdout
    return {*names, *plain.split("\n")}
