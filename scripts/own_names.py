#!/usr/bin/python3
"""The libraries as programs are linked with them, clear of the names that programs give to things of their own.

usage: own_names.py FOLDER --kept FILE... --provided FILE... --archives FILE...

A copy of each archive libNAME.a comes into FOLDER as libsanvp_NAME.a. A name in it that is no word of the first files,
preprocessed headers of MPI and SHMEM with their macros and what the linker is told, gets a prefix: a program's function
or variable of that name is another thing. Names that the next files offer, historic libraries' headers, stand in
FOLDER/provided.ld for what has the prefix: a program that names one has it, a program that defines one has its own, and
the library keeps calling ours. Weak names stay; they give way by themselves.
"""

import argparse
import os
import re
import subprocess
from pathlib import Path

PREFIX = "sanvp_"
STAYS = re.compile(rf"__wrap_|{PREFIX}")  # the C library's calls that come to sw/hal; ours already


def defined(archive: Path) -> set[str]:
    """Names that would clash with a program's."""
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
    told = arguments.parse_args()
    there = {name for archive in told.archives for name in defined(archive) if not STAYS.match(name)}
    renamed = sorted(there - words(told.kept))
    offered = words(told.provided)
    table = told.folder / "own_names"
    table.write_text("".join(f"{name} {PREFIX}{name}\n" for name in renamed))
    provided = [f"PROVIDE({name} = {PREFIX}{name});\n" for name in renamed if name in offered]
    (told.folder / "provided.ld").write_text("".join(provided))
    for archive in told.archives:
        objcopy = [os.environ.get("OBJCOPY", "objcopy"), "--enable-deterministic-archives"]
        subprocess.run(
            [*objcopy, f"--redefine-syms={table}", archive, told.folder / f"lib{PREFIX}{archive.name[3:]}"], check=True
        )


main()
