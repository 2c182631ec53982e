"""The congestion matrix of the QsNET paper (section 5.4): waiting times or delays of packets, switch by switch."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from .errors import StudyError, one_of
from .figure import METRICS, Figure
from .measurements import Measurements
from .sources import Source
from .texts import picture_text

SIDES = ("from above", "from below")
MOST_NUMBERS = 110  # links side by side, from which on their numbers would overlap
LEAST_INCHES, INCHES_OF_A_LINK, MOST_INCHES = 18, 0.16, 40


def natural(text: str) -> list[tuple[int, str]]:
    """A sorting key that puts `n10` behind `n9`."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", text)]


@dataclass(frozen=True)
class Block:
    """The switches of one level, and the links that lead to them."""

    label: str
    switches: list[str]
    names: list[str]  # the same, in full
    links: np.ndarray  # side x switch x link: names of where a link comes from; None where there is none
    waits: np.ndarray  # in the same order, in ns


@dataclass(frozen=True)
class Matrix:
    """A congestion matrix: a block for each level, top first."""

    metric: str
    blocks: list[Block]
    table: pd.DataFrame  # the rows that it is made of

    @property
    def hottest_link(self) -> float:
        """The greatest sum of a link; 1 if nothing waits."""
        return max(np.nanmax(block.waits) for block in self.blocks) or 1

    @property
    def hottest_switch(self) -> float:
        """The greatest sum of a switch; 1 if nothing waits."""
        return max(np.nansum(block.waits, axis=(0, 2)).max() for block in self.blocks) or 1

    @property
    def legend(self) -> str:
        """What the colours mean."""
        return f"{METRICS[self.metric]} (% of the hottest)"


def congestion_of(figure: Figure, measured: Measurements) -> Matrix:
    """The matrix of a figure; means, if the run is repeated with other seeds."""
    texts = measured.texts(figure.matrix["run"], figure.matrix["table"], figure.matrix["at"])
    metric = str(figure.matrix["metric"])
    table = mean_of([_links_of(text, metric, f"{figure.place}.table") for text in texts])
    return Matrix(metric, switch_blocks(table, metric), table)


def _links_of(text: str, metric: str, place: str) -> pd.DataFrame:
    """The rows of a file. Raises StudyError if it is not one of links."""
    try:
        table = pd.read_csv(io.StringIO(text))
    except ValueError:  # it is empty, or its rows have different lengths
        table = pd.DataFrame()
    for column in ("level", "from", "to", metric):
        if column not in table:
            raise StudyError(f"{place}: is no congestion.csv: no column '{column}': {one_of(column, table)}")
    if table.empty or not all(pd.api.types.is_numeric_dtype(table[column]) for column in ("level", metric)):
        raise StudyError(f"{place}: has no links")
    return table.astype({"from": str, "to": str})


def switch_blocks(congestion: pd.DataFrame, metric: str) -> list[Block]:
    """For each level, top first, its switches and their links from above and from below.

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
        names = sorted(rows["to"].unique(), key=natural)
        above_of: dict[str, tuple[list[tuple[str, float]], ...]] = {to: ([], []) for to in names}
        for source, to, wait in sorted(
            zip(rows["from"], rows["to"], rows[metric], strict=True), key=lambda row: natural(row[0])
        ):
            above = source in level_of and height[level_of[source]] >= height[level]
            above_of[to][0 if above else 1].append((source, wait))
        blocks.append((height[level], _block(f"level {level}", names, [above_of[to] for to in names])))
    return [block for _, block in sorted(blocks, key=lambda pair: -pair[0])]


def _block(label: str, names: list[str], arriving: Sequence[Sequence[Sequence[tuple[str, float]]]]) -> Block:
    most = max(len(side) for sides in arriving for side in sides)
    waits = np.full((len(SIDES), len(names), most), np.nan)
    links = np.full(waits.shape, None, dtype=object)
    for i, sides in enumerate(arriving):
        for side, found in enumerate(sides):
            for j, (source, wait) in enumerate(found):
                links[side, i, j], waits[side, i, j] = source, wait
    switches = names
    families = {re.sub(r"\d+$", "", name) for name in names}
    if len(families) == 1 and (family := families.pop()).strip():  # names that differ only in their numbers
        label, switches = family.strip(), [name.removeprefix(family) for name in names]
    return Block(label, switches, names, links, waits)


def mean_of(tables: list[pd.DataFrame]) -> pd.DataFrame:
    """The mean over seeds of one point's tables, which have the same links in the same order."""
    mean = tables[0].copy()
    measured = [name for name in mean.select_dtypes("number").columns if name != "level"]
    mean[measured] = sum(table[measured] for table in tables) / len(tables)
    return mean


