#!/usr/bin/env python3
"""Hosts: boot time, memory beyond the hosts' own, and 1,024 ranks at work, through the command line.

usage: boot.py [--program build/sanvp]

Memory per host: by how much the peak of a run grows from 16 nodes to 64, and from 64 to 1,024. It includes images,
heaps and stacks of programs, and of a host's main memory only the pages that programs touch.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

BUILD = Path(__file__).resolve().parent.parent.parent / "build"


@dataclass
class Run:
    """What a run took."""

    wall_s: float
    cpu_s: float
    peak_kb: int
    result: dict


def run(program: Path, machine: str, *arguments: str) -> Run:
    """Runs a program on all nodes."""
    command = [str(program), "run", machine, *arguments[:1], "--json", "-", "--progress", "off", *arguments[1:]]
    begin = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        text = process.stdout.read()
        complaints = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {process.returncode}\n{complaints}")
    wall = time.monotonic() - begin
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, json.loads(text))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=BUILD / "sanvp", help="(%(default)s)")
    program = parser.parse_args().program
    if not program.exists():
        sys.exit(f"{program}: not built. Build it with: scripts/build")
    print(f"{'machine':12} {'program':10} {'wall s':>8} {'CPU s':>8} {'peak MB':>8}")
    peaks = {}
    for machine, nodes in (("qsnet-16", 16), ("qsnet-64", 64), ("qsnet-1024", 1024)):
        for app in (["hello"], ["barrier"], ["cg", "--", "--rows", "1"]):
            took = run(program, machine, *app)
            peaks[app[0], nodes] = took.peak_kb
            print(
                f"{machine:12} {app[0]:10} {took.wall_s:8.2f} {took.cpu_s:8.2f} {took.peak_kb / 1e3:8.0f}", flush=True
            )
    for app in ("hello", "barrier", "cg"):
        small = (peaks[app, 64] - peaks[app, 16]) / 48
        large = (peaks[app, 1024] - peaks[app, 64]) / 960
        print(f"{app}: {small:.0f} kB a host from 16 to 64, {large:.0f} kB from 64 to 1,024")


if __name__ == "__main__":
    main()
