#!/usr/bin/python3
"""Lists the MPI calls that are implemented, by file, and those that are declared only, from the symbols of the built
library. Its output is `sw/mpi/CALLS.md`; a test compares them.

usage: mpi_calls.py [BUILD]      BUILD: build directory, by default `build` next to this folder
"""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
HEADERS = ("mpi.h", "mpi_files.h", "mpi_tools.h", "mpi_windows.h")
WIDTH = 120


def declared() -> set[str]:
    text = "\n".join((PROJECT / "sw" / "mpi" / header).read_text() for header in HEADERS)
    return set(re.findall(r"^(?:int|double|MPI_\w+) MPI_(\w+)\(", text, re.M))


def implemented(library: Path) -> dict[str, list[str]]:
    """Calls by object file. In the library a call MPI_X is PMPI_X (profile_calls.py)."""
    lines = subprocess.run(["nm", "--defined-only", "-A", "-g", library], check=True, capture_output=True, text=True)
    found: dict[str, list[str]] = {}
    for line in lines.stdout.splitlines():
        match = re.match(r".*:(?P<file>\w+\.c)\.o:\w+ T P?MPI_(?P<call>\w+[^_])$", line)
        if match:
            found.setdefault(match["file"], []).append(match["call"])
    return found


def wrapped(calls: list[str]) -> str:
    return textwrap.fill(", ".join(sorted(calls)), WIDTH)


def main() -> None:
    build = Path(sys.argv[1]) if len(sys.argv) > 1 else PROJECT / "build"
    files = implemented(build / "sw" / "archives" / "libmpi.a")
    there = {call for calls in files.values() for call in calls}
    print(f"# Calls of MPI\n\nWritten by `scripts/mpi_calls.py` from the symbols of the library: {len(there)} calls.\n")
    print("| file | MPI_... |\n|---|---|")
    for file in sorted(files):
        print(f"| `{file}` | {', '.join(sorted(files[file]))} |")
    missing = list(declared() - there)
    if not missing:
        print("\nAll calls that are declared are implemented.")
        return
    print("\nDeclared and not implemented, so that the linker names them where a program calls one:\n")
    print(wrapped(missing))


main()
