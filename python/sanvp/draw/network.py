"""The network to be drawn, as `sanvp network --json` tells it."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from .. import program
from .errors import DrawError

HOST, SWITCH = 0, 1
End = tuple[int, int, int]  # HOST or SWITCH, number, port
Unit = tuple[int, int]  # HOST or SWITCH, number


@dataclass(frozen=True)
class Cable:
    """A cable, which is channel 2 * number from `a` to `b` and the next one back."""

    number: int
    a: End
    b: End
    link_class: str
    failed: bool = False


@dataclass(frozen=True)
class Exit:
    """A cable that leaves a part of a network: its end there, and the number of the switch outside."""

    cable: Cable
    near: End
    far: int


@dataclass
class Network:
    """Hosts, switches and cables with their numbers, and what is known of each."""

    machine: str
    summary: str
    family: str
    shape: list[int]
    host_names: list[str]
    switch_names: list[str]
    coordinates: list[list[int]]  #: of switches
    ports: list[int]  #: of switches
    cables: list[Cable]
    failed_switches: frozenset[int]
    hosts_per_node: int = 1
    changes: list[str] = field(default_factory=list)
    json: dict[str, Any] = field(default_factory=dict, repr=False)
    #: Of a part of a network: numbers in the whole, and the cables that leave it, by switch.
    host_numbers: Sequence[int] = ()
    switch_numbers: Sequence[int] = ()
    exits: dict[int, list[Exit]] = field(default_factory=dict)

    @cached_property
    def classes(self) -> list[str]:
        """The classes of cables, in the order of their first cable."""
        return list(dict.fromkeys(cable.link_class for cable in self.cables))

    @cached_property
    def host_cables(self) -> dict[int, Cable]:
        """The cable of each host that has one."""
        return {end[1]: cable for cable in self.cables for end in (cable.a, cable.b) if end[0] == HOST}

    @cached_property
    def switch_of(self) -> dict[int, int]:
        """The switch of each host that has a cable to one."""
        found = {}
        for host, cable in self.host_cables.items():
            other = cable.b if cable.a[:2] == (HOST, host) else cable.a
            if other[0] == SWITCH:
                found[host] = other[1]
        return found

    @cached_property
    def hosts_at(self) -> list[list[int]]:
        """The hosts of each switch."""
        found: list[list[int]] = [[] for _ in self.switch_names]
        for host, switch in sorted(self.switch_of.items()):
            found[switch].append(host)
        return found

    @cached_property
    def between_switches(self) -> list[Cable]:
        """The cables that join two switches."""
        return [cable for cable in self.cables if cable.a[0] == cable.b[0] == SWITCH]

    @cached_property
    def channel_of_name(self) -> dict[str, int]:
        """Channels by the names of `links.csv`, and those inside switches."""
        return {channel["name"]: i for i, channel in enumerate(self.json["channels"])}

    @cached_property
    def last_cable(self) -> int:
        """The largest number of a cable."""
        exits = (one.cable for exits in self.exits.values() for one in exits)
        return max((cable.number for cable in (*self.cables, *exits)), default=0)

    @cached_property
    def cables_at(self) -> list[list[Cable]]:
        """The cables of each switch, to others and to hosts."""
        found: list[list[Cable]] = [[] for _ in self.switch_names]
        for cable in self.cables:
            for end in (cable.a, cable.b):
                if end[0] == SWITCH:
                    found[end[1]].append(cable)
        return found

    def number(self, of: End | Unit) -> int:
        """In the whole network."""
        numbers = self.host_numbers if of[0] == HOST else self.switch_numbers
        return numbers[of[1]] if numbers else of[1]

    def part(self, switches: Sequence[int]) -> Network:
        """Some switches with their hosts, numbered from 0; cables keep their numbers."""
        hosts = [host for switch in switches for host in self.hosts_at[switch]]
        of_switch = {switch: i for i, switch in enumerate(switches)}
        of_host = {host: i for i, host in enumerate(hosts)}
        cables: dict[int, Cable] = {}
        exits: dict[int, list[Exit]] = {}

        def inside(end: End) -> End | None:
            found = (of_host if end[0] == HOST else of_switch).get(end[1])
            return None if found is None else (end[0], found, end[2])

        for switch, i in of_switch.items():
            for cable in self.cables_at[switch]:
                a, b = inside(cable.a), inside(cable.b)
                if a and b:
                    cables[cable.number] = replace(cable, a=a, b=b)
                elif near := a or b:
                    far = cable.b if a else cable.a
                    exits.setdefault(i, []).append(Exit(cable, near, far[1]))
        axes = range(min(len(self.coordinates[s]) for s in switches))
        least = [min(self.coordinates[s][k] for s in switches) for k in axes]
        found = replace(
            self,
            host_names=[self.host_names[host] for host in hosts],
            switch_names=[self.switch_names[switch] for switch in switches],
            coordinates=[[x - low for x, low in zip(self.coordinates[s], least, strict=False)] for s in switches],
            ports=[self.ports[switch] for switch in switches],
            cables=[cables[number] for number in sorted(cables)],
            failed_switches=frozenset(i for s, i in of_switch.items() if s in self.failed_switches),
            host_numbers=hosts,
            switch_numbers=list(switches),
            exits=exits,
        )
        found.classes = self.classes  # so that each has its colour in all pictures
        return found

    def name(self, end: End | Unit) -> str:
        """As messages of the program call it."""
        return (self.host_names if end[0] == HOST else self.switch_names)[end[1]]

    def rules(self, channel: int) -> Mapping[str, Any]:
        """Rate, delay and buffers of a channel."""
        found: Mapping[str, Any] = self.json["rules"][self.json["channels"][channel]["rules"]]
        return found


def _end(of: Mapping[str, int]) -> End:
    return (HOST, of["host"], of["port"]) if "host" in of else (SWITCH, of["switch"], of["port"])


def from_json(content: Mapping[str, Any]) -> Network:
    """A network from the program's JSON."""
    graph = content["graph"]
    failed = set(content["failed_links"])
    names = [host["name"] for host in graph["hosts"]]
    ports = graph.get("host_ports", 1)

    def end(of: Mapping[str, int]) -> End:
        """Each port of a host is drawn as a host: all ports 0 first, as the program numbers NICs."""
        kind, number, port = _end(of)
        return (HOST, port * len(names) + number, 0) if kind == HOST else (kind, number, port)

    cables = [
        Cable(i, end(link["a"]), end(link["b"]), link["class"], i in failed) for i, link in enumerate(graph["links"])
    ]
    return Network(
        machine=content["machine"],
        summary=content["summary"],
        family=graph["family"],
        shape=graph["shape"],
        host_names=names if ports == 1 else [f"{name} port {port}" for port in range(ports) for name in names],
        switch_names=[switch["name"] for switch in graph["switches"]],
        coordinates=[switch["coordinates"] for switch in graph["switches"]],
        ports=[switch["ports"] for switch in graph["switches"]],
        cables=cables,
        failed_switches=frozenset(content["failed_switches"]),
        hosts_per_node=content["hosts_per_node"],
        changes=list(content["changes"]),
        json=dict(content),
    )


