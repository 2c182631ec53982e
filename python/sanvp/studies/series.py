"""Values with labelled coordinates: what a study measures over its axes."""

from __future__ import annotations

import fnmatch
import functools
import itertools
import operator
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .errors import NotMeasuredError

Scalar = float | int | str | bool
Key = tuple[Scalar, ...]
Row = list[tuple[Any, Any]]  # coordinate, value


@dataclass(frozen=True)
class Series:
    """A value for each of some coordinates, in the order of the axes. Not every combination must be there."""

    axes: tuple[str, ...]
    cells: Mapping[Key, Any]

    def values(self) -> list[Any]:
        """The values, in the order of the coordinates."""
        return list(self.cells.values())

    def along(self, axis: str) -> list[Scalar]:
        """An axis's values, each once, in order of appearance."""
        position = self._position(axis)
        return list(dict.fromkeys(key[position] for key in self.cells))

    def _position(self, axis: str) -> int:
        if axis not in self.axes:
            raise ValueError(f"no axis '{axis}' here, but {', '.join(self.axes) or 'none at all'}")
        return self.axes.index(axis)

    def select(self, wanted: Mapping[str, Any]) -> Value:
        """The cells with these coordinates. One value drops its axis; a list, or a text with `*`, keeps it."""
        tests: list[tuple[int, Callable[[Scalar], bool]]] = []
        dropped = set()
        for axis, value in wanted.items():
            position = self._position(axis)
            if isinstance(value, str) and "*" in value:
                tests.append((position, functools.partial(_matches, value)))
            elif isinstance(value, range) or (isinstance(value, list) and all(isinstance(v, Scalar) for v in value)):
                tests.append((position, functools.partial(operator.contains, value)))
            elif not isinstance(value, Scalar):
                raise TypeError(f"{axis} is selected by a value, a list of values, or range(begin, end)")
            else:
                tests.append((position, functools.partial(operator.eq, value)))
                dropped.add(position)
        kept = [i for i in range(len(self.axes)) if i not in dropped]
        cells = {
            tuple(key[i] for i in kept): cell
            for key, cell in self.cells.items()
            if all(test(key[position]) for position, test in tests)
        }
        if not cells:
            raise NotMeasuredError("no result for " + ", ".join(f"{axis} {value}" for axis, value in wanted.items()))
        return plain(Series(tuple(self.axes[i] for i in kept), cells))

    def reduce(self, function: Callable[[list[Any]], Scalar], over: Iterable[str] = ()) -> Value:
        """The function over these axes; over all axes if none is named."""
        gone = {self._position(axis) for axis in over} or set(range(len(self.axes)))
        kept = [i for i in range(len(self.axes)) if i not in gone]
        groups: dict[Key, list[Any]] = {}
        for key, cell in self.cells.items():
            groups.setdefault(tuple(key[i] for i in kept), []).append(cell)
        if not groups:
            raise NotMeasuredError("no results")
        return plain(Series(tuple(self.axes[i] for i in kept), {key: function(cells) for key, cells in groups.items()}))

    def lines(self, axis: str) -> Iterator[tuple[dict[str, Scalar], Row]]:
        """For each combination of the other axes: that combination, and (coordinate, value) pairs along this axis."""
        position = self._position(axis)
        others = [name for name in self.axes if name != axis]
        rows: dict[Key, Row] = {}
        for key, cell in self.cells.items():
            rows.setdefault(key[:position] + key[position + 1 :], []).append((key[position], cell))
        for key, row in rows.items():
            yield dict(zip(others, key, strict=True)), row

    def row_by_row(self, function: Callable[[Row], Iterable[tuple[Scalar, Scalar]]], axis: str) -> Series:
        """Applies the function, row to (coordinate, value) pairs, along an axis, which becomes the last one."""
        others = tuple(name for name in self.axes if name != axis)
        cells = {}
        for where, row in self.lines(axis):
            for coordinate, value in function(row):
                cells[*where.values(), coordinate] = value
        return Series((*others, axis), cells)


Value = Series | Scalar


def _matches(glob: str, coordinate: Scalar) -> bool:
    return fnmatch.fnmatchcase(str(coordinate), glob)


