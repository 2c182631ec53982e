"""What a study's expressions see: its results as series over the axes, and its own values."""

from __future__ import annotations

import csv
import functools
import io
import statistics
from collections.abc import Mapping
from typing import Any

from .errors import NotMeasuredError, StudyError, one_of
from .expressions import Expression
from .functions import cell_value
from .point import Point
from .results import Outcome, Results
from .series import Key, Scalar, Series, Value, plain
from .study import Run, Study

CUT_SHORT = " *"  # behind a verdict: the run ended before all measured messages had arrived


class Measurements:
    """A study's results, all or the quick ones; means, where runs are repeated with other seeds."""

    def __init__(self, study: Study, quick: bool, outcomes: Mapping[Point, Outcome]) -> None:
        self.study = study
        self.quick = quick
        self.points = study.points(quick)
        self.outcomes = {point: outcomes[point] for point in self.points if point in outcomes}
        self._values: dict[str, Value | NotMeasuredError | StudyError] = {}

    @functools.cached_property
    def by_seed(self) -> list[Measurements]:
        """The measurements of each seed alone."""
        seeds = dict.fromkeys(point.seed for point in self.outcomes if point.seed is not None)
        return [Measurements(self.study, self.quick, self._with_seed(seed)) for seed in seeds]

    def _with_seed(self, seed: Scalar) -> dict[Point, Outcome]:
        return {point: outcome for point, outcome in self.outcomes.items() if point.seed in (None, seed)}

    @functools.cached_property
    def settled(self) -> Measurements:
        """The measurements without programs whose traffic had not settled."""
        kept = {point: outcome for point, outcome in self.outcomes.items() if not _is_unsettled(point, outcome)}
        return Measurements(self.study, self.quick, kept)

    def unsettled(self, expression: Expression) -> tuple[int, int]:
        """Of the runs that the expression names: how many had not settled, and how many there are."""
        runs = self._runs_of(expression)
        there = [(point, outcome) for point, outcome in self.outcomes.items() if point.run in runs]
        return sum(_is_unsettled(point, outcome) for point, outcome in there), len(there)

    def _runs_of(self, expression: Expression) -> set[str]:
        """The runs that the expression names, itself or through the study's values."""
        found: set[str] = set()
        for name in expression.names:
            first = name.partition(".")[0]
            if first in self.study.values:
                found |= self._runs_of(self.study.values[first])
            elif first in self.study.runs:
                found.add(first)
        return found

    def is_repeated(self, expression: Expression) -> bool:
        """Whether any run that the expression depends on is repeated with other seeds."""
        return any(not self.study.runs[name].seeds.is_one for name in self._runs_of(expression))

    @property
    def missing(self) -> int:
        """The number of points without a result."""
        return len(self.points) - len(self.outcomes)

    @property
    def cost(self) -> str:
        """CPU time and memory of the kept results, as text."""
        costs = [outcome.cost for outcome in self.outcomes.values()]
        if not costs:
            return ""
        minutes, seconds = divmod(round(sum(cost.cpu_s for cost in costs)), 60)
        return (
            f"{minutes} min {seconds} s of CPU time, {max(cost.cpu_s for cost in costs):.0f} s for the longest "
            f"point; {max(cost.peak_mb for cost in costs):.0f} MB of memory at most"
        )

    def __call__(self, name: str) -> Value:
        """The value of a name in an expression. Raises NotMeasuredError if it has no result."""
        if name not in self._values:
            try:
                self._values[name] = self._work_out(name)
            except (NotMeasuredError, StudyError) as error:
                self._values[name] = error
        value = self._values[name]
        if isinstance(value, Exception):
            raise value
        return value

    def _work_out(self, name: str) -> Value:
        if name in self.study.values:
            return self.study.values[name](self)
        first, _, rest = name.partition(".")
        if first in self.study.data:
            return self.study.data[first].series(rest)
        if first not in self.study.runs:  # of an expression that is no part of the study file
            raise StudyError(f"unknown name '{name}': {one_of(name, self.study.names())}")
        run = self.study.runs[first]
        table, _, column = rest.partition(".")
        return self._column(run, table, column) if table in run.tables else self._metric(run, rest)

    def _metric(self, run: Run, path: str) -> Value:
        cells: dict[Key, list[Scalar]] = {}
        for point, outcome in self._of(run):
            value: Any = job_metrics(outcome.metrics)
            for part in path.split("."):
                if not isinstance(value, dict) or part not in value:
                    known = value if isinstance(value, dict) else ()
                    raise StudyError(f"{run.place}: no metric '{path}' in the results: {one_of(part, known)}")
                value = value[part]
            if isinstance(value, (dict, list)):
                cure = f": it has {', '.join(value)}" if isinstance(value, dict) else ""
                raise StudyError(f"{run.place}: '{path}' is no metric{cure}")
            if value is not None:  # null: the program had nothing to measure
                cells.setdefault(point.coordinates, []).append(value)
        return self._series(tuple(run.axes), cells, run, path)

    def _column(self, run: Run, table: str, column: str) -> Value:
        index = run.tables[table].index
        cells: dict[Key, list[Scalar]] = {}
        for point, outcome in self._of(run):
            own: dict[Key, Scalar] = {}
            for row in csv.DictReader(io.StringIO(outcome.tables[run.tables[table].file])):
                for name in (*index.values(), column):
                    if name not in row:
                        raise StudyError(f"{run.place}.tables.{table}: no column '{name}': {one_of(name, row)}")
                if row[column] != "":
                    key = (*point.coordinates, *(cell_value(row[name]) for name in index.values()))
                    own[key] = cell_value(row[column])
            for key, cell in own.items():
                cells.setdefault(key, []).append(cell)
        return self._series((*run.axes, *index), cells, run, f"{table}.{column}")

    def _of(self, run: Run) -> list[tuple[Point, Outcome]]:
        return [(point, outcome) for point, outcome in self.outcomes.items() if point.run == run.name]

    def _series(self, axes: tuple[str, ...], cells: dict[Key, list[Scalar]], run: Run, name: str) -> Value:
        if not cells:
            left_out = self.quick and run.quick_axes is None
            raise NotMeasuredError(f"{run.name} is no part of --quick" if left_out else f"{run.name} has no results")
        place = f"{run.place}: {name}"
        return plain(Series(axes, {key: _mean(found, place) for key, found in cells.items()}))

    def texts(self, run: str, table: str, where: Mapping[str, Scalar]) -> list[str]:
        """The whole table of the point at these coordinates, one for each seed."""
        of = self.study.runs[run]
        found: dict[Key, list[str]] = {}
        for point, outcome in self._of(of):
            at = dict(zip(of.axes, point.coordinates, strict=True))
            if all(at.get(axis) == value for axis, value in where.items()):
                found.setdefault(point.coordinates, []).append(outcome.tables[of.tables[table].file])
        if not found:
            raise NotMeasuredError(f"no result of {run} there")
        return next(iter(found.values()))


