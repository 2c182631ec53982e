"""What a figure of lines or bars shows, before anything is drawn: panels, curves, points, the papers' values.

`drawing` makes a picture of it, `interactive` a part of the page, `figure_data` a CSV file.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import NotMeasuredError, StudyError
from .expressions import Expression, names_only
from .figure import Figure
from .measurements import Measurements
from .seeds import interval, values_by_seed
from .series import Scalar, Series, Value, combine, index
from .sources import Source, source_of, source_of_all
from .targets import Target

Cell = tuple[dict[str, Scalar], float]  # coordinates, value
CROWDED = 40  # points of a line, from which on marks would hide it
OPEN_MARKS = "open: saturated"
MOST_PANELS = 100  # of a figure: more are no picture


@dataclass(frozen=True)
class Dot:
    """A point: of bars, x is the group."""

    x: Any
    y: float
    half_width: float  # of the 95 % interval; 0: none
    at: Mapping[str, Scalar]  # all its coordinates
    source: Source = field(default_factory=Source)  # the runs behind it

    @property
    def is_saturated(self) -> bool:
        """Whether any of the runs behind it is."""
        return bool(self.source.saturated)


@dataclass(frozen=True)
class Curve:
    """A line, or the bars of one colour."""

    label: str
    expression: Expression
    dots: tuple[Dot, ...]


@dataclass(frozen=True)
class PaperValue:
    """A value of a paper, with its range."""

    id: str
    x: Any  # None: it goes across
    bar: str  # the bars' label, where there are bars
    low: float
    centre: float
    high: float


@dataclass(frozen=True)
class Panel:
    """One pair of axes."""

    at: Mapping[str, Scalar]
    title: str
    curves: tuple[Curve, ...]
    marks: tuple[PaperValue, ...]
    saturated: tuple[float, float] | None  # where the region past saturation begins and ends


@dataclass(frozen=True)
class Plot:
    """A figure's panels, in rows."""

    title: str
    figure: Figure
    rows: tuple[tuple[Panel, ...], ...]

    def panels(self) -> Iterator[Panel]:
        """All of them."""
        return itertools.chain(*self.rows)

    def source(self) -> Source:
        """The runs behind all points."""
        return source_of_all(dot.source for panel in self.panels() for curve in panel.curves for dot in curve.dots)

    def labels(self) -> list[str]:
        """Those of all curves, each once: a curve has the same colour in all panels, also where others are missing."""
        return list(dict.fromkeys(curve.label for panel in self.panels() for curve in panel.curves))


def remarks(figure: Figure, measured: Measurements, marked: str = "") -> str:
    """What follows a figure's title. @param marked  what marks of its own mean; "": there are none"""
    found = ["quick"] if measured.quick else []
    if any(measured.is_repeated(curve) for curve in figure.curves.values()):
        found.append(f"{len(measured.by_seed)} seeds, 95 % intervals")
    found += [marked] if marked else []
    return f" ({', '.join(found)})" if found else ""


def plot_of(figure: Figure, measured: Measurements, targets: Mapping[str, Target]) -> Plot:
    """What the figure shows. Raises NotMeasuredError if that is nothing."""
    panel = _lines if figure.kind == "lines" else _bars
    rows = tuple(tuple(panel(figure, measured, targets, at) for at in row) for row in _panels(figure, measured))
    curves = [curve for row in rows for panel in row for curve in panel.curves if _has_marks(figure, curve)]
    is_marked = any(dot.is_saturated for curve in curves for dot in curve.dots)
    title = figure.title + remarks(figure, measured, OPEN_MARKS if is_marked else "")
    plot = Plot(title, figure, rows)
    _check_scales(plot)
    return plot


def _has_marks(figure: Figure, curve: Curve) -> bool:
    return figure.kind == "bars" or len(curve.dots) <= CROWDED


def _check_scales(plot: Plot) -> None:
    """Checks that all x are numbers, or all are texts, and that a logarithm can show some of each axis."""
    figure, dots = plot.figure, [dot for panel in plot.panels() for curve in panel.curves for dot in curve.dots]
    if figure.kind == "lines":
        marked = [mark.x for panel in plot.panels() for mark in panel.marks if mark.x is not None]
        if len({isinstance(x, str) for x in [*(dot.x for dot in dots), *marked]}) > 1:
            raise StudyError(f"{figure.place}.x: has numbers and texts")
    for axis, values in (("x", [dot.x for dot in dots]), ("y", [dot.y for dot in dots])):
        if figure.scales[axis] == "log" and not any(not isinstance(value, str) and value > 0 for value in values):
            raise StudyError(f"{figure.place}.{axis}_scale: log shows numbers above 0 alone, and there are none")


