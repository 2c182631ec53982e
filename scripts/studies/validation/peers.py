#!/usr/bin/env python3
"""Runs another simulator on the networks of the study `validation`, and writes its latencies and saturations as CSV.

usage: peers.py booksim2|caminos PROGRAM [--only TEXT] [--out FOLDER]

writes NAME.csv and NAME-saturation.csv beside this script. The rules are those of `sanvp traffic`: a load is saturated
if less than 98 % of it is accepted, and a saturation is the largest load that is not, by bisection. Messages to the
sender itself, which sanvp does not send, are taken out of the mean latency, and loads are those without them.
"""

from __future__ import annotations

import argparse
import csv
import math
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
PACKET = 8  # flits
MEASURED = 20_000  # packets, of CAMINOS; of BookSim2, which takes longer, fewer
ACCEPTED = 0.98
RESOLUTION = 0.01  # of a saturation, as a part of the bound
PARTS = [0.02, 0.1, 0.2, *(round(0.05 * i, 2) for i in range(6, 21))]
FEWER = 12_000
FEWER_PARTS = [0.02, *(round(0.1 * i, 1) for i in range(1, 16))]
KEYS = ("network", "paths", "pattern", "vcs", "router")


@dataclass(frozen=True)
class Case:
    """A network with a routing, a pattern and a router."""

    network: str
    paths: str
    pattern: str
    vcs: int
    router: str = "matched"
    bound: float = 1  # of the load of a node, without messages to itself, in flits a cycle
    nodes: int = 64

    def key(self) -> tuple[str | int, ...]:
        """The first columns of its rows."""
        return tuple(getattr(self, name) for name in KEYS)


def booksim_cases() -> Iterator[Case]:
    """Those of BookSim2, with the bounds of docs/validation.md."""
    others = 63 / 64
    for vcs in (1, 2, 4):
        for network, bound in (("mesh", others / 2), ("tree", 1), ("butterfly", others)):
            yield Case(network, "minimal", "uniform", vcs, bound=bound)
        yield Case("mesh", "minimal", "transpose", vcs, bound=1 / 7)
    yield Case("tree", "minimal", "transpose", 1)
    for vcs in (2, 4):
        yield Case("torus", "minimal", "uniform", vcs, bound=others)
        yield Case("torus", "minimal", "transpose", vcs, bound=1 / 4)
    for paths, adversarial in (("minimal", 1 / 8), ("adaptive", 1 / 2)):
        for pattern, bound in (("uniform", 1), ("adversarial", adversarial)):
            yield Case("dragonfly", paths, pattern, 3, bound=bound, nodes=72)
    one = Case("mesh", "minimal", "uniform", 1, bound=others / 2)
    yield replace(one, router="speculative")
    yield replace(one, vcs=2, router="one flit of an input")
    yield replace(one, vcs=4, router="one flit of an input")


def caminos_cases() -> Iterator[Case]:
    """Those of CAMINOS. Its router has several virtual channels only with output buffers."""
    others = 63 / 64
    for network, pattern, bound in (
        ("mesh", "uniform", others / 2),
        ("mesh", "transpose", 1 / 7),
        ("tree", "uniform", 1),
        ("butterfly", "uniform", others),
    ):
        yield Case(network, "minimal", pattern, 1, bound=bound)
    for paths, vcs, uniform, adversarial in (("minimal", 3, 1, 1 / 8), ("valiant", 6, 71 / 128, 7 / 16)):
        yield Case("dragonfly", paths, "uniform", vcs, bound=uniform, nodes=72)
        yield Case("dragonfly", paths, "adversarial", vcs, bound=adversarial, nodes=72)


BOOKSIM = {
    "mesh": {"topology": "mesh", "k": 8, "n": 2, "routing_function": "dor"},
    "torus": {"topology": "torus", "k": 8, "n": 2, "routing_function": "dim_order"},
    "tree": {"topology": "fattree", "k": 4, "n": 3, "routing_function": "nca"},
    "butterfly": {
        "topology": "flatfly", "k": 4, "n": 2, "c": 4, "x": 4, "y": 4, "xr": 2, "yr": 2, "routing_function": "ran_min",
    },
    "dragonfly": {"topology": "dragonflynew", "k": 2, "n": 1, "vc_buf_size": 256},
}  # fmt: skip


