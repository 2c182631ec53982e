#!/usr/bin/env python3
"""What keeping states for the way back costs: a run of RISC-V ranks without snapshots, and with them, in turns.

usage: snapshots.py [--machine M] [--ranks N] [--rounds N] [APP [ARGUMENT...]]
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
from pathlib import Path

SANVP = os.environ.get("SANVP", str(Path(__file__).resolve().parents[2] / "build" / "sanvp"))


def cpu_seconds(command: list[str]) -> float:
    """Of the run and all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--machine", default="qsnet-64")
    parser.add_argument("--ranks", default="64")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("app", nargs="*", default=["cg"])
    chosen = parser.parse_args()
    run = [SANVP, "run", chosen.machine, chosen.app[0], "--cpu", "riscv", "--np", chosen.ranks]
    program = ["--", *chosen.app[1:]] if len(chosen.app) > 1 else []
    ways = {
        "without a debugger": [],
        "--on-crash gdb --snapshots 0": ["--on-crash", "gdb", "--snapshots", "0"],
        "--on-crash gdb (32 states)": ["--on-crash", "gdb"],
    }
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(chosen.rounds):
        for way, options in ways.items():
            seconds[way].append(cpu_seconds([*run, *options, *program]))
    plain = statistics.median(seconds["without a debugger"])
    for way, times in seconds.items():
        middle = statistics.median(times)
        print(f"{way:<30} {middle:6.2f} s of CPU   {middle / plain:5.2f}")


if __name__ == "__main__":
    main()
