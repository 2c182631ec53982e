"""Windows whose ranks share a node, many, and large ones (near_windows.c and others of tests/programs): in programs of
RISC-V, whose ranks have memory each of their own, and in native ones.

`test_brought_programs.py` has more native runs.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from binaries import needs_compilers, wrapper
from program import PROJECT, sanvp

MACHINES = ("qsnet-16", "tofu-36", "myrinet-8", "macrame-clos-64")
HOST_PROGRAM_FAILED = 4
TARGETS = {"native": [], "riscv": ["--target", "riscv64"]}


PROGRAMS = ("near_windows", "many_windows", "large_window")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> dict[tuple[str, str], Path]:
    """Each program for each kind of node."""
    folder = tmp_path_factory.mktemp("windows")
    for kind, target in TARGETS.items():
        for name in PROGRAMS:
            source = PROJECT / "tests/programs" / f"{name}.c"
            made = wrapper("sanvp-cc", *target, "-O2", source, "-o", f"{name}.{kind}", cwd=folder)
            assert (made.returncode, made.stderr) == (0, "")
    return {(name, kind): folder / f"{name}.{kind}" for name in PROGRAMS for kind in TARGETS}


def passes(program: Path, machine: str, *options: object) -> None:
    result = sanvp("run", machine, program, *options)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out


@needs_compilers
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("kind", TARGETS)
def test_ranks_of_a_node_access_each_others_windows(compiled, kind, machine):
    passes(compiled["near_windows", kind], machine, "--np", 5, "--map", "0,0,0,1,1")


# GM registers 64 pieces of memory for a port, TOFU 512 for a queue; an allocated window that ranks share is a piece.
@needs_compilers
@pytest.mark.parametrize(("machine", "windows"), [("myrinet-8", 80), ("tofu-36", 550), ("qsnet-16", 550)])
@pytest.mark.parametrize("kind", TARGETS)
def test_there_may_be_more_windows_than_a_card_knows_pieces_of_memory(compiled, kind, machine, windows):
    passes(compiled["many_windows", kind], machine, "--np", 4, "--map", "0,0,1,1", "--", windows)


# The Elan3 has addresses for 2.5 GiB of main memory; a piece of it usually gets a quarter of them on either side.
@needs_compilers
@pytest.mark.parametrize("nodes", ["0,1", "0,0"])
@pytest.mark.parametrize("kind", TARGETS)
def test_a_window_may_take_most_of_the_addresses_of_an_elan3(compiled, kind, nodes):
    options = ("--np", 2, "--map", nodes, "-s", "host.memory=16GiB", "--")
    passes(compiled["large_window", kind], "qsnet-16", *options, 1100)
    refused = sanvp("run", "qsnet-16", compiled["large_window", kind], *options, 2800)
    assert refused.status == HOST_PROGRAM_FAILED
    assert "all Elan addresses for main memory are used, 2.5 GiB" in refused.err
