"""Programs of RISC-V: those of tests/binaries, compiled as users do, and those of sw/apps, as the build makes them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from program import PROJECT, SANVP

BUILD = Path(SANVP).resolve().parent
SOURCES = PROJECT / "tests" / "binaries"
APPS = BUILD / "sw" / "riscv64" / "apps"
COMPILERS = ("riscv64-linux-gnu-gcc", "riscv64-linux-gnu-g++", "riscv64-linux-gnu-gfortran")

needs_compilers = pytest.mark.skipif(
    not all(map(shutil.which, COMPILERS)) or not APPS.is_dir(),
    reason="the build had no cross compilers (scripts/install riscv)",
)

# Program: wrapper, options, sources, and what it prints when it is right.
PROGRAMS = {
    "cg": ("sanvp-fc", [], ["random_numbers.f90", "cg.f90"], "CG is right"),
    "ep": ("sanvp-fc", [], ["random_numbers.f90", "ep.f90"], "EP is right"),
    "hybrid_c": ("sanvp-cc", ["-fopenmp"], ["hybrid.c"], "the hybrid is right"),
    "hybrid_fortran": ("sanvp-fc", ["-fopenmp"], ["hybrid.f90"], "the hybrid is right"),
    "threads": ("sanvp-c++", ["-pthread"], ["threads.cpp"], "threads and exceptions are right"),
    "small_atomics": ("sanvp-c++", ["-std=c++20"], ["small_atomics.cpp"], "small atomics: right"),
    "polled_locks": ("sanvp-cc", ["-fopenmp"], ["polled_locks.c"], "wrong under polled locks: 0"),
    "multiple": ("sanvp-cc", ["-pthread"], ["multiple.c"], "level 1, wrong with several threads: 0"),
    "made_by_threads": ("sanvp-cc", ["-pthread"], ["made_by_threads.c"], "level 1, wrong of what threads made: 0"),
    "windows_of_threads": (
        "sanvp-cc",
        ["-pthread"],
        ["windows_of_threads.c"],
        "level 1, wrong with windows of threads: 0",
    ),
    "completed_by_threads": (
        "sanvp-cc",
        ["-pthread"],
        ["completed_by_threads.c"],
        "level 1, wrong with completions by threads: 0",
    ),
    "many_waits": ("sanvp-cc", ["-pthread"], ["many_waits.c"], "level 1, wrong with many waits: 0"),
    "thread_storm": ("sanvp-cc", ["-pthread"], ["thread_storm.c"], "level 1, wrong in the storm: 0"),
    "come_and_go": ("sanvp-cc", ["-pthread"], ["come_and_go.c"], "level 1, wrong with threads that come and go: 0"),
    "own_time": ("sanvp-cc", ["-pthread"], ["own_time.c"], "measured"),
    "all_threads": ("sanvp-cc", ["-fopenmp"], ["all_threads.c"], "level 1, wrong with all threads: 0"),
    "fixed": ("sanvp-fc", ["-w"], ["fixed.f"], "wrong in fixed form: 0"),
    "bindings": ("sanvp-fc", [], ["bindings.f90"], "wrong bindings: 0"),
    "objects": ("sanvp-fc", [], ["objects.f90"], "wrong with windows and files: 0"),
    "sections": ("sanvp-fc", [], ["sections.f90"], "wrong with sections: 0"),
    "modern": ("sanvp-fc", [], ["modern.f90"], "wrong in mpi_f08: 0"),
}


def wrapper(name: str, *arguments: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess:
    """Runs sanvp-cc, sanvp-c++ or sanvp-fc."""
    command = [BUILD / name, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment or None, check=False)


def compile_one(folder: Path, name: str) -> Path:
    """The program of this name of PROGRAMS, in the folder."""
    tool, options, sources, _ = PROGRAMS[name]
    target = [] if tool == "sanvp-fc" else ["--target", "riscv64"]
    places = [SOURCES / source for source in sources]
    made = wrapper(tool, *target, *options, *places, "-lm", "-o", folder / name, cwd=folder)
    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")
    return folder / name


def compile_text(folder: Path, name: str, text: str) -> Path:
    """A program of threads for RISC-V, from its text."""
    (folder / f"{name}.c").write_text(text)
    command = ("sanvp-cc", "--target", "riscv64", "-pthread", f"{name}.c", "-o", name)
    made = wrapper(*command, cwd=folder, **os.environ)
    assert made.returncode == 0, made.stderr
    return folder / name
