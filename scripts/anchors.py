#!/usr/bin/python3
"""Reruns the anchors: numbers of the papers that the network core must reproduce, beside what comes out.

A row has the anchor, the paper's value (or TIMING.md's), what was measured, the deviation, and what it hangs on.
Run by hand: all of it takes minutes. Not a test: a miss is for people to judge.

usage: anchors.py [GROUP ...] [--jobs N] [--json FILE]
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SANVP = os.environ.get("SANVP", str(ROOT / "build" / "sanvp"))
REPLAY = ROOT / "examples" / "replay"
BYTE_NS = 6.25  # of a Myrinet link


@dataclass
class Row:
    """One anchor."""

    anchor: str
    target: float | None
    measured: float
    unit: str
    hangs_on: str

    @property
    def deviation(self) -> str:
        return "" if self.target is None else f"{100 * (self.measured / self.target - 1):+.1f} %"


class Runner:
    """Runs the program, a few runs at a time."""

    def __init__(self, jobs: int) -> None:
        self._pool = ThreadPoolExecutor(jobs)

    def output(self, *arguments: object) -> str:
        command = [SANVP, *map(str, arguments)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            sys.exit(f"anchors.py: {' '.join(command)}\n{run.stderr}")
        return run.stdout

    def traffic(self, *arguments: object) -> dict:
        return json.loads(self.output("traffic", *arguments, "--json", "-"))

    def table(self, name: str, *arguments: object) -> list[dict[str, str]]:
        """A table of a traffic run's result folder."""
        with tempfile.TemporaryDirectory() as folder:
            self.traffic(*arguments, "--out", Path(folder) / "run")
            with (Path(folder) / "run" / f"{name}.csv").open(encoding="utf-8") as file:
                return list(csv.DictReader(file))

    def each(self, function: Callable, runs: Iterable) -> list:
        """The function's results for these arguments, in their order."""
        return list(self._pool.map(function, runs))


def myrinet_zero_load(run: Runner) -> Iterator[Row]:
    """FACTS 7.5: 32 bytes over 1 to 5 switches, until the last byte has come in whole."""
    files = itertools.chain.from_iterable(
        (f"--{what}", REPLAY / f"{name}.txt")
        for what, name in (("topology", "network"), ("routes", "routes"), ("traffic", "packets"))
    )
    lines = run.output("replay", "myrinet-8", *files, "-s", "link.delay=49.2ns").splitlines()
    for switches, (line, target) in enumerate(zip(lines, (448.4, 647.6, 846.8, 1046.0, 1245.2), strict=False), start=1):
        latency = float(line.split()[8]) + BYTE_NS
        yield Row(f"32 B over {switches} switches", target, latency, "ns", "150 ns per switch, 49.2 ns per cable")


def qsnet_streams(run: Runner) -> Iterator[Row]:
    """Two nodes, 320-byte packets, everything offered."""
    stream = ("qsnet-64", "pairs", "--load", 1, "--packets", 20_000)
    for anchor, target, pairs, settings, hangs_on in (
        ("stream", 335, "0-63", (), "nic.gap 10 ns"),
        ("stream, one place", 215, "0-63", ("-s", "nic.slots=1"), "the acknowledgement's way back and nic.acknowledge"),
        ("stream, one virtual channel", 215, "0-63", ("-s", "switch.virtual_channels=1"), "the same"),
        ("both ways", 280, "0-63,63-0", (), "the NIC's shared memory pipeline, not modelled here"),
    ):
        measured = run.traffic(*stream, "--list", pairs, *settings)["accepted_per_node_MBps"]
        yield Row(anchor, target, measured, "MB/s", hangs_on)


