"""Memory of programs of RISC-V: pages count once they have been written to."""

from __future__ import annotations

import pytest
from binaries import PROGRAMS, SOURCES, compile_one, needs_compilers, wrapper
from program import done, sanvp

pytestmark = needs_compilers

MACHINE = "macrame-clos-64"  # 64 MiB a node


@pytest.fixture(scope="module")
def memory(tmp_path_factory):
    folder = tmp_path_factory.mktemp("memory")
    made = wrapper("sanvp-cc", "--target", "riscv64", "-g", SOURCES / "memory.c", "-o", folder / "memory", cwd=folder)
    assert (made.returncode, made.stderr) == (0, "")
    return folder / "memory"


@pytest.mark.parametrize("name", ["hybrid_c", "hybrid_fortran"])
def test_threads_with_large_stacks_fit_into_a_small_node(tmp_path, name):
    program = compile_one(tmp_path, name)
    assert PROGRAMS[name][3] in done("run", MACHINE, program, "--np", 2).out


def test_memory_that_is_allocated_and_not_used_costs_nothing(memory):
    out = done("run", MACHINE, memory, "--np", 2).out
    assert sorted(out.splitlines()) == ["[0] the memory is right", "[1] the memory is right"]


@pytest.mark.parametrize(("way", "rank", "place"), [("touch", 0, "memset()"), ("read", 0, "read"), ("receive", 1, "")])
@pytest.mark.parametrize("machine", [MACHINE, "myrinet-8"])
def test_a_rank_that_writes_to_more_than_there_is_is_killed(memory, machine, way, rank, place):
    result = sanvp("run", machine, memory, "--np", 2, "-s", "host.memory=64MiB", "--", way)
    assert result.status == 4
    assert f"error: rank {rank} on node {rank}" in result.err
    assert ": out of memory (SIGKILL) at pc" in result.err
    assert "it has written to all of its 21844KiB of the node's memory, more with -s host.memory=SIZE" in result.err
    assert place in result.err


def test_with_more_memory_it_is_right(memory):
    out = done("run", MACHINE, memory, "--np", 2, "-s", "host.memory=1GiB", "--", "touch").out
    assert out.count("the memory is right") == 2


def test_a_program_that_is_larger_than_its_share_says_how_much_it_needs(tmp_path):
    source = tmp_path / "large.c"
    source.write_text("static char large[100 << 20];\nint main(void) { return large[50 << 20]++; }\n")
    made = wrapper("sanvp-cc", "--target", "riscv64", source, "-o", tmp_path / "large", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    result = sanvp("run", MACHINE, tmp_path / "large", "--np", 2)
    assert result.status == 2
    assert "/large: cannot be run: its code and data take 10" in result.err
    assert "and its share of the node's memory is 21844KiB; give nodes more with -s host.memory=SIZE" in result.err
    assert sanvp("run", MACHINE, tmp_path / "large", "--np", 2, "-s", "host.memory=512MiB").status == 0
