#!/usr/bin/env python3
"""How the cost of `run` grows with the number of ranks: CPU time and memory of start-up, and of a collective operation.

usage: growth.py [--program build/sanvp] [--ranks 64 256 1024] [--turns 1]
"""

import argparse
import math
from pathlib import Path

from turns import BUILD, Cost, in_turns, require_programs

MACHINES = {"qsnet-1024": (), "macrame-clos-1024": ()}
SIZES = ("--most", "64", "--count", "1")  # bytes, repetitions
APPS = {"hello": ((), ()), "allreduce": ((), SIZES), "hello, RISC-V": (("--cpu", "riscv"), ())}


def power(small: float, large: float, ranks: int, more_ranks: int) -> float:
    """The exponent of the number of ranks by which a cost grows."""
    return math.log(large / small) / math.log(more_ranks / ranks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=BUILD / "sanvp", help="(%(default)s)")
    parser.add_argument("--ranks", type=int, nargs="+", default=[64, 256, 1024], help="(%(default)s)")
    parser.add_argument("--turns", type=int, default=1, help="the best of which counts (%(default)s)")
    chosen = parser.parse_args()
    require_programs(chosen.program)
    print(
        f"{'machine':18} {'app':14} {'ranks':>5} {'CPU s':>7} {'ms/rank':>8} {'grows by':>8} {'MB':>6} {'MB/rank':>8}"
    )
    for machine, settings in MACHINES.items():
        for app, (options, arguments) in APPS.items():
            last: tuple[int, Cost] | None = None
            for ranks in chosen.ranks:
                name = app.split(",")[0]
                run = [chosen.program, "run", machine, name, "--np", ranks, "--progress", "off", *settings, *options]
                costs = in_turns({app: [*run, "--", *arguments]}, chosen.turns)[app]
                best = min(costs, key=lambda one: one.cpu_s)
                grows = f"n^{power(last[1].cpu_s, best.cpu_s, last[0], ranks):.2f}" if last else ""
                print(
                    f"{machine:18} {app:14} {ranks:5} {best.cpu_s:7.2f} {best.cpu_s / ranks * 1e3:8.2f} {grows:>8} "
                    f"{best.peak_mb:6.0f} {best.peak_mb / ranks:8.2f}",
                    flush=True,
                )
                last = ranks, best


if __name__ == "__main__":
    main()