def qsnet_load(run: Runner) -> Iterator[Row]:
    """Accepted past saturation: the papers' asymptotic bandwidth."""
    uniform = ("uniform", "--load", 1, "--bytes", "exp:256KiB", "--packets", 400_000)
    for nodes, target in ((16, None), (32, None), (64, 120)):
        measured = run.traffic(f"qsnet-{nodes}", *uniform)["accepted_per_node_MBps"]
        yield Row(
            f"uniform, {nodes} nodes", target, measured, "MB/s", "messages of 256 KiB; NIC memory pipeline not modelled"
        )
    short = run.traffic("qsnet-64", "uniform", "--load", 1, "--packets", 100_000)["accepted_per_node_MBps"]
    yield Row("uniform, 64 nodes, single packets", None, short, "MB/s", "message size")

    hot = ("hot-spot", "--load", 0.1, "--bytes", "1MiB", "--packets", 800_000, "--warmup", "30ms")
    rows = dict(
        zip((16, 32, 64), run.each(lambda n: run.table("nodes", f"qsnet-{n}", *hot), (16, 32, 64)), strict=True)
    )
    accepted = {nodes: [float(row["accepted_MBps"]) for row in table] for nodes, table in rows.items()}
    for nodes, target in ((16, 337), (32, 337), (64, 310)):
        hangs_on = "two packets alternate on the last link flit by flit, then both wait for acknowledgements"
        yield Row(f"hot spot, {nodes} nodes, in all", target, sum(accepted[nodes]), "MB/s", hangs_on)
    for group, target, nodes in (
        ("1..3", 8, slice(1, 4)),
        ("4..15", 4.8, slice(4, 16)),
        ("16..63", 4.3, slice(16, 64)),
    ):
        share = statistics.mean(accepted[64][nodes])
        yield Row(f"hot spot, each of nodes {group}", target, share, "MB/s", "switch.age_threshold")


def macrame(run: Runner) -> Iterator[Row]:
    """64-byte packets to random nodes."""
    random = ("macrame-clos-64", "uniform", "--bytes", 64)
    uplinks = (("adaptive", 60, "grouped uplinks"), ("fixed", 40, "here the cables down stay grouped"))
    for (up, target, hangs_on), arrivals in itertools.product(uplinks, ("exponential", "constant")):
        found = run.traffic(
            *(*random, "--saturation", "--resolution", 0.005, "--packets", 60_000, "--arrivals", arrivals),
            *("-s", f"routing.up={up}"),
        )
        load = 100 * found["saturation"]["load"]
        yield Row(f"saturation, {up} uplinks, {arrivals} arrivals", target, load, "%", hangs_on)
    histogram = run.table("histogram", *random, "--load", 0.5, "--arrivals", "constant", "--packets", 400_000)
    us = {}
    for bin_ in histogram:
        centre = (int(bin_["from_ps"]) + int(bin_["to_ps"])) / 2e6
        us[int(centre)] = us.get(int(centre), 0) + int(bin_["count"])
    for anchor, least, target in (("most frequent latency", 0, None), ("the same, past a centre", 12, 12)):
        peak = max((bin_ for bin_ in us if bin_ >= least), key=us.get)
        yield Row(f"{anchor}, 50 % load, bins of 1 us", target, peak, "us", "1 us per STC104, 1.75 us at the ends")


MYRINET_FACTORS = {  # the paper's table 5: averages of ten networks, by message size and switches
    512: {
        16: {"ud_itb": 1.4, "ud_mitb": None, "ud_itb_n": None, "ud_itb_det": 1.4},
        32: {"ud_itb": 2.1, "ud_mitb": None, "ud_itb_n": None, "ud_itb_det": 2.0},
        64: {"ud_itb": 2.9, "ud_mitb": None, "ud_itb_n": None},
    },
    32: {16: {"ud_itb": 1.4}, 32: {"ud_itb": 2.2}, 64: {"ud_itb": 3.1}},
}
HOSTS_PER_SWITCH = 4
PACKETS_PER_HOST = 100
HIGHEST_LOAD = 6.4  # over the switches: twice what the best mechanism reaches
SEEDS = range(1, 11)


def myrinet_saturation(run: Runner, size: int) -> Iterator[Row]:
    """Throughput of each mechanism over that of UD on the same network."""

    def saturation(case: tuple[int, str, int]) -> float:
        switches, mechanism, seed = case
        found = run.traffic(
            *(f"myrinet-{switches}", "uniform", "--bytes", size, "--seed", seed, "-s", f"nic.routing={mechanism}"),
            *("--saturation", "--resolution", 0.001, "-s", f"traffic.highest={HIGHEST_LOAD / switches}"),
            *("--packets", HOSTS_PER_SWITCH * switches * PACKETS_PER_HOST),
        )
        return found["saturation"]["load"] or float("nan")

    for switches, factors in MYRINET_FACTORS[size].items():
        cases = list(itertools.product((switches,), ("ud", *factors), SEEDS))
        loads = dict(zip(cases, run.each(saturation, cases), strict=True))
        for mechanism, target in factors.items():
            ratios = [loads[switches, mechanism, s] / loads[switches, "ud", s] for s in SEEDS]
            spread = f"min {min(ratios):.2f}, max {max(ratios):.2f}; root 0, balanced paths"
            mean = statistics.mean(ratios)
            yield Row(f"{mechanism} over ud, {switches} switches, {size} B", target, mean, "", spread)


