"""`warm_start:` of studies: points that differ in later faults run their first part once, with the same results."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from program import COST, PROJECT, SANVP

sys.path.insert(0, str(PROJECT / "python"))

from sanvp.studies import execution, results, warm_start
from sanvp.studies.errors import StudyError
from sanvp.studies.results import Failure, Job, Outcome
from sanvp.studies.study import read_own_study

STUDY = """
runs:
  cut:
    command: traffic qsnet-16 uniform --load 0.2 --packets 3000 --fault {'60us link '}{link}{' down'}
    axes: {link: [16, 17, 18]}
    WARM
    tables: {events: {file: faults.csv, index: {event: event}}}
  whole: {command: traffic qsnet-16 uniform --load 0.2 --packets 300}
"""


def points(folder: Path, start: str) -> list:
    (folder / "cut.yaml").write_text(STUDY.replace("WARM", f"warm_start: {start}" if start else ""))
    study, _ = read_own_study(folder / "cut.yaml")
    return study.points(quick=False)


def jobs(bunch: list) -> list[Job]:
    return [Job(str(Path(SANVP).resolve()), point.command, point.tables, str(point.folder)) for point in bunch]


def without_cost(outcome: Outcome | Failure) -> tuple:
    assert isinstance(outcome, Outcome), outcome
    return {name: value for name, value in outcome.metrics.items() if name not in COST}, outcome.tables


def test_points_that_share_their_first_part_have_the_results_of_straight_runs(tmp_path: Path) -> None:
    bunches = warm_start.bunches(points(tmp_path, "50us"))
    assert [len(bunch) for bunch in bunches] == [3, 1]
    together = warm_start.perform(jobs(bunches[0]), "50us")
    alone = [results.perform(job) for job in jobs(bunches[0])]
    assert [without_cost(one) for one in together] == [without_cost(one) for one in alone]
    assert len({str(without_cost(one)) for one in alone}) == 3


def test_without_a_warm_start_each_point_is_a_run(tmp_path: Path) -> None:
    assert [len(bunch) for bunch in warm_start.bunches(points(tmp_path, ""))] == [1, 1, 1, 1]


def test_a_bunch_is_kept_point_by_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "SANVP", Path(SANVP).resolve())
    monkeypatch.setattr(results, "SANVP", Path(SANVP).resolve())
    kept = results.Results(tmp_path / "results")
    wanted = points(tmp_path, "50us")
    with ThreadPoolExecutor(2) as executor:
        assert execution.run_points(wanted[:1], kept, executor) == []
        first = kept.load(wanted[0])
        assert execution.run_points(wanted, kept, executor) == []
    assert kept.load(wanted[0]) == first
    assert len(kept.load_all(wanted)) == len(wanted)


def test_a_fault_before_the_warm_start_is_a_failure(tmp_path: Path) -> None:
    bunch = warm_start.bunches(points(tmp_path, "70us"))[0]
    for one in warm_start.perform(jobs(bunch), "70us"):
        assert isinstance(one, Failure)
        assert "a fault at 60us is not after --branch-at 70us" in one.message


def test_points_without_faults_have_no_first_part_in_common(tmp_path: Path) -> None:
    (tmp_path / "cut.yaml").write_text(
        "runs: {a: {command: 'traffic qsnet-16 uniform --load {load}', axes: {load: [0.1, 0.2]}, warm_start: 50us}}"
    )
    with pytest.raises(StudyError, match="differ in --fault"):
        read_own_study(tmp_path / "cut.yaml")