@dataclass(frozen=True)
class Result:
    """Of one run."""

    load: float  # of a node, without messages to itself
    accepted: float  # as a share of the load
    latency: float  # cycles, of messages to others
    latency_of_all: float


def booksim(program: Path, case: Case, part: float, drains: bool = True) -> Result:
    """One run of BookSim2."""
    load = part * case.bound
    # With uniform traffic each node sends 1/64 to itself; with a transpose 8 nodes send all, and the others nothing.
    rate = load / (1 - 1 / case.nodes) if case.pattern == "uniform" else load
    settings = {
        **BOOKSIM[case.network],
        "num_vcs": case.vcs,
        "input_speedup": 1 if case.router == "one flit of an input" else case.vcs,
        "speculative": int(case.router == "speculative"),
        "traffic": "bad_dragon" if case.pattern == "adversarial" else case.pattern,
        "injection_rate": rate,
        "sample_period": max(2000, round(FEWER / 3 * PACKET / rate / case.nodes)),
        "sim_type": "latency" if drains else "throughput",
    }
    if case.network == "dragonfly":
        settings["routing_function"] = {"minimal": "min", "adaptive": "ugal"}[case.paths]
    with tempfile.NamedTemporaryFile(suffix=".m") as statistics:
        words = [f"{key}={value}" for key, value in settings.items()]
        command = [str(program), str(FOLDER / "booksim2.cfg"), *words, f"stats_out={statistics.name}"]
        output = subprocess.run(command, capture_output=True, text=True, check=False)
        pairs = Path(statistics.name).read_text(encoding="utf-8")
    _, found, overall = output.stdout.partition("Overall Traffic Statistics")
    if not found and "unstable" in output.stdout:
        return Result(load, 0, math.inf, math.inf)
    if not found:
        sys.exit(f"{' '.join(command)}: no result\n{output.stdout[-500:]}\n{output.stderr}")

    def mean(name: str) -> float:
        return float(re.search(rf"{name} average = ([-+.\w]+)", overall)[1])

    def vector(name: str) -> list[float]:
        return [float(word) for word in re.search(rf"{name}\(1,:\) = \[ (.*?) \]", pairs)[1].split()]

    counts, latencies = vector("pair_sent"), vector("pair_plat")
    others = [(n, t) for i, (n, t) in enumerate(zip(counts, latencies, strict=True)) if n and i % (case.nodes + 1)]
    latency = sum(n * t for n, t in others) / max(1, sum(n for n, _ in others))
    return Result(load, mean("Accepted flit rate") / rate, latency, mean("Packet latency"))


# By cables alone, two global ones of a third group would often be shorter than the way by one global cable.
SHORTEST = "WeighedShortest { class_weight: [1,100,0] }"
CAMINOS = {
    "mesh": ("Mesh { sides: [8,8], servers_per_router: 1 }", "DOR { order: [0,1] }"),
    "tree": ("XGFT { height: 2, down: [4,4], up: [4,4], servers_per_leaf: 4 }", "UpDown"),
    "butterfly": ("Hamming { sides: [4,4], servers_per_router: 4 }", "DOR { order: [0,1] }"),
    "dragonfly": (
        "Dragonfly { global_ports_per_router: 2, servers_per_router: 2, global_arrangement: Palmtree }",
        SHORTEST,
    ),
}
GROUP = "CartesianTransform { sides: [4,9], project: [true,false] }"  # a detour ends in any switch of its group
VALIANT = f"Valiant {{ first: {SHORTEST}, second: {SHORTEST}, intermediate_bypass: {GROUP} }}"
CAMINOS_PATTERNS = {
    "uniform": "Uniform",
    "transpose": "CartesianTransform { sides: [8,8], permute: [1,0] }",
    "adversarial": "CartesianTransform { sides: [8,9], shift: [0,1], random: [true,false] }",
}