def myrinet_512(run: Runner) -> Iterator[Row]:
    """Messages of 512 bytes."""
    return myrinet_saturation(run, 512)


def myrinet_32(run: Runner) -> Iterator[Row]:
    """Messages of 32 bytes."""
    return myrinet_saturation(run, 32)


def mesh_of_clos(run: Runner) -> Iterator[Row]:
    """Mean effective blocking time of packets, 2048-byte messages, buffers of one flit."""
    for setup in ("0us", "15us"):
        for pattern, target, messages in (("all-to-all", 2, 32), ("equal-dist", 44, 64), ("unequal-dist", 61, 64)):
            found = run.traffic("moc-3-2", pattern, "--bytes", 2048, "--messages", messages, *("--setup", setup))
            blocked = found["blocked_ns_per_packet"] / 1e3
            yield Row(
                f"blocking, {pattern}, set-up {setup}", target, blocked, "us", "the VCP's set-up and acknowledgements"
            )


def tofu(run: Runner) -> Iterator[Row]:
    """Gossip against uniform traffic at the same load."""
    for flits, load in itertools.product((32, 64), (0.05, 0.1)):
        options = ("--bytes", 5 * flits, "--load", load, "--packets", 100_000)
        uniform, gossip = (
            run.traffic("tofu-36", pattern, *options)["latency_ns"]["mean"] for pattern in ("uniform", "gossip")
        )
        yield Row(
            f"gossip over uniform, {flits} flits, load {load} (below 1)", None, gossip / uniform, "", "neighbours"
        )


MODERATE = {  # about half of saturation
    "qsnet-64": 0.25,
    "myrinet-32": 0.04,
    "macrame-clos-64": 0.3,
    "moc-3-2": 0.1,
    "gcel-64": 0.01,
    "tofu-36": 0.1,
    "tofu-768": 0.1,
}


def fidelities(run: Runner) -> Iterator[Row]:
    """`worm` against `flit`: what they differ by, and how much faster the one is."""
    for machine, load in MODERATE.items():
        options = (machine, "uniform", "--load", load, "--packets", 20_000)
        worm, flit = (run.traffic(*options, "--fidelity", fidelity) for fidelity in ("worm", "flit"))
        for name, one, other in (
            ("latency", worm["latency_ns"]["mean"], flit["latency_ns"]["mean"]),
            ("accepted", worm["accepted_per_node_MBps"], flit["accepted_per_node_MBps"]),
        ):
            yield Row(f"{machine}, {name}: worm, target flit", other, one, "ns" if name == "latency" else "MB/s", "")
        yield Row(f"{machine}, run time: flit over worm", None, flit["cpu_time_s"] / worm["cpu_time_s"], "", "")


GROUPS = {
    group.__name__.replace("_", "-"): group
    for group in (
        *(myrinet_zero_load, qsnet_streams, qsnet_load, macrame),
        *(mesh_of_clos, tofu, myrinet_512, myrinet_32, fidelities),
    )
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(GROUPS)}; all without one")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time (default 2)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="the rows as a list")
    arguments = parser.parse_args()
    if unknown := set(arguments.groups) - GROUPS.keys():
        parser.error(f"no group {', '.join(sorted(unknown))}; there are {', '.join(GROUPS)}")

    run = Runner(max(1, arguments.jobs))
    rows = []
    for name in arguments.groups or GROUPS:
        print(f"{name}\n  {'anchor':<58} {'target':>10} {'measured':>10} {'':<4} {'deviation':>9}  hangs on")
        for row in GROUPS[name](run):
            rows.append({"group": name, **asdict(row)})
            target = "" if row.target is None else f"{row.target:g}"
            print(
                f"  {row.anchor:<58} {target:>10} {row.measured:>10.5g} {row.unit:<4} {row.deviation:>9}"
                f"  {row.hangs_on}",
                flush=True,
            )
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
