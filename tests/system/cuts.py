"""Machines of which one cable or switch has failed: which such cuts there are, and what must then be served."""

from __future__ import annotations

import random
from collections import defaultdict

from program import done

# The pairs of hosts that cables join are found here independently of sanvp, from the graph that `check` writes.


def graph_of(machine: str) -> dict:
    """Hosts, switches and numbered links."""
    return done("check", machine, "--json", "-").json["graph"]


def cuts(graph: dict) -> list[str]:
    """Settings, one for each single cut: of a cable between two switches, or of a switch that no host hangs on."""
    between, with_hosts = [], set()
    for number, link in enumerate(graph["links"]):
        ends = (link["a"], link["b"])
        if any("host" in end for end in ends):
            with_hosts |= {end["switch"] for end in ends if "switch" in end}
        else:
            between.append(f"topology.failed_links={number}")
    alone = [n for n in range(len(graph["switches"])) if n not in with_hosts]
    return between + [f"topology.failed_switches={n}" for n in alone]


def some(machine: str, graph: dict, count: int) -> list[str]:
    """Cuts at random, always the same ones."""
    return random.Random(machine).sample(cuts(graph), count)


def joined_pairs(graph: dict, cut: str) -> int:
    """Ordered pairs of hosts with a way of cables and switches between them that the cut leaves."""
    key, number = cut.split("=")
    neighbours = defaultdict(set)
    hosts_at = defaultdict(set)  # a host does not pass on what is for another one
    for index, link in enumerate(graph["links"]):
        ends = (link["a"], link["b"])
        if key == "topology.failed_links" and index == int(number):
            continue
        if key == "topology.failed_switches" and any(end.get("switch") == int(number) for end in ends):
            continue
        (switches, hosts) = (
            [end["switch"] for end in ends if "switch" in end],
            [e["host"] for e in ends if "host" in e],
        )
        if len(switches) == 2:
            neighbours[switches[0]].add(switches[1])
            neighbours[switches[1]].add(switches[0])
        elif len(hosts) == 1:
            hosts_at[switches[0]].add(hosts[0])
    pairs, passed = 0, set()
    for first in list(hosts_at):
        if first in passed:
            continue
        part, ahead = set(), [first]
        while ahead:
            at = ahead.pop()
            if at in passed:
                continue
            passed.add(at)
            part |= hosts_at[at]
            ahead += neighbours[at]
        pairs += len(part) * (len(part) - 1)
    return pairs


def require_served(machine: str, graph: dict, cut: str) -> int:
    """All pairs that are joined are served, and nothing can deadlock; how many pairs that is."""
    result = done("check", machine, "-s", cut, "--json", "-").json
    joined = joined_pairs(graph, cut)
    assert result["pairs"] - result["pairs_unserved"] == joined
    assert result["verdict"] == "deadlock-free"
    return joined


def require_right(machine: str, cut: str, program: str, ranks: int, *options: object) -> None:
    """The program finds its results right."""
    arguments = ("--", *options) if options else ()
    assert "PASS" in done("run", machine, program, "--np", ranks, "-s", cut, *arguments).out
