"""A figure's points as a CSV file: value, interval, coordinates, and the command that repeats each."""

from __future__ import annotations

import csv
from typing import TextIO

from .measurements import Measurements
from .plotted import Plot
from .sources import source_of


def write_points(plot: Plot, measured: Measurements, to: TextIO) -> None:
    """Writes a row for each point. `x` is a column only where it is measured, too, and so is no coordinate."""
    every = [(curve, dot) for panel in plot.panels() for curve in panel.curves for dot in curve.dots]
    axes = list(dict.fromkeys(axis for _, dot in every for axis in dot.at))
    has_x = plot.figure.x not in axes
    written = csv.writer(to, lineterminator="\n")
    written.writerow([*axes, "curve", *(["x"] if has_x else []), "y", "interval_95", "runs", "command"])
    for curve, dot in every:
        source = source_of(curve.expression, measured, dot.at)
        place = [dot.at.get(axis, "") for axis in axes]
        value = [*([dot.x] if has_x else []), dot.y, dot.half_width or ""]
        written.writerow([*place, curve.label, *value, source.runs, source.command])
