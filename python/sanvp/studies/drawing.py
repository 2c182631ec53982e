"""Draws lines and groups of bars as pictures; the papers' values are black marks."""

from __future__ import annotations

import contextlib
import io
import itertools
import logging
import re
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")  # no display is needed

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator
from matplotlib.transforms import Bbox

from . import vector
from .errors import StudyError
from .figure import Figure
from .plotted import CROWDED, Curve, Dot, Panel, PaperValue, Plot, groups_of
from .series import Scalar
from .texts import picture_text

logging.getLogger("matplotlib").setLevel(logging.ERROR)  # its notes are about its own fonts and folders

PAPER = {"color": "black", "marker": "D", "markerfacecolor": "none", "linestyle": "none", "capsize": 4, "zorder": 5}
MOST_DRAWN = 240  # points of a line: about one for two pixels
MOST_LABELS_INSIDE = 4  # more of them hide the curves
MOST_TICKS = 8
MOST_UPRIGHT = 80  # letters of all groups' names side by side
MARGIN = 0.06  # above what is highest
MOST_OF_INTERVALS = 0.15  # above the highest value
PICTURE_INCHES = (7.5, 4.8)
PANEL_INCHES = (4.4, 3.2)
STYLES = tuple(itertools.product(("-", "--", ":"), "os^vDPX*"))
BARS_WIDTH = 0.8  # of a group


@contextlib.contextmanager
def told_once(place: str, notes: list[str]) -> Iterator[None]:
    """Makes matplotlib's warnings about a figure into one note for each kind."""
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        yield
    said = [str(warning.message) for warning in given]
    missing = dict.fromkeys(chr(int(found[1])) for text in said if (found := re.match(r"Glyph (\d+) ", text)))
    if missing:
        what = f"no font of matplotlib has {''.join(missing)}: boxes stand for it in the picture; the page shows it"
        notes.append(f"{place}: {what}")
    notes += dict.fromkeys(f"{place}: {text}" for text in said if not text.startswith("Glyph "))


def _mark(axes: Axes, x: float | None, value: PaperValue, label: str) -> None:
    """Marks the paper's value at x, with its range; without x, by a line across."""
    if x is None:
        axes.axhspan(value.low, value.high, color="black", alpha=0.5, lw=1, label=label)
        return
    below, above = value.centre - value.low, value.high - value.centre
    axes.errorbar([x], [value.centre], yerr=[[below], [above]] if below or above else None, label=label, **PAPER)


def _draw_lines(axes: Axes, panel: Panel, labels: list[str]) -> None:
    for curve in panel.curves:
        number = labels.index(curve.label)
        _draw_line(axes, curve.dots, curve.label, f"C{number % 10}", *STYLES[number % len(STYLES)])
    if panel.saturated:
        axes.axvspan(*panel.saturated, color="0.93", zorder=0, label="saturated")
    for i, value in enumerate(panel.marks):
        _mark(axes, value.x, value, "" if i else "paper")


@contextlib.contextmanager
def _unscaled(axes: Axes, highest: float) -> Iterator[None]:
    """Keeps intervals that are drawn inside from stretching the axes: those of two seeds would dwarf all else."""
    before = axes.dataLim.frozen()
    yield
    top = min(axes.dataLim.y1, max(before.y1, (1 + MOST_OF_INTERVALS) * highest))
    axes.dataLim.set(Bbox.from_extents(before.x0, before.y0, before.x1, top))


