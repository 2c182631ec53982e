"""Windows whose ranks share a node (near_windows.c, many_windows.c of tests/programs): in programs of RISC-V, whose
ranks have memory each of their own, and in native ones.

`test_brought_programs.py` has more native runs.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from binaries import needs_compilers, wrapper
from program import PROJECT, sanvp

MACHINES = ("qsnet-16", "tofu-36", "myrinet-8", "macrame-clos-64")
TARGETS = {"native": [], "riscv": ["--target", "riscv64"]}


PROGRAMS = ("near_windows", "many_windows")


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
