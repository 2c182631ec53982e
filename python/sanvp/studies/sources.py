"""Where a point of a figure comes from: the commands of the runs behind it."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .execution import describe
from .expressions import Expression
from .figure import Figure
from .measurements import Measurements
from .series import Scalar


@dataclass(frozen=True)
class Source:
    """The runs behind a value: how many, and one command of each kind of run."""

    runs: int
    commands: tuple[str, ...]

    @property
    def command(self) -> str:
        """All of the commands in a line of a shell."""
        return " && ".join(self.commands)


def _expressions(expression: Expression, measured: Measurements) -> Iterator[Expression]:
    """The expression, and those of the study's values that it depends on."""
    yield expression
    for name in expression.names:
        if (value := measured.study.values.get(name)) is not None:
            yield from _expressions(value, measured)


def source_of(expression: Expression, measured: Measurements, at: Mapping[str, Scalar]) -> Source:
    """The runs behind the expression's value at these coordinates."""
    every = list(_expressions(expression, measured))
    names = {name.partition(".")[0] for one in every for name in one.names}
    wanted: dict[str, set[Scalar]] = {}
    for axis, coordinate in (pair for one in every for pair in one.selected):
        wanted.setdefault(axis, set()).add(coordinate)
    wanted |= {axis: {coordinate} for axis, coordinate in at.items()}
    runs, commands = 0, {}
    for point in measured.outcomes:
        axes = measured.study.runs[point.run].axes
        if point.run in names and all(map(_is_wanted, (wanted.get(axis) for axis in axes), point.coordinates)):
            runs += 1
            commands.setdefault(point.run, describe(point))
    return Source(runs, tuple(commands.values()))


def matrix_source(figure: Figure, measured: Measurements) -> Source:
    """The run behind a congestion matrix: one for each seed."""
    run, at = figure.matrix["run"], figure.matrix["at"]
    axes = measured.study.runs[run].axes
    found = [
        point
        for point in measured.outcomes
        if point.run == run
        and all(at.get(axis, here) == here for axis, here in zip(axes, point.coordinates, strict=True))
    ]
    return Source(len(found), tuple(describe(point) for point in found[:1]))


def _is_wanted(wanted: set[Scalar] | None, coordinate: Scalar) -> bool:
    if wanted is None or coordinate in wanted:
        return True
    return any(isinstance(one, str) and "*" in one and fnmatch.fnmatchcase(str(coordinate), one) for one in wanted)
