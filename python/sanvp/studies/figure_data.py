"""A figure's points as a CSV file: value, interval, coordinates, verdict, and the command that repeats each."""

from __future__ import annotations

import csv
from typing import TextIO

from .plotted import Plot


def write_points(plot: Plot, to: TextIO) -> None:
    """Writes a row for each point.

    `x` is a column only where it is measured, too, and so is no coordinate; `verdict` only where commands have one.
    """
    every = [(curve, dot) for panel in plot.panels() for curve in panel.curves for dot in curve.dots]
    axes = list(dict.fromkeys(axis for _, dot in every for axis in dot.at))
    has_x = plot.figure.x not in axes
    has_verdict = bool(plot.source().verdict)
    written = csv.writer(to, lineterminator="\n")
    end = ["interval_95", "runs", *(["verdict"] if has_verdict else []), "command"]
    written.writerow([*axes, "curve", *(["x"] if has_x else []), "y", *end])
    for curve, dot in every:
        place = [dot.at.get(axis, "") for axis in axes]
        value = [*([dot.x] if has_x else []), dot.y, dot.half_width or "", dot.source.runs]
        written.writerow(
            [*place, curve.label, *value, *([dot.source.verdict] if has_verdict else []), dot.source.command]
        )
