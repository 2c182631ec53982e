"""OpenSHMEM and what it stands on, by host software on the QsNET machine: each program checks its own results."""

from __future__ import annotations

import pytest
from program import SANVP, sanvp

IMAGES = str(SANVP).rsplit("/", 1)[0] + "/sw/tests"
DONE, HOST_PROGRAM_FAILED = 0, 4


def passes(program: str, ranks: int, *arguments: str, options: tuple[str, ...] = ()) -> str:
    """What an image of the tests printed, when it ended well and found its results right."""
    machine = "qsnet-16" if ranks <= 16 else "qsnet-64"
    result = sanvp("run", machine, f"{IMAGES}/{program}.so", "--np", ranks, *options, "--", *arguments)
    assert result.status == DONE, result.err + result.out
    assert "PASS" in result.out
    return result.out


@pytest.mark.parametrize("ranks", [1, 2, 7, 64])
def test_atomic_operations_of_all_processes_on_one_word_add_up(ranks):
    passes("atomics", ranks)


def test_atomic_operations_on_one_word_add_up_when_processes_share_nodes():
    passes("atomics", 6, options=("--map", "0,0,0,1,1,2"))


@pytest.mark.parametrize("ranks", [1, 2, 3, 7, 8, 16])
@pytest.mark.parametrize("program", ["shmem_rma", "shmem_atomics", "shmem_collectives"])
def test_openshmem_does_what_the_standard_says(program, ranks):
    passes(program, ranks)


@pytest.mark.parametrize(("program", "arguments"), [("shmem_atomics", ()), ("shmem_collectives", ("few",))])
def test_openshmem_does_so_among_64(program, arguments):
    passes(program, 64, *arguments)


@pytest.mark.parametrize("program", ["shmem_rma", "shmem_atomics", "shmem_collectives"])
def test_openshmem_does_so_when_processes_share_nodes(program):
    passes(program, 6, options=("--map", "0,0,0,1,1,2"))
