"""Draws a study's figures: lines, groups of bars, congestion matrices; the papers' values as black marks."""

from __future__ import annotations

import contextlib
import io
import itertools
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")  # no display is needed

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator
from matplotlib.transforms import Bbox

from .congestion import mean_of, plot_congestion
from .errors import NotMeasuredError, StudyError
from .expressions import names_only
from .figure import Figure
from .measurements import Measurements
from .seeds import interval, values_by_seed
from .series import Scalar, Series, Value, combine
from .targets import Target

Cell = tuple[dict[str, Scalar], float]  # coordinates, value
PAPER = {"color": "black", "marker": "D", "markerfacecolor": "none", "linestyle": "none", "capsize": 4, "zorder": 5}
CROWDED = 40  # points of a line, from which on marks would hide it
MOST_LABELS_INSIDE = 4  # more of them hide the curves
MOST_TICKS = 8
MOST_UPRIGHT = 80  # letters of all groups' names side by side
MARGIN = 0.06  # above what is highest
MOST_OF_INTERVALS = 0.15  # above the highest value
PICTURE_INCHES = (7.5, 4.8)
PANEL_INCHES = (4.4, 3.2)
STYLES = tuple(itertools.product(("-", "--", ":"), "os^vDPX*"))


def _cells(series: Series) -> Iterator[Cell]:
    for key, value in series.cells.items():
        yield dict(zip(series.axes, key, strict=True)), float(value)


def _series(value: Value, figure: Figure) -> Series:
    if not isinstance(value, Series):
        raise StudyError(f"{figure.place}.y: is one value, not a series")
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


def _mark(axes: Axes, x: float | None, target: Target, label: str) -> None:
    """Marks the paper's value at x, with its range; without x, by a line across."""
    low, high = target.low, target.high
    value = low if low == high else None
    if isinstance(target.paper, dict):
        low, high, value = target.paper["min"], target.paper["max"], target.paper["avg"]
    centre = value if value is not None else high if low is None else low if high is None else (low + high) / 2
    if centre is None:
        return
    if x is None:
        span = (centre if low is None else low, centre if high is None else high)
        axes.axhspan(*span, color="black", alpha=0.5, lw=1, label=label)
        return
    below, above = centre - (centre if low is None else low), (centre if high is None else high) - centre
    axes.errorbar([x], [centre], yerr=[[below], [above]] if below or above else None, label=label, **PAPER)


def _marks(
    axes: Axes,
    figure: Figure,
    cells: list[Cell],
    targets: Mapping[str, Target],
    place_of: Callable[[Mapping[str, Scalar]], float | None],
    panel: Mapping[str, Scalar],
) -> None:
    """Draws all marks of a panel, each once; the first one gets the legend's entry."""
    done: set[str] = set()
    for mark in figure.marks:
        if any(mark.at.get(axis, at) != at for axis, at in panel.items()):
            continue
        coordinates = [{**where, **panel} for where, _ in cells] if mark.is_pattern else [panel]
        for at in ({**where, **mark.at} for where in coordinates):
            identity = mark.target.fill(names_only(at, f"{figure.place}.marks"))
            if identity in targets and identity not in done:
                _mark(axes, place_of(at), targets[identity], "" if done else "paper")
                done.add(identity)


def _draw_lines(
    axes: Axes, figure: Figure, measured: Measurements, targets: Mapping[str, Target], panel: Mapping[str, Scalar]
) -> None:
    cells: list[Cell] = []
    styles = iter(itertools.cycle(STYLES))
    for curve, y in _curves(figure, measured, panel):
        if figure.x == figure.along:
            pairs = combine(lambda value: (value,), y)
        else:
            pairs = combine(lambda value, x: (value, x), y, _at(figure.x_expression()(measured), panel))
        widths = _half_widths(curve, figure, measured, panel)
        for where, row in _series(pairs, figure).lines(figure.along):
            points = sorted(
                (cell[-1] if len(cell) > 1 else at, cell[0], _width_at(widths, {**where, figure.along: at}))
                for at, cell in row
            )
            _draw_line(axes, points, _label(curve, where, figure.names), *next(styles))
        cells += _cells(y)
    if figure.saturated:
        _shade(axes, figure, measured)

    def place_of(at: Mapping[str, Scalar]) -> Any:
        return at.get(figure.along) if figure.x == figure.along else at.get("x")

    _marks(axes, figure, cells, targets, place_of, panel)


