"""What a picture says of a part: names, rate, delay, buffers, and where these values come from."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping
from typing import Any

from .network import HOST, Cable, Network

_LINE = 110  # characters of a line above a picture


def number(value: float) -> str:
    """Without an exponent and without zeros at the end."""
    text = f"{value:.4g}" if abs(value) < 1e4 else f"{value:.0f}"
    return text if "e" not in text else f"{value:f}".rstrip("0").rstrip(".")


def rate(rules: Mapping[str, Any]) -> str:
    """Of a channel."""
    return f"{number(rules['rate_MBps'])} MB/s"


def buffers(rules: Mapping[str, Any]) -> str:
    """The buffer at a channel's far end and its flow control."""
    flow, vcs = rules["flow_control"], rules["virtual_channels"]
    bits = rules["flit_bits"]
    size = f"{bits // 8} B" if bits % 8 == 0 else f"{bits} bit"
    text = f"{flow['buffer_flits']} flit{'s' if flow['buffer_flits'] > 1 else ''} of {size}" + (
        f" on each of {vcs} VCs" if vcs > 1 else ""
    )
    if flow["kind"] == "STOP/GO":
        return f"{text}, STOP above {flow['stop']}, GO below {flow['go']}"
    return f"{text}, credits" + (f" by {flow['batch']}" if flow["batch"] > 1 else "")


def title(network: Network) -> str:
    """The machine and what was changed of it."""
    changed = f" · {', '.join(network.changes)}" if network.changes else ""
    return f"{network.machine}{changed}"


def about(network: Network) -> list[str]:
    """What its file says of the machine, and what was changed, in lines of bounded length."""
    if not network.changes:
        return [network.summary]
    own = any(change.startswith(("topology.", "--topology")) for change in network.changes)
    first = f"{'made from: ' if own else ''}{network.summary}"
    return [first, *textwrap.wrap(f"changed: {', '.join(network.changes)}", _LINE)]


def counts(network: Network) -> str:
    """As `sanvp check` counts."""
    hosts, switches = len(network.host_names), len(network.switch_names)
    failed = sum(cable.failed for cable in network.cables)
    parts = [f"{hosts} hosts", f"{switches} switches", f"{len(network.cables)} cables"]
    if network.hosts_per_node > 1:
        parts.insert(0, f"{hosts // network.hosts_per_node} nodes")
    if failed:
        parts.append(f"{failed} failed")
    if network.failed_switches:
        failed = len(network.failed_switches)
        parts.append(f"{failed} switch{'es' if failed > 1 else ''} failed")
    return ", ".join(parts)


def class_facts(network: Network) -> list[tuple[str, str]]:
    """Each class of cables with how many there are and what they have in common."""
    cables = [*network.cables, *(one.cable for exits in network.exits.values() for one in exits)]
    many = Counter(cable.link_class for cable in cables)
    found = []
    for name in network.classes:
        first = next((cable for cable in cables if cable.link_class == name), None)
        if first is None:
            continue
        rules = network.rules(2 * first.number)
        count = f"{many[name]} cable{'s' if many[name] > 1 else ''}"
        found.append((name, f"{count} · {rate(rules)} · {number(rules['wire_ns'])} ns · {buffers(rules)}"))
    return found


def cable_name(network: Network, cable: Cable) -> str:
    """Both ends by name and port; of a part of a network an end may be outside."""
    graph = network.json["graph"]
    link = graph["links"][cable.number]
    ends = [
        graph["hosts"][end["host"]]["name"] + (f" port {end['port']}" if end["port"] else "")
        if "host" in end
        else f"{graph['switches'][end['switch']]['name']} port {end['port']}"
        for end in (link["a"], link["b"])
    ]
    return f"cable {cable.number}: {ends[0]} to {ends[1]}"


def cable_text(network: Network, cable: Cable) -> str:
    """A cable in a line, for the picture's own tooltips."""
    rules = network.rules(2 * cable.number)
    state = ", failed" if cable.failed else ""
    return f"{cable_name(network, cable)}; {cable.link_class}, {rate(rules)}, {number(rules['wire_ns'])} ns{state}"


def unit_text(network: Network, kind: int, which: int) -> str:
    """A host or a switch in a line."""
    number = network.number((kind, which))
    if kind == HOST:
        node = f", node {number // network.hosts_per_node}" if network.hosts_per_node > 1 else ""
        return f"host {number}{node}"
    state = ", failed" if which in network.failed_switches else ""
    return f"switch {number}: {network.switch_names[which]}, {network.ports[which]} ports{state}"


def sources(network: Network) -> dict[str, list[list[str]]]:
    """For each class of cables and for switches: parameters with value, source and place."""
    found: dict[str, list[list[str]]] = {"switch": []}
    by_key = {one["key"]: one for one in network.json["parameters"]}
    for name in network.classes:
        found[name] = []
        for what in ("rate", "delay"):
            one = by_key.get(f"link.{name}.{what}") or by_key.get(f"link.{what}")
            if one:
                found[name].append([one["key"], one["value"], _source(one)])
    for key, one in by_key.items():
        if key.startswith("switch.") and key.count(".") == 1 and one["value"]:
            found["switch"].append([key, one["value"], _source(one)])
    return found


def _source(one: Mapping[str, str]) -> str:
    place = one["place"].rsplit("/", 1)[-1]
    return one["source"] if one["place"] == "default" else f"{one['source']} ({place})"
