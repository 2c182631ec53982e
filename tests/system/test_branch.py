"""`--branch-at`: branches of a run.

One without a change is the straight run, byte for byte; one with a fault is the run that has had it from the start.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import time
from pathlib import Path

import pytest
from binaries import compile_text, needs_compilers
from program import COST, SANVP, Result, sanvp

USER_MISTAKE, DEADLOCK, HOST_PROGRAM_FAILED = 2, 3, 4


def files_of(folder: Path) -> dict[str, str]:
    """Results by file, less what says how the run was made."""
    left = {file.name: file.read_text() for file in folder.iterdir() if file.is_file()}
    for name in ("branch.json", "result.json", "branches.csv"):
        left.pop(name, None)
    manifest = json.loads(left["manifest.json"])
    left["manifest.json"] = json.dumps({**manifest, "command": "", "wall_seconds": 0})
    return left


def figures(result: dict) -> dict:
    return {name: value for name, value in result.items() if name not in COST}


def straight(folder: Path, *command: object) -> tuple[Result, dict, dict[str, str]]:
    run = sanvp(*before_dashes(command, "--out", "straight", "--json", "straight.json"), cwd=folder)
    return run, figures(json.loads((folder / "straight.json").read_text())), files_of(folder / "straight")


def before_dashes(command: tuple, *options: object) -> list[object]:
    at = command.index("--") if "--" in command else len(command)
    return [*command[:at], *options, *command[at:]]


def branched(folder: Path, at: str, *command: object, branches: tuple[str, ...]) -> tuple[Result, dict]:
    options = [word for branch in branches for word in ("--branch", branch)]
    run = sanvp(
        *before_dashes(command, "--out", "branched", "--json", "branched.json", "--branch-at", at, *options), cwd=folder
    )
    return run, json.loads((folder / "branched.json").read_text())


RUNS = {
    "native": ("30us", "run", "qsnet-16", "ping", "--np", "2"),
    "windows": ("60us", "run", "tofu-36", "halo", "--np", "4"),
    "several ranks of a node": ("200us", "run", "myrinet-16", "allreduce", "--np", "4", "--map", "0,0,1,1"),
    "traffic": (
        "20us",
        "traffic",
        "qsnet-16",
        "uniform",
        "--load",
        "0.3",
        "--packets",
        "2000",
        "--packets-out",
        "list",
    ),
    "flits": ("20us", "traffic", "myrinet-8", "uniform", "--load", "0.1", "--packets", "300", "--fidelity", "flit"),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_branch_without_a_change_is_the_straight_run(tmp_path: Path, name: str) -> None:
    at, *command = RUNS[name]
    plain, result, files = straight(tmp_path, *command)
    listed = (tmp_path / "list").read_text() if "--packets-out" in command else ""
    run, all_results = branched(tmp_path, at, *command, branches=("",))
    assert (plain.status, run.status) == (0, 0), run.err
    assert run.out == plain.out
    assert files_of(tmp_path / "branched" / "branch-1") == files
    assert figures(all_results["branches"][0]["result"]) == result
    if "--packets-out" in command:
        assert (tmp_path / "branched" / "branch-1" / "files" / "list").read_text() == listed
        assert listed.count("\n") > 2000


# One of each kind of card and link.
MACHINES = ["qsnet-16", "tofu-36", "myrinet-16", "macrame-clos-64", "moc-2-1", "gcel-64"]


@pytest.mark.parametrize("machine", MACHINES)
def test_so_it_is_on_each_machine_for_a_native_program_with_a_trace(tmp_path: Path, machine: str) -> None:
    equal_in_the_middle(tmp_path, "run", machine, "ping", "--np", "2", "--trace", "t.json.gz", "--", "--most=256")


@pytest.mark.long
@pytest.mark.parametrize("machine", MACHINES)
def test_so_it_is_on_each_machine_for_traffic_with_a_trace(tmp_path: Path, machine: str) -> None:
    command = ("traffic", machine, "uniform", "--load", "0.1", "--packets", "1000")
    equal_in_the_middle(tmp_path, *command, "--trace", "t.json.gz")


@needs_compilers
@pytest.mark.parametrize("machine", MACHINES)
def test_so_it_is_for_riscv_with_shared_memory_and_a_trace(tmp_path: Path, machine: str) -> None:
    """Ranks of a node share memory that is mapped twice; each branch has its own."""
    compile_text(tmp_path, "shares", SHARES)
    equal_in_the_middle(tmp_path, "run", machine, "./shares", "--np", "4", "--map", "0,0,1,1", "--trace", "t.json.gz")


def equal_in_the_middle(folder: Path, *command: str) -> None:
    """Two branches without a change, half-way from the end of booting, have the bytes of the run, also of its trace."""
    plain, result, files = straight(folder, *command)
    assert plain.status == 0, plain.err
    trace = gzip.decompress((folder / "t.json.gz").read_bytes())
    boot = result.get("boot_time_ns", 0)
    at = f"{boot + (result['sim_time_ns'] - boot) / 2:.0f}ns"
    run, all_results = branched(folder, at, *command, branches=("", ""))
    assert (run.status, run.out[: len(plain.out)]) == (0, plain.out), run.err
    assert plain.out.endswith(run.out[len(plain.out) :])  # of the second, what it has printed since
    for number in (1, 2):
        branch = folder / "branched" / f"branch-{number}"
        assert files_of(branch) == files
        assert figures(all_results["branches"][number - 1]["result"]) == result
        assert gzip.decompress((branch / "files" / "t.json.gz").read_bytes()) == trace


SHARES = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, *own, *first, size, unit;
  MPI_Comm node;
  MPI_Win window;
  MPI_Aint bytes;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, &size);
  MPI_Win_allocate_shared(rank == 0 ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, node, &own, &window);
  MPI_Win_shared_query(window, 0, &bytes, &unit, &first);
  if (rank == 0) *first = 0;
  MPI_Win_lock_all(0, window);
  for (int round = 0; round < 50; ++round)
    for (int turn = 0; turn < size; ++turn) {
      MPI_Barrier(node);
      MPI_Win_sync(window);
      if (turn == rank) *first += round;
      MPI_Win_sync(window);
    }
  MPI_Barrier(node);
  MPI_Win_unlock_all(window);
  printf("%d\\n", *first);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
"""


