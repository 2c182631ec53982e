"""Compilers for RV64, qemu-riscv64 and riscv_run, for the tests of this folder."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

BUILD = Path(os.environ.get("SANVP_BUILD", Path(__file__).resolve().parents[2] / "build"))


def built(name: str) -> Path:
    """The program of this name; the script that runs it under an emulator, where it is for another processor."""
    emulated = BUILD / f"{name}-emulated"
    return emulated if emulated.exists() else BUILD / name


RUNNER, RUNNER_32 = built("riscv_run"), built("riscv_run32")
COMPILERS = {".c": "riscv64-linux-gnu-gcc", ".cpp": "riscv64-linux-gnu-g++", ".f90": "riscv64-linux-gnu-gfortran"}
QEMU, QEMU_32 = "qemu-riscv64", "qemu-riscv32"

needs_toolchain = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in (*COMPILERS.values(), QEMU)),
    reason="no compilers for RV64 or no qemu-riscv64: scripts/install riscv",
)


TRANSLATED = ("--translate", "1")  # a block's second run is translated


def can_translate() -> bool:
    """Whether the build had AsmJit."""
    if not RUNNER.exists():
        return False
    done = subprocess.run([str(RUNNER), *TRANSLATED, os.devnull], capture_output=True, check=False)
    return b"AsmJit" not in done.stderr


needs_translation = pytest.mark.skipif(not can_translate(), reason="no AsmJit: scripts/install build")
WAYS = pytest.mark.parametrize(
    "way", [(), pytest.param(TRANSLATED, marks=needs_translation)], ids=["interpreted", "translated"]
)


class Outcome(NamedTuple):
    """What a program has done. A signal that ends it counts as 128 and its number."""

    status: int
    output: bytes
    errors: bytes


def has_static_pie() -> bool:
    found = subprocess.run([COMPILERS[".c"], "-print-file-name=rcrt1.o"], check=True, capture_output=True, text=True)
    return Path(found.stdout.strip()).is_absolute()


def compile_program(source: Path, program: Path, *options: str) -> Path:
    # Given both, GCC 14 makes neither; and not every C library for RISC-V can be linked so.
    static = [] if "-static-pie" in options and has_static_pie() else ["-static"]
    command = [COMPILERS[source.suffix], "-O2", "-w", *static, str(source), *options, "-o", str(program)]
    subprocess.run(command, check=True, capture_output=True, cwd=program.parent)
    return program


def compile_for_rv32(source: Path, program: Path, *options: str) -> Path:
    """By the compiler for RV64, which has no C library for RV32."""
    of_rv32 = ("-march=rv32imafdc_zicsr_zifencei", "-mabi=ilp32d", "-nostdlib", "-ffreestanding", "-fno-builtin")
    return compile_program(source, program, *of_rv32, *options)


def run(command: list[str], folder: Path) -> Outcome:
    """In that folder, with an environment of one variable, as the leader of a session: in a container, the session
    that it would be in otherwise may have the number 0."""
    environment = {"PATH": os.environ["PATH"]}
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        start_new_session=True,
    )
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return Outcome(status, done.stdout, done.stderr)


def by_qemu(program: Path, *arguments: str, folder: Path, options: tuple[str, ...] = ()) -> Outcome:
    return run([QEMU, "-U", "PATH", "-E", "NAME=value", *options, str(program), *arguments], folder)


def by_interpreter(program: Path, *arguments: str, folder: Path, options: tuple[str, ...] = ()) -> Outcome:
    return run([str(RUNNER), "--set", "NAME=value", *options, str(program), *arguments], folder)


def by_qemu_32(program: Path, *arguments: str, folder: Path) -> Outcome:
    return run([QEMU_32, str(program), *arguments], folder)


def by_interpreter_32(program: Path, *arguments: str, folder: Path) -> Outcome:
    return run([str(RUNNER_32), str(program), *arguments], folder)
