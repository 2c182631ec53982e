#!/usr/bin/python3
"""Makes the libraries that programs are linked with, whose symbols cannot clash with those of programs.

usage: own_names.py FOLDER --kept FILE... --provided FILE... [--firmware FILE...] --archives FILE...

Each archive libNAME.a is copied into FOLDER as libsanvp_NAME.a. A symbol gets a prefix unless it is a word of the kept
files: preprocessed headers of MPI and SHMEM with their macros, and the linker's options. So a program's function or
variable of the same name is distinct. FOLDER/provided.ld offers the symbols of the provided files, headers of historic
libraries, under their own names: a program that refers to one gets ours, a program that defines one has its own, and
the library keeps calling ours. FOLDER/firmware.ld does so for firmware, with what its headers declare. Weak symbols
keep their names; the program's definitions override them.
"""

import argparse
import os
import re
import subprocess
from pathlib import Path

PREFIX = "sanvp_"
STAYS = re.compile(rf"__wrap_|{PREFIX}")  # C library calls that sw/hal takes over; symbols that have the prefix already


def defined(archive: Path) -> set[str]:
    """Symbols that could clash with a program's."""
    nm = [os.environ.get("NM", "nm"), "--defined-only", "--extern-only", "--format=posix", archive]
    lines = subprocess.run(nm, check=True, capture_output=True, text=True).stdout.splitlines()
    return {fields[0] for line in lines if len(fields := line.split()) > 1 and fields[1] not in "WV"}


def words(files: list[Path]) -> set[str]:
    return {word for file in files for word in re.findall(r"\w+", file.read_text())}


def main() -> None:
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("folder", type=Path)
    for name in ("--kept", "--provided", "--archives"):
        arguments.add_argument(name, type=Path, nargs="+", required=True)
    arguments.add_argument("--firmware", type=Path, nargs="+", default=[])
    told = arguments.parse_args()
    there = {name for archive in told.archives for name in defined(archive) if not STAYS.match(name)}
    renamed = sorted(there - words(told.kept))
    table = told.folder / "own_names"
    table.write_text("".join(f"{name} {PREFIX}{name}\n" for name in renamed))
    for script, headers in (("provided.ld", told.provided), ("firmware.ld", told.firmware)):
        offered = words(headers)
        provided = [f"PROVIDE({name} = {PREFIX}{name});\n" for name in renamed if name in offered]
        (told.folder / script).write_text("".join(provided))
    for archive in told.archives:
        objcopy = [os.environ.get("OBJCOPY", "objcopy"), "--enable-deterministic-archives"]
        subprocess.run(
            [*objcopy, f"--redefine-syms={table}", archive, told.folder / f"lib{PREFIX}{archive.name[3:]}"], check=True
        )


main()
