"""Random instructions of each extension give the registers, flags and memory that qemu-riscv64 gives, and those of RV32
what qemu-riscv32 gives."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from instructions import EXTENSIONS
from random_program import make_program
from toolchain import (
    TRANSLATED,
    by_interpreter,
    by_interpreter_32,
    by_qemu,
    by_qemu_32,
    needs_toolchain,
    needs_translation,
)

pytestmark = needs_toolchain
BLOCKS, LENGTH = 100, 40  # short blocks: floating-point numbers soon become NaN

UNEVEN = ("--mhz", "833")  # prices of blocks are rounded, which the program must not see


RUNNERS = {
    "interpreted": (64, by_qemu, partial(by_interpreter, options=UNEVEN)),
    "translated": (64, by_qemu, partial(by_interpreter, options=(*TRANSLATED, *UNEVEN))),
    "RV32": (32, by_qemu_32, by_interpreter_32),
}
BY_ALL = pytest.mark.parametrize(
    "way", [pytest.param(way, marks=needs_translation if way == "translated" else ()) for way in RUNNERS]
)


def compare(folder: Path, extension: str, way: str, seed: int, rounds: int) -> None:
    bits, *runners = RUNNERS[way]
    program = make_program(folder, extension, seed, BLOCKS, LENGTH, bits)
    expected, found = (run(program, str(rounds), folder=folder) for run in runners)
    assert expected.status == 0
    assert len(expected.output) == 8 * BLOCKS * rounds
    if found.output == expected.output and found.status == 0:
        return
    different = next(
        (i for i in range(0, len(expected.output), 8) if expected.output[i : i + 8] != found.output[i : i + 8]), 0
    )
    number = str(different // 8)
    sides = [run(program, str(rounds), number, folder=folder).output.decode() for run in runners]
    lines = [f"{a} | {b}" for a, b in zip(*(side.splitlines() for side in sides), strict=False) if a != b]
    pytest.fail(
        f"{program}, block {int(number) % BLOCKS}: status {found.status}, {found.errors.decode()}\n" + "\n".join(lines)
    )


@BY_ALL
@pytest.mark.parametrize("extension", EXTENSIONS)
def test_some_hundred_thousand_instructions_agree(tmp_path: Path, extension: str, way: str) -> None:
    compare(tmp_path, extension, way, seed=1, rounds=30)


@BY_ALL
@pytest.mark.long
@pytest.mark.parametrize("extension", EXTENSIONS)
def test_ten_million_instructions_agree(tmp_path: Path, extension: str, way: str) -> None:
    for seed in range(2, 12):
        compare(tmp_path, extension, way, seed, rounds=250)
