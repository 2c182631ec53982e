"""The table of an interference: what each job measures alone and beside the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .errors import NotMeasuredError, StudyError
from .expressions import Expression
from .interference import Interference
from .labels import label_of
from .measurements import Measurements
from .seeds import interval, values_by_seed
from .series import Series, Value, combine
from .texts import number


@dataclass(frozen=True)
class Line:
    """A line of the table."""

    at: str
    job: str
    metric: str
    alone: float
    together: float
    slowdown: float
    interval_95: float | None  # of the slowdown: half its width


def lines(one: Interference, measured: Measurements, mistakes: list[str] | None = None) -> Iterator[Line]:
    """The table: for each point of the axes and each job, alone and together. Points without results are left out.

    @param mistakes  takes errors of a job, which is left out then; None: they are raised
    """
    for job in one.jobs:
        try:
            values = combine(lambda *cells: cells, *(e(measured) for e in (job.alone, job.together, job.slowdown)))
        except NotMeasuredError:
            continue
        except StudyError as error:
            if mistakes is None:
                raise
            mistakes.append(str(error))
            continue
        widths = _widths(job.slowdown, measured)
        axes = values.axes if isinstance(values, Series) else ()
        for key, cells in values.cells.items() if isinstance(values, Series) else [((), values)]:
            where = dict(zip(axes, key, strict=True))
            at = ", ".join(f"{axis} {value}" for axis, value in where.items())
            width = (
                widths.cells.get(tuple(where[axis] for axis in widths.axes)) if isinstance(widths, Series) else widths
            )
            yield Line(at, job.name, label_of(job.metric), *map(float, cells), width)


def _widths(slowdown: Expression, measured: Measurements) -> Value | None:
    if not measured.is_repeated(slowdown):
        return None
    return interval(values_by_seed(slowdown, measured.by_seed))


def table(one: Interference, measured: Measurements, mistakes: list[str]) -> list[tuple[str, ...]]:
    """Headings and rows as text, by point and then by job; empty without results. Adds errors to `mistakes`."""
    found = list(lines(one, measured, mistakes))
    if not found:
        return []
    with_place = any(line.at for line in found)
    order = {line.at: i for i, line in reversed(list(enumerate(found)))}
    rows = [("at",) * with_place + ("job", "metric", "alone", "together", "slowdown")]
    for line in sorted(found, key=lambda line: order[line.at]):
        width = "" if line.interval_95 is None else f" ± {number(line.interval_95, 2)}"
        cells = (line.job, line.metric, number(line.alone, 6), number(line.together, 6), f"{line.slowdown:.3f}{width}")
        rows.append((line.at,) * with_place + cells)
    return rows
