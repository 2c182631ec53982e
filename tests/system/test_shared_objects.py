"""POSIX mutexes, condition variables, barriers and semaphores of several processes (PTHREAD_PROCESS_SHARED), in windows
that the ranks of a node share: programs for RISC-V, tests/binaries/shared_objects.c."""

from __future__ import annotations

from pathlib import Path

import pytest
from binaries import SOURCES, needs_compilers, wrapper
from program import DEADLOCK, done, sanvp

pytestmark = needs_compilers


MACHINES = ("qsnet-16", "tofu-36", "myrinet-8", "macrame-clos-64")
WAYS = ("mutex", "condition", "barrier", "semaphores", "polled", "timeout")
MAPS = ("0,0", "0,0,0,1,1,1,1")


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("shared_objects")
    made = wrapper("sanvp-cc", "--target", "riscv64", "-O2", SOURCES / "shared_objects.c", "-o", "program", cwd=folder)
    assert (made.returncode, made.stderr) == (0, "")
    return folder / "program"


@pytest.mark.parametrize("nodes", MAPS)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("machine", MACHINES)
def test_ranks_of_a_node_synchronise_by_objects_in_shared_memory(program, machine, way, nodes):
    run = done("run", machine, program, "--np", nodes.count(",") + 1, "--map", nodes, "--", way)
    assert run.out == f"[0] {way} by ranks of a node: right\n"


@pytest.mark.parametrize("quantum", ["1us", "7us", "40us"])
@pytest.mark.parametrize("cpus", [1, 2, 3, 8])
@pytest.mark.parametrize("way", ["mutex", "polled", "condition"])
def test_they_do_with_few_cpus_and_any_quantum(program, way, cpus, quantum):
    options = ("-s", f"host.cpus={cpus}", "-s", f"host.quantum={quantum}")
    run = done("run", "qsnet-16", program, "--np", 4, "--map", "0,0,0,0", *options, "--", way)
    assert run.out == f"[0] {way} by ranks of a node: right\n"


def test_a_wait_that_nothing_ends_is_told_with_what_could_end_it(program):
    run = sanvp("run", "qsnet-16", program, "--np", 2, "--map", "0,0", "--", "never")
    assert run.status == DEADLOCK
    assert "rank 1 on node 0 waits for another thread, or another rank of its node, to wake it since" in run.err