@contextlib.contextmanager
def _unscaled(axes: Axes, highest: float) -> Iterator[None]:
    """Keeps intervals that are drawn inside from stretching the axes: those of two seeds would dwarf all else."""
    before = axes.dataLim.frozen()
    yield
    top = min(axes.dataLim.y1, max(before.y1, (1 + MOST_OF_INTERVALS) * highest))
    axes.dataLim.set(Bbox.from_extents(before.x0, before.y0, before.x1, top))


def _draw_line(axes: Axes, points: list[tuple[float, float, float]], label: str, line: str, marker: str) -> None:
    """Draws points (x, y, half the width of y's interval)."""
    xs, ys, widths = zip(*points, strict=True)
    is_crowded = len(points) > CROWDED
    (drawn,) = axes.plot(xs, ys, line if is_crowded else marker + line, label=label, markersize=5)
    if not any(widths):
        return
    colour = drawn.get_color()
    with _unscaled(axes, max(map(abs, ys))):
        if is_crowded:
            low, high = zip(*((y - width, y + width) for y, width in zip(ys, widths, strict=True)), strict=True)
            axes.fill_between(xs, low, high, color=colour, alpha=0.2, linewidth=0)
        else:
            axes.errorbar(xs, ys, yerr=widths, fmt="none", ecolor=colour, capsize=2.5, elinewidth=1)


def _shade(axes: Axes, figure: Figure, measured: Measurements) -> None:
    """Shades the region past saturation, where a latency depends on the length of the run."""
    states = figure.saturated(measured) if figure.saturated else False
    xs = combine(lambda state, x: (x, state), states, figure.x_expression()(measured))
    if not isinstance(xs, Series):
        return
    fine = [x for x, state in xs.values() if not state]
    past = [x for x, state in xs.values() if state]
    if fine and past and max(fine) < min(past):
        axes.axvspan((max(fine) + min(past)) / 2, max(past), color="0.93", zorder=0, label="saturated")


def _draw_bars(
    axes: Axes, figure: Figure, measured: Measurements, targets: Mapping[str, Target], panel: Mapping[str, Scalar]
) -> None:
    bars: dict[str, dict[Scalar, float]] = {}
    errors: dict[str, list[float]] = {}
    cells: list[Cell] = []
    for curve, y in _curves(figure, measured, panel):
        widths = _half_widths(curve, figure, measured, panel)
        for where, line in y.lines(figure.x):
            bar = _label(curve, where, figure.names)
            bars[bar] = dict(line)
            errors[bar] = [_width_at(widths, {**where, figure.x: group}) for group, _ in line]
        cells += _cells(y)
    groups = list(dict.fromkeys(group for row in bars.values() for group in row))
    width = 0.8 / len(bars)

    def x_of(group: Scalar, bar: str) -> float:
        return groups.index(group) + (list(bars).index(bar) - (len(bars) - 1) / 2) * width

    for bar, row in bars.items():
        xs, heights = [x_of(group, bar) for group in row], list(row.values())
        axes.bar(xs, heights, width, label=bar)
        if any(errors[bar]):
            with _unscaled(axes, max(heights)):
                axes.errorbar(xs, heights, yerr=errors[bar], fmt="none", ecolor="0.45", elinewidth=3)

    def place_of(at: Mapping[str, Scalar]) -> float | None:
        if at.get(figure.x) not in groups:
            return None
        bar = _label("", {axis: value for axis, value in at.items() if axis != figure.x}, figure.names)
        return x_of(at[figure.x], bar) if bar in bars else float(groups.index(at[figure.x]))

    _marks(axes, figure, cells, targets, place_of, panel)
    labels = [str(group) for group in groups]
    slanted = {"rotation": 40, "ha": "right"} if len("".join(labels)) > MOST_UPRIGHT else {}
    axes.set_xticks(range(len(groups)), labels, **slanted)


