"""Mutated executables, random words and random system calls do not crash the simulator."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from toolchain import BUILD, compile_program, needs_toolchain

pytestmark = needs_toolchain
SOURCE = Path(__file__).resolve().parent / "programs" / "hello.c"


def survive(folder: Path, files: int, words: int, calls: int, seed: int) -> None:
    program = compile_program(SOURCE, folder / "program", "-s")
    inside = folder / "empty"
    inside.mkdir()
    command = [str(BUILD / "riscv_fuzz"), str(program), str(files), str(words), str(calls), str(seed)]
    done = subprocess.run(command, cwd=inside, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == [str(files), str(words), str(words // 4), str(calls)]
    refused = int(lines[0].split()[2])
    assert 0.1 * files < refused < files  # some of the files are still programs


def test_some_thousand_do_not_crash(tmp_path: Path) -> None:
    survive(tmp_path, files=2000, words=20480, calls=5000, seed=1)


@pytest.mark.long
def test_a_hundred_thousand_files_and_a_million_words_do_not_crash(tmp_path: Path) -> None:
    survive(tmp_path, files=100_000, words=1_024_000, calls=200_000, seed=2)
