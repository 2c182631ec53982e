"""Programs of a few lines, compiled as a user compiles them. What several test files share."""

from __future__ import annotations

import subprocess
from pathlib import Path

from program import SANVP, Result, sanvp

PROGRAM_FAILED = 4
CC = Path(SANVP).with_name("sanvp-cc")
MACHINE = "qsnet-16"
HEADERS = ("hal.h", "mpi.h", "stdio.h", "stdlib.h", "string.h", "assert.h", "math.h", "unistd.h", "sys/time.h")
LINUX = ("err.h", "errno.h", "error.h", "limits.h", "signal.h", "threads.h", "time.h")


def compile_program(folder: Path, body: str, *options: str, headers: tuple[str, ...] = (), before: str = "") -> Path:
    """A program whose main is `body`, behind what comes `before`."""
    source = folder / "prog.c"
    includes = "".join(f"#include <{name}>\n" for name in HEADERS + headers)
    source.write_text(
        includes + before + "int main(int argc, char** argv) {\n(void)argc; (void)argv;\n" + body + "\nreturn 0; }\n"
    )
    subprocess.run([CC, source, "-o", folder / "prog", *options], check=True)
    return folder / "prog"


def run(folder: Path, body: str, *arguments: object, gnu: bool = False) -> Result:
    """Runs it on two ranks, or as the arguments say; with all that the C library has, if `gnu`."""
    program = compile_program(folder, body, *(["-D_GNU_SOURCE"] if gnu else []), headers=LINUX if gnu else ())
    return sanvp("run", MACHINE, program, "--np", 2, *arguments)
