#!/usr/bin/env python3
"""CPU time of apps on the six machines, native and as RISC-V binaries, and the ratio to another program in turns.

usage: apps.py [--program build/sanvp] [--before OTHER/sanvp] [--turns 3] [--apps cg md halo ...]
"""

import argparse
from pathlib import Path

from turns import BUILD, in_turns, ratio, require_programs

MACHINES = ("qsnet-64", "myrinet-32", "macrame-clos-64", "moc-3-2", "gcel-64", "tofu-36")
RANKS = 16
WAYS = {"native": (), "RISC-V": ("--cpu", "riscv")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=BUILD / "sanvp", help="(%(default)s)")
    parser.add_argument("--before", type=Path, help="another program, to compare")
    parser.add_argument("--turns", type=int, default=3, help="of each, the best of which counts (%(default)s)")
    parser.add_argument("--apps", nargs="+", default=["cg", "md", "fft", "halo"], help="(%(default)s)")
    parser.add_argument("--machines", nargs="+", default=MACHINES, help="(all six)")
    chosen = parser.parse_args()
    programs = {"CPU s": chosen.program} | ({"before": chosen.before} if chosen.before else {})
    require_programs(*programs.values())
    print(
        f"{'machine':16} {'app':6} {'way':7}", *(f"{name:>7}" for name in programs), "  ratio" if chosen.before else ""
    )
    for machine in chosen.machines:
        for app in chosen.apps:
            for way, options in WAYS.items():
                commands = {
                    name: [program, "run", machine, app, "--np", RANKS, "--progress", "off", *options]
                    for name, program in programs.items()
                }
                costs = in_turns(commands, chosen.turns)
                times = [f"{min(one.cpu_s for one in costs[name]):7.2f}" for name in programs]
                compared = f"{ratio(costs['CPU s'], costs['before']):7.2f}" if chosen.before else ""
                print(f"{machine:16} {app:6} {way:7}", *times, compared, flush=True)


if __name__ == "__main__":
    main()