def thinned(dots: Sequence[Dot], most: int = MOST_DRAWN) -> Sequence[Dot]:
    """Of very many points the first, the last, and the lowest and highest of each of equal parts."""
    if len(dots) <= most:
        return dots
    parts = most // 2 - 1
    kept = {0, len(dots) - 1}
    for i in range(parts):
        part = range(i * len(dots) // parts, (i + 1) * len(dots) // parts)
        kept |= {min(part, key=lambda at: dots[at].y), max(part, key=lambda at: dots[at].y)}
    return [dots[at] for at in sorted(kept)]


def _draw_line(axes: Axes, dots: Sequence[Dot], label: str, colour: str, line: str, marker: str) -> None:
    dots = thinned(dots)
    xs, ys, widths = zip(*((dot.x, dot.y, dot.half_width) for dot in dots), strict=True)
    is_crowded = len(dots) > CROWDED
    style = line if is_crowded else marker + line
    axes.plot(xs, ys, style, color=colour, label=picture_text(label), markersize=5)
    if opened := [(dot.x, dot.y) for dot in dots if dot.is_saturated and not is_crowded]:
        axes.plot(*zip(*opened, strict=True), marker, color=colour, markersize=5, markerfacecolor="white")
    if not any(widths):
        return
    with _unscaled(axes, max(map(abs, ys))):
        if is_crowded:
            low, high = zip(*((y - width, y + width) for y, width in zip(ys, widths, strict=True)), strict=True)
            axes.fill_between(xs, low, high, color=colour, alpha=0.2, linewidth=0)
        else:
            axes.errorbar(xs, ys, yerr=widths, fmt="none", ecolor=colour, capsize=2.5, elinewidth=1)


def bar_place(group: Scalar, bar: str, groups: list[Scalar], curves: tuple[Curve, ...]) -> float:
    """The middle of a bar; of its group, if there is no such bar."""
    place, labels = float(groups.index(group)), [curve.label for curve in curves]
    if bar not in labels:
        return place
    return place + (labels.index(bar) - (len(labels) - 1) / 2) * BARS_WIDTH / len(labels)


def _draw_bars(axes: Axes, panel: Panel, labels: list[str]) -> None:
    groups = groups_of(panel.curves)
    width = BARS_WIDTH / len(panel.curves)
    for curve in panel.curves:
        xs = [bar_place(dot.x, curve.label, groups, panel.curves) for dot in curve.dots]
        heights, errors = [dot.y for dot in curve.dots], [dot.half_width for dot in curve.dots]
        colour = f"C{labels.index(curve.label) % 10}"
        bars = axes.bar(xs, heights, width, color=colour, label=picture_text(curve.label))
        for bar, dot in zip(bars, curve.dots, strict=True):
            if dot.is_saturated:
                bar.set(facecolor="white", edgecolor=colour)
        if any(errors):
            with _unscaled(axes, max(heights)):
                axes.errorbar(xs, heights, yerr=errors, fmt="none", ecolor="0.45", elinewidth=3)
    for i, value in enumerate(panel.marks):
        x = None if value.x is None else bar_place(value.x, value.bar, groups, panel.curves)
        _mark(axes, x, value, "" if i else "paper")
    names = [picture_text(group) for group in groups]
    slanted = {"rotation": 40, "ha": "right"} if len("".join(names)) > MOST_UPRIGHT else {}
    axes.set_xticks(range(len(groups)), names, **slanted)


def _binary(x: float) -> str:
    """A size as text: 4K for 4096."""
    for unit, letter in ((1 << 20, "M"), (1 << 10, "K")):
        if x >= unit and x % unit == 0:
            return f"{x / unit:.0f}{letter}"
    return f"{x:.10g}"


def _tick_what_was_measured(axes: Axes) -> None:
    """Puts ticks at measured powers of two, as many as fit."""
    xs = sorted({float(x) for line in axes.get_lines() for x in line.get_xdata() if x > 0})
    xs = xs[:: -(-len(xs) // MOST_TICKS)]
    axes.set_xticks(xs, [_binary(x) for x in xs])
    axes.xaxis.set_minor_locator(NullLocator())


def draw_plot(plot: Plot, file: Path) -> None:
    """Draws lines or bars into a PNG file, and into an SVG file beside it."""
    figure, rows = plot.figure, plot.rows
    file.parent.mkdir(parents=True, exist_ok=True)
    width, height = PANEL_INCHES if len(rows) * len(rows[0]) > 1 else PICTURE_INCHES
    size = (width * len(rows[0]), height * len(rows))
    picture, grid = plt.subplots(
        len(rows), len(rows[0]), figsize=size, layout="constrained", squeeze=False, sharex=True, sharey=True
    )
    try:
        for axes, panel in zip(grid.flat, plot.panels(), strict=True):
            _draw_panel(axes, figure, panel, plot.labels())
        if figure.scales["y"] == "linear" and all(axes.dataLim.y0 >= 0 for axes in grid.flat):
            top = max(axes.dataLim.y1 for axes in grid.flat)
            grid[0, 0].set_ylim(0, top * (1 + MARGIN))  # lengths compare only from zero
        for name, of in (("x", grid[-1]), ("y", grid[:, 0])):
            for axes in of:
                getattr(axes, f"set_{name}label")(picture_text(figure.labels[name]))
        entries = {
            label: handle for axes in grid.flat for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
        }
        handles, labels = list(entries.values()), list(entries)
        if len(labels) > MOST_LABELS_INSIDE or (len(labels) > 1 and grid.size > 1):
            grid[0, -1].legend(handles, labels, fontsize="small", loc="upper left", bbox_to_anchor=(1.02, 1))
        elif len(labels) > 1 or any(labels):
            grid[0, 0].legend(handles, labels, fontsize="small")
        picture.suptitle(picture_text(plot.title), size="medium")
        picture.savefig(file, dpi=130)
        with mpl.rc_context({"svg.hashsalt": figure.name, **vector.SETTINGS}):  # the same picture is the same file
            curves = io.StringIO()
            picture.savefig(curves, format="svg", metadata={"Date": None})
        file.with_suffix(".svg").write_text(vector.small(curves.getvalue()), encoding="utf-8")
    except (ArithmeticError, ValueError, MemoryError) as error:  # such as a picture that is too large
        raise StudyError(f"{figure.place}: cannot be drawn: {error}") from None
    finally:
        plt.close(picture)


def _draw_panel(axes: Axes, figure: Figure, panel: Panel, labels: list[str]) -> None:
    (_draw_lines if figure.kind == "lines" else _draw_bars)(axes, panel, labels)
    for name in ("x", "y"):
        if figure.kind == "lines" or name == "y":
            getattr(axes, f"set_{name}scale")(figure.scales[name])
    if figure.scales["x"] == "log":
        _tick_what_was_measured(axes)
    if panel.title:
        axes.set_title(picture_text(panel.title), size="medium")
    axes.grid(alpha=0.3)
