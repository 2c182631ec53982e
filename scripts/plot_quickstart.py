"""Draws the quickstart's results: latency and throughput over load, and the congestion matrix.

Reads RESULTS/load-*/metrics.json, and congestion.csv of the run nearest to half load: one row per link into a switch,
with `level` that of the switch `to`. Writes latency_throughput.png, congestion_matrix.png and summary.csv into RESULTS,
and prints the summary.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")  # no display is needed

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

MATRIX_LOAD = 0.5  # of the link rate: contention is visible, and queues do not grow yet
LATENCIES = ("mean", "p50", "p95", "p99", "max")


def load_of(folder: Path) -> float:
    """The offered load in a result folder's name."""
    return float(folder.name.removeprefix("load-"))


def read_summary(results: Path) -> pd.DataFrame:
    """One row per run, by rising load."""
    rows = []
    for folder in sorted(results.glob("load-*"), key=load_of):
        metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
        rows.append(
            {
                "load": load_of(folder),
                "verdict": metrics["verdict"],
                "offered_per_node_MBps": metrics["offered_per_node_MBps"],
                "accepted_per_node_MBps": metrics["accepted_per_node_MBps"],
                **{f"latency_{name}_ns": metrics["latency_ns"][name] for name in LATENCIES},
            }
        )
    return pd.DataFrame(rows)


def plot_summary(summary: pd.DataFrame, title: str, file: Path) -> None:
    """Throughput over offered load, and latency over it."""
    figure, (throughput, latency) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    offered = summary["offered_per_node_MBps"]
    throughput.plot(offered, offered, "--", color="0.6", label="accepted = offered")
    throughput.plot(offered, summary["accepted_per_node_MBps"], "o-", label="accepted")
    throughput.set_ylabel("accepted load per node (MB/s)")
    for name, style in (("mean", "o-"), ("p95", "s--"), ("p99", "^:")):
        latency.plot(offered, summary[f"latency_{name}_ns"] / 1e3, style, label=name)
    latency.set_yscale("log")
    latency.set_ylabel("latency from generation (µs)")
    accepted = summary["verdict"] == "not saturated"
    if accepted.any() and not accepted.all():
        first = (offered[accepted].max() + offered[~accepted].min()) / 2
        latency.axvspan(first, offered.max(), color="0.93", zorder=0)
        latency.annotate(
            "saturated: what is shown\ngrows with the run's length",
            ((first + offered.max()) / 2, 0.04),
            xycoords=("data", "axes fraction"),
            ha="center",
            color="0.35",
        )
    for axes in (throughput, latency):
        axes.set_xlabel("offered load per node (MB/s)")
        axes.grid(alpha=0.3)
        axes.legend()
    figure.suptitle(title)
    figure.savefig(file, dpi=150)
    plt.close(figure)


def natural(text: str) -> list[tuple[int, str]]:
    """A sorting key that puts `n10` behind `n9`."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", text)]


def switch_blocks(congestion: pd.DataFrame) -> list[tuple[str, list[str], np.ndarray]]:
    """For each level, top first: its label, its switches, and links x [from above, from below] x switch of waits.

    A switch's level is that of the rows whose `to` it is. What is no switch's `to` is a host, and hosts are below.
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
        above_of = {to: [[], []] for to in switches}
        for source, to, wait in sorted(
            zip(rows["from"], rows["to"], rows["wait_ns_total"], strict=True), key=lambda row: natural(row[0])
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
        if len(families) == 1 and (family := families.pop()).strip():  # they differ in their numbers only
            label, switches = family.strip(), [name.removeprefix(family) for name in switches]
        blocks.append((height[level], label, switches, waits))
    return [block[1:] for block in sorted(blocks, key=lambda block: -block[0])]


def ink(percent: float) -> str:
    """The colour in which text can be read on the shade of a value."""
    return "white" if percent > 65 else "black"


def plot_congestion(congestion: pd.DataFrame, title: str, file: Path) -> None:
    """The congestion matrix of the QsNET paper (section 5.4): a block for each switch, a row of blocks for each level.

    A block's upper and lower edge are the links that come from above and below, shaded by the sum of the waits of the
    packets that came in there, in percent of the hottest link; its middle is the sum over the switch, in percent of the
    hottest switch.
    """
    blocks = switch_blocks(congestion)
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
    figure.colorbar(image, ax=all_axes[:, 0], label="waiting (% of the hottest)")
    figure.suptitle(title)
    figure.savefig(file, dpi=150)
    plt.close(figure)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--title", default="")
    options = parser.parse_args()
    summary = read_summary(options.results)
    if summary.empty:
        print(f"{options.results}: no load-* folders", file=sys.stderr)
        return 1

    written = [options.results / name for name in ("summary.csv", "latency_throughput.png", "congestion_matrix.png")]
    summary.to_csv(written[0], index=False)
    plot_summary(summary, options.title, written[1])
    folder = min(options.results.glob("load-*"), key=lambda folder: abs(load_of(folder) - MATRIX_LOAD))
    plot_congestion(
        pd.read_csv(folder / "congestion.csv"),
        f"{options.title}, load {load_of(folder):g}: congestion matrix",
        written[2],
    )

    print(summary.to_string(index=False, float_format=lambda value: f"{value:.4g}"))
    print("\nresults:")
    for file in written:
        print(f"  {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
