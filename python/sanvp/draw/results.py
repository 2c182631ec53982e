"""Results of runs on the picture: use of channels, waiting times at switches, and what changes over time."""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from .errors import DrawError
from .network import Network, network_of
from .trace import PS_PER_NS, Timeline

_MACHINE_SECTIONS = ("machine", "topology", "routing", "switch", "nic", "link", "host", "fault", "io")
_INTERVALS = 60  # of the slider over a timeline
SHARES = ("use", "owned")  # metrics that are shares of the time; others are in ns
_HEADLINES = ("load", "offered_per_node_MBps", "accepted_per_node_MBps", "latency_mean_ns", "latency_p99_ns", "verdict")


@dataclass(frozen=True)
class Source:
    """A result folder, and how its machine is made."""

    folder: Path
    manifest: dict[str, Any]

    @property
    def machine(self) -> str:
        """Its name, or the path of its file: the word of the command that names a file from which parameters came."""
        files = {one["place"].rpartition(":")[0] for one in self.manifest["parameters"].values()}
        names = files | {Path(file).stem for file in files}
        for word in self.manifest["command"][1:]:
            if word in names:
                return str(word)
        raise DrawError(f"{self.folder} does not say of which machine it is: write sanvp draw MACHINE --results ...")

    @property
    def options(self) -> list[str]:
        """Options that make the same machine."""
        parameters, words = self.manifest["parameters"], self.manifest["command"]
        found = ["--seed", str(self.manifest["seed"])]
        for name, one in parameters.items():
            if one["place"].startswith("-s ") and name.split(".")[0] in _MACHINE_SECTIONS:
                found += ["-s", f"{name}={one['value']}"]
        for option in ("--topology", "--routes", "--part"):
            values = [value for word, value in pairwise(words) if word == option]
            values += [word.removeprefix(f"{option}=") for word in words if word.startswith(f"{option}=")]
            found += [word for value in values for word in (option, value)]
        return found

    def rows(self, name: str) -> list[dict[str, str]]:
        """A table; empty if there is none."""
        file = self.folder / f"{name}.csv"
        if not file.is_file():
            return []
        with file.open(encoding="utf-8", newline="") as text:
            return list(csv.DictReader(text))


def source_of(folder: Path) -> Source:
    """A result folder. Raises DrawError if it is none."""
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        manifest = {}
    if "parameters" not in manifest:
        raise DrawError(
            f"{folder} is no result folder: give one that `sanvp traffic`, `replay` or `run` left with --out"
        )
    return Source(folder, manifest)


def require_same_cables(network: Network, first: Source, other: Source) -> None:
    """Raises DrawError if the network of `other` is not `network`, that of `first`, with the same cables."""
    ends = [(cable.a, cable.b) for cable in network_of(other.machine, other.options).cables]
    if ends != [(cable.a, cable.b) for cable in network.cables]:
        raise DrawError(
            f"{other.folder} is of another network ({other.machine}) than {first.folder} ({first.machine}): "
            "their cables differ, so one picture cannot show both"
        )


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _by_channel(network: Network, source: Source) -> dict[str, dict[str, float]]:
    """Metrics of channels, by name and channel."""
    metrics: dict[str, dict[str, float]] = defaultdict(dict)

    def note(metric: str, name: str, value: float | None) -> None:
        channel = network.channel_of_name.get(name)
        if channel is not None and value is not None:
            metrics[metric][str(channel)] = value

    links = source.rows("links")
    known, found = network.channel_of_name, {row["channel"] for row in links}
    of_cables = {name for name, channel in known.items() if channel < 2 * len(network.cables)}
    if links and (different := (of_cables - found) | (found - known.keys())):
        raise DrawError(
            f"{source.folder} is of another network than {network.machine}: only one of them has a channel "
            f"{min(different)}. Leave out the machine, or give the options of the run"
        )
    for row in links:
        note("use", row["channel"], _number(row["use"]))
        note("owned", row["channel"], _number(row["held"]))
        note("wait for it", row["channel"], _number(row["wait_for_it_ns_mean"]))
    if not metrics:  # of replay
        end = source.manifest.get("sim_time_ns") or 0
        for row in source.rows("stats"):
            if row["name"] == "busy_ns" and end:
                note("use", row["path"], (_number(row["value"]) or 0) / end)
            elif row["name"] == "wait_ns":
                note("wait for it", row["path"], _number(row["value"]))
    ends = {(network.name(cable.a), cable.a[2], network.name(cable.b), cable.b[2]): cable for cable in network.cables}
    for row in source.rows("congestion"):
        key = (row["from"], int(row["from_port"] or 0), row["to"], int(row["to_port"] or 0))
        back = (key[2], key[3], key[0], key[1])
        cable = ends.get(key) or ends.get(back)
        if cable is not None and (value := _number(row["wait_ns_mean"])) is not None:
            metrics["wait at its end"][str(2 * cable.number + (key not in ends))] = value
    return dict(metrics)


