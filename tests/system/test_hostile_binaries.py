"""Programs of RISC-V that call the machine with whatever arguments: each ends with a message, and the simulator goes
on."""

from __future__ import annotations

import pytest
from binaries import SOURCES, needs_compilers, wrapper
from program import PROJECT, sanvp

pytestmark = needs_compilers

SEEDS = range(1, 13)
ENDS = (0, 3, 4)  # done, waits for ever, refused


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    options = ("--target", "riscv64", "-O1", "-I", PROJECT)
    made = wrapper("sanvp-cc", *options, SOURCES / "hostile_calls.c", "-o", folder / "hostile", cwd=folder)
    assert made.returncode == 0, made.stderr
    return folder / "hostile"


@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-8", "tofu-36", "macrame-clos-64", "gcel-64"])
def test_no_arguments_of_calls_or_stores_to_a_card_take_the_simulator_down(hostile, machine):
    refused = 0
    for seed in SEEDS:
        result = sanvp("run", machine, hostile, "--np", 3, "--", seed)
        assert result.status in ENDS, f"seed {seed}: {result.err}"
        assert "interpreter failed" not in result.err, f"seed {seed}: {result.err}"
        refused += result.status == 4
    assert refused > len(SEEDS) // 2
