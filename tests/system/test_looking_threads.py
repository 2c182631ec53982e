"""Threads that test for messages in loops while others of their rank do something else: what counts as a hang."""

from __future__ import annotations

from pathlib import Path

import pytest
from binaries import SOURCES, needs_compilers, wrapper
from program import DEADLOCK, done, sanvp

pytestmark = needs_compilers

# All that others do takes longer than this, and than the 50 ms between two looks at the progress of the machine.
SHORT = ("--np", 2, "-s", "host.looks=20ms")
MACHINES = pytest.mark.parametrize(("machine", "cpus"), [("qsnet-16", 4), ("myrinet-8", 2)])


@pytest.fixture(scope="module")
def testers(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("testers")
    made = wrapper("sanvp-cc", "--target", "riscv64", "-pthread", SOURCES / "testers.c", "-o", "testers", cwd=folder)
    assert made.returncode == 0, made.stderr
    return folder / "testers"


@MACHINES
@pytest.mark.parametrize("others", ["sleep", "compute"])
def test_a_rank_goes_on_while_one_thread_tests_without_progress_and_another_is_busy(testers, machine, cpus, others):
    run = done("run", machine, testers, *SHORT, "-s", f"host.cpus={cpus}", "--", others)
    assert sorted(run.out.splitlines()) == ["[0] received 71", "[0] tested for 70"]


@MACHINES
@pytest.mark.parametrize("others", ["sleep", "receive", "two"])
def test_a_thread_that_tests_for_ever_while_the_others_wait_or_test_is_reported(testers, machine, cpus, others):
    run = sanvp("run", machine, testers, *SHORT, "-s", f"host.cpus={cpus}", "--", others, "never")
    assert run.status == DEADLOCK
    assert "rank 0 on node 0 makes no progress in MPI_Test since " in run.err
    assert "rank 1 on node 1 waits in MPI_Finalize since " in run.err
