"""A row for each target: the paper's value, the measured value, the verdict, and the cause of a deviation."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import NotMeasuredError, StudyError
from .expressions import Expression, Lookup
from .measurements import Measurements
from .seeds import interval, values_by_seed
from .series import Scalar, Series, Value
from .study import Answer
from .targets import DEVIATES, FAILS, NOT_RUN, Target
from .texts import number


@dataclass(frozen=True)
class Row:
    """One target's line of the report."""

    id: str
    paper: Any
    measured: Any  # a number, {min, max, avg}, true or false; None where not run
    unit: str
    deviation: float | None  # relative to the paper's value
    verdict: str
    cause: str
    study: str
    shown: str  # what was measured, as text
    reference: str
    is_anchor: bool = False
    interval_95: float | None = None  # half its width; None where there is one run, or a shape
    seeds: int = 1  # by which it was measured
    agreeing: int = 1  # of these: how many, alone, show a shape as their mean does
    fitted: str = ""  # the parameter that was set so that this value comes out
    readings: Mapping[str, dict[str, Any]] = field(default_factory=dict)  # by name: measured, verdict
    unsettled: int = 0  # runs behind the value whose traffic had not settled

    @property
    def origin(self) -> str:
        """Whose statement it is."""
        return OURS if self.is_anchor else PAPER

    @property
    def basis(self) -> str:
        """Whether the value follows from other numbers, or a parameter was set by it."""
        return FITTED if self.fitted else PREDICTED

    @property
    def full_verdict(self) -> str:
        """The verdict, and that of other readings of the paper which decide otherwise."""
        others = [
            f"by {name}: {one['verdict']}" for name, one in self.readings.items() if one["verdict"] != self.verdict
        ]
        return "; ".join((self.verdict, *others))

    def json(self) -> dict[str, Any]:
        """The row's object in `report --json`."""
        return {name: getattr(self, name) for name in JSON_FIELDS}


PAPER, OURS = "paper", "ours"
PREDICTED, FITTED = "predicted", "fitted"
JSON_FIELDS = ("id", "paper", "measured", "unit", "deviation", "verdict", "cause", "interval_95", "seeds")
JSON_FIELDS += ("origin", "basis", "fitted", "readings", "unsettled")


def not_run(target: Target, cause: str, study: str = "", is_anchor: bool = False, fitted: str = "") -> Row:
    """The row of a target that was not measured."""
    fields = (target.id, target.paper, None, target.unit, None, NOT_RUN, cause)
    return Row(*fields, study, "", target.reference, is_anchor, fitted=fitted)


def _measured(value: Any, target: Target, place: str) -> tuple[Any, Any]:
    """The value for the report, and the number for the verdict."""
    if isinstance(value, Series) and isinstance(target.paper, dict):
        if any(isinstance(cell, (str, bool)) for cell in value.values()):
            raise StudyError(f"{place}.measured: {target.id} is a number, so all of these must be")
        cells = [float(cell) for cell in value.values()]
        if target.is_spread:
            ends = {"min": min(cells), "max": max(cells)}
            return ends, ends
        mean = statistics.fmean(cells)
        return {"min": min(cells), "max": max(cells), "avg": mean}, mean
    if isinstance(value, Series):
        raise StudyError(f"{place}.measured: a value for each {', '.join(value.axes)}, not one: select or reduce")
    if target.is_shape:
        if not isinstance(value, bool):
            raise StudyError(f"{place}.measured: {target.id} is a shape, so this must be true or false")
        return value, value
    if isinstance(value, (str, bool)):
        raise StudyError(f"{place}.measured: {target.id} is a number, so this must be one")
    return value, float(value)


def _at(measured: Measurements, where: Mapping[str, Scalar]) -> Lookup:
    """Names, at the coordinates that an id's braces have chosen."""

    def lookup(name: str) -> Value:
        value = measured(name)
        if not isinstance(value, Series):
            return value
        return value.select({axis: at for axis, at in where.items() if axis in value.axes})

    return lookup


def _shown(answer: Answer, measured: Measurements) -> str:
    """The text that the study shows with the value; empty if a part of it has no result."""
    try:
        return answer.shows.fill(_at(measured, answer.at)) if answer.shows else ""
    except NotMeasuredError:
        return ""


def _result(answer: Answer, expression: Expression, measured: Lookup) -> tuple[Any, Any]:
    """The measured value of an answer's expression, and what the verdict is about."""
    value = expression(measured)
    if answer.at and isinstance(value, Series):
        value = value.select({axis: at for axis, at in answer.at.items() if axis in value.axes})
    return _measured(value, answer.target, answer.place)


