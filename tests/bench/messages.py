#!/usr/bin/env python3
"""Messages of MPI programs per CPU second of the simulating computer: mpi/messages.c on `qsnet-64` and larger trees.

Where SimGrid is installed (smpicc, smpirun), the same program runs there in turns with ours: on a fat tree of the same
shape (`tree`), as a fluid model has it, and on hosts with nothing between them but their own links (`links`), which is
the cheapest platform that it has. What starting up takes is measured with no messages, and subtracted.

usage: messages.py [--program build/sanvp] [--quick] [--runs 3] [--core 1] [--ranks 64] [--sizes 64 320 4096]
                   [--limit 300]
"""

import argparse
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCE = Path(__file__).resolve().parent / "mpi" / "messages.c"
ARITY = 4  # of QsNET's trees
# Latency of a link: in a tree that of an Elite (FACTS.md 1.1), in `links` that of the whole way. SMPI's CPU time
# depends on it: the closer together messages arrive, the more flows share links at a time.
LATENCY = {"tree": "35ns", "links": "1us"}


@dataclass
class Case:
    pattern: str  # of mpi/messages.c
    size: int
    count: int
    ranks: int


def cases(ranks: int, sizes: list[int], quick: bool) -> list[Case]:
    share = (10 if quick else 1) * max(1, ranks // 64)
    counts = {"pingpong": 20_000, "halo": 400, "pairwise": 20 * 64 // ranks}
    return [
        Case(pattern, size, max(1, counts[pattern] // (share if size <= 320 else 2 * share)), ranks)
        for pattern in ("pingpong", "halo", "pairwise")
        for size in sizes
        if pattern != "pingpong" or ranks == 64
    ]


def levels(ranks: int) -> int:
    return next(n for n in range(1, 8) if ARITY**n >= ranks)


def platform(ranks: int, kind: str) -> str:
    n = levels(ranks)
    shape = ",".join([str(ARITY)] * n)
    up = ",".join(["1"] + [str(ARITY)] * (n - 1))
    tree = f'topology="FAT_TREE" topo_parameters="{n};{shape};{up};{",".join(["1"] * n)}"' if kind == "tree" else ""
    return (
        '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1">'
        f'<zone id="world" routing="Full"><cluster id="c" prefix="node" suffix="" radical="0-{ARITY**n - 1}" '
        f'speed="1Gf" bw="340MBps" lat="{LATENCY[kind]}" {tree}/></zone></platform>'
    )


class Bench:
    """The programs and platforms, in a folder of their own."""

    def __init__(self, program: Path, core: int, folder: Path, limit: int):
        self.program, self.core, self.folder, self.limit = program, core, folder, limit
        subprocess.run([program.parent / "sanvp-cc", "-O2", SOURCE, "-o", folder / "ours"], check=True)
        self.kinds = ["ours"]
        if shutil.which("smpicc"):
            subprocess.run(["smpicc", "-O2", SOURCE, "-o", folder / "peers"], check=True)
            self.kinds += ["tree", "links"]

    def command(self, kind: str, case: Case, count: int) -> list[str]:
        np = 2 if case.pattern == "pingpong" else case.ranks
        arguments = [case.pattern, str(case.size), str(count)]
        if kind == "ours":
            nodes = ["-s", f"topology.levels={levels(case.ranks)}", "--np", str(np), "--progress", "off"]
            return [str(self.program), "run", "qsnet-64", str(self.folder / "ours"), *nodes, "--", *arguments]
        file, hosts = self.folder / f"{kind}.xml", self.folder / "hosts"
        file.write_text(platform(case.ranks, kind))
        hosts.write_text("".join(f"node{i}\n" for i in range(case.ranks)))
        places = ["-np", str(np), "-platform", str(file), "-hostfile", str(hosts)]
        quiet = ["--cfg=smpi/simulate-computation:no", "--log=root.thresh:error"]
        return ["smpirun", *places, *quiet, str(self.folder / "peers"), *arguments]

    def run(self, kind: str, case: Case, count: int) -> tuple[float, float]:
        """@return CPU seconds, messages; infinitely many seconds where the limit came first"""
        # The kernel counts CPU time by process: other programs on the computer do not count.
        limited = ["prlimit", f"--cpu={self.limit}", *self.command(kind, case, count)]
        pinned = ["taskset", "-c", str(self.core), *limited]
        with subprocess.Popen(pinned, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            out = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds = usage.ru_utime + usage.ru_stime
        if process.returncode != 0 and seconds >= 0.95 * self.limit:
            return math.inf, 0
        found = re.search(r"messages (\d+)", out)
        if process.returncode != 0 or not found:
            sys.exit(f"{' '.join(pinned)}: exit status {process.returncode}")
        return seconds, float(found[1])

    def rates(self, case: Case, runs: int) -> dict[str, float]:
        """Messages per CPU second, the median of runs in turns; 0 for one that is not over in its time."""
        found = {kind: [] for kind in self.kinds}
        for _ in range(runs):
            for kind in self.kinds:
                if found[kind][-1:] == [0]:
                    continue
                start, _ = self.run(kind, case, 0)
                all_in_all, messages = self.run(kind, case, case.count)
                found[kind].append(messages / max(all_in_all - start, 0.01))
        return {kind: statistics.median(rates) for kind, rates in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "sanvp", help="(%(default)s)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the messages")
    parser.add_argument("--runs", type=int, default=3, help="of each, in turns (%(default)s)")
    parser.add_argument("--core", type=int, default=1, help="that everything runs on (%(default)s)")
    parser.add_argument("--ranks", type=int, nargs="+", default=[64], help="64, 256, 1024 (%(default)s)")
    parser.add_argument("--sizes", type=int, nargs="+", default=[64, 320, 4096], help="bytes (%(default)s)")
    parser.add_argument("--limit", type=int, default=300, help="CPU seconds of a run (%(default)s); 0: it took longer")
    arguments = parser.parse_args()
    if not arguments.program.exists():
        sys.exit(f"{arguments.program}: not built. Build it with: scripts/build")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments.program.resolve(), arguments.core, Path(folder), arguments.limit)
        heads = {"ours": "messages/s", "tree": "SMPI, tree", "links": "SMPI, links"}
        print(f"{'pattern':9} {'ranks':>5} {'bytes':>6}", *(f"{heads[kind]:>12}" for kind in bench.kinds))
        for case in (case for ranks in arguments.ranks for case in cases(ranks, arguments.sizes, arguments.quick)):
            rates = bench.rates(case, arguments.runs)
            print(
                f"{case.pattern:9} {case.ranks:5} {case.size:6}",
                *(f"{rates[kind]:12.0f}" for kind in bench.kinds),
                flush=True,
            )


if __name__ == "__main__":
    main()
