"""`scripts/study` with broken files, a full disk, other studies at the same time, and signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from program import PROJECT
from study_bench import STUDY, TARGETS, USERS_MISTAKE, Bench, done

SLOW = """\
import os, time
pathlib.Path(here / f"pid.{os.getpid()}").touch()
time.sleep(SECONDS)
"""


def slow_down(bench: Bench, seconds: float) -> None:
    """Each call of the program takes so long."""
    text = bench.program.read_text()
    assert "load = float" in text
    bench.program.write_text(text.replace("load = float", SLOW.replace("SECONDS", str(seconds)) + "load = float"))


def start(bench: Bench, *arguments: str) -> subprocess.Popen[str]:
    """A study in the background."""
    command = [sys.executable, "-B", "-m", "sanvp.studies", "--studies", bench.folder, "--results", bench.folder / "r"]
    environment = {
        **os.environ,
        "SANVP": str(bench.program),
        "PYTHONPATH": str(PROJECT / "python"),
        "TMPDIR": str(bench.folder / "tmp"),
    }
    (bench.folder / "tmp").mkdir(exist_ok=True)
    return subprocess.Popen(
        [*map(str, command), *arguments], cwd=bench.folder, env=environment, stderr=subprocess.PIPE, text=True
    )


def wait_for(condition: object, seconds: float = 20) -> None:
    """Until it holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        (TARGETS.replace("rel_tol_suggested: 0.1}", "rel_tol_suggested: 0.02on}", 1), "'0.02on' is not a number"),
        ("targets: 5\n", "targets: must be a list"),
        ("targets: {a: b}\n", "targets: must be a list"),
        ("targets: [5]\n", "must be a mapping"),
        ("? [a]\n: b\n", "a list or a mapping cannot be a key"),
        ("? {a: b}\n: c\n", "a list or a mapping cannot be a key"),
        ("targets:\n- {id: [a], kind: exact, value: 1}\n", "must be text"),
        ("targets:\n- {id: a, kind: [exact], value: 1}\n", "kind: must be a text"),
        ("targets:\n- {id: a, kind: exact}\n", "key 'value' is missing"),
        ("targets:\n- {id: a, kind: qualitative}\n", "key 'claim' is missing"),
        ("targets:\n- {id: a, kind: exact, value: {min: 1}}\n", "key 'max' is missing"),
        ("targets:\n- {id: a, kind: range, value: [1]}\n", "must be [LEAST, MOST]"),
        ("targets: " + "[" * 5000 + "\n", "targets.yaml"),
        ("targets: [2001-99-99]\n", "targets.yaml"),
    ],
)
def test_a_mistake_in_targets_is_an_error_with_its_place(bench: Bench, targets: str, message: str) -> None:
    (bench.folder / "targets.yaml").write_text(targets)
    result = bench.study("list")
    assert (result.returncode, result.stdout) == (USERS_MISTAKE, "")
    assert result.stderr.startswith("study: ")
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_marks_of_a_figure_must_be_a_list(bench: Bench) -> None:
    bench.write(STUDY.replace("marks: [{target: number, at: {load: 0.4}}]", "marks: 5"))
    result = bench.study("list")
    assert result.returncode == USERS_MISTAKE
    assert "figures.one.marks: must be a list" in result.stderr


@pytest.mark.parametrize("name", ["targets.yaml", "small.yaml"])
def test_a_byte_that_is_not_utf_8_is_an_error_with_file_and_line(bench: Bench, name: str) -> None:
    (bench.folder / name).write_bytes(b"title: t\nabout: \xff\n")
    result = bench.study("list")
    assert result.returncode == USERS_MISTAKE
    assert f"{name}:2: is no UTF-8: byte 0xff" in result.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_named(bench: Bench) -> None:
    command = [sys.executable, "-B", "-m", "sanvp.studies", "--studies", str(bench.folder), "list"]
    environment = {**os.environ, "SANVP": str(bench.program), "PYTHONPATH": str(PROJECT / "python")}
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=environment, check=False)
    assert "No space left on device" in ended.stderr
    assert "None" not in ended.stderr


def test_results_that_cannot_be_kept_are_an_error_that_names_the_folder(bench: Bench) -> None:
    limited = f"ulimit -f 0; exec {sys.executable} -B -m sanvp.studies --studies {bench.folder} --results r run small"
    environment = {**os.environ, "SANVP": str(bench.program), "PYTHONPATH": str(PROJECT / "python")}
    ended = subprocess.run(
        ["bash", "-c", limited], cwd=bench.folder, capture_output=True, text=True, env=environment, check=False
    )
    assert ended.returncode == USERS_MISTAKE, ended.stderr
    assert "Traceback" not in ended.stderr
    assert "None" not in ended.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_runs_and_removes_what_they_leave(bench: Bench, number: signal.Signals) -> None:
    slow_down(bench, 60)
    study = start(bench, "run", "small", "--jobs", "2")
    wait_for(lambda: len(list(bench.folder.glob("pid.*"))) == 2)
    study.send_signal(number)
    _, said = study.communicate(timeout=20)
    assert study.returncode == 143
    assert f"ended by {number.name}; what has run is kept" in said
    assert list((bench.folder / "tmp").iterdir()) == []
    for file in bench.folder.glob("pid.*"):
        assert not Path("/proc", file.suffix[1:]).exists()
    assert len(list(bench.folder.glob("pid.*"))) == 2  # none began after


def test_two_studies_at_once_run_each_point_once(bench: Bench) -> None:
    slow_down(bench, 0.5)
    studies = [start(bench, "run", "small", "--jobs", "2") for _ in range(2)]
    for study in studies:
        study.communicate(timeout=60)
        assert study.returncode == 0
    assert len(bench.calls()) == 6
    assert list((bench.folder / "r" / "cache").glob("*.lock")) == []


def test_a_point_whose_study_was_killed_is_run_by_the_next(bench: Bench) -> None:
    slow_down(bench, 60)
    study = start(bench, "run", "small", "--jobs", "1")
    wait_for(lambda: list(bench.folder.glob("pid.*")))
    study.kill()
    study.communicate()
    for file in bench.folder.glob("pid.*"):
        os.kill(int(file.suffix[1:]), signal.SIGKILL)
    bench.program.write_text(bench.program.read_text().replace("time.sleep(60)", ""))
    bench.write(STUDY)
    done(bench.study("--results", str(bench.folder / "r"), "run", "small"))