def test_firmware_in_an_endless_loop_is_ended_in_each_branch_as_in_the_straight_run(tmp_path: Path) -> None:
    """By a timer of the process, which a fork does not copy."""
    image = str(Path(SANVP).with_name("sw") / "tests" / "firmware_crash.so")
    command = ("run", "qsnet-16", image, "--np", "3", "-s", "nic.thread.patience=200ms", "--", "3")
    plain, result, _ = straight(tmp_path, *command)
    assert (plain.status, result["status"]) == (HOST_PROGRAM_FAILED, "failed")
    assert "endless loop that lets no simulated time pass, in endless_loop()" in plain.err
    run, all_results = branched(tmp_path, "5us", *command, branches=("", ""))
    assert run.status == HOST_PROGRAM_FAILED
    assert run.err.count(plain.err) == len(all_results["branches"])
    assert all(figures(one["result"]) == result for one in all_results["branches"])


def test_a_run_that_is_killed_takes_its_branch_with_it(tmp_path: Path) -> None:
    image = str(Path(SANVP).with_name("sw") / "tests" / "endless.so")
    command = [SANVP, "run", "qsnet-16", image, "--np", "2", "-s", "host.cpu.timing=off", "--out", "out"]
    command += ["--branch-at", "5us", "--branch", ""]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr is not None
        assert run.stderr.readline().startswith("branch 1 of 1")
        while not (tmp_path / "out" / "branch-1" / "branch.json").exists():
            time.sleep(0.01)
        run.kill()
        run.stderr.read()  # until no process has it


@needs_compilers
def test_each_branch_continues_its_own_copy_of_a_file(tmp_path: Path) -> None:
    compile_text(
        tmp_path,
        "writes",
        """#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  FILE* file = rank == 0 ? fopen("lines.txt", "w") : NULL;
  for (int i = 0; i < 40; ++i) {
    if (rank == 0) fprintf(file, "line %d\\n", i);
    if (rank == 0 && i % 10 == 9) fflush(file);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) fclose(file);
  MPI_Finalize();
  return 0;
}
""",
    )
    command = ("run", "qsnet-16", "./writes", "--np", "2")
    _, result, _ = straight(tmp_path, *command)
    lines = (tmp_path / "lines.txt").read_text()
    assert lines == "".join(f"line {i}\n" for i in range(40))
    (tmp_path / "lines.txt").unlink()
    in_its_loop = 0.85 * result["sim_time_ns"]  # MPI_Init takes up to two thirds, and how much depends on the C library
    run, _ = branched(tmp_path, f"{in_its_loop:.0f}ns", *command, branches=("", ""))
    assert run.status == 0, run.err
    for number in (1, 2):
        assert (tmp_path / "branched" / f"branch-{number}" / "files" / "lines.txt").read_text() == lines


