#!/usr/bin/env python3
"""Makes of the study `collectives` what `auto` takes: sw/transport/tuned/CARD.h, and the table behind them.

usage: scripts/collective_advice.py [--quick] [--table FILE] [--from FILE] [--to FOLDER]

It runs the points that have no result yet (scripts/study run collectives does the same, with its options), writes the
times as a CSV file, and for each card one header. For each size the algorithm is taken whose time, relative to the
best, is least on average of the numbers of ranks. It stays what it was for the size below unless another one is better
by 5 %. The headers speak of as many ranks as were measured, and some more; what holds for many is kept by hand
(many_*.h).
"""

from __future__ import annotations

import argparse
import itertools
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).resolve().parent.parent
BETTER = 0.95  # than what serves the size below
MOST_RANKS = 32  # that the rules are for: beyond, algorithms of as many rounds as ranks lose what they had gained
# For other numbers of ranks something else is made in their place (sw/mpi/COLLECTIVES.md).
OF_POWERS_OF_TWO = {("allgather", "recursive-doubling"), ("reduce_scatter", "halving")}
METRIC = "slowest_us_"


def is_power_of_two(ranks: int) -> bool:
    return ranks & (ranks - 1) == 0


def times(quick: bool) -> pd.DataFrame:
    """A row for each time: operation, machine, ranks, algorithm, bytes, us."""
    sys.path.insert(0, str(ROOT / "python"))
    from sanvp.studies.api import study

    result = study("collectives", quick=quick, partial=True)
    for command, message in result.failures.items():
        print(f"no result: {command}: {message}", file=sys.stderr)
    keys = ["machine", "ranks", "algorithm"]
    frames = []
    for run in result.runs:
        points = result.points(run)
        if points.empty:
            continue
        columns = [name for name in points.columns if name.startswith(METRIC)]
        long = points.melt(keys, columns, "bytes", "us").dropna()
        frames.append(long.assign(operation=run, bytes=long["bytes"].str.removeprefix(METRIC).astype(int)))
    keys = ["operation", *keys, "bytes"]
    return pd.concat(frames)[[*keys, "us"]].sort_values(keys, ignore_index=True)


def winners(found: pd.DataFrame) -> list[tuple[int, str]]:
    """The algorithm for each size, of one operation on one machine."""
    chosen: list[tuple[int, str]] = []
    for size, at_size in found.groupby("bytes"):
        relative = at_size.us / at_size.groupby("ranks").us.transform("min")
        score = relative.groupby(at_size.algorithm).mean()
        best = str(score.idxmin())
        before = chosen[-1][1] if chosen else best
        stays = before in score and score[best] > BETTER * score[before]
        chosen.append((int(size), before if stays else best))
    return chosen


def rules(chosen: list[tuple[int, str]]) -> str:
    """As a setting has them. Between two sizes that were measured the change is at their geometric mean."""
    runs = [(name, [size for size, _ in group]) for name, group in itertools.groupby(chosen, lambda one: one[1])]
    last = len(runs) - 1
    return ",".join(name if i == last else f"{name}:{2 * sizes[-1]}" for i, (name, sizes) in enumerate(runs))


def advice(found: pd.DataFrame) -> Iterable[tuple[str, int, str]]:
    """Rows of one machine: key, whether only for powers of two, rules."""
    for operation, of_operation in found.groupby("operation"):
        powers = of_operation.ranks.map(is_power_of_two)
        some = {only: rules(winners(of_operation[which])) for only, which in ((1, powers), (0, ~powers)) if which.any()}
        if len(some) == 2 and some[0] == some[1]:
            del some[1]
        for only, text in some.items():
            yield f"mpi.{operation}", only if len(some) > 1 else 0, text


def card_of(machine: str) -> str:
    text = subprocess.run(
        [ROOT / "build" / "sanvp", "describe", machine], check=True, capture_output=True, text=True
    ).stdout
    return next(line.split("=")[1].split()[0] for line in text.splitlines() if line.strip().startswith("nic.type"))


def header(card: str, machine: str, rows: Iterable[tuple[str, int, str]]) -> str:
    lines = "".join(f'    {{"{key}", {only}, {MOST_RANKS}, "{text}"}},\n' for key, only, text in rows)
    guard = f"SANVP_TRANSPORT_TUNED_{card.upper()}_H"
    return (
        f"/* Which algorithms of collective operations are fastest with the card {card} (transport_advice): made by\n"
        f" * scripts/collective_advice.py of the study `collectives`, measured on {machine}. */\n"
        f"#ifndef {guard}\n#define {guard}\n\n"
        f'#include "sw/transport/transport.h"\n\n'
        f"static const struct transport_advice tuned_{card}[] = {{\n{lines}    {{0}}}};\n\n#endif\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="few points, to try it out")
    parser.add_argument("--table", type=Path, default=ROOT / "results" / "collectives.csv", help="the times, as CSV")
    parser.add_argument("--to", type=Path, default=ROOT / "sw" / "transport" / "tuned", help="folder of the headers")
    parser.add_argument("--from", type=Path, dest="given", help="times of an earlier run: nothing is run")
    options = parser.parse_args()
    found = pd.read_csv(options.given) if options.given else times(options.quick)
    options.table.parent.mkdir(parents=True, exist_ok=True)
    found.to_csv(options.table, index=False)
    options.to.mkdir(parents=True, exist_ok=True)
    for machine, of_machine in found.groupby("machine", sort=False):
        card = card_of(str(machine))
        (options.to / f"{card}.h").write_text(header(card, str(machine), advice(of_machine)))
        print(f"{options.to / card}.h")


if __name__ == "__main__":
    main()
