#!/usr/bin/env python3
"""Memory and start-up of large machines, each in a process of its own through the command line.

usage: scale.py [--program build/sanvp]
"""

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

BUILD = Path(__file__).resolve().parent.parent.parent / "build"
STOPPED_BY_UNTIL = 5  # exit status


@dataclass
class Case:
    """A machine under uniform traffic, and how much memory it may take by the design."""

    name: str
    options: list[str]
    most_megabytes: int


CASES = [
    Case(
        "Clos of 1,024 nodes, 64 bytes, half load",
        ["macrame-clos-1024", "uniform", "--bytes", "64", "--load", "0.5", "--packets", "20000", "--warmup", "1ms"],
        200,
    ),
    Case(
        "4-ary 7-tree of 16,384 nodes, load 0.2",
        ["qsnet-1024", "uniform", "-s", "topology.levels=7", "--load", "0.2", "--packets", "20000", "--warmup", "2us"],
        4000,
    ),
]


def run(command: list[str]) -> tuple[float, float]:
    """@return CPU seconds, peak memory in megabytes"""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, STOPPED_BY_UNTIL):
            sys.exit(f"{' '.join(command)}: exit status {process.returncode}\n{process.stderr.read()}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3  # which counts kilobytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=BUILD / "sanvp", help="(%(default)s)")
    program = parser.parse_args().program
    if not program.exists():
        sys.exit(f"{program}: not built. Build it with: scripts/build")
    print(f"{'machine':42} {'start-up s':>10} {'run CPU s':>10} {'peak MB':>8} {'may be':>7}")
    for case in CASES:
        command = [str(program), "traffic", *case.options, "--progress", "off"]
        started = time.monotonic()
        run([*command, "--until", "1ns"])
        start_up = time.monotonic() - started
        seconds, megabytes = run(command)
        print(f"{case.name:42} {start_up:10.2f} {seconds:10.1f} {megabytes:8.0f} {case.most_megabytes:7}")


if __name__ == "__main__":
    main()
