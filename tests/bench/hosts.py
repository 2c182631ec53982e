#!/usr/bin/env python3
"""What NICs and hosts cost: packets per CPU second of uniform traffic by host software, and by the network alone.

Both carry messages of the same size at the same accepted load, in turns on one core; the best of some runs of each
counts. The design allows a factor of five.

usage: hosts.py [--program build/sanvp] [--runs 3]
"""

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

BUILD = Path(__file__).resolve().parent.parent.parent / "build"
MACHINE = "qsnet-64"
MESSAGE = "64K"
GAP_NS = 400_000  # mean time between a rank's messages: below what the network takes
PACKETS = 120_000
MOST_RATIO = 5  # allowed by the design
SAME_LOAD = 0.05  # that the two may differ by


@dataclass
class Result:
    packets_per_second: float
    accepted_per_node: float
    events_per_packet: float


def run(program: Path, *arguments: str) -> Result:
    command = [str(program), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    found = json.loads(done.stdout)
    packets = found["packets"]
    return Result(packets / found["cpu_time_s"], found["accepted_per_node_MBps"], found["events"] / packets)


def hosts(program: Path) -> Result:
    application = ["--bytes", MESSAGE, "--gap", str(GAP_NS), "--messages", "10"]
    return run(program, "run", MACHINE, "uniform", "--json", "-", "--progress", "off", "--", *application)


def network(program: Path, rate: float) -> Result:
    options = ["--bytes", f"{MESSAGE}iB", "--load", f"{rate:.3f}MB/s", "--packets", str(PACKETS), "--warmup", "0ns"]
    return run(program, "traffic", MACHINE, "uniform", *options, "--json", "-", "--progress", "off")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=BUILD / "sanvp", help="(%(default)s)")
    parser.add_argument("--runs", type=int, default=3, help="of each (%(default)s)")
    arguments = parser.parse_args()
    if not arguments.program.exists():
        sys.exit(f"{arguments.program}: not built. Build it with: scripts/build")
    pairs = []
    for _ in range(arguments.runs):
        by_hosts = hosts(arguments.program)
        pairs.append((by_hosts, network(arguments.program, by_hosts.accepted_per_node)))
    best = [max(results, key=lambda result: result.packets_per_second) for results in zip(*pairs, strict=True)]
    print(f"{'':16} {'packets/s':>10} {'events/packet':>14} {'MB/s per node':>14}")
    for name, result in zip(("hosts", "network alone"), best, strict=True):
        rates = f"{result.packets_per_second:10.0f} {result.events_per_packet:14.1f} {result.accepted_per_node:14.1f}"
        print(f"{name:16} {rates}")
    ratio = best[1].packets_per_second / best[0].packets_per_second
    print(f"with hosts a packet takes {ratio:.1f} times the CPU time; at most {MOST_RATIO} is allowed")
    if abs(best[0].accepted_per_node / best[1].accepted_per_node - 1) > SAME_LOAD:
        sys.exit("the loads differ too much to be compared")
    if ratio > MOST_RATIO:
        sys.exit(1)


if __name__ == "__main__":
    main()