def caminos(program: Path, case: Case, part: float, drains: bool = True) -> Result:
    """One run of CAMINOS, which does not drain."""
    load = part * case.bound
    senders = case.nodes - (8 if case.pattern == "transpose" else 0)
    period = max(2000, round(MEASURED / 3 * PACKET / load / case.nodes))
    topology, routing = CAMINOS[case.network]
    is_dragonfly = case.network == "dragonfly"
    fields = {
        "WARMUP": period,
        "MEASURED": 3 * period,
        "TOPOLOGY": topology,
        "ROUTING": VALIANT if case.paths == "valiant" else routing,
        "PATTERN": CAMINOS_PATTERNS[case.pattern],
        "NODES": case.nodes,
        "LOAD": load,
        "VCS": case.vcs,
        "POLICIES": "Hops, EnforceFlowControl, Random" if is_dragonfly else "EnforceFlowControl, Random",
        "FLIT_SIZE": PACKET if case.vcs > 1 else 1,
        "BUSY": "true" if case.vcs > 1 else "false",
        "OUTPUT_BUFFER": 2 * PACKET if case.vcs > 1 else 0,
        "BUFFER": 256 if is_dragonfly else 16,
        "DELAYS": (13, 103, 3) if is_dragonfly else (4, 4, 3),
    }
    fields["DELAYS"] = ", ".join(f"LinkClass {{ delay: {delay} }}" for delay in fields["DELAYS"])
    text = (FOLDER / "caminos.cfg").read_text(encoding="utf-8")
    for name, value in fields.items():
        text = text.replace(f"@{name}@", str(value))
    with tempfile.NamedTemporaryFile("w", suffix=".cfg", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        output = subprocess.run([str(program), file.name], capture_output=True, text=True, check=False)

    def mean(name: str) -> float:
        found = re.search(rf"^\t{name}:\s*([-+.\w]+)", output.stdout, re.MULTILINE)
        if not found:
            sys.exit(f"{case}, {part}: no {name}\n{output.stdout[-500:]}\n{output.stderr[-500:]}")
        return float(found[1])

    latency = mean("average_message_delay")
    return Result(load, mean("accepted_load") / load * case.nodes / senders, latency, latency)


SIMULATORS = {"booksim2": (booksim_cases, booksim), "caminos": (caminos_cases, caminos)}
Simulator = Callable[..., Result]


def measured(simulator: Simulator, program: Path, case: Case) -> tuple[list[tuple], tuple]:
    """The rows of its latencies, up to saturation, and that of its saturation."""
    rows, low, high = [], 0.0, None
    for part in PARTS if simulator is caminos else FEWER_PARTS:
        result = simulator(program, case, part)
        if result.accepted < ACCEPTED:
            high = part
            break
        low = part
        numbers = (result.load, result.accepted, result.latency, result.latency_of_all)
        rows.append((*case.key(), part, *(f"{number:.5g}" for number in numbers)))
    while high is not None and high - low > RESOLUTION:
        middle = (low + high) / 2
        if simulator(program, case, middle, drains=False).accepted < ACCEPTED:
            high = middle
        else:
            low = middle
    print(*case.key(), f"saturation {low:.4g} of the bound, {low * case.bound:.4g} flits a cycle", flush=True)
    return rows, (*case.key(), f"{low:.4g}", f"{low * case.bound:.4g}")


def write(file: Path, head: str, columns: tuple[str, ...], rows: list[tuple]) -> None:
    """A CSV file whose first lines say where it is from."""
    with file.open("w", encoding="utf-8", newline="") as out:
        out.write(head)
        table = csv.writer(out, lineterminator="\n")
        table.writerow(columns)
        table.writerows(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("simulator", choices=SIMULATORS)
    parser.add_argument("program", type=Path, help="the simulator's program")
    parser.add_argument("--only", default="", help="cases whose first columns have this")
    parser.add_argument("--out", type=Path, default=FOLDER, help="(%(default)s)")
    chosen = parser.parse_args()
    cases, simulator = SIMULATORS[chosen.simulator]
    wanted = [case for case in cases() if chosen.only in " ".join(map(str, case.key()))]
    head = (FOLDER / f"{chosen.simulator}.head").read_text(encoding="utf-8")
    curves: list[tuple] = []
    saturations: list[tuple] = []
    for case in wanted:
        rows, saturation = measured(simulator, chosen.program, case)
        curves += rows
        saturations.append(saturation)
        numbers = ("part", "load", "accepted", "latency", "latency_of_all")
        write(chosen.out / f"{chosen.simulator}.csv", head, (*KEYS, *numbers), curves)
        write(chosen.out / f"{chosen.simulator}-saturation.csv", head, (*KEYS, "part", "load"), saturations)


if __name__ == "__main__":
    main()