@pytest.mark.parametrize(
    "command",
    [
        ("run", "qsnet-16", "allreduce", "--np", "8"),
        ("traffic", "myrinet-16", "uniform", "--load", "0.1", "--packets", "2000"),
    ],
)
def test_a_fault_of_a_branch_is_that_of_a_run_from_the_start(tmp_path: Path, command: tuple[str, ...]) -> None:
    faults = "--fault '60us link 3 down' --fault '90us link 3 up'"
    run, all_results = branched(tmp_path, "40us", *command, branches=(faults, ""))
    assert run.status == 0, run.err
    assert [one["exit_status"] for one in all_results["branches"]] == [0, 0]
    _, with_faults, files = straight(tmp_path, *command, "--fault", "60us link 3 down", "--fault", "90us link 3 up")
    assert with_faults["faults"]["events"] == 2
    assert figures(all_results["branches"][0]["result"]) == with_faults
    own = files_of(tmp_path / "branched" / "branch-1")
    assert {name: text for name, text in own.items() if name != "manifest.json"} == {
        name: text for name, text in files.items() if name != "manifest.json"
    }
    assert "faults" not in all_results["branches"][1]["result"] or not all_results["branches"][1]["result"]["faults"]


def test_seeds_and_loads_change_from_the_branch_on(tmp_path: Path) -> None:
    command = ("traffic", "qsnet-16", "uniform", "--load", "0.1", "--packets", "4000", "--warmup", "100us")
    run, all_results = branched(tmp_path, "50us", *command, branches=("", "--seed 2", "--seed 2", "--load 0.2"))
    assert run.status == 0, run.err
    same, other, again, more = (figures(one["result"]) for one in all_results["branches"])
    assert other != same
    assert again == other
    ratio = more["accepted_per_node_MBps"] / same["accepted_per_node_MBps"]
    assert ratio == pytest.approx(2, rel=0.1)
    assert json.loads((tmp_path / "branched" / "branch-2" / "manifest.json").read_text())["seed"] == 2


def test_a_policy_changes_for_all_switches(tmp_path: Path) -> None:
    """Under heavy load the order of grants shows; the machine's own policy gives the run without a change."""
    command = ("traffic", "qsnet-16", "uniform", "--load", "0.9", "--packets", "3000", "--warmup", "50us")
    policies = ("fifo-then-oldest", "round-robin", "oldest")
    branches = ("", *(f"-s switch.arbitration={policy}" for policy in policies))
    run, all_results = branched(tmp_path, "20us", *command, branches=branches)
    assert run.status == 0, run.err
    same, own, rounds, oldest = (figures(one["result"]) for one in all_results["branches"])
    assert own == same
    assert rounds != same
    assert oldest not in (same, rounds)


def test_noise_of_a_branch_is_that_of_a_run_from_the_start(tmp_path: Path) -> None:
    """A daemon that is active first after the branch."""
    command = ("run", "qsnet-16", "halo", "--np", "4")
    _, plain, _ = straight(tmp_path, *command)
    middle, later = ((plain["boot_time_ns"] * (4 - i) + plain["sim_time_ns"] * i) / 4 for i in (2, 3))
    noise = "host.noise.daemons=tick", "host.noise.tick.period=1s", "host.noise.tick.cpus=all"
    noise += "host.noise.tick.duration=1ms", f"host.noise.tick.phase={later:.0f}ns"
    daemon = [word for setting in noise for word in ("-s", setting)]
    run, all_results = branched(tmp_path, f"{middle:.0f}ns", *command, branches=("", " ".join(daemon)))
    assert run.status == 0, run.err
    same, noisy = (figures(one["result"]) for one in all_results["branches"])
    assert same == plain
    _, with_noise, _ = straight(tmp_path, *command, *daemon)
    assert noisy == with_noise
    assert noisy["jobs"][0]["time"]["noise_ns"] > 0 == plain["jobs"][0]["time"]["noise_ns"]


