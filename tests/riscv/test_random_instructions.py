"""Random instructions of each extension give the registers, flags and memory that qemu-riscv64 gives."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from instructions import EXTENSIONS
from random_program import make_program
from toolchain import WAYS, by_interpreter, by_qemu, needs_toolchain

pytestmark = needs_toolchain
BLOCKS, LENGTH = 100, 40  # short blocks: floating-point numbers soon become NaN


def compare(folder: Path, extension: str, way: tuple[str, ...], seed: int, rounds: int) -> None:
    program = make_program(folder, extension, seed, BLOCKS, LENGTH)
    by_runner = partial(by_interpreter, options=way)
    expected, found = (run(program, str(rounds), folder=folder) for run in (by_qemu, by_runner))
    assert expected.status == 0
    assert len(expected.output) == 8 * BLOCKS * rounds
    if found.output == expected.output and found.status == 0:
        return
    different = next(
        (i for i in range(0, len(expected.output), 8) if expected.output[i : i + 8] != found.output[i : i + 8]), 0
    )
    number = str(different // 8)
    sides = [run(program, str(rounds), number, folder=folder).output.decode() for run in (by_qemu, by_runner)]
    lines = [f"{a} | {b}" for a, b in zip(*(side.splitlines() for side in sides), strict=False) if a != b]
    pytest.fail(
        f"{program}, block {int(number) % BLOCKS}: status {found.status}, {found.errors.decode()}\n" + "\n".join(lines)
    )


@WAYS
@pytest.mark.parametrize("extension", EXTENSIONS)
def test_some_hundred_thousand_instructions_agree(tmp_path: Path, extension: str, way: tuple[str, ...]) -> None:
    compare(tmp_path, extension, way, seed=1, rounds=30)


@WAYS
@pytest.mark.long
@pytest.mark.parametrize("extension", EXTENSIONS)
def test_ten_million_instructions_agree(tmp_path: Path, extension: str, way: tuple[str, ...]) -> None:
    for seed in range(2, 12):
        compare(tmp_path, extension, way, seed, rounds=250)
