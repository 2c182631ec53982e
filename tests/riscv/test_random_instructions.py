"""Random instructions of each extension give the registers, flags and memory that qemu-riscv64 gives, and those of RV32
what qemu-riscv32 gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from instructions import EXTENSIONS
from random_program import make_program
from toolchain import by_interpreter, by_interpreter_32, by_qemu, by_qemu_32, needs_toolchain

pytestmark = needs_toolchain
BLOCKS, LENGTH = 100, 40  # short blocks: floating-point numbers soon become NaN


RUNNERS = {64: (by_qemu, by_interpreter), 32: (by_qemu_32, by_interpreter_32)}


def compare(folder: Path, extension: str, seed: int, rounds: int, bits: int) -> None:
    program = make_program(folder, extension, seed, BLOCKS, LENGTH, bits)
    expected, found = (run(program, str(rounds), folder=folder) for run in RUNNERS[bits])
    assert expected.status == 0
    assert len(expected.output) == 8 * BLOCKS * rounds
    if found.output == expected.output and found.status == 0:
        return
    different = next(
        (i for i in range(0, len(expected.output), 8) if expected.output[i : i + 8] != found.output[i : i + 8]), 0
    )
    number = str(different // 8)
    sides = [run(program, str(rounds), number, folder=folder).output.decode() for run in RUNNERS[bits]]
    lines = [f"{a} | {b}" for a, b in zip(*(side.splitlines() for side in sides), strict=False) if a != b]
    pytest.fail(
        f"{program}, block {int(number) % BLOCKS}: status {found.status}, {found.errors.decode()}\n" + "\n".join(lines)
    )


@pytest.mark.parametrize("bits", RUNNERS)
@pytest.mark.parametrize("extension", EXTENSIONS)
def test_some_hundred_thousand_instructions_agree(tmp_path: Path, extension: str, bits: int) -> None:
    compare(tmp_path, extension, 1, 30, bits)


@pytest.mark.long
@pytest.mark.parametrize("bits", RUNNERS)
@pytest.mark.parametrize("extension", EXTENSIONS)
def test_ten_million_instructions_agree(tmp_path: Path, extension: str, bits: int) -> None:
    for seed in range(2, 12):
        compare(tmp_path, extension, seed, 250, bits)
