"""Where a point of a figure comes from: the commands of the runs behind it."""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from .execution import describe
from .expressions import Expression
from .figure import Figure
from .measurements import CUT_SHORT, Measurements, verdict_of
from .point import Point
from .series import Scalar

SATURATED = "saturated"


@dataclass(frozen=True)
class Source:
    """The runs behind a value, and the verdict of each; "" if its command has none."""

    verdicts: Mapping[Point, str] = field(default_factory=dict)

    @property
    def runs(self) -> int:
        """How many they are."""
        return len(self.verdicts)

    @property
    def commands(self) -> tuple[str, ...]:
        """One command of each kind of run."""
        first: dict[str, Point] = {}
        for point in self.verdicts:
            first.setdefault(point.run, point)
        return tuple(map(describe, first.values()))

    @property
    def command(self) -> str:
        """All of the commands in a line of a shell."""
        return " && ".join(self.commands)

    @property
    def verdict(self) -> str:
        """The verdict of the runs; with how many there are of each, if they differ."""
        counts = Counter(verdict for verdict in self.verdicts.values() if verdict)
        if len(counts) < 2:
            return "".join(counts)
        return "; ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))

    @property
    def saturated(self) -> list[Point]:
        """The runs that are saturated."""
        return [point for point, verdict in self.verdicts.items() if _is_saturated(verdict)]


def source_of_all(sources: Iterable[Source]) -> Source:
    """The runs behind several values, each once."""
    return Source({point: verdict for source in sources for point, verdict in source.verdicts.items()})


def remark(wanted: Iterable[Point], measured: Measurements, drawn: Source) -> str:
    """What the report says under a figure of runs that are saturated, or have no result; "" if there are none.

    @param wanted  all runs of the figure  @param drawn  those of which something is drawn
    """
    every = list(dict.fromkeys(wanted))
    found = _measured(every, measured)
    said = []
    if missing := len(every) - found.runs:
        said.append(f"{missing} of {len(every)} runs {'has' if missing == 1 else 'have'} no result.")
    if saturated := found.saturated:
        told = f"{len(saturated)} of {len(every)} runs {'is' if len(saturated) == 1 else 'are'} saturated: their"
        told += " latencies depend on the length of the run"
        if cut := sum(found.verdicts[point].endswith(CUT_SHORT) for point in saturated):
            told += f"; of {cut} (*) the longest latencies are missing"
        if blank := sum(point not in drawn.verdicts for point in saturated):
            told += f"; {blank} {'has' if blank == 1 else 'have'} no number to draw"
        said.append(f"{told}.")
    return " ".join(said)


def _is_saturated(verdict: str) -> bool:
    return verdict.removesuffix(CUT_SHORT) == SATURATED


def _expressions(expression: Expression, measured: Measurements) -> Iterator[Expression]:
    """The expression, and those of the study's values that it depends on."""
    yield expression
    for name in expression.names:
        if (value := measured.study.values.get(name)) is not None:
            yield from _expressions(value, measured)


def runs_of(expression: Expression, measured: Measurements, at: Mapping[str, Scalar]) -> Iterator[Point]:
    """The runs that the expression's value at these coordinates needs, with or without a result."""
    every = list(_expressions(expression, measured))
    names = {name.partition(".")[0] for one in every for name in one.names}
    wanted: dict[str, set[Scalar]] = {}
    for axis, coordinate in (pair for one in every for pair in one.selected):
        wanted.setdefault(axis, set()).add(coordinate)
    wanted |= {axis: {coordinate} for axis, coordinate in at.items()}
    for point in measured.points:
        axes = measured.study.runs[point.run].axes
        if point.run in names and all(map(_is_wanted, (wanted.get(axis) for axis in axes), point.coordinates)):
            yield point


def source_of(expression: Expression, measured: Measurements, at: Mapping[str, Scalar]) -> Source:
    """The runs behind the expression's value at these coordinates."""
    return _measured(runs_of(expression, measured, at), measured)


def runs_of_figure(figure: Figure, measured: Measurements) -> Iterator[Point]:
    """The runs that a figure needs, with or without a result."""
    for expression in figure.curves.values():
        yield from runs_of(expression, measured, {})
    if figure.matrix:
        at = figure.matrix["at"]
        axes = measured.study.runs[figure.matrix["run"]].axes
        yield from (
            point
            for point in measured.points
            if point.run == figure.matrix["run"]
            and all(at.get(axis, here) == here for axis, here in zip(axes, point.coordinates, strict=True))
        )


def matrix_source(figure: Figure, measured: Measurements) -> Source:
    """The run behind a congestion matrix: one for each seed."""
    return _measured(runs_of_figure(figure, measured), measured)


def _measured(points: Iterable[Point], measured: Measurements) -> Source:
    return Source({point: verdict_of(measured.outcomes[point]) for point in points if point in measured.outcomes})


def _is_wanted(wanted: set[Scalar] | None, coordinate: Scalar) -> bool:
    if wanted is None or coordinate in wanted:
        return True
    return any(isinstance(one, str) and "*" in one and fnmatch.fnmatchcase(str(coordinate), one) for one in wanted)
