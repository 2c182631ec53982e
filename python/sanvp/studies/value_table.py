"""The table of a study's values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .errors import NotMeasuredError, StudyError
from .measurements import Measurements
from .seeds import interval, values_by_seed
from .series import Scalar, Series, Value
from .sources import Source, source_of
from .targets import NOT_RUN
from .texts import number
from .verdicts import text

MOST_LINES = 40  # of a value: a longer one is told by its mean, its least and its greatest
_MOST_TEXTS = 5


@dataclass(frozen=True)
class _Line:
    name: str
    at: str
    result: str
    source: Source


def table(measured: Measurements, mistakes: list[str]) -> list[tuple[str, ...]]:
    """Headings and rows as text; empty without results. Adds errors to `mistakes`.

    The verdicts of runs are a column if any of them is saturated.
    """
    if not measured.outcomes and measured.points:
        return []
    lines: list[_Line] = []
    for name in measured.study.values:
        try:
            lines += _lines(name, measured)
        except NotMeasuredError as error:
            lines.append(_Line(name, "", f"{NOT_RUN}: {error}", Source()))
        except StudyError as error:
            mistakes.append(str(error))
    if not lines:
        return []
    with_place = any(line.at for line in lines)
    with_verdict = any(line.source.saturated for line in lines)
    rows = [("value", *("at",) * with_place, "result", *("verdict",) * with_verdict)]
    for line in lines:
        rows.append((line.name, *(line.at,) * with_place, line.result, *(line.source.verdict,) * with_verdict))
    return rows


def _lines(name: str, measured: Measurements) -> Iterator[_Line]:
    value, expression = measured(name), measured.study.values[name]
    if not isinstance(value, Series):
        yield _Line(name, "", _result(value, _widths(name, measured), {}), source_of(expression, measured, {}))
        return
    if len(value.cells) > MOST_LINES:
        place = f"{len(value.cells)} points, by {', '.join(value.axes)}"
        yield _Line(name, place, _told(value.values()), source_of(expression, measured, {}))
        return
    widths = _widths(name, measured)
    for key, cell in value.cells.items():
        where = dict(zip(value.axes, key, strict=True))
        place = ", ".join(f"{axis} {at}" for axis, at in where.items())
        yield _Line(name, place, _result(cell, widths, where), source_of(expression, measured, where))


def _widths(name: str, measured: Measurements) -> Value | None:
    if not measured.is_repeated(measured.study.values[name]):
        return None
    return interval(values_by_seed(lambda one: one(name), measured.by_seed))


def _result(cell: Scalar, widths: Value | None, where: Mapping[str, Scalar]) -> str:
    """A number with its 95 % interval if several seeds were run; any other value as text."""
    width = widths.cells.get(tuple(where.get(axis) for axis in widths.axes)) if isinstance(widths, Series) else widths
    if width is None or isinstance(cell, (bool, str)):
        return text(cell)
    return f"{text(cell)} ± {number(width, 2)}"


def _told(cells: list[Scalar]) -> str:
    """Many values as one text."""
    if not any(isinstance(cell, (bool, str)) for cell in cells):
        return text({"min": min(cells), "max": max(cells), "avg": sum(cells) / len(cells)})
    texts = list(dict.fromkeys(map(text, cells)))
    return ", ".join([*texts[:_MOST_TEXTS], *(["..."] if len(texts) > _MOST_TEXTS else [])])
