#!/usr/bin/python3 -IS
"""Writes into a program which of its objects and shared libraries were not compiled by sanvp-cc, so that their
instructions are not counted and take no time: `sanvp run` says so.

usage: uncounted MAP PROGRAM         MAP: what the linker has written with -Map

The names are written to the section .sanvp.uncounted, which is omitted if there are none. A program with OpenMP gets
the section .sanvp.openmp: `sanvp run` says that it has one thread.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

SECTION = ".sanvp.uncounted"
OPENMP = re.compile(r"^lib(gomp|omp|iomp5)\.so\b")
OPENMP_SECTION = ".sanvp.openmp"
OWN_OPENMP = re.compile(r"libsanvp_openmp\.a\(team\.c\.o\)")  # a parallel region, or the number of its level
MEMORY_MAP = "\nLinker script and memory map\n"
INPUT = re.compile(r"^ (\.text\S*|\.sanvp\.\w*blocks)\s+0x[0-9a-f]+\s+(0x[0-9a-f]+) (\S.*)$", re.MULTILINE)
# Code of the compiler and the C library, which a table prices (sw/abi/hal/library_costs.h), and the simulator's calls.
OURS = re.compile(
    r"(^|/)(libsanvp_\w+\.a|libgcc(_eh)?\.a|libstdc\+\+\.a|libc_nonshared\.a|libm\.a|libc\.a|crt\w+\.o)(\(|$)"
)
# A temporary object of the compiler driver: its name differs from run to run.
TEMPORARY = re.compile(r"^(.*/)?cc\w{6}\.o$")
# Shared libraries with calls that the table prices, and the loader.
PRICED = re.compile(r"^(libc|libm|libgcc_s|libstdc\+\+|libdl|libpthread|librt|ld-linux-x86-64)\.so\.")


def libraries(program):
    """Other shared libraries that the program needs."""
    headers = subprocess.run(["objdump", "-p", program], check=True, capture_output=True, text=True).stdout
    return [name for name in re.findall(r"^\s+NEEDED\s+(\S+)$", headers, re.MULTILINE) if not PRICED.match(name)]


def name_of(place):
    """The object's name without folders."""
    return "a source in assembly" if TEMPORARY.match(place) else re.sub(r"^.*/(?=[^(]*)", "", place)


def uncounted(text):
    """Objects with code in which no block is counted, from the linker's map."""
    kept = text.partition(MEMORY_MAP)[2]
    kept = re.sub(r"^( \.\S+)\n\s+(?=0x)", r"\1 ", kept, flags=re.MULTILINE)  # a long name has a line of its own
    with_code, counted = {}, set()
    for name, size, place in INPUT.findall(kept):
        if int(size, 16) == 0 or OURS.search(place):
            continue
        if name.startswith(".text"):
            with_code[place] = None
        else:
            counted.add(place)
    return [place for place in with_code if place not in counted]


def add_section(program, section, names):
    """Writes the names into the program."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as text:
        text.write(", ".join(names))
        text.flush()
        subprocess.run(["objcopy", f"--add-section={section}={text.name}", program], check=True)


def main(arguments):
    """Adds the sections to a program that was just linked."""
    linker_map, program = arguments
    shared = libraries(program)
    text = Path(linker_map).read_text(errors="replace")
    threads = [name for name in shared if OPENMP.match(name)]
    places = uncounted(text) + [name for name in shared if name not in threads]
    threads += OWN_OPENMP.findall(text.partition(MEMORY_MAP)[2])[:1]
    if places:
        add_section(program, SECTION, dict.fromkeys(map(name_of, places)))
    if threads:
        add_section(program, OPENMP_SECTION, threads)


if __name__ == "__main__":
    main(sys.argv[1:])