def row(answer: Answer, measured: Measurements) -> Row:
    """The row of one answer."""
    target, study, expression = answer.target, measured.study.name, answer.measured
    if expression is None:
        return not_run(target, answer.cause, study, answer.is_anchor, answer.fitted)
    try:
        result, judged = _result(answer, expression, measured)
        shown = _shown(answer, measured) or text(result)
        readings = dict(_readings(answer, measured))
    except NotMeasuredError as error:
        return not_run(target, f"{error}: scripts/study run {study}", study, answer.is_anchor, answer.fitted)
    verdict = target.verdict(judged)
    disagrees = verdict in (DEVIATES, FAILS)
    remarks = [answer.cause] if answer.cause and disagrees else []
    remarks += [f"Fitted: {answer.fitted}"] if answer.fitted else []
    unsettled = _unsettled(answer, expression, measured, result)
    remarks += [unsettled.remark] if unsettled else []
    if measured.quick:
        decides = f", which is short; scripts/study run {study} decides" if disagrees else ""
        remarks.append(f"From the quick version{decides}.")
    if measured.missing:
        remarks.append(f"{measured.missing} of {len(measured.points)} points of the study have no result.")
    deviation = None if target.is_shape else target.deviation(judged)
    fields = (target.id, target.paper, result, target.unit, deviation, verdict, " ".join(remarks))
    spread = _spread(answer, expression, measured, judged) if measured.is_repeated(expression) else {}
    return Row(
        *fields,
        study,
        shown,
        target.reference,
        answer.is_anchor,
        fitted=answer.fitted,
        readings=readings,
        unsettled=unsettled.runs if unsettled else 0,
        **spread,
    )


def _readings(answer: Answer, measured: Measurements) -> Iterator[tuple[str, dict[str, Any]]]:
    """The values and verdicts of other readings of the paper's words."""
    for name, expression in answer.readings.items():
        result, judged = _result(answer, expression, measured)
        yield name, {"measured": result, "verdict": answer.target.verdict(judged)}


@dataclass(frozen=True)
class _Unsettled:
    """Runs whose traffic had not settled, behind a value that they change."""

    runs: int
    remark: str


def _unsettled(answer: Answer, expression: Expression, measured: Measurements, result: Any) -> _Unsettled | None:
    """Of a value that depends on runs whose traffic had not settled: how many there are, and the value without them."""
    runs, all_runs = measured.unsettled(expression)
    if runs == 0:
        return None
    try:
        without = _result(answer, expression, measured.settled)[0]
    except (NotMeasuredError, StudyError):
        return _Unsettled(
            runs, f"{runs} of {all_runs} runs behind it had not settled, and without them there is no value."
        )
    if without == result and not answer.target.is_shape:  # they are behind other values of the same series
        return None
    return _Unsettled(runs, f"{runs} of {all_runs} runs behind it had not settled; without them: {text(without)}.")


def _spread(answer: Answer, expression: Expression, measured: Measurements, judged: Any) -> dict[str, Any]:
    """The interval of a number, or the number of seeds that agree on a shape, from each seed alone."""
    numbers = values_by_seed(lambda one: _result(answer, expression, one)[1], measured.by_seed)
    seeds = max(1, len(numbers))
    if answer.target.is_spread:
        return {"seeds": seeds}
    if answer.target.is_shape:
        return {"seeds": seeds, "agreeing": numbers.count(judged) if numbers else seeds}
    return {"seeds": seeds, "interval_95": interval(numbers)}


def rows(studies: Iterable[Measurements], targets: Mapping[str, Target], mistakes: list[str]) -> list[Row]:
    """A row for each target in the file's order, then the studies' anchors. Adds errors to `mistakes`."""
    found: dict[str, Row] = {}
    for measured in studies:
        for answer in measured.study.answers:
            try:
                found[answer.target.id] = row(answer, measured)
            except StudyError as error:
                mistakes.append(str(error))
                found[answer.target.id] = not_run(
                    answer.target, str(error), measured.study.name, answer.is_anchor, answer.fitted
                )
    listed = [found.get(name) or not_run(target, "No study answers it yet.") for name, target in targets.items()]
    return listed + [one for one in found.values() if one.is_anchor]


def text(value: Any) -> str:
    """A value as text for the tables."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case {"avg": mean, "min": low, "max": high}:
            return f"{number(mean, 4)} ({number(low, 4)} .. {number(high, 4)})"
        case {"min": low, "max": high}:
            return f"{number(low, 4)} .. {number(high, 4)}"
        case [low, high]:
            return f"{number(low, 6)} .. {number(high, 6)}"
        case float() | int():
            return number(value, 4)
    return str(value)
