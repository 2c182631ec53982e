"""What branches change of CPUs, links and collective operations: from the branch on the run goes as one that has been
started so, as far as nothing of the past is left."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from binaries import compile_text, needs_compilers
from program import SANVP, USER_MISTAKE, sanvp
from test_branch import branched, figures, straight

# Rank 1 computes while rank 0 waits, and then rank 0: by the time that this takes.
TURNS = """#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
static uint64_t work(uint64_t rounds) {
  uint64_t value = 1;
  for (uint64_t i = 0; i < rounds; ++i) value = value * 6364136223846793005u + 1442695040888963407u;
  return value;
}
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  uint64_t value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int turn = 0; turn < 3; ++turn) {
    if (rank == turn % 2) {
      const double begin = MPI_Wtime();
      value += work(200000);
      const double end = MPI_Wtime();
      printf("turn %d: %.0f ps\\n", turn, (end - begin) * 1e12);
      fflush(stdout);
      MPI_Send(&value, 1, MPI_UINT64_T, 1 - rank, turn, MPI_COMM_WORLD);
    } else {
      MPI_Recv(&value, 1, MPI_UINT64_T, 1 - rank, turn, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
  return 0;
}
"""


def compile_native(folder: Path, name: str, text: str) -> None:
    source = folder / f"{name}.c"
    source.write_text(text)
    subprocess.run([Path(SANVP).parent / "sanvp-cc", source, "-o", folder / name], check=True)


def turns(text: str) -> list[int]:
    found = re.findall(r"turn \d: (\d+) ps", text)
    assert len(found) == 3, text
    return [int(one) for one in found]


@pytest.mark.parametrize(
    "kind", ["native", "profiled", *(pytest.param(one, marks=needs_compilers) for one in ("translated", "interpreted"))]
)
def test_after_a_change_of_the_clock_code_takes_what_it_takes_on_that_cpu(tmp_path: Path, kind: str) -> None:
    """The third turn is after the branch: it takes the time of a run with that clock, to the tenth of a nanosecond that
    a reading of the clock has; the first one is before, and keeps its price."""
    options = {"profiled": ("--profile",), "interpreted": ("-s", "host.cpu.translate=off")}.get(kind, ())
    if kind in ("native", "profiled"):
        compile_native(tmp_path, "turns", TURNS)
    else:
        compile_text(tmp_path, "turns", TURNS)
    command = ("run", "qsnet-16", "./turns", "--np", "2", *options)
    plain, result, _ = straight(tmp_path, *command)
    slow, _, _ = straight(tmp_path, *command, "-s", "host.cpu.clock=400")
    middle = (result["boot_time_ns"] + result["sim_time_ns"]) / 2  # of the second turn
    run, all_results = branched(
        tmp_path, f"{middle:.0f}ns", *command, branches=("", "-s host.cpu.clock=400", "-s host.cpu.clock=833")
    )
    assert run.status == 0, run.err
    same, slower, own = (figures(one["result"]) for one in all_results["branches"])
    assert same == result == own
    before, late = turns(plain.out), turns(slow.out)
    texts = run.out.split("turn 0")[-1]  # what was printed before the branch is printed once
    printed = [int(one) for one in re.findall(r"turn 2: (\d+) ps", texts)]
    assert printed == [before[2], pytest.approx(late[2], abs=200), before[2]]
    assert late[2] == pytest.approx(before[2] * 833 / 400, rel=0.01)
    assert result["sim_time_ns"] < slower["sim_time_ns"]


@pytest.mark.parametrize(
    ("machine", "delay"), [("qsnet-16", "1us"), ("myrinet-16", "20ns"), ("macrame-clos-64", "1us")]
)
def test_a_delay_that_changes_before_anything_is_under_way_is_that_of_the_start(
    tmp_path: Path, machine: str, delay: str
) -> None:
    command = ("traffic", machine, "uniform", "--load", "0.2", "--packets", "500")
    run, all_results = branched(tmp_path, "1ps", *command, branches=("", f"-s link.delay={delay}"))
    assert run.status == 0, run.err
    _, plain, _ = straight(tmp_path, *command)
    _, slow, _ = straight(tmp_path, *command, "-s", f"link.delay={delay}")
    same, changed = (figures(one["result"]) for one in all_results["branches"])
    assert same == plain
    assert changed == slow != plain


def latencies(text: str) -> dict[int, float]:
    """Half round trips of `ping`, by bytes, in us."""
    return {int(size): float(time) for size, time in re.findall(r"^\[0\] +(\d+) +([\d.]+)", text, re.M)}


@pytest.mark.parametrize("machine", ["qsnet-16", "tofu-36"])
@pytest.mark.parametrize("setting", ["link.delay=500ns", "link.rate=100MB/s"])
def test_messages_after_a_change_of_links_take_what_they_take_on_such_links(
    tmp_path: Path, machine: str, setting: str
) -> None:
    command = ("run", machine, "ping", "--np", "2")
    plain, result, _ = straight(tmp_path, *command)
    slow, _, _ = straight(tmp_path, *command, "-s", setting)
    middle = (result["boot_time_ns"] + result["sim_time_ns"]) / 2
    run, _ = branched(tmp_path, f"{middle:.0f}ns", *command, branches=(f"-s {setting}",))
    assert run.status == 0, run.err
    fast, late, both = latencies(plain.out), latencies(slow.out), latencies(run.out)
    assert fast.keys() == late.keys() == both.keys()
    sizes = sorted(fast)
    assert both[sizes[0]] == fast[sizes[0]] < late[sizes[0]]
    assert both[sizes[-1]] == pytest.approx(late[sizes[-1]], rel=0.002)
    assert late[sizes[-1]] > 1.01 * fast[sizes[-1]]


# Collective operations on all ranks and on parts of them, of which some ranks are ahead of others.
GROUPS = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm part;
  for (int round = 0; round < 12; ++round) {
    if (round % 4 == 0) MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
    int parts, among, sum = 0, value = rank + round, all[64], mine[64];
    MPI_Comm_size(part, &parts);
    MPI_Comm_rank(part, &among);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, part);
    int expected = 0;
    for (int i = 0; i < parts; ++i) expected += 2 * i + rank % 2 + round;
    wrong += sum != expected;
    int root = among == round % parts ? value : -1;
    MPI_Bcast(&root, 1, MPI_INT, round % parts, part);
    wrong += root != 2 * (round % parts) + rank % 2 + round;
    for (int i = 0; i < size; ++i) mine[i] = 100 * rank + i;
    MPI_Request request;
    MPI_Ialltoall(mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Barrier(part);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < size; ++i) wrong += all[i] != 100 * i + rank;
    if (round % 4 == 3) MPI_Comm_free(&part);
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    wrong += rank == 0 && sum != size * (size - 1) / 2 + size * round;
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf(wrong ? "FAIL %d\\n" : "PASS\\n", wrong);
  MPI_Finalize();
  return wrong != 0;
}
"""
OTHERS = {
    "mpi.allreduce": "ring",
    "mpi.bcast": "chain",
    "mpi.alltoall": "bruck",
    "mpi.barrier": "dissemination",
    "mpi.reduce": "chain",
}


@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-16", "tofu-36"])
def test_ranks_agree_on_algorithms_wherever_the_branch_is(tmp_path: Path, machine: str) -> None:
    """All results are right. If one rank were ahead of another in a different algorithm, they would be wrong, or the
    run would hang."""
    compile_native(tmp_path, "groups", GROUPS)
    command = ("run", machine, "./groups", "--np", "6")
    _, plain, _ = straight(tmp_path, *command)
    times = set()
    for part in range(1, 8):
        at = plain["boot_time_ns"] + part * (plain["sim_time_ns"] - plain["boot_time_ns"]) / 8
        change = " ".join(f"-s {key}={name}" for key, name in OTHERS.items())
        run, all_results = branched(tmp_path, f"{at:.0f}ns", *command, branches=("", change))
        assert run.status == 0, run.err
        assert run.out.count("PASS") == 2, run.out
        same, changed = (figures(one["result"]) for one in all_results["branches"])
        assert same == plain
        times.add(changed["sim_time_ns"])
    assert len(times) > 4  # it matters when they change


def test_algorithms_that_change_before_the_first_operation_are_those_of_the_start(tmp_path: Path) -> None:
    command = ("run", "qsnet-16", "alltoall", "--np", "8")
    _, plain, _ = straight(tmp_path, *command)
    _, other, _ = straight(tmp_path, *command, "-s", "mpi.alltoall=bruck")
    at = plain["boot_time_ns"] + 1
    run, all_results = branched(
        tmp_path, f"{at:.0f}ns", *command, branches=("-s mpi.alltoall=bruck", "-s mpi.alltoall=auto")
    )
    assert run.status == 0, run.err
    changed, same = (figures(one["result"]) for one in all_results["branches"])
    assert same == plain
    assert changed == other != plain


@needs_compilers
def test_a_program_for_riscv_tells_its_calls_if_it_is_linked_so(tmp_path: Path) -> None:
    source = tmp_path / "groups.c"
    source.write_text(GROUPS)
    compiler = [Path(SANVP).parent / "sanvp-cc", "--target", "riscv64"]
    subprocess.run([*compiler, source, "-o", tmp_path / "plain"], check=True)
    subprocess.run([*compiler, "--check-mpi", source, "-o", tmp_path / "telling"], check=True)
    change = "-s mpi.allreduce=ring -s mpi.bcast=chain"
    options = ("--np", "4", "--out", "refused", "--branch-at", "1ms", "--branch", change)
    refused = sanvp("run", "qsnet-16", "./plain", *options, cwd=tmp_path)
    assert refused.status == 2
    assert "link it by" in refused.err
    assert "--check-mpi" in refused.err
    command = ("run", "qsnet-16", "./telling", "--np", "4")
    _, plain, _ = straight(tmp_path, *command)
    at = (plain["boot_time_ns"] + plain["sim_time_ns"]) / 2
    run, all_results = branched(tmp_path, f"{at:.0f}ns", *command, branches=("", change))
    assert run.status == 0, run.err
    assert run.out.count("PASS") == 2, run.out
    same, changed = (figures(one["result"]) for one in all_results["branches"])
    assert same != changed


def test_an_algorithm_that_is_none_is_named_with_those_that_there_are(tmp_path: Path) -> None:
    command = ("run", "qsnet-16", "alltoall", "--np", "4")
    for rules, cause in (
        ("brook", "--branch: -s mpi.alltoall: 'brook' is not one of auto, "),
        ("bruck:256,brook", "'brook' is not one of auto, "),
        ("bruck:256", "the last name has no size"),
        ("bruck:many,linear", "a size is a number of bytes"),
        ("bruck:1Ki,linear", "a size is a number of bytes"),
        ("bruck:256,bruck:128,linear", "sizes do not rise"),
    ):
        options = ("--branch-at", "5us", "--branch", f"-s mpi.alltoall={rules}", "--out", tmp_path / "out")
        run = sanvp(*command, *options)
        assert (run.status, cause in run.err) == (USER_MISTAKE, True), run.err
        assert not (tmp_path / "out").exists()  # it is told before the run