def plain(series: Series) -> Value:
    """A series without axes becomes its only value."""
    return series if series.axes else series.cells[()]


def combine(function: Callable[..., Any], *operands: Value) -> Value:
    """Applies the function cell by cell, where coordinates of the operands' common axes are equal."""
    result = Series((), {(): ()})  # tuples of arguments so far
    for operand in operands:
        other = operand if isinstance(operand, Series) else Series((), {(): operand})
        shared = [axis for axis in other.axes if axis in result.axes]
        new = [i for i, axis in enumerate(other.axes) if axis not in shared]
        mine = [result.axes.index(axis) for axis in shared]
        theirs = [other.axes.index(axis) for axis in shared]
        meeting: dict[Key, list[tuple[Key, Any]]] = {}
        for key, cell in other.cells.items():
            meeting.setdefault(tuple(key[i] for i in theirs), []).append((tuple(key[i] for i in new), cell))
        cells = {
            (*key, *rest): (*arguments, cell)
            for key, arguments in result.cells.items()
            for rest, cell in meeting.get(tuple(key[i] for i in mine), [])
        }
        result = Series((*result.axes, *(other.axes[i] for i in new)), cells)
    if not result.cells:
        raise NotMeasuredError("no results at equal coordinates")
    return plain(Series(result.axes, {key: function(*arguments) for key, arguments in result.cells.items()}))


def index(series: Series, axis: str) -> Value:
    """The coordinate itself, as a value."""
    return series.row_by_row(lambda row: ((at, at) for at, _ in row), axis)


def bins(series: Series, axis: str, width: float) -> Series:
    """Sums over intervals of an axis; the coordinate is an interval's lower end."""

    def summed(row: list[tuple[float, float]]) -> Iterable[tuple[float, float]]:
        sums: dict[float, float] = {}
        for at, value in row:
            lower = at // width * width
            sums[lower] = sums.get(lower, 0) + value
        return sums.items()

    return series.row_by_row(summed, axis)


def exceeding(series: Series, axis: str) -> Series:
    """For a histogram along an axis: the share at each coordinate and above."""

    def shares(row: list[tuple[float, float]]) -> Iterable[tuple[float, float]]:
        row = sorted(row)
        total = sum(value for _, value in row) or 1
        above = itertools.accumulate((value for _, value in row), initial=0)
        return [(at, 1 - below / total) for (at, _), below in zip(row, above, strict=False)]

    return series.row_by_row(shares, axis)


def arg_max(series: Series, axis: str) -> Value:
    """The coordinate at which a series is greatest."""
    others = tuple(name for name in series.axes if name != axis)
    cells = {tuple(where.values()): max(row, key=lambda cell: cell[1])[0] for where, row in series.lines(axis)}
    return plain(Series(others, cells))


def steps(series: Series, axis: str, test: Callable[[Any, Any], bool]) -> bool:
    """Whether the test holds for all neighbours along an axis, by rising coordinate. Needs two values at least."""
    rows = [sorted(row) for _, row in series.lines(axis)]
    if any(len(row) < 2 for row in rows):
        raise NotMeasuredError(f"fewer than two results along {axis}")
    return all(test(a, b) for row in rows for (_, a), (_, b) in itertools.pairwise(row))


def steepens(series: Series, axis: str) -> bool:
    """Whether each slope along an axis is greater than the one before. Needs three values at least."""
    rows = [sorted(row) for _, row in series.lines(axis)]
    if any(len(row) < 3 for row in rows):
        raise NotMeasuredError(f"fewer than three results along {axis}")
    slopes = [[(b - a) / (y - x) for (x, a), (y, b) in itertools.pairwise(row)] for row in rows]
    return all(earlier < later for row in slopes for earlier, later in itertools.pairwise(row))


def determination(x: Value, y: Value) -> float:
    """R2 of the straight line through points (x, y)."""
    pairs = combine(lambda a, b: (a, b), x, y)
    if not isinstance(pairs, Series) or len(pairs.cells) < 3:
        raise NotMeasuredError("fewer than three results for a fit")
    return statistics.correlation(*zip(*pairs.values(), strict=True)) ** 2