@pytest.mark.parametrize(
    ("branch", "cause"),
    [
        ("-s host.cpu.type=t805", "CPUs have been built with it"),
        ("-s link.bit_error_rate=1e-9", "errors of links cannot change during a run"),
        ("-s link.dealy=1us", "link.dealy"),
        ("-s nic.overhead=1B", "cannot"),
        ("-s mpi.alltoal=pairwise", "mpi.alltoal cannot change during a run"),
        ("--np 3", "--np cannot change during a run"),
        ("--load 0.3", "--load cannot change during a run"),
        ("--fault '10us link 3 down'", "a fault at 10us is not after --branch-at 40us"),
        ("--fault '50us link 9999 down'", "9999"),
        ("--seed -1", "negative"),
        ("'", "--branch"),
    ],
)
def test_what_cannot_change_is_refused_before_the_run(tmp_path: Path, branch: str, cause: str) -> None:
    command = ("run", "qsnet-16", "ping", "--np", "2", "--out", "out", "--branch-at", "40us")
    run = sanvp(*command, "--branch", branch, cwd=tmp_path)
    assert run.status == USER_MISTAKE
    assert cause in run.err
    assert run.out == ""


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        (("--branch-at", "40us"), "there is no --branch"),
        (("--branch", ""), "there is no --branch-at TIME"),
        (("--branch-at", "soon", "--branch", ""), "--branch-at"),
        (("--branch-at", "40us", "--until", "30us", "--branch", ""), "is not before --until"),
        (("--branch-at", "40s", "--branch", ""), "is after the end of the run"),
    ],
)
def test_a_time_that_is_none_is_an_error(tmp_path: Path, options: tuple[str, ...], cause: str) -> None:
    run = sanvp("run", "qsnet-16", "ping", "--np", "2", "--out", "out", *options, cwd=tmp_path)
    assert (run.status, cause in run.err) == (USER_MISTAKE, True), run.err
    if "--out" in run.err:
        pytest.fail(run.err)


def test_without_a_folder_a_branch_has_no_place_for_its_results() -> None:
    run = sanvp("run", "qsnet-16", "ping", "--np", "2", "--branch-at", "40us", "--branch", "")
    assert run.status == USER_MISTAKE
    assert "there is no --out DIR" in run.err


def test_the_status_is_that_of_the_first_branch_that_fails(tmp_path: Path) -> None:
    """A node that goes down ends its rank: the run has failed."""
    command = ("run", "qsnet-16", "allreduce", "--np", "4")
    run, all_results = branched(tmp_path, "40us", *command, branches=("", "--fault '60us node 2 down'"))
    first, second = all_results["branches"]
    assert first["exit_status"] == 0
    assert second["exit_status"] == run.status != 0
    rows = (tmp_path / "branched" / "branches.csv").read_text().splitlines()
    assert len(rows) == 3


@pytest.mark.long
def test_a_thousand_branches_leave_nothing_behind(tmp_path: Path) -> None:
    """Neither memory nor open files of the process that forks them; all have the same results."""
    count = 1000
    command = [SANVP, "traffic", "qsnet-16", "uniform", "--load", "0.1", "--packets", "200", "--json", "all.json"]
    command += ["--branch-at", "20us", "--out", "out", *(word for _ in range(count) for word in ("--branch", ""))]
    kept: list[tuple[int, int]] = []
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr is not None
        process = Path("/proc") / str(run.pid)
        for line in run.stderr:
            if re.match(rf"branch (10|{count // 2}|{count - 10}) of", line):
                memory = re.search(r"VmRSS:\s+(\d+) kB", (process / "status").read_text())
                assert memory
                kept.append((len(list((process / "fd").iterdir())), int(memory[1])))
    assert run.returncode == 0
    assert len({files for files, _ in kept}) == 1
    assert max(memory for _, memory in kept) < 1.1 * kept[0][1]
    branches = json.loads((tmp_path / "all.json").read_text())["branches"]
    assert len(branches) == count
    assert all(figures(one["result"]) == figures(branches[0]["result"]) for one in branches)
