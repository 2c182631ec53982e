"""The congestion matrix of the QsNET paper: waiting times or delays of packets, switch by switch."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from .figure import METRICS


def natural(text: str) -> list[tuple[int, str]]:
    """A sorting key that puts `n10` behind `n9`."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", text)]


def switch_blocks(congestion: pd.DataFrame, metric: str) -> list[tuple[str, list[str], np.ndarray]]:
    """For each level, top first: its label, its switches, and links x [from above, from below] x switch of `metric`.

    A switch has the level of the rows that lead `to` it. What appears only as `from` is a host, and hosts are below.
    """
    level_of = dict(zip(congestion["to"], congestion["level"], strict=True))
    hosts_at = {
        level for source, level in zip(congestion["from"], congestion["level"], strict=True) if source not in level_of
    }
    levels = sorted(set(level_of.values()), reverse=max(level_of.values()) not in hosts_at)
    height = {level: -i for i, level in enumerate(levels)}
    blocks = []
    for level, rows in congestion.groupby("level", sort=False):
        switches = sorted(rows["to"].unique(), key=natural)
        above_of: dict[str, tuple[list[float], list[float]]] = {to: ([], []) for to in switches}
        for source, to, wait in sorted(
            zip(rows["from"], rows["to"], rows[metric], strict=True), key=lambda row: natural(row[0])
        ):
            above = source in level_of and height[level_of[source]] >= height[level]
            above_of[to][0 if above else 1].append(wait)
        links = max(len(side) for sides in above_of.values() for side in sides)
        waits = np.full((2, len(switches), links), np.nan)
        for i, to in enumerate(switches):
            for side, values in enumerate(above_of[to]):
                waits[side, i, : len(values)] = values
        label = f"level {level}"
        families = {re.sub(r"\d+$", "", name) for name in switches}
        if len(families) == 1 and (family := families.pop()).strip():  # names that differ only in their numbers
            label, switches = family.strip(), [name.removeprefix(family) for name in switches]
        blocks.append((height[level], label, switches, waits))
    return [block[1:] for block in sorted(blocks, key=lambda block: -block[0])]


def mean_of(tables: list[pd.DataFrame]) -> pd.DataFrame:
    """The mean over seeds of one point's tables, which have the same links in the same order."""
    mean = tables[0].copy()
    measured = [name for name in mean.select_dtypes("number").columns if name != "level"]
    mean[measured] = sum(table[measured] for table in tables) / len(tables)
    return mean


def ink(percent: float) -> str:
    """A text colour that is readable on the shade of a value."""
    return "white" if percent > 65 else "black"


def plot_congestion(congestion: pd.DataFrame, metric: str, title: str, file: Path) -> None:
    """The congestion matrix of the QsNET paper (section 5.4): a block for each switch, a row of blocks for each level.

    A block's upper and lower edge are the links from above and below, shaded by the sum of `metric` over their arriving
    packets, in percent of the hottest link; its middle is the sum over the switch, in percent of the hottest switch.
    """
    blocks = switch_blocks(congestion, metric)
    hottest_link = max(np.nanmax(waits) for *_, waits in blocks) or 1
    hottest_switch = max(np.nansum(waits, axis=(0, 2)).max() for *_, waits in blocks) or 1
    figure, all_axes = plt.subplots(
        len(blocks), 1, figsize=(18, 1 + 1.6 * len(blocks)), layout="constrained", squeeze=False
    )
    colours = mpl.colormaps["YlOrRd"].with_extremes(bad="0.93")
    image = None
    for axes, (label, switches, waits) in zip(all_axes[:, 0], blocks, strict=True):
        links = waits.shape[2]
        edges = 100 * waits.reshape(2, -1) / hottest_link
        middles = 100 * np.nansum(waits, axis=(0, 2)) / hottest_switch
        image = axes.imshow(
            np.vstack([edges[0], np.repeat(middles, links), edges[1]]), aspect="auto", cmap=colours, vmin=0, vmax=100
        )
        for column, row in np.argwhere(~np.isnan(edges.T)):
            value = edges[row, column]
            axes.text(column, 2 * row, f"{value:.0f}", ha="center", va="center", size=6, color=ink(value))
        for i, middle in enumerate(middles):
            axes.text((i + 0.5) * links - 0.5, 1, f"{middle:.0f}", ha="center", va="center", size=9, color=ink(middle))
            axes.axvline(i * links - 0.5, color="white", linewidth=3)
        axes.set_yticks([1], [label])
        axes.set_xticks([(i + 0.5) * links - 0.5 for i in range(len(switches))], switches, size=7)
        axes.tick_params(length=0)
    figure.colorbar(image, ax=all_axes[:, 0], label=f"{METRICS[metric]} (% of the hottest)")
    figure.suptitle(title)
    figure.savefig(file, dpi=150)
    plt.close(figure)
