"""Traces as plain data, read from either format: `sanvp ... --trace run.json`, and `run.pftrace` by way of protoc."""

from __future__ import annotations

import json
import re
import subprocess
from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from program import PROJECT

SCHEMA = PROJECT / "platform" / "core" / "perfetto.proto"
Track = tuple[str, str]  # the names of a board and of its row


@dataclass
class Timeline:
    """What a trace shows; times in ps."""

    slices: list = field(default_factory=list)  # (track, begin, end, name, arguments), sorted
    instants: list = field(default_factory=list)  # (track, at, name, arguments), sorted
    levels: list = field(default_factory=list)  # (board, name, at, level), sorted
    arrows: list = field(default_factory=list)  # (number, at, track, whether the last), sorted

    def sort(self) -> Timeline:
        for rows in (self.slices, self.instants, self.levels, self.arrows):
            rows.sort()
        return self


def _ps(microseconds: str) -> int:
    return int(Fraction(microseconds) * 10**6)


def _arguments(event: dict) -> tuple:
    return tuple(sorted((name, int(value)) for name, value in event.get("args", {}).items()))


def of_json(text: str) -> Timeline:
    """Of Chrome's format."""
    boards: dict[int, str] = {}
    rows: dict[tuple[int, int], str] = {}
    found = Timeline()
    for event in json.loads(text, parse_float=str, parse_int=int)["traceEvents"]:
        phase, pid, tid = event["ph"], event["pid"], event["tid"]
        if phase == "M":
            if event["name"] == "process_name":
                boards[pid] = event["args"]["name"]
            else:
                rows[pid, tid] = event["args"]["name"]
            continue
        track, at = (boards[pid], rows[pid, tid]), _ps(event["ts"])
        if phase == "X":
            found.slices.append((track, at, at + _ps(event["dur"]), event["name"], _arguments(event)))
        elif phase == "i":
            found.instants.append((track, at, event["name"], _arguments(event)))
        elif phase == "C":
            found.levels.append((boards[pid], event["name"], at, event["args"]["value"]))
        else:
            found.arrows.append((event["id"], at, track, phase == "f"))
    return found.sort()


def decoded(trace: bytes) -> str:
    """The text that protoc makes of it by our schema; a field that the schema lacks would appear as a number."""
    command = ["protoc", f"--proto_path={SCHEMA.parent}", "--decode=sanvp.perfetto.Trace", SCHEMA.name]
    text = subprocess.run(command, input=trace, capture_output=True, check=True).stdout.decode()
    assert not re.search(r"^\s*\d+[:\s]", text, re.MULTILINE), "a field that is not in perfetto.proto"
    return text


def packets(trace: bytes) -> list[dict]:
    """Each packet as a dictionary; each field's values are a list."""
    stack: list[dict] = [defaultdict(list)]
    for line in decoded(trace).splitlines():
        line = line.strip()
        if line == "}":
            stack.pop()
        elif line.endswith("{"):
            inner: dict = defaultdict(list)
            stack[-1][line[:-2]].append(inner)
            stack.append(inner)
        else:
            name, _, value = line.partition(": ")
            stack[-1][name].append(_unquoted(value) if value.startswith('"') else value)
    return stack[0]["packet"]


def _unquoted(text: str) -> str:
    return text[1:-1].encode().decode("unicode_escape").encode("latin-1").decode()


def _names(interned: dict, kind: str) -> dict[str, str]:
    return {one["iid"][0]: one["name"][0] for one in interned[kind]}


def of_perfetto(trace: bytes) -> Timeline:
    """Of Perfetto's format, read as its trace processor does: events in the order of their ns, those of the same ns in
    the order of the file, each row with a stack of open slices, of which the topmost of its name ends.
    """
    boards: dict[str, str] = {}
    rows: dict[str, Track] = {}
    names: dict[str, str] = {}
    keys: dict[str, str] = {}
    events = []  # in a row for each uuid: a unit that does several things at once has several of one name
    for packet in packets(trace):
        assert packet["trusted_packet_sequence_id"] == ["1"]
        for interned in packet["interned_data"]:
            assert packet["sequence_flags"] == ["3"], "names of one block are not those of another"
            names, keys = _names(interned, "event_names"), _names(interned, "debug_annotation_names")
        for track in packet["track_descriptor"]:
            for process in track["process"]:
                boards[track["uuid"][0]] = process["process_name"][0]
            for parent in track["parent_uuid"]:
                rows[track["uuid"][0]] = (boards[parent], track["name"][0])
        for event in packet["track_event"]:
            arguments = tuple(
                sorted((keys[one["name_iid"][0]], int(one["int_value"][0])) for one in event["debug_annotations"])
            )
            ns = int(packet["timestamp"][0])
            ps = 1000 * ns + int((packet["picoseconds"] or ["0"])[0])
            name = names[event["name_iid"][0]] if event["name_iid"] else ""
            events.append((ns, ps, event, name, arguments))
    events.sort(key=lambda event: event[0])  # stable

    found = Timeline()
    open_slices: dict[str, list] = defaultdict(list)
    for _, ps, event, name, arguments in events:
        kind, row = event["type"][0], event["track_uuid"][0]
        track = rows[row]
        if kind == "TYPE_SLICE_BEGIN":
            open_slices[row].append((ps, name, arguments))
        elif kind == "TYPE_SLICE_END":
            stack = open_slices[row]
            topmost = max(i for i, one in enumerate(stack) if one[1] == name)
            begin, _, of_begin = stack.pop(topmost)
            found.slices.append((track, begin, ps, name, of_begin))
        elif kind == "TYPE_COUNTER":
            found.levels.append((*track, ps, int(event["counter_value"][0])))
        elif name != "arrow":
            found.instants.append((track, ps, name, arguments))
        at = ps - 1 if kind == "TYPE_SLICE_END" else ps
        found.arrows += [(int(number), at, track, False) for number in event["flow_ids"]]
        found.arrows += [(int(number), at, track, True) for number in event["terminating_flow_ids"]]
    assert not any(open_slices.values()), "a slice that does not end"
    return found.sort()


def timeline(file: Path) -> Timeline:
    """Of a file of either format, by its name."""
    data = file.read_bytes()
    return of_perfetto(data) if file.suffix in (".pftrace", ".perfetto-trace") else of_json(data.decode())
