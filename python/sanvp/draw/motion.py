"""Worms as they lay over channels and buffers, from a timeline: what the page's player moves."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .errors import DrawError
from .network import Network
from .trace import PS_PER_NS, Timeline

_PACKET = re.compile(r"packet (\d+) \((\d+) to (\d+)\)$")
_PORT = re.compile(r"port (\d+) vc (\d+)$")
_WAITS = re.compile(r"^  packet (\d+) \(.*?\), which came by .*?, waits for (.*?), held by", re.MULTILINE)
MOST_HOPS = 40_000  # what a browser plays, in a file of some megabytes
MOST_CABLES = 30_000  # on which it plays: each is an element of the picture


@dataclass(frozen=True)
class Part:
    """A part of a network that is drawn alone."""

    name: str
    cables: frozenset[int]
    switches: frozenset[int]
    hosts: frozenset[int]

    def has(self, channel: int) -> bool:
        """Whether it is in the picture."""
        return channel // 2 in self.cables

    def has_inside(self, network: Network, channel: int) -> bool:
        """Whether it is in the picture, or inside one of its switches."""
        is_inner = channel >= 2 * len(network.cables)
        return self.has(channel) or (is_inner and network.json["channels"][channel]["from"][1] in self.switches)


def motion_of(
    network: Network, timeline: Timeline, *, source: str, said: str = "", part: Part | None = None
) -> dict[str, Any]:
    """What the player needs. Times are in ps from `start`.

    @param said  by the program at the end: of a deadlock, for which channel each head waits, which no timeline has
    @param part  that is drawn alone; None: all
    """
    channel_at = {}
    units = network.json["units"]
    for i, channel in enumerate(network.json["channels"]):
        kind, unit, port = channel["from"]
        channel_at[(units["hosts"] if kind == 0 else units["switches"])[unit], port] = i
    hops, activities = [], []
    for track, begin, end, name, arguments in timeline.slices:
        port, packet = _PORT.match(track[1]), _PACKET.match(name)
        if port and packet:
            channel = arguments.get("channel", channel_at.get((track[0], int(port[1]))))
            if channel is None or channel >= len(network.json["channels"]):
                raise DrawError(
                    f"{source} is of another machine than {network.machine}: it has no {track[0]}, {track[1]}"
                )
            hops.append((begin, channel, int(port[2]), packet, end, arguments))
        else:
            activities.append((track, begin, end, name))
    if not hops:
        raise DrawError(f"{source} has no packets: choose a window in which some move (--trace-from, --trace-until)")
    if part is not None:
        hops = _through(hops, part, network)
        if not hops:
            raise DrawError(f"no packet of {source} passes through {part.name}: choose another group or window")
    if len(hops) > MOST_HOPS:
        raise DrawError(
            f"{source} has {len(hops)} hops of packets, more than the {MOST_HOPS} that a page can play: "
            "choose a shorter window (--trace-from, --trace-until)"
        )
    hops.sort(key=lambda hop: (hop[5].get("granted_ps", hop[0]), hop[1], hop[2], int(hop[3][1])))
    start = min(hop[0] for hop in hops)
    stop = max(hop[4] for hop in hops)
    if any(hop[5].get("granted_ps", start) < start for hop in hops):
        # The timeline begins in the middle. What left before it has arrived after the longest delay.
        start = min(stop, start + round(PS_PER_NS * max(one["delay_ns"] for one in network.json["rules"])))
    packets: dict[int, list[int]] = {}
    rows = []
    by_place: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for begin, channel, vc, packet, end, arguments in hops:
        number = int(packet[1])
        packets.setdefault(number, [int(packet[2]), int(packet[3])])
        granted = arguments.get("granted_ps", begin)
        header_start = arguments["header_start_ps"]
        delay = round(PS_PER_NS * network.rules(channel)["delay_ns"])
        arrival = arguments.get("header_arrival_ps", header_start + delay)
        requested = arguments.get("requested_ps", -1)
        by_place[number, channel, vc].append(len(rows))
        rows.append(
            [
                number,
                channel,
                vc,
                granted - start,
                requested - start if requested >= 0 else None,
                header_start - start if header_start >= 0 else None,
                arrival - start if arrival >= 0 and header_start >= 0 else None,
                arguments.get("released_ps", end) - start,
                arguments["flits"],
                arguments.get("strip", 0),
                arguments.get("prepend", 0),
                [],
            ]
        )
    exact = any("channel" in arguments for *_, arguments in hops)
    signals: list[list[Any]] = []
    credits: list[list[int]] = []
    acknowledgements: list[list[int]] = []
    for track, at, name, arguments in timeline.instants:
        port = _PORT.match(track[1])
        if not port or not arguments:
            continue
        if part is not None and name != "flits" and not part.has(arguments.get("channel", -1)):
            continue
        if name == "flits":
            channel = channel_at[track[0], int(port[1])]
            row = _row_at(rows, by_place.get((arguments["packet"], channel, int(port[2])), ()), at - start)
            if row is not None:
                row[-1].append([arguments["flit"], arguments["count"], at - start, arguments["period_ps"]])
        elif name in ("STOP", "GO"):
            signals.append(
                [arguments["channel"], int(port[2]), int(name == "STOP"), at - start, arguments["binds_ps"] - start]
            )
        elif name == "credits" and arguments["channel"] < 2 * len(network.cables):  # not those inside a switch
            delay, count, period = arguments["usable_ps"] - at, arguments["count"], arguments["period_ps"]
            credits.append([arguments["channel"], int(port[2]), arguments["slots"], count, at - start, period, delay])
        elif name == "acknowledgement":
            acknowledgements.append(
                [arguments["packet"], arguments["channel"], at - start, arguments["until_ps"] - start]
            )
    for row in rows:
        row[-1] = [value for run in sorted(row[-1], key=lambda run: run[0]) for value in run]
    return {
        "source": source,
        "start": start,
        "length": stop - start,
        "exact": exact,
        "outside": [i for i, row in enumerate(rows) if part is not None and not part.has_inside(network, row[1])],
        "wants": {
            packet: network.channel_of_name[channel]
            for packet, channel in _WAITS.findall(said)
            if channel in network.channel_of_name
        },
        "packets": {str(number): ends for number, ends in sorted(packets.items())},
        "hops": rows,
        "signals": sorted(signals, key=lambda one: one[3]),
        "acks": sorted(acknowledgements, key=lambda one: one[2]),
        "credits": sorted(credits, key=lambda one: (one[4], one[0], one[1])),
        "channels": {
            str(channel): network.json["channels"][channel]["from"] + network.json["channels"][channel]["to"]
            for channel in sorted({row[1] for row in rows})
        },
        "lead": [round(PS_PER_NS * one["tail_lead_ns"]) for one in network.json["rules"]],
        "delay": [round(PS_PER_NS * one["delay_ns"]) for one in network.json["rules"]],
        "activities": _activities(network, activities, start, stop, part),
    }


def _through(hops: list[Any], part: Part, network: Network) -> list[Any]:
    """The hops in a part, and those before and behind them: a packet that leaves it has not ended there."""
    channels = network.json["channels"]
    passed = {(hop[3][1], *channels[hop[1]][end][:2]) for hop in hops if part.has(hop[1]) for end in ("from", "to")}
    return [
        hop
        for hop in hops
        if part.has(hop[1]) or any((hop[3][1], *channels[hop[1]][end][:2]) in passed for end in ("from", "to"))
    ]


def _row_at(rows: list[list[Any]], candidates: Sequence[int], at: int) -> list[Any] | None:
    """The stay of a packet on a channel that has this instant."""
    for i in candidates:
        if rows[i][3] <= at <= rows[i][7]:
            return rows[i]
    return None


def _activities(network: Network, slices: list[Any], start: int, stop: int, part: Part | None) -> list[list[Any]]:
    """What the units of hosts do: CPU, bus, DMA. Each with its host, row, name, begin and end."""
    found = []
    hosts = {name: i for i, name in enumerate(network.host_names)}
    for track, begin, end, name in slices:
        board, row = track
        host = hosts.get(board)
        if host is None and (node := re.match(r"node (\d+)$", board)):
            host = int(node[1]) * network.hosts_per_node
        if host is None or (part is not None and host not in part.hosts):
            continue
        if host < len(hosts) and end > start and begin < stop and row != "":
            found.append([host, row, name, begin - start, end - start])
    found.sort(key=lambda one: (one[3], one[0], one[1]))
    return found