def _mean(values: list[Scalar], place: str) -> Scalar:
    """The mean over seeds; a truth value is true if it is true for each of them."""
    if all(isinstance(value, bool) for value in values):
        return all(values)
    if all(value == values[0] for value in values):
        return values[0]
    if any(isinstance(value, (str, bool)) for value in values):
        raise StudyError(f"{place}: is no number and differs from seed to seed")
    return statistics.fmean(values)


def _is_unsettled(point: Point, outcome: Outcome) -> bool:
    """Whether a program measured its rate before it was steady. `traffic` has verdicts of its own, up to saturation."""
    jobs = [outcome.metrics, *outcome.metrics.get("jobs", [])]
    return point.command[:1] == ("run",) and any(job.get("settled") is False for job in jobs)


def verdict_of(outcome: Outcome) -> str:
    """The verdict that the program gives, as its table on the terminal has it; "" if the command has none."""
    verdict = outcome.metrics.get("verdict")
    if not isinstance(verdict, str):
        return ""
    return verdict + (CUT_SHORT if outcome.metrics.get("drained") is False else "")


def job_metrics(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """The metrics, with those of `run`'s jobs as job0, job1 and so on."""
    return {**metrics, **{f"job{i}": _of_job(job) for i, job in enumerate(metrics.get("jobs", []))}}


def _of_job(job: Mapping[str, Any]) -> dict[str, Any]:
    """A job's metrics, and the mean time from a rank's start to its end."""
    time = {"rank_time_ns": sum(job["time"].values()) / job["ranks"]} if "time" in job else {}
    return time | {name: one["value"] for name, one in job["metrics"].items()}


def measurements(study: Study, kept: Results) -> Measurements:
    """Those of the quick points if the study has others and none of them has a result, else of all points."""
    every, few = (Measurements(study, quick, kept.load_all(study.points(quick))) for quick in (False, True))
    is_quick = few.outcomes and every.missing and not every.outcomes.keys() - set(few.points)
    return few if is_quick and set(few.points) != set(every.points) else every