def _cells(series: Series) -> Iterator[Cell]:
    for key, value in series.cells.items():
        yield dict(zip(series.axes, key, strict=True)), float(value)


def _series(value: Value, figure: Figure) -> Series:
    """Checks that it is a series of numbers over the figure's axis."""
    if not isinstance(value, Series):
        raise StudyError(f"{figure.place}.y: is one value, not a series")
    if figure.along not in value.axes:
        raise StudyError(f"{figure.place}.y: has no axis '{figure.along}', but {', '.join(value.axes)}")
    for cell in value.values():
        if isinstance(cell, str):
            raise StudyError(f"{figure.place}.y: '{cell}' is no number")
    return value


def _at(value: Value, where: Mapping[str, Scalar]) -> Value:
    """Selects by those of the coordinates whose axes the value has."""
    if not isinstance(value, Series):
        return value
    return value.select({axis: at for axis, at in where.items() if axis in value.axes})


def _curves(figure: Figure, measured: Measurements, where: Mapping[str, Scalar]) -> list[tuple[str, Series]]:
    """The curves that have results; at least one, else NotMeasuredError."""
    found = []
    for label, expression in figure.curves.items():
        try:
            found.append((label, _series(_at(expression(measured), where), figure)))
        except NotMeasuredError as error:
            missing = error
    if not found:
        raise missing
    return found


def _half_widths(curve: str, figure: Figure, measured: Measurements, where: Mapping[str, Scalar]) -> Series | None:
    """Half widths of the 95 % intervals of a curve's points, if its runs are repeated with other seeds."""
    expression = figure.curves[curve]
    if not measured.is_repeated(expression):
        return None
    found = interval(values_by_seed(lambda one: _at(expression(one), where), measured.by_seed))
    return found if isinstance(found, Series) else None


def _width_at(widths: Series | None, where: Mapping[str, Scalar]) -> float:
    return 0 if widths is None else widths.cells.get(tuple(where[axis] for axis in widths.axes), 0)


def _panels(figure: Figure, measured: Measurements) -> list[list[dict[str, Scalar]]]:
    """Rows of panels; each panel is the coordinates that it shows."""
    values: list[list[Scalar]] = []
    every = [series for _, series in _curves(figure, measured, {})]
    for axis in figure.panels:
        found = list(dict.fromkeys(at for series in every if axis in series.axes for at in series.along(axis)))
        if not found:
            raise StudyError(f"{figure.place}.panels: no axis '{axis}' in y")
        values.append(found)
    if math.prod(map(len, values)) > MOST_PANELS:
        raise StudyError(f"{figure.place}.panels: more than {MOST_PANELS} of them")
    rows: list[list[dict[str, Scalar]]] = [[{}]]
    if values:
        rows = [[{figure.panels[-1]: at} for at in values[-1]]]
    if len(values) > 1:
        rows = [[{figure.panels[0]: row, **panel} for panel in rows[0]] for row in values[0]]
    return rows


def _label(curve: str, where: Mapping[str, Scalar], names: Mapping[str, str]) -> str:
    """A line's name. A number comes with its axis's name, or as the text that the figure gives for it."""
    parts = [
        names[axis].replace("{}", str(value))
        if axis in names
        else value
        if isinstance(value, str)
        else f"{axis} {value}"
        for axis, value in where.items()
    ]
    return ", ".join([*([curve] if curve else []), *parts])


def _paper_value(target: Target, x: Any, bar: str) -> PaperValue | None:
    low, high = target.low, target.high
    value = low if low == high else None
    if isinstance(target.paper, dict):
        low, high, value = (target.paper.get(key) for key in ("min", "max", "avg"))
    centre = value if value is not None else high if low is None else low if high is None else (low + high) / 2
    if centre is None:
        return None
    return PaperValue(target.id, x, bar, centre if low is None else low, centre, centre if high is None else high)


