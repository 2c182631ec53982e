#!/usr/bin/python3 -IS
"""Writes into a program where `sanvp` is, in place of the mark in sw/hal/alone.c.

usage: place PROGRAM SANVP         a program without the mark is left as it is, one with a longer path, too
"""

import os
import sys
from pathlib import Path

MARK = b"?sanvp's place, by sanvp-cc?"
ROOM = 4096  # PATH_MAX


def main(program, sanvp):
    """Replaces the mark."""
    path = os.fsencode(sanvp)
    with Path(program).open("r+b") as file:
        at = file.read().find(MARK)
        if at >= 0 and len(path) < ROOM:
            file.seek(at)
            file.write(path.ljust(len(MARK), b"\0") + b"\0")


if __name__ == "__main__":
    main(*sys.argv[1:])
