"""`sanvp.study`: a study from Python, with pandas data as results."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from ..errors import UserMistakeError
from .errors import NotMeasuredError, StudyError, one_of
from .execution import describe, run_all
from .expressions import Expression
from .figure_data import write_points
from .interference_table import lines
from .measurements import Measurements, job_metrics, measurements
from .plotted import plot_of
from .point import Point
from .results import Failure, Results
from .selection import Selection, select
from .series import Series, Value
from .study import Study
from .verdicts import rows


class StudyResult:
    """The results of a study."""

    def __init__(self, selected: Selection, measured: Measurements, failures: list[tuple[Point, Failure]]) -> None:
        self._selected = selected
        self._measured = measured
        self.failures = {describe(point): failure.message for point, failure in failures}  #: by command

    @property
    def study(self) -> Study:
        """The study file."""
        return self._measured.study

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the study's runs."""
        return tuple(self.study.runs)

    @property
    def figures(self) -> tuple[str, ...]:
        """The names of the study's figures."""
        return tuple(figure.name for figure in self.study.figures)

    def points(self, run: str) -> pd.DataFrame:
        """A row for each point of a run: its coordinates, its seed, every number of its JSON, and its command."""
        _one(run, self.study.runs, "run")
        found = []
        for point, outcome in self._measured.outcomes.items():
            if point.run == run:
                at = dict(zip(self.study.runs[run].axes, point.coordinates, strict=True))
                seed = {} if point.seed is None else {"seed": point.seed}
                found.append({**at, **seed, **dict(numbers(outcome.metrics)), "command": describe(point)})
        return pd.DataFrame(found)

    def value(self, expression: str) -> Any:
        """An expression of the study's language: a number, or a column `value` with an index of its axes.

        Raises NotMeasuredError where results are missing.
        """
        return _as_pandas(Expression(expression, "value")(self._measured))

    @property
    def verdicts(self) -> pd.DataFrame:
        """A row for each statement that the study answers: the paper's value, the measured one, the verdict."""
        mistakes: list[str] = []
        found = rows([self._measured], self._selected.targets, mistakes)
        if mistakes:
            raise StudyError(mistakes[0])
        of_study = [{**row.json(), "shown": row.shown} for row in found if row.study == self.study.name]
        return pd.DataFrame(of_study).set_index("id") if of_study else pd.DataFrame()

    def figure(self, name: str) -> pd.DataFrame:
        """The points of a figure: coordinates, value, interval, verdict, and the command that repeats each."""
        figure = _one(name, {one.name: one for one in self.study.figures}, "figure")
        if figure.kind == "congestion":
            (text, *_) = self._measured.texts(*(figure.matrix[key] for key in ("run", "table", "at")))
            return pd.read_csv(io.StringIO(text))
        text = io.StringIO()
        write_points(plot_of(figure, self._measured, self._selected.targets), text)
        return pd.read_csv(io.StringIO(text.getvalue()))

    def interference(self, name: str) -> pd.DataFrame:
        """Jobs alone and together, and the slowdown of each."""
        one = _one(name, {one.name: one for one in self.study.interference}, "interference")
        return pd.DataFrame([vars(line) for line in lines(one, self._measured)])


def study(
    name: str | os.PathLike[str],
    *,
    quick: bool = False,
    jobs: int | None = None,
    scheduler: str | None = None,
    results: str | os.PathLike[str] | None = None,
    studies: str | os.PathLike[str] | None = None,
    partial: bool = False,
) -> StudyResult:
    """Runs the points of a study that have no result yet, and gives all of its results.

    @param name       of a study of scripts/studies, or the path of a study file
    @param quick      whether fewer or shorter points do
    @param jobs       processes at a time; as many as there are CPUs unless given
    @param scheduler  of Dask, such as tcp://host:8786, instead of processes here
    @param results    folder in which results are kept
    @param studies    folder of study files, instead of scripts/studies
    @param partial    whether points that fail are listed in `failures` only, and raise nothing
    Raises SanvpError.
    """
    selected = select([str(name)], studies and Path(studies), results and Path(results))
    if len(selected.chosen) != 1:
        raise StudyError(f"{name} are {len(selected.chosen)} studies: {', '.join(s.name for s in selected.chosen)}")
    kept = Results(selected.results)
    failures = run_all(selected.chosen, kept, quick=quick, scheduler=scheduler, jobs=jobs or os.cpu_count() or 1)
    if failures and not partial:
        point, failure = failures[0]
        message = f"{len(failures)} points failed; the first: {describe(point)}: {failure.message}"
        raise UserMistakeError(message, 2, point.command)
    (one,) = selected.chosen
    if quick:
        points = one.points(quick=True)
        return StudyResult(selected, Measurements(one, True, kept.load_all(points)), failures)
    return StudyResult(selected, measurements(one, kept), failures)


def numbers(metrics: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The numbers, truth values and texts of a JSON by their dotted names; those of jobs as job0, job1 and so on."""
    for name, value in _flat(job_metrics(metrics), ""):
        first, _, rest = name.partition(".")
        is_twice = first == "job0" and len(metrics.get("jobs", ())) == 1 and rest in metrics
        if not is_twice:
            yield name, value


def _flat(metrics: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in metrics.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        elif isinstance(value, (int, float, str)):
            yield prefix + name, value


def _one(name: str, known: Mapping[str, Any], kind: str) -> Any:
    if name not in known:
        raise StudyError(f"no {kind} '{name}': {one_of(name, known)}")
    return known[name]


def _as_pandas(value: Value) -> Any:
    if not isinstance(value, Series):
        return value
    index = pd.MultiIndex.from_tuples(value.cells, names=value.axes)
    if len(value.axes) == 1:
        index = index.get_level_values(0)
    return pd.DataFrame({"value": value.values()}, index=index)


__all__ = ["NotMeasuredError", "StudyResult", "numbers", "study"]
