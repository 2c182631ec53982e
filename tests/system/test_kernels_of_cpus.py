"""Loops whose time follows from a CPU's manual: as counted code and as RISC-V binaries, on all six CPUs."""

from __future__ import annotations

from pathlib import Path

import pytest
from binaries import needs_compilers, wrapper
from program import PROJECT, done

pytestmark = needs_compilers

KERNELS = PROJECT / "scripts" / "studies" / "predict" / "kernels.c"
MHZ = {"qsnet-16": 833, "myrinet-8": 450, "macrame-clos-64": 25, "moc-3-2": 80, "gcel-64": 30, "tofu-36": 2000}
# Machine: cycles of an element where the CPU's latencies or its one divider bound it.
LATENCIES = {
    "qsnet-16": {"dot": 4, "chain": 4 + 4, "divisions": 15, "ratios": 12, "chase": 3},
    "myrinet-8": {"dot": 3, "chain": 5 + 3, "divisions": 32, "ratios": 31, "chase": 3},
    "macrame-clos-64": {"divisions": 15 + 1, "ratios": 1 + 15 + 1},  # its one unit counts the turns, too
    "moc-3-2": {"dot": 5, "divisions": 31, "ratios": 3 + 31 + 1, "chain": 5, "chase": 2},  # a load, a division, a store
    "gcel-64": {"divisions": 32 + 6 + 6, "chain": 7 + 19 + 6 + 6},  # with the counter and the branch
    "tofu-36": {"dot": 6, "chain": 6, "divisions": 30, "ratios": 30 / 2, "chase": 4},
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Without GCC's unrolling and vectors, which differ between its versions."""
    folder = tmp_path_factory.mktemp("kernels")
    options = ("-O2", "-fno-tree-vectorize", "-fno-unroll-loops", f"-I{PROJECT}", KERNELS, "-o")
    for name, target in (("counted", ()), ("riscv64", ("--target", "riscv64"))):
        made = wrapper("sanvp-cc", *target, *options, name, cwd=folder)
        assert made.returncode == 0, made.stderr
    return {name: folder / name for name in ("counted", "riscv64")}


def cycles(machine: str, program: Path) -> dict[str, float]:
    lines = done("run", machine, program, "--np", 1, "-s", "host.cpu.caches=off").out.splitlines()
    rows = [line.removeprefix("[0]").split() for line in lines]
    return {kernel: float(element_ns) * MHZ[machine] / 1e3 for kernel, element_ns in rows}


@pytest.mark.parametrize("kind", ["counted", "riscv64"])
@pytest.mark.parametrize("machine", MHZ)
def test_loops_take_the_cycles_of_the_manual(programs, machine, kind):
    found = cycles(machine, programs[kind])
    for kernel, expected in LATENCIES[machine].items():
        assert found[kernel] == pytest.approx(expected, rel=0.06, abs=0.4), kernel