def write_congestion(matrix: Matrix, source: Source, file: Path) -> None:
    """Writes the rows of the matrix as a CSV file, with the verdict, if there is one, and the command of its run."""
    end = {"verdict": source.verdict} if source.verdict else {}
    end["command"] = source.command
    with file.open("w", encoding="utf-8", newline="") as to:
        written = csv.writer(to, lineterminator="\n")
        written.writerow([*matrix.table.columns, *end])
        written.writerows([*row, *end.values()] for row in matrix.table.itertuples(index=False))


def ink(percent: float) -> str:
    """A text colour that is readable on the shade of a value."""
    return "white" if percent > 65 else "black"


def plot_congestion(matrix: Matrix, title: str, file: Path) -> None:
    """A block for each switch, a row of blocks for each level.

    A block's upper and lower edge are the links from above and below, shaded by the sum of the metric over their
    arriving packets, in percent of the hottest link; its middle is the sum over the switch, in percent of the hottest.
    """
    blocks = matrix.blocks
    widest = max(block.waits.shape[1] * block.waits.shape[2] for block in blocks)
    width = min(MOST_INCHES, max(LEAST_INCHES, INCHES_OF_A_LINK * widest))
    figure, all_axes = plt.subplots(
        len(blocks), 1, figsize=(width, 1 + 1.6 * len(blocks)), layout="constrained", squeeze=False
    )
    image = None
    for axes, block in zip(all_axes[:, 0], blocks, strict=True):
        image = _plot_block(axes, block, matrix, with_numbers=widest * LEAST_INCHES <= MOST_NUMBERS * width)
    figure.colorbar(image, ax=all_axes[:, 0], label=matrix.legend)
    figure.suptitle(picture_text(title))
    figure.savefig(file, dpi=150)
    plt.close(figure)


def _plot_block(axes: plt.Axes, block: Block, matrix: Matrix, *, with_numbers: bool) -> mpl.image.AxesImage:
    colours = mpl.colormaps["YlOrRd"].with_extremes(bad="0.93")
    links = block.waits.shape[2]
    edges = 100 * block.waits.reshape(2, -1) / matrix.hottest_link
    middles = 100 * np.nansum(block.waits, axis=(0, 2)) / matrix.hottest_switch
    shades = np.vstack([edges[0], np.repeat(middles, links), edges[1]])
    image = axes.imshow(shades, aspect="auto", cmap=colours, vmin=0, vmax=100)
    for column, row in np.argwhere(~np.isnan(edges.T)) if with_numbers else ():
        value = edges[row, column]
        axes.text(column, 2 * row, f"{value:.0f}", ha="center", va="center", size=6, color=ink(value))
    size = min(9, 9 * MOST_NUMBERS / len(block.switches) / 4)
    for i, middle in enumerate(middles):
        axes.text((i + 0.5) * links - 0.5, 1, f"{middle:.0f}", ha="center", va="center", size=size, color=ink(middle))
        axes.axvline(i * links - 0.5, color="white", linewidth=3)
    axes.set_yticks(range(3), [SIDES[0], picture_text(block.label), SIDES[1]])
    for label in (axes.get_yticklabels()[0], axes.get_yticklabels()[2]):
        label.set(size=7, color="0.4")
    places = [(i + 0.5) * links - 0.5 for i in range(len(block.switches))]
    long = max(map(len, block.switches)) * len(block.switches) > 2 * MOST_NUMBERS
    axes.set_xticks(
        places, [*map(picture_text, block.switches)], size=min(7, size), **({"rotation": 90} if long else {})
    )
    axes.tick_params(length=0)
    return image