def _binary(x: float) -> str:
    """A size as text: 4K for 4096."""
    for unit, letter in ((1 << 20, "M"), (1 << 10, "K")):
        if x >= unit and x % unit == 0:
            return f"{x / unit:.0f}{letter}"
    return f"{x:.10g}"


def _tick_what_was_measured(axes: Axes) -> None:
    """Puts ticks at measured powers of two, as many as fit."""
    xs = sorted({float(x) for line in axes.get_lines() for x in line.get_xdata()})
    xs = xs[:: -(-len(xs) // MOST_TICKS)]
    axes.set_xticks(xs, [_binary(x) for x in xs])
    axes.xaxis.set_minor_locator(NullLocator())


def _remarks(figure: Figure, measured: Measurements) -> str:
    """Remarks that follow a figure's title."""
    remarks = ["quick"] if measured.quick else []
    if any(measured.is_repeated(curve) for curve in figure.curves.values()):
        remarks.append(f"{len(measured.by_seed)} seeds, 95 % intervals")
    return f" ({', '.join(remarks)})" if remarks else ""


def draw(figure: Figure, measured: Measurements, targets: Mapping[str, Target], file: Path) -> None:
    """Draws a figure into a PNG file. Raises NotMeasuredError if there is nothing to draw."""
    title = figure.title + _remarks(figure, measured)
    file.parent.mkdir(parents=True, exist_ok=True)
    if figure.kind == "congestion":
        texts = measured.texts(figure.matrix["run"], figure.matrix["table"], figure.matrix["at"])
        plot_congestion(
            mean_of([pd.read_csv(io.StringIO(text)) for text in texts]), figure.matrix["metric"], title, file
        )
        return
    rows = _panels(figure, measured)
    width, height = PANEL_INCHES if len(rows) * len(rows[0]) > 1 else PICTURE_INCHES
    size = (width * len(rows[0]), height * len(rows))
    picture, grid = plt.subplots(
        len(rows), len(rows[0]), figsize=size, layout="constrained", squeeze=False, sharex=True, sharey=True
    )
    try:
        for axes, panel in zip(grid.flat, itertools.chain(*rows), strict=True):
            _draw_panel(axes, figure, measured, targets, panel)
        if figure.scales["y"] == "linear" and all(axes.dataLim.y0 >= 0 for axes in grid.flat):
            top = max(axes.dataLim.y1 for axes in grid.flat)
            grid[0, 0].set_ylim(0, top * (1 + MARGIN))  # lengths compare only from zero
        for name, of in (("x", grid[-1]), ("y", grid[:, 0])):
            for axes in of:
                getattr(axes, f"set_{name}label")(figure.labels[name])
        handles, labels = grid[0, 0].get_legend_handles_labels()
        if len(labels) > MOST_LABELS_INSIDE or (len(labels) > 1 and grid.size > 1):
            grid[0, -1].legend(handles, labels, fontsize="small", loc="upper left", bbox_to_anchor=(1.02, 1))
        elif len(labels) > 1 or any(labels):
            grid[0, 0].legend(handles, labels, fontsize="small")
        picture.suptitle(title, size="medium")
        picture.savefig(file, dpi=130)
    except ValueError as error:
        raise StudyError(f"{figure.place}: {error}") from None
    finally:
        plt.close(picture)


def _draw_panel(
    axes: Axes, figure: Figure, measured: Measurements, targets: Mapping[str, Target], panel: Mapping[str, Scalar]
) -> None:
    (_draw_lines if figure.kind == "lines" else _draw_bars)(axes, figure, measured, targets, panel)
    for name in ("x", "y"):
        if figure.kind == "lines" or name == "y":
            getattr(axes, f"set_{name}scale")(figure.scales[name])
    if figure.scales["x"] == "log":
        _tick_what_was_measured(axes)
    if panel:
        axes.set_title(_label("", panel, figure.names), size="medium")
    axes.grid(alpha=0.3)


__all__ = ["NotMeasuredError", "draw"]
