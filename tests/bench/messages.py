#!/usr/bin/env python3
"""Messages of MPI programs per CPU second of the simulating computer, through the command line.

usage: messages.py [--program build/sanvp] [--quick]
"""

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

BUILD = Path(__file__).resolve().parent.parent.parent / "build"


@dataclass
class Case:
    """An all-to-all by pairs on `ranks` nodes, and what SimGrid's SMPI 3.32 did of it (issue 4, "Speed")."""

    machine: str
    ranks: int
    size: int
    count: int
    peer: float | None  # messages per CPU second

    def command(self, program: Path, count: int) -> list[str]:
        return [
            *(str(program), "run", self.machine, "collectives", "--np", str(self.ranks)),
            *("-s", "mpi.alltoall=pairwise", "--progress", "off", "--json", "-", "--"),
            *("--operation", "alltoall", "--least", str(self.size), "--most", str(self.size)),
            *("--count", str(count), "--barrier", "none"),
        ]

    def messages(self, count: int) -> int:
        once_to_check = 1
        return self.ranks * (self.ranks - 1) * (count + once_to_check)


CASES = [
    Case("qsnet-64", 64, 320, 100, 199e3),
    Case("qsnet-64", 64, 4096, 100, 171e3),
]


def run(command: list[str]) -> tuple[float, float]:
    """@return CPU seconds, simulated seconds"""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {process.returncode}")
    return usage.ru_utime + usage.ru_stime, json.loads(out)["sim_time_ns"] / 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=BUILD / "sanvp", help="(%(default)s)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the messages")
    arguments = parser.parse_args()
    if not arguments.program.exists():
        sys.exit(f"{arguments.program}: not built. Build it with: scripts/build")
    print(f"{'alltoall on':12} {'bytes':>6} {'messages':>9} {'CPU s':>7} {'messages/s':>11} {'SMPI':>8} {'sim. ms':>9}")
    for case in CASES:
        count = max(1, case.count // 10) if arguments.quick else case.count
        cpu, simulated = run(case.command(arguments.program, count))
        rate = case.messages(count) / cpu
        peer = f"{case.peer:8.0f}" if case.peer else f"{'-':>8}"
        print(
            f"{case.machine:12} {case.size:6} {case.messages(count):9} {cpu:7.1f} {rate:11.0f} {peer} "
            f"{simulated * 1e3:9.2f}"
        )


if __name__ == "__main__":
    main()