def _marks(
    figure: Figure,
    cells: list[Cell],
    targets: Mapping[str, Target],
    place_of: Callable[[Mapping[str, Scalar]], tuple[Any, str]],
    panel: Mapping[str, Scalar],
) -> tuple[PaperValue, ...]:
    """All marks of a panel, each once."""
    done: dict[str, PaperValue | None] = {}
    for mark in figure.marks:
        if any(mark.at.get(axis, at) != at for axis, at in panel.items()):
            continue
        coordinates = [{**where, **panel} for where, _ in cells] if mark.is_pattern else [panel]
        for at in ({**where, **mark.at} for where in coordinates):
            identity = mark.target.fill(names_only(at, f"{figure.place}.marks"))
            if identity in targets and identity not in done:
                done[identity] = _paper_value(targets[identity], *place_of(at))
    return tuple(value for value in done.values() if value is not None)


def _lines(figure: Figure, measured: Measurements, targets: Mapping[str, Target], panel: Mapping[str, Scalar]) -> Panel:
    cells: list[Cell] = []
    curves = []
    for curve, y in _curves(figure, measured, panel):
        if figure.x == figure.along:
            pairs = combine(lambda value: (value,), y)
        else:
            pairs = combine(lambda value, x: (value, x), y, _at(figure.x_expression()(measured), panel))
        widths = _half_widths(curve, figure, measured, panel)
        for where, row in pairs.lines(figure.along) if isinstance(pairs, Series) else ():
            dots = []
            for at, cell in row:
                place = {**panel, **where, figure.along: at}
                source = source_of(figure.curves[curve], measured, place)
                dots.append(Dot(cell[-1] if len(cell) > 1 else at, cell[0], _width_at(widths, place), place, source))
            dots.sort(key=lambda dot: (isinstance(dot.x, str), dot.x, dot.y, dot.half_width))
            curves.append(Curve(_label(curve, where, figure.names), figure.curves[curve], tuple(dots)))
        cells += _cells(y)

    def place_of(at: Mapping[str, Scalar]) -> tuple[Any, str]:
        return (at.get(figure.along) if figure.x == figure.along else at.get("x")), ""

    marks = _marks(figure, cells, targets, place_of, panel)
    return Panel(panel, _label("", panel, figure.names), tuple(curves), marks, _saturated(figure, measured))


def _saturated(figure: Figure, measured: Measurements) -> tuple[float, float] | None:
    """The region past saturation, where a latency depends on the length of the run."""
    if not figure.saturated:
        return None
    states = figure.saturated(measured)
    if figure.x != figure.along:
        positions = figure.x_expression()(measured)
    elif isinstance(states, Series) and figure.along in states.axes:
        positions = index(states, figure.along)
    else:
        raise StudyError(f"{figure.place}.saturated: has no axis '{figure.along}'")
    xs = combine(lambda state, x: (x, state), states, positions)
    if not isinstance(xs, Series) or any(isinstance(x, str) for x, _ in xs.values()):
        return None
    fine = [x for x, state in xs.values() if not state]
    past = [x for x, state in xs.values() if state]
    if fine and past and max(fine) < min(past):
        return (max(fine) + min(past)) / 2, max(past)
    return None


def _bars(figure: Figure, measured: Measurements, targets: Mapping[str, Target], panel: Mapping[str, Scalar]) -> Panel:
    curves: dict[str, Curve] = {}
    cells: list[Cell] = []
    for curve, y in _curves(figure, measured, panel):
        widths = _half_widths(curve, figure, measured, panel)
        for where, line in y.lines(figure.x):
            dots = []
            for group, value in dict(line).items():
                place = {**panel, **where, figure.x: group}
                source = source_of(figure.curves[curve], measured, place)
                dots.append(Dot(group, value, _width_at(widths, place), place, source))
            label = _label(curve, where, figure.names)
            curves[label] = Curve(label, figure.curves[curve], tuple(dots))
        cells += _cells(y)
    groups = groups_of(curves.values())

    def place_of(at: Mapping[str, Scalar]) -> tuple[Any, str]:
        if at.get(figure.x) not in groups:
            return None, ""
        bar = _label("", {axis: value for axis, value in at.items() if axis != figure.x}, figure.names)
        return at[figure.x], bar if bar in curves else ""

    marks = _marks(figure, cells, targets, place_of, panel)
    return Panel(panel, _label("", panel, figure.names), tuple(curves.values()), marks, None)


def groups_of(curves: Any) -> list[Scalar]:
    """The groups of bars, in order of appearance."""
    return list(dict.fromkeys(dot.x for curve in curves for dot in curve.dots))