def ask(words: Sequence[str], *, statuses: Iterable[int] = (0,)) -> dict[str, Any]:
    """The JSON of a command of the program. Raises DrawError with the program's message."""
    with tempfile.TemporaryDirectory(prefix="sanvp-draw-") as folder:
        file = Path(folder) / "answer.json"
        ended = program.start([str(program.find()), *words, "--json", str(file)])
        if ended.status not in statuses or not file.is_file():
            said = re.search(r"^error: (.*)", ended.errors, re.MULTILINE | re.DOTALL)
            raise DrawError((said[1] if said else ended.errors).strip() or f"sanvp {words[0]} says nothing")
        content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return content


def network_of(machine: str, options: Sequence[str], routes: Sequence[str] = ()) -> Network:
    """The network of a machine. @param options  of the program, such as -s"""
    words = [word for pair in routes for word in ("--route", pair)]
    return from_json(ask(["network", machine, *options, *words]))


def cycle_of(machine: str, options: Sequence[str], network: Network) -> list[int]:
    """The channels of the cycle that `sanvp check` finds; empty if no deadlock is possible."""
    unserved, deadlock = 2, 3
    checked = ask(["check", machine, *options], statuses=(0, unserved, deadlock))
    ways = {}
    for cable in network.cables:
        for i, (source, target) in enumerate(((cable.a, cable.b), (cable.b, cable.a))):
            ways[f"{_described(network, source)} -> {_described(network, target)}"] = 2 * cable.number + i
    found = []
    for step in checked["cycle"]:
        channel = ways.get(re.sub(r", vc \d+$", "", step))
        if channel is not None:
            found.append(channel)
    return found


def _described(network: Network, end: End) -> str:
    """As `check` calls an end of a cable."""
    return network.name(end) if end[0] == HOST else f"{network.name(end)} port {end[2]}"
