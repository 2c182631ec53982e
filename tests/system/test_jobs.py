"""`traffic --jobs`: several runs at once, in processes of their own, give the bytes of one after the other."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from program import SANVP

INTERRUPTED = 130
TERMINATED = 143
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "own-machine"
DEADLOCKING = (str(EXAMPLES / "ring.ini"), "uniform", "-s", f"routing.file={EXAMPLES / 'clockwise.txt'}", "--force")


def results(folder: Path, *arguments: object) -> tuple[int, dict[str, bytes]]:
    """The exit status, and the bytes of all that a command leaves, without what time of the computer it took."""
    command = [SANVP, "traffic", *map(str, arguments), "--out", str(folder / "out"), "--json", str(folder / "json")]
    folder.mkdir()
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    files = {file.name: file.read_bytes() for file in (folder / "out").glob("*.csv")}
    metrics = json.loads((folder / "json").read_text())
    assert metrics.pop("cpu_time_s") >= 0
    manifest = json.loads((folder / "out" / "manifest.json").read_text())
    for differs in ("command", "wall_seconds"):
        del manifest[differs]
    texts = {"json": metrics, "manifest": manifest, "printed": done.stdout, "said": done.stderr}
    return done.returncode, files | {name: json.dumps(text).encode() for name, text in texts.items()}


SWEEPS = (
    ("myrinet-16", "uniform", "--load", "0.1:0.5:0.1", "--packets", 3000),
    ("qsnet-16", "hot-spot", "--load", "0.1:0.9:0.2", "--packets", 3000, "--fault", "20us link 3 down"),
    ("macrame-clos-64", "uniform", "--load", "0.2:0.4:0.1", "--packets", 2000, "--spy", "host 0->leaf 0.0"),
    ("qsnet-16", "uniform", "--saturation", "--packets", 2000),
    ("gcel-64", "uniform", "--saturation", "--packets", 1000, "--resolution", 0.1),
    (*DEADLOCKING, "--load", "0.1:0.9:0.2", "--bytes", 1000),  # ends at the first load that deadlocks
)


@pytest.mark.parametrize("arguments", SWEEPS, ids=lambda arguments: f"{Path(arguments[0]).stem}-{arguments[1]}")
def test_results_do_not_depend_on_the_number_of_runs_at_once(tmp_path: Path, arguments: tuple[object, ...]) -> None:
    alone = results(tmp_path / "alone", *arguments, "--jobs", 1)
    for jobs in (2, 5):
        assert results(tmp_path / f"{jobs}", *arguments, "--jobs", jobs) == alone


def children(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def is_running(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False


LONG = ("traffic", "qsnet-64", "uniform", "--load", "0.1:0.9:0.1", "--packets", "3000000", "--jobs", "3")


def begin(tmp_path: Path, *arguments: str, processes: int = 3) -> tuple[subprocess.Popen[str], list[int]]:
    run = subprocess.Popen(
        [SANVP, *arguments[:2], "--out", str(tmp_path / "out"), *arguments[2:]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # in a background job it is ignored
    )
    deadline = time.monotonic() + 60
    while len(children(run.pid)) < processes:
        assert time.monotonic() < deadline
        assert run.poll() is None, run.communicate()
        time.sleep(0.02)
    return run, children(run.pid)


TELL = {"the terminal's group": os.killpg, "one process": os.kill}  # as a terminal does, and as `kill -INT`


@pytest.mark.parametrize("receiver", TELL)
def test_ctrl_c_ends_all_runs_and_names_the_load(tmp_path: Path, receiver: str) -> None:
    run, processes = begin(tmp_path, *LONG)
    with run:
        TELL[receiver](run.pid, signal.SIGINT)
        _, errors = run.communicate(timeout=60)
    assert run.returncode == INTERRUPTED
    assert "of simulated time, at load 0.1: its numbers are those up to then" in errors
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["status"] == "interrupted"
    assert not any(map(is_running, processes))


SEEDS = ("run", "qsnet-16", "halo", "--seeds", "1:3", "--jobs", "3", "--", "--exchanges", "1000000")
BRANCH = ("run", "qsnet-16", "halo", "--branch-at", "1ms", "--branch", "--seed 2", "--", "--exchanges", "1000000")


@pytest.mark.parametrize("receiver", TELL)
@pytest.mark.parametrize("arguments", [SEEDS, BRANCH], ids=["seeds", "branch"])
def test_one_ctrl_c_ends_what_a_command_has_begun_and_keeps_its_results(
    tmp_path: Path, arguments: tuple[str, ...], receiver: str
) -> None:
    processes = 3 if arguments is SEEDS else 0
    run, begun = begin(tmp_path, *arguments, processes=processes)
    with run:
        assert run.stderr is not None
        if arguments is BRANCH:
            assert run.stderr.readline().startswith("branch 1 of 1")
        TELL[receiver](run.pid, signal.SIGINT)
        _, errors = run.communicate(timeout=60)
    assert run.returncode == INTERRUPTED, errors
    assert not any(map(is_running, begun))
    manifests = [json.loads(file.read_text()) for file in (tmp_path / "out").rglob("manifest.json")]
    assert "interrupted" in [manifest["status"] for manifest in manifests]


@pytest.mark.parametrize("arguments", [LONG, SEEDS, BRANCH], ids=["loads", "seeds", "branch"])
def test_sigterm_keeps_results_also_as_timeout_sends_it(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """To the command, and at once to its group, as that of one and the same end."""
    run, begun = begin(tmp_path, *arguments, processes=0 if arguments is BRANCH else 3)
    with run:
        assert run.stderr is not None
        if arguments is BRANCH:
            assert run.stderr.readline().startswith("branch 1 of 1")
        os.kill(run.pid, signal.SIGTERM)
        os.killpg(run.pid, signal.SIGTERM)
        _, errors = run.communicate(timeout=60)
    assert run.returncode == TERMINATED, errors
    assert "SIGTERM at " in errors
    assert not any(map(is_running, begun))
    manifests = [json.loads(file.read_text()) for file in (tmp_path / "out").rglob("manifest.json")]
    assert "interrupted" in [manifest["status"] for manifest in manifests]


def test_a_killed_command_leaves_no_process_behind(tmp_path: Path) -> None:
    run, processes = begin(tmp_path, *LONG)
    with run:
        run.kill()
        run.communicate(timeout=60)
    deadline = time.monotonic() + 60
    while any(map(is_running, processes)):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_run_whose_process_dies_is_made_again(tmp_path: Path) -> None:
    arguments = ("qsnet-64", "uniform", "--load", "0.1:0.3:0.1", "--packets", "100000")
    run, processes = begin(tmp_path, "traffic", *arguments, "--jobs", "3")
    with run:
        os.kill(processes[1], signal.SIGKILL)
        _, errors = run.communicate(timeout=300)
    assert run.returncode == 0, errors
    _, alone = results(tmp_path / "alone", *arguments, "--jobs", 1)
    for table in ("latency.csv", "links.csv", "stats.csv"):
        assert (tmp_path / "out" / table).read_bytes() == alone[table]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--jobs", "0"), "--jobs: 0 runs at once make no progress; give 1 or more"),
        (("--jobs", "2", "--trace", "t.json"), "--jobs: a timeline, a log or a list of packets"),
        (("--jobs", "2", "--packets-out", "p.txt"), "--jobs: a timeline, a log or a list of packets"),
    ],
)
def test_jobs_that_cannot_be_are_refused(tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    command = [SANVP, "traffic", "qsnet-16", "uniform", "--load", "0.1:0.3:0.1", *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert message in done.stderr
