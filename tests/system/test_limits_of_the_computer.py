"""What the simulating computer limits: open files, disks, standard streams, memory. Each is said as what it is."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest
from compiled import MACHINE, PROGRAM_FAILED, compile_program
from program import DONE, SANVP, USER_MISTAKE, done, sanvp

USUAL = 1024  # open files of a process on Debian
INTERRUPTED = 130


def with_files(most: int, hard: int, *arguments: object, cwd: Path) -> subprocess.CompletedProcess:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))

    command = [SANVP, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, preexec_fn=limit, check=False)


HOLDS = """
  MPI_Init(&argc, &argv);
  int rank, opened = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < atoi(argv[1]); ++i) {
    char name[40];
    sprintf(name, "of%d_%d", rank, i);
    opened += fopen(name, "w") != NULL;
  }
  int all = 0;
  MPI_Allreduce(&opened, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("opened %d\\n", all);
  MPI_Finalize();
"""


def test_ranks_may_have_more_files_open_than_the_usual_limit_of_a_process(tmp_path):
    program = compile_program(tmp_path, HOLDS)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 4 * USUAL:
        pytest.skip("this computer allows no more open files")
    run = with_files(USUAL, hard, "run", "qsnet-64", program, "--np", 64, "--", 20, cwd=tmp_path)
    assert (run.returncode, "opened 1280" in run.stdout) == (DONE, True), run.stderr


def test_programs_that_use_up_all_files_get_an_error_and_the_card_loads_its_firmware_all_the_same(tmp_path):
    program = compile_program(tmp_path, HOLDS)
    run = with_files(200, 200, "run", MACHINE, program, "--np", 2, "--", 200, cwd=tmp_path)
    assert run.returncode == DONE, run.stderr
    assert 0 < int(run.stdout.split("opened ")[1]) < 200


def test_a_run_whose_programs_use_up_all_files_keeps_its_results(tmp_path):
    program = compile_program(tmp_path, 'while (fopen("/dev/null", "r") != NULL) continue; puts("all are open");')
    out = ("--out", "out", "--profile")
    run = with_files(300, 300, "run", MACHINE, *out, program, "--np", 1, cwd=tmp_path)
    assert (run.returncode, "all are open" in run.stdout) == (DONE, True), run.stderr
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["status"] == "done"
    assert (tmp_path / "out" / "stats.csv").exists()


def test_too_few_files_are_named_as_the_reason(tmp_path):
    program = compile_program(tmp_path, HOLDS)
    run = with_files(10, 10, "run", "qsnet-1024", program, "--np", 1024, "--", 1, cwd=tmp_path)
    assert run.returncode in (USER_MISTAKE, PROGRAM_FAILED)
    assert "Too many open files" in run.stderr


@pytest.fixture
def small_disk(tmp_path: Path):
    """A file system of 1 MiB, where this user may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("only root can mount a file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_becomes_full_ends_the_trace_alone(tmp_path, small_disk):
    trace = small_disk / "t.json"
    out = ("--out", tmp_path / "out")
    run = sanvp("run", "qsnet-16", "halo", "--trace", trace, *out, "--", "--exchanges", 3000)
    assert run.status == USER_MISTAKE
    assert "PASS" in run.out
    assert run.err.splitlines()[-1] == f"error: {trace}: cannot be written: No space left on device"
    assert (tmp_path / "out" / "stats.csv").exists()


@pytest.mark.parametrize("closed", ["0<&- 1>&- 2>&-", "1>&-", "2>&-"])
def test_what_is_said_with_closed_standard_streams_lands_in_no_file_of_a_program(tmp_path, closed):
    program = compile_program(tmp_path, 'FILE* f = fopen("own", "w"); fputs("own", f); fclose(f); puts("said");')
    command = f'exec "$0" run {MACHINE} "$1" --np 3 --progress on {closed}'
    status = subprocess.run(["sh", "-c", command, SANVP, program], cwd=tmp_path, check=False).returncode
    assert status == DONE
    assert (tmp_path / "own").read_text() == "own"


@pytest.mark.parametrize("command", ["list", "run none"])
def test_studies_end_well_with_a_closed_standard_output(tmp_path, command):
    script = f'exec "$0" study {command} 1>&-'
    run = subprocess.run(["sh", "-c", script, SANVP], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode in (DONE, USER_MISTAKE)
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(("machine", "room"), [("qsnet-16", 16), ("tofu-36", 16), ("myrinet-8", 14)])
def test_more_ranks_than_cards_have_room_for_are_refused_before_the_run(machine, room):
    nodes = 36 if machine.startswith("tofu") else 16 if machine.startswith("qsnet") else 32
    for ranks in (room * nodes + 1, 100_000):
        result = sanvp("run", machine, "allreduce", "--np", ranks, timeout=20)
        assert result.status == USER_MISTAKE
        assert f"and the software of its card has room for {room}; spread them over more nodes" in result.err
        assert "simulated" not in result.err


def test_more_ranks_than_memory_has_room_for_are_refused_before_the_run():
    result = sanvp("run", "gcel-64", "allreduce", "--np", 100_000, timeout=20)
    assert result.status == USER_MISTAKE
    assert "--np: node 0 would have 1563 ranks, with " in result.err
    assert "of memory for each; spread them over more nodes" in result.err


def test_a_network_that_would_take_the_computers_memory_is_refused(tmp_path):
    chosen = ("myrinet-dragonfly-72", "gossip", "-s", "topology.switches_per_group=400")
    result = sanvp("traffic", *chosen, timeout=60)
    assert result.status == USER_MISTAKE
    assert "topology: the network has more than 4194304 cables; choose smaller sizes" in result.err
    small = ("check", "qsnet-1024", "-s", "machine.memory=10MiB")
    result = sanvp(*small)
    assert result.status == USER_MISTAKE
    cure = "choose smaller sizes, or allow it with -s machine.memory=20MiB"  # 5 levels of 1,024 cables of 4 KiB
    assert f"the network has 5120 cables, and would take about 20MiB of this computer's memory; {cure}" in result.err
    assert done(*small[:3], "machine.memory=20MiB").status == DONE


@pytest.mark.parametrize(
    "command",
    [("traffic", MACHINE, "uniform", "--load", "0.3", "--packets", "100M", "--out", "out")],
    ids=lambda command: command[0],
)
def test_ctrl_c_ends_traffic_with_what_has_run(tmp_path, command):
    with subprocess.Popen([SANVP, *command], cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        while not (tmp_path / "out" / "manifest.json").exists() and running.poll() is None:
            time.sleep(0.02)
        time.sleep(0.3)
        running.send_signal(signal.SIGINT)
        out, errors = running.communicate(timeout=60)
    assert running.returncode == INTERRUPTED
    assert b"error: Ctrl-C at " in errors
    assert b"interrupted" in out
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["status"] == "interrupted"
    assert (tmp_path / "out" / "latency.csv").read_text().count("\n") == 2
