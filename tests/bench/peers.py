#!/usr/bin/env python3
"""Speed against CAMINOS, in one run on one core: packets per CPU second, each side's best of several turns.

usage: peers.py [--bench build/bench] [--caminos caminos] [--core 0] [--turns 5]

The networks are those of caminos/*.cfg and of the benchmarks of the same names in network_bench.cpp.
"""

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
BUILD = FOLDER.parent.parent / "build"
HOSTS = 64


@dataclass
class Comparison:
    """One network in both simulators."""

    flits: int
    ratio_to_reach: float  # the goal of the design

    @property
    def configuration(self) -> Path:
        return FOLDER / "caminos" / f"tree-64-{self.flits}-flits.cfg"

    @property
    def benchmark(self) -> str:
        return f"speed/tree_64_{self.flits}_flits/"


COMPARISONS = [Comparison(20, 25), Comparison(160, 150)]


@dataclass
class Speed:
    packets_per_second: float
    latency_cycles: float


def arguments() -> argparse.Namespace:
    installed = shutil.which("caminos") or str(Path.home() / ".cargo/bin/caminos")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", type=Path, default=BUILD / "bench", help="(%(default)s)")
    parser.add_argument("--caminos", type=Path, default=Path(installed), help="(%(default)s)")
    parser.add_argument("--core", type=int, default=0, help="that all run on (%(default)s)")
    parser.add_argument("--turns", type=int, default=5, help="of each simulator (%(default)s)")
    chosen = parser.parse_args()
    if not chosen.caminos.exists():
        sys.exit(
            f"{chosen.caminos}: CAMINOS is not there. Install it with: cargo install caminos --version 0.6.3 --locked"
        )
    if not chosen.bench.exists():
        sys.exit(f"{chosen.bench}: the benches are not built. Build them with: ninja -C build bench")
    return chosen


def run(command: list[str]) -> tuple[str, float]:
    """@return what it wrote to standard output, and its CPU seconds"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {result.returncode}\n{result.stderr}")
    return result.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def number(text: str, pattern: str) -> float:
    found = re.search(pattern + r":\s*([0-9.]+)", text)
    if not found:
        sys.exit(f"CAMINOS's output has no {pattern}: is it another version than 0.6.3?")
    return float(found.group(1))


def caminos(program: Path, comparison: Comparison) -> Speed:
    settings = comparison.configuration.read_text()
    cycles = number(settings, "warmup") + number(settings, "measured")
    output, seconds = run([str(program), str(comparison.configuration)])
    # Its load is in flits per cycle and server. Start-up and warm-up are part of the work: both are small.
    packets = number(output, "accepted_load") * HOSTS * cycles / comparison.flits
    return Speed(packets / seconds, number(output, "average_message_delay"))


def sanvp(program: Path, comparison: Comparison) -> Speed:
    command = [str(program), f"--benchmark_filter={comparison.benchmark}", "--benchmark_format=json"]
    output, _ = run(command)
    result = json.loads(output)["benchmarks"][0]
    return Speed(result["packets/s"], result["latency_ns"])  # its cycle is a nanosecond


def best(speeds: list[Speed]) -> Speed:
    return max(speeds, key=lambda speed: speed.packets_per_second)


def main() -> None:
    chosen = arguments()
    os.sched_setaffinity(0, {chosen.core})  # children inherit it
    heads = ("flits", "CAMINOS packets/s", "latency", "sanvp packets/s", "latency", "ratio", "to reach")
    print("{:>5} {:>18} {:>8} {:>16} {:>8} {:>7} {:>9}".format(*heads))
    for comparison in COMPARISONS:
        theirs, ours = [], []
        for _ in range(chosen.turns):
            theirs.append(caminos(chosen.caminos, comparison))
            ours.append(sanvp(chosen.bench, comparison))
        them, us = best(theirs), best(ours)
        ratio = us.packets_per_second / them.packets_per_second
        print(
            f"{comparison.flits:5} {them.packets_per_second:18,.0f} {them.latency_cycles:8.1f}"
            f" {us.packets_per_second:16,.0f} {us.latency_cycles:8.1f} {ratio:7.1f} {comparison.ratio_to_reach:9.0f}"
        )


if __name__ == "__main__":
    main()
