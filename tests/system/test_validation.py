"""The networks of docs/validation.md: bounds and zero load in closed form, and a slice of the study `validation`."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from program import PROJECT, done, replay

MACHINES = PROJECT / "examples" / "validation"
DATA = PROJECT / "scripts" / "studies" / "validation"
FLITS = 8


def machine(network: str) -> str:
    return str(MACHINES / f"{network}.ini")


def partners(pattern: str, hosts: int) -> Iterator[tuple[int, int, Fraction]]:
    """Sources, destinations, and the share of the source's messages."""
    for source in range(hosts):
        if pattern == "uniform":
            for other in set(range(hosts)) - {source}:
                yield source, other, Fraction(1, hosts - 1)
        elif pattern == "transpose":
            other = source % 8 * 8 + source // 8
            if other != source:
                yield source, other, Fraction(1)
        else:
            for other in range(8):
                yield source, (source // 8 + 1) % 9 * 8 + other, Fraction(1, 8)


class Network:
    """What `check` writes of a network: where each port leads, and all routes."""

    def __init__(self, folder: Path, *command: str) -> None:
        done("check", *command, "--write-topology", folder / "net.txt", "--write-routes", folder / "routes.txt")
        self.at: dict[int, int] = {}  # switch of each host
        self.behind: dict[tuple[int, int], int] = {}  # of a switch and its port: the switch that it leads to
        for line in (folder / "net.txt").read_text().splitlines():
            kind, *words = line.split()
            if kind == "host":
                self.at[int(words[0])] = int(words[1])
            elif kind == "link":
                a, port_a, b, port_b = map(int, words[:4])
                self.behind |= {(a, port_a): b, (b, port_b): a}
        self.routes: dict[tuple[int, int], list[list[str]]] = {}
        for line in (folder / "routes.txt").read_text().splitlines():
            kind, *words = line.split()
            if kind == "route":
                self.routes.setdefault((int(words[0]), int(words[1])), []).append(words[3:])

    def hops(self, switch: int, route: list[str], share: Fraction) -> Iterator[tuple[tuple[int, int], Fraction]]:
        """The channels between switches that a packet passes, each with its probability."""
        if len(route) == 1:
            return
        first, _, last = route[0].partition("v")[0].partition("@")[0].partition("..")
        ports = range(int(first), int(last or first) + 1)
        for port in ports:
            yield (switch, port), share / len(ports)
            yield from self.hops(self.behind[switch, port], route[1:], share / len(ports))

    def loads(self, pattern: str) -> dict[tuple[int, int], Fraction]:
        """Of each channel between switches, for each flit a node sends."""
        found: dict[tuple[int, int], Fraction] = {}
        for source, destination, share in partners(pattern, len(self.at)):
            ways = self.routes[source, destination]
            for way in ways:
                for channel, part in self.hops(self.at[source], way, share / len(ways)):
                    found[channel] = found.get(channel, Fraction(0)) + part
        return found


@pytest.mark.parametrize(
    ("network", "paths", "pattern", "load"),
    [
        ("mesh", "", "uniform", Fraction(4 * 32, 63)),  # k / 4 of uniform traffic to all, also to oneself
        ("mesh", "", "transpose", 7),  # k - 1
        ("torus", "", "uniform", Fraction(64, 63)),  # k / 8 of the same
        ("torus", "", "transpose", 4),  # k / 2: all that are halfway round come from one side
        ("tree", "", "uniform", Fraction(60, 63)),
        ("tree", "", "transpose", 1),
        ("butterfly", "", "uniform", Fraction(4 * 16, 63)),
        ("dragonfly", "minimal", "uniform", Fraction(4 + 32 + 32, 71)),  # a local cable: its own, to and from gateways
        ("dragonfly", "minimal", "adversarial", 8),  # all of a group by one global cable
        ("dragonfly", "valiant", "adversarial", Fraction(16, 7)),  # by 7 groups, and each is the middle of 7 others
    ],
)
def test_the_busiest_channel_carries_what_theory_says(tmp_path, network, paths, pattern, load):
    settings = ["-s", "switch.virtual_channels=3", *(["-s", f"routing.paths={paths}"] if paths else [])]
    assert max(Network(tmp_path, machine(network), *settings).loads(pattern).values()) == load


HOP, ENDS = 4, 6  # cycles: allocation of a virtual channel and of the switch, traversal, cable; both channels of a node


@pytest.mark.parametrize(
    ("network", "pattern", "hops"),
    [
        ("mesh", "uniform", Fraction(16, 3)),  # 2 (k - 1/k) / 3 * 64/63
        ("mesh", "transpose", 6),
        ("torus", "uniform", Fraction(4 * 64, 63)),
        ("torus", "transpose", Fraction(2 * 16, 7)),
        ("tree", "uniform", Fraction(12 * 2 + 48 * 4, 63)),  # 3, 12 and 48 hosts one, three and five switches away
        ("tree", "transpose", Fraction(8 * 2 + 48 * 4, 56)),
        ("butterfly", "uniform", Fraction(24 * 1 + 36 * 2, 63)),
    ],
)
def test_packets_alone_take_what_the_closed_form_says(tmp_path, network, pattern, hops):
    pairs = [(source, other) for source, other, _ in partners(pattern, 64)]
    packets = "".join(f"{1000 * i} {source} {other} {FLITS}\n" for i, (source, other) in enumerate(pairs))
    settings = ["-s", f"switch.virtual_channels={2 if network == 'torus' else 1}"]
    delivered = replay(tmp_path, machine(network), packets, *settings)
    mean = sum(Fraction(packet.latency) for packet in delivered) / len(pairs)
    assert mean == HOP * hops + ENDS + FLITS - 1


@pytest.mark.parametrize(
    ("pattern", "local", "far"),
    [
        # In both groups, three of four switches are not the gateway.
        ("uniform", Fraction(6 + 64 * 3 // 2, 71), Fraction(64, 71)),
        ("adversarial", Fraction(3, 2), 1),
    ],
)
def test_a_dragonfly_s_packets_alone_take_what_the_closed_form_says(tmp_path, pattern, local, far):
    """Local cables take 9 cycles more than those of a mesh, global ones 99."""
    pairs = [(source, other) for source, other, _ in partners(pattern, 72)]
    packets = "".join(f"{1000 * i} {source} {other} {FLITS}\n" for i, (source, other) in enumerate(pairs))
    delivered = replay(tmp_path, machine("dragonfly"), packets)
    mean = sum(Fraction(packet.latency) for packet in delivered) / len(pairs)
    assert mean == (HOP + 9) * local + (HOP + 99) * far + ENDS + FLITS - 1


def published(simulator: str) -> list[dict[str, str]]:
    lines = (DATA / f"{simulator}.csv").read_text().splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


@pytest.mark.parametrize(
    ("network", "vcs", "bound"), [("mesh", 1, 63 / 128), ("mesh", 4, 63 / 128), ("torus", 2, 63 / 64), ("tree", 1, 1)]
)
def test_latencies_are_those_of_booksim2(network, vcs, bound):
    """At 0.3 of the bound, within 5 %; the study has all loads."""
    settings = ["-s", f"switch.virtual_channels={vcs}", "--bytes", FLITS, "--packets", 20000, "--json", "-"]
    ours = done("traffic", machine(network), "uniform", "--load", 0.3 * bound, *settings).json
    (theirs,) = [
        float(row["latency"])
        for row in published("booksim2")
        if (row["network"], row["pattern"], row["vcs"], row["router"]) == (network, "uniform", str(vcs), "matched")
        and float(row["part"]) == 0.3
    ]
    assert ours["latency_ns"]["mean"] == pytest.approx(theirs, rel=0.05)


def both_ways_round(network: Network, source: int, other: int) -> Iterator[list[str]]:
    """The routes of a pair on the torus, with both directions of each axis along which it goes halfway round a ring."""
    port = {name: network.routes[pair][0][0].partition("v")[0] for name, pair in AXES.items()}
    ways: list[list[str]] = [[]]
    for axis, at, to in (("x", source % 8, other % 8), ("y", source // 8, other // 8)):
        runs = []
        for sign, hops in (("+", (to - at) % 8), ("-", (at - to) % 8)):
            wraps = at + hops > 7 if sign == "+" else at < hops
            if 0 < hops <= 4:
                runs.append([f"{port[axis + sign]}v{int(wraps)}"] * hops)
        ways = [way + run for way in ways for run in runs or [[]]]
    yield from (way + network.routes[source, other][0][-1:] for way in ways)


AXES = {"x+": (0, 1), "x-": (1, 0), "y+": (0, 8), "y-": (8, 0)}


@pytest.mark.parametrize("part", [0.4, 0.6, 0.8])
def test_a_transpose_on_a_torus_that_draws_its_direction_is_booksim2_s(tmp_path, part):
    """Ours fixes the direction of pairs that are halfway round: one of two cables carries 4 flits instead of 3.5."""
    torus = (machine("torus"), "-s", "switch.virtual_channels=2")
    network = Network(tmp_path, *torus)
    lines = [
        f"route {source} {other} {number} {' '.join(way)}"
        for source, other in network.routes
        for number, way in enumerate(both_ways_round(network, source, other))
    ]
    (tmp_path / "drawn.txt").write_text("\n".join(["random", *lines]) + "\n")
    ours = done(
        "traffic", *torus, "transpose", "--routes", tmp_path / "drawn.txt", "--load", part / 4, "--bytes", 8,
        "--packets", 40000, "--json", "-",
    ).json  # fmt: skip
    (theirs,) = [
        float(row["latency"])
        for row in published("booksim2")
        if (row["network"], row["pattern"], row["vcs"], float(row["part"])) == ("torus", "transpose", "2", part)
    ]
    assert ours["latency_ns"]["mean"] == pytest.approx(theirs, rel=0.05)


def test_virtual_channels_that_a_routing_does_not_need_are_shared_by_its_classes(tmp_path):
    """A ring needs two; of four each side of the dateline has two, and the torus accepts more for it."""
    network = Network(tmp_path, machine("torus"), "-s", "switch.virtual_channels=4")
    words = {word for ways in network.routes.values() for way in ways for word in way[:-1]}
    assert {word.partition("v")[2] for word in words} == {"0..1", "2..3"}
    accepted = [
        done(
            "traffic", machine("torus"), "uniform", "-s", f"switch.virtual_channels={vcs}", "--load", 0.7, "--bytes", 8,
            "--packets", 20000, "--json", "-",
        ).json["accepted_per_node_MBps"]
        for vcs in (2, 4)
    ]  # fmt: skip
    assert accepted[1] > 1.1 * accepted[0]


@pytest.mark.parametrize("network", ["torus", "dragonfly"])
def test_shares_of_virtual_channels_stay_free_from_deadlock(network):
    settings = ["-s", "switch.virtual_channels=7", *(["-s", "routing.paths=valiant"] if network == "dragonfly" else [])]
    assert "verdict: deadlock-free" in done("check", machine(network), *settings).out


@pytest.mark.parametrize(("dateline", "changes"), [("packet", False), ("cable", True)])
def test_a_packet_changes_its_virtual_channel_at_the_wrap_cable_or_has_one_for_the_whole_ring(
    tmp_path, dateline, changes
):
    settings = ["-s", "switch.virtual_channels=2", "-s", f"routing.dateline={dateline}"]
    network = Network(tmp_path, machine("torus"), *settings)
    rings = [
        {word.partition("v")[2] for word in way if word.partition("v")[0] == port}
        for (way,) in network.routes.values()
        for port in {word.partition("v")[0] for word in way[:-1]}
    ]
    assert any(len(ring) == 2 for ring in rings) == changes
    assert {vc for ring in rings for vc in ring} == {"0", "1"}
