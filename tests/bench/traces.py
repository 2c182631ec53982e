#!/usr/bin/env python3
"""What a timeline costs: `traffic` with --trace, in each format, and without, in turns on the same core.

usage: traces.py [--program build/sanvp] [--before OTHER/sanvp] [--turns 5] [--packets 60000]
"""

import argparse
import tempfile
from pathlib import Path

from turns import BUILD, in_turns, ratio, require_programs

FORMATS = ("json", "pftrace", "json.gz", "pftrace.gz")
MOST_RATIO = 2  # asked, of the formats that are not compressed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=BUILD / "sanvp", help="(%(default)s)")
    parser.add_argument("--before", type=Path, help="another program, to compare: the files have to be the same")
    parser.add_argument("--turns", type=int, default=5, help="of each (%(default)s)")
    parser.add_argument("--packets", type=int, default=60_000, help="(%(default)s)")
    chosen = parser.parse_args()
    programs = {"": chosen.program} | ({"before: ": chosen.before} if chosen.before else {})
    require_programs(*programs.values())
    load = ["uniform", "--packets", chosen.packets, "--progress", "off"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands: dict[str, list[object]] = {}
        for which, program in programs.items():
            plain = [program, "traffic", "qsnet-64", *load]
            commands[which] = plain
            for form in FORMATS:
                commands[which + form] = [*plain, "--trace", folder / f"{'before.' if which else ''}trace.{form}"]
        costs = in_turns(commands, chosen.turns)
        for which in programs:
            base = costs[which]
            print(f"{which}without a trace: {min(one.cpu_s for one in base):.2f} s of CPU")
            for form in FORMATS:
                times = ratio(costs[which + form], base)
                print(f"{which}{form:10} {times:5.2f} times (asked: {MOST_RATIO}, uncompressed)")
        for form in FORMATS if chosen.before else ():
            files = [(folder / f"{begin}trace.{form}").read_bytes() for begin in ("", "before.")]
            print(f"{form}: {'the same bytes' if files[0] == files[1] else 'OTHER BYTES'}")


if __name__ == "__main__":
    main()
