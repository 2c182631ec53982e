"""Traces as the programs of a study's runs: sweeps of networks and placements, and shares of the critical path."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from program import PROJECT
from study_bench import USERS_MISTAKE, done
from test_own_study import study

PIPELINE = PROJECT / "examples" / "goal" / "pipeline.goal"
OWN = """\
runs:
  played:
    trace: pipeline.goal
    command: traffic qsnet-16 --map {map} -s link.rate={rate}MB/s
    axes: {map: ["0-3", "0,4,8,12"], rate: [40, 400]}
  whole:
    trace: pipeline.goal
    command: run qsnet-16 --np 4
anchors:
  parts:
    claim: the parts of the critical path are the time
    ref: by hand
    measured: >
      all(abs(played.critical_path.computing_ns + played.critical_path.overhead_ns + played.critical_path.latency_ns
      + played.critical_path.bandwidth_ns + played.critical_path.contention_ns - played.time_ns) < 0.01)
  slower:
    claim: slower links take longer
    ref: by hand
    measured: "all(played.time_ns(rate=40) > played.time_ns(rate=400))"
figures:
  time: {x: rate, y: played.time_ns}
"""
MADE = """\
runs:
  step:
    trace:
      file: made/step-{data}.goal
      from: training --layers 2 --hidden 64 --sequence 32 --data {data} --tensor 1 --pipeline 1 --flops 1e12
    command: traffic qsnet-16 --network ideal
    axes: {data: [2, 4]}
figures:
  time: {x: data, y: step.time_ns}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pipeline.goal").write_text(PIPELINE.read_text())
    return tmp_path


def refused(run: subprocess.CompletedProcess[str]) -> str:
    assert run.returncode == USERS_MISTAKE
    return run.stderr


def test_a_trace_is_played_at_each_point_and_the_report_has_its_critical_path(folder: Path) -> None:
    (folder / "mine.yaml").write_text(OWN)
    done(study(folder, "run", "mine.yaml"))
    told = done(study(folder, "report", "./mine.yaml", "--static"))
    assert "2 shape holds" in told
    row = (folder / "results" / "study" / "figures" / "mine-time.csv").read_text().splitlines()[1]
    assert "traffic qsnet-16 goal --file pipeline.goal --critical-path --map 0-3" in row


def test_a_trace_that_the_study_makes_is_made_again_when_its_words_change(folder: Path) -> None:
    (folder / "made.yaml").write_text(MADE)
    run = study(folder, "run", "made.yaml")
    assert run.returncode == 0, run.stderr
    assert run.stderr.count("making ") == 2
    assert "2 points, 0 of them have results" in run.stderr
    assert "making" not in study(folder, "run", "made.yaml").stderr
    (folder / "made.yaml").write_text(MADE.replace("--layers 2", "--layers 4"))
    again = study(folder, "run", "made.yaml").stderr
    assert again.count("making ") == 2
    assert "2 points, 0 of them have results" in again


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("traffic qsnet-16", "check qsnet-16", "with a trace it is `traffic MACHINE` or `run MACHINE`"),
        ("--network ideal", "-- --fast", "`--` is of a program's arguments"),
        ("file: made/step-{data}.goal", "file: made/step-{date}.goal", "date"),
        ("--pipeline 1", "--pipeline 3", "no multiple of --pipeline 3"),
        ("training", "trainings", "invalid choice: 'trainings'"),
        ("step-{data}.goal", "step.goal", "is made in two ways"),
        ("      from: training", "      form: training", "form"),
    ],
)
def test_a_mistake_is_refused_with_its_place(folder: Path, old: str, new: str, message: str) -> None:
    assert old in MADE
    (folder / "made.yaml").write_text(MADE.replace(old, new))
    told = refused(study(folder, "run", "made.yaml"))
    assert message in told
    assert "made.yaml: runs.step" in told
