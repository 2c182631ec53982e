"""Draws a study's figures: lines, groups of bars, congestion matrices; the papers' values as black marks."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")  # no display is needed

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from .congestion import plot_congestion
from .errors import NotMeasuredError, StudyError
from .expressions import names_only
from .figure import Figure
from .measurements import Measurements
from .series import Scalar, Series, Value, combine
from .targets import Target

Cell = tuple[dict[str, Scalar], float]  # coordinates, value
PAPER = {"color": "black", "marker": "D", "markerfacecolor": "none", "linestyle": "none", "capsize": 4, "zorder": 5}
CROWDED = 40  # points of a line, from which on marks would hide it
MOST_TICKS = 8
STYLES = tuple(itertools.product(("-", "--", ":"), "os^vDPX*"))


def _cells(series: Series) -> Iterator[Cell]:
    for key, value in series.cells.items():
        yield dict(zip(series.axes, key, strict=True)), float(value)


def _series(value: Value, figure: Figure) -> Series:
    if not isinstance(value, Series):
        raise StudyError(f"{figure.place}.y: is one value, not a series")
    return value


def _curves(figure: Figure, measured: Measurements) -> list[tuple[str, Series]]:
    """Those of which there are results; at least one."""
    found = []
    for label, expression in figure.curves.items():
        try:
            found.append((label, _series(expression(measured), figure)))
        except NotMeasuredError as error:
            missing = error
    if not found:
        raise missing
    return found


def _label(curve: str, where: Mapping[str, Scalar]) -> str:
    """A line's name; numbers get their axis's name."""
    parts = [value if isinstance(value, str) else f"{axis} {value}" for axis, value in where.items()]
    return ", ".join([*([curve] if curve else []), *parts])


def _mark(axes: Axes, x: float | None, target: Target, label: str) -> None:
    """The paper's value at x, with its range; as a line across where there is no x."""
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
    errors = [[centre - (centre if low is None else low)], [(centre if high is None else high) - centre]]
    axes.errorbar([x], [centre], yerr=errors, label=label, **PAPER)


def _marks(axes: Axes, figure: Figure, cells: list[Cell], targets: Mapping[str, Target], place_of: Callable) -> None:
    """All marks, each once; the first has the legend's entry."""
    done: set[str] = set()
    for mark in figure.marks:
        coordinates = [where for where, _ in cells] if mark.is_pattern else [{}]
        for at in ({**where, **mark.at} for where in coordinates):
            identity = mark.target.fill(names_only(at, f"{figure.place}.marks"))
            if identity in targets and identity not in done:
                _mark(axes, place_of(at), targets[identity], "" if done else "paper")
                done.add(identity)


def _draw_lines(axes: Axes, figure: Figure, measured: Measurements, targets: Mapping[str, Target]) -> None:
    cells: list[Cell] = []
    styles = iter(itertools.cycle(STYLES))
    for curve, y in _curves(figure, measured):
        if figure.x == figure.along:
            pairs = combine(lambda value: (value,), y)
        else:
            pairs = combine(lambda value, x: (value, x), y, figure.x_expression()(measured))
        for where, row in _series(pairs, figure).lines(figure.along):
            points = sorted((cell[-1] if len(cell) > 1 else at, cell[0]) for at, cell in row)
            line, marker = next(styles)
            style = line if len(points) > CROWDED else marker + line
            axes.plot(*zip(*points, strict=True), style, label=_label(curve, where), markersize=5)
        cells += _cells(y)
    if figure.saturated:
        _shade(axes, figure, measured)
    _marks(axes, figure, cells, targets, lambda at: at.get(figure.along) if figure.x == figure.along else at.get("x"))


def _shade(axes: Axes, figure: Figure, measured: Measurements) -> None:
    """Shades what is past saturation: there a latency says how long the run was, not how the network is."""
    states = figure.saturated(measured) if figure.saturated else False
    xs = combine(lambda state, x: (x, state), states, figure.x_expression()(measured))
    if not isinstance(xs, Series):
        return
    fine = [x for x, state in xs.values() if not state]
    past = [x for x, state in xs.values() if state]
    if fine and past and max(fine) < min(past):
        axes.axvspan((max(fine) + min(past)) / 2, max(past), color="0.93", zorder=0, label="saturated")


def _draw_bars(axes: Axes, figure: Figure, measured: Measurements, targets: Mapping[str, Target]) -> None:
    bars: dict[str, dict[Scalar, float]] = {}
    cells: list[Cell] = []
    for curve, y in _curves(figure, measured):
        for where, line in y.lines(figure.x):
            bars[_label(curve, where)] = dict(line)
        cells += _cells(y)
    groups = list(dict.fromkeys(group for row in bars.values() for group in row))
    width = 0.8 / len(bars)

    def x_of(group: Scalar, bar: str) -> float:
        return groups.index(group) + (list(bars).index(bar) - (len(bars) - 1) / 2) * width

    for bar, row in bars.items():
        axes.bar([x_of(group, bar) for group in row], list(row.values()), width, label=bar)

    def place_of(at: Mapping[str, Scalar]) -> float | None:
        if at.get(figure.x) not in groups:
            return None
        bar = _label("", {axis: value for axis, value in at.items() if axis != figure.x})
        return x_of(at[figure.x], bar) if bar in bars else float(groups.index(at[figure.x]))

    _marks(axes, figure, cells, targets, place_of)
    axes.set_xticks(range(len(groups)), [str(group) for group in groups])


def _tick_what_was_measured(axes: Axes) -> None:
    """Powers of two rather than of ten, where there is room."""
    xs = sorted({float(x) for line in axes.get_lines() for x in line.get_xdata()})
    if len(xs) <= MOST_TICKS:
        axes.set_xticks(xs, [f"{x:.10g}" for x in xs])
        axes.xaxis.set_minor_locator(NullLocator())


def draw(figure: Figure, measured: Measurements, targets: Mapping[str, Target], file: Path) -> None:
    """Draws into a PNG file. Raises NotMeasuredError where there is nothing to draw."""
    title = figure.title + (" (quick)" if measured.quick else "")
    file.parent.mkdir(parents=True, exist_ok=True)
    if figure.kind == "congestion":
        csv = measured.text(figure.matrix["run"], figure.matrix["table"], figure.matrix["at"])
        plot_congestion(pd.read_csv(io.StringIO(csv)), title, file)
        return
    picture, axes = plt.subplots(figsize=(7.5, 4.8), layout="constrained")
    try:
        (_draw_lines if figure.kind == "lines" else _draw_bars)(axes, figure, measured, targets)
        for axis in ("x", "y"):
            getattr(axes, f"set_{axis}label")(figure.labels[axis])
            if figure.kind == "lines" or axis == "y":
                getattr(axes, f"set_{axis}scale")(figure.scales[axis])
        if figure.scales["y"] == "linear" and axes.dataLim.y0 >= 0:
            axes.set_ylim(bottom=0)  # lengths compare only from zero
        if figure.scales["x"] == "log":
            _tick_what_was_measured(axes)
        axes.set_title(title)
        axes.grid(alpha=0.3)
        handles, labels = axes.get_legend_handles_labels()
        if len(labels) > 1 or any(labels):
            axes.legend(handles, labels, fontsize="small")
        picture.savefig(file, dpi=130)
    except ValueError as error:
        raise StudyError(f"{figure.place}: {error}") from None
    finally:
        plt.close(picture)


__all__ = ["NotMeasuredError", "draw"]