def _at_switches(network: Network, source: Source) -> dict[str, float]:
    """The mean wait of headers at each switch, in ns."""
    waits: dict[str, float] = defaultdict(float)
    headers: dict[str, float] = defaultdict(float)
    for row in source.rows("congestion"):
        waits[row["to"]] += _number(row["wait_ns_total"]) or 0
        headers[row["to"]] += _number(row["headers"]) or 0
    numbers = {name: i for i, name in enumerate(network.switch_names)}
    return {str(numbers[name]): waits[name] / headers[name] for name in waits if name in numbers and headers[name]}


def _facts(source: Source) -> list[list[str]]:
    found = [["command", "sanvp " + " ".join(source.manifest["command"])], ["status", str(source.manifest["status"])]]
    latency = source.rows("latency")
    if latency:
        for name in _HEADLINES:
            if text := latency[-1].get(name):
                value = _number(text)
                found.append([name, text if value is None else f"{value:.6g}"])
    return found


def _series(source: Source) -> dict[str, list[float | None]] | None:
    rows = source.rows("series")
    if not rows:
        return None
    names = [name for name in ("from_ns", "offered_MBps", "accepted_MBps", "latency_mean_ns") if name in rows[0]]
    return {name: [_number(row[name]) for row in rows] for name in names}


def results_of(network: Network, sources: Iterable[Source], timeline: Timeline | None) -> dict[str, Any]:
    """What the page shows of result folders, and of a timeline if there is one."""
    sets = []
    for source in sources:
        channels = _by_channel(network, source)
        if not channels:
            raise DrawError(
                f"{source.folder} has nothing of a link of {network.machine}: folders must be of one network"
            )
        sets.append(
            {
                "label": source.folder.name,
                "channels": channels,
                "switches": _at_switches(network, source),
                "facts": _facts(source),
                "series": _series(source),
            }
        )
    return {"sets": sets, "over_time": use_over_time(network, timeline) if timeline else None}


def only(results: Mapping[str, Any], channels: Iterable[int], switches: Iterable[int]) -> dict[str, Any]:
    """What concerns a part of a network."""
    of_channels, of_switches = set(map(str, channels)), set(map(str, switches))

    def within(values: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
        return {name: value for name, value in values.items() if name in names}

    sets = [
        dict(one)
        | {
            "channels": {metric: within(values, of_channels) for metric, values in one["channels"].items()},
            "switches": within(one["switches"], of_switches),
        }
        for one in results["sets"]
    ]
    time = results["over_time"]
    return {"sets": sets, "over_time": time and dict(time) | {"use": within(time["use"], of_channels)}}


def use_over_time(network: Network, timeline: Timeline) -> dict[str, Any]:
    """The use of each channel in intervals: a packet's flits count evenly from its header's start to its tail's end."""
    hops = []
    names = {}
    units = network.json["units"]
    for i, channel in enumerate(network.json["channels"]):
        kind, unit, port = channel["from"]
        names[(units["hosts"] if kind == 0 else units["switches"])[unit], port] = i
    for (board, row), begin, end, name, arguments in timeline.slices:
        port = re.match(r"port (\d+) vc \d+$", row)
        channel = names.get((board, int(port[1]))) if port and name.startswith("packet ") else None
        if channel is not None:
            hops.append((channel, max(begin, arguments["header_start_ps"]), end, arguments["flits"]))
    if not hops:
        raise DrawError("the timeline of --trace has no packets of this network")
    start, stop = min(hop[1] for hop in hops), max(hop[2] for hop in hops)
    step = max(1, (stop - start + _INTERVALS - 1) // _INTERVALS)
    use: dict[int, list[float]] = defaultdict(lambda: [0.0] * _INTERVALS)
    for channel, begin, end, flits in hops:
        busy = flits * PS_PER_NS * network.rules(channel)["flit_ns"]
        length = max(end - begin, 1)
        share = min(1.0, busy / length)
        for i in range((begin - start) // step, min((end - start) // step, _INTERVALS - 1) + 1):
            left, right = start + i * step, start + (i + 1) * step
            use[channel][i] += share * max(0, min(end, right) - max(begin, left)) / step
    return {
        "source": timeline.source,
        "from_ns": start / PS_PER_NS,
        "step_ns": step / PS_PER_NS,
        "use": {
            str(channel): [round(min(value, 1.0), 4) for value in values]  # packets that are spread evenly may overlap
            for channel, values in sorted(use.items())
        },
    }
