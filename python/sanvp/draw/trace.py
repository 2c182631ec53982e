"""A timeline of --trace as plain data, from each of its formats (docs/traces.md)."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from .errors import DrawError

Track = tuple[str, str]  # a board and its row
PS_PER_NS = 1000
_PS_PER_US = 10**6


@dataclass
class Timeline:
    """Times in ps. @param source  the name of its file"""

    source: str
    slices: list[tuple[Track, int, int, str, dict[str, int]]] = field(default_factory=list)
    instants: list[tuple[Track, int, str, dict[str, int]]] = field(default_factory=list)


def read(file: Path) -> Timeline:
    """A file by its name, as `sanvp --trace` chooses the format."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise DrawError(f"{file}: {error.strerror}") from None
    name = file.name
    try:
        if name.endswith(".gz"):
            data, name = gzip.decompress(data), name.removesuffix(".gz")
        if name.endswith((".pftrace", ".perfetto-trace")):
            return _perfetto(data, file.name)
        return _chrome(data.decode(), file.name)
    except (ValueError, KeyError, IndexError, EOFError, OSError):
        raise DrawError(f"{file} is no timeline of `sanvp --trace`") from None


def _ps(microseconds: str) -> int:
    return int(Fraction(microseconds) * _PS_PER_US)


def _chrome(text: str, source: str) -> Timeline:
    boards: dict[int, str] = {}
    rows: dict[tuple[int, int], str] = {}
    found = Timeline(source)
    for event in json.loads(text, parse_float=str, parse_int=str)["traceEvents"]:
        phase, pid, tid = event["ph"], event["pid"], event["tid"]
        if phase == "M":
            if event["name"] == "process_name":
                boards[pid] = event["args"]["name"]
            else:
                rows[pid, tid] = event["args"]["name"]
            continue
        if phase not in "Xi":
            continue
        arguments = {name: int(value) for name, value in event.get("args", {}).items()}
        track, at = (boards[pid], rows[pid, tid]), _ps(event["ts"])
        if phase == "X":
            found.slices.append((track, at, at + _ps(event["dur"]), event["name"], arguments))
        else:
            found.instants.append((track, at, event["name"], arguments))
    return found


# ---- Perfetto's protobuf: the fields of platform/core/perfetto.proto


def _fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a message: numbers, or bytes."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = varint()
        number, kind = key >> 3, key & 7
        if kind == 0:
            yield number, varint()
        elif kind == 1:
            yield number, int.from_bytes(data[at : at + 8], "little")
            at += 8
        elif kind == 2:
            size = varint()
            yield number, data[at : at + size]
            at += size
        else:
            raise ValueError


def _message(data: bytes) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = defaultdict(list)
    for number, value in _fields(data):
        found[number].append(value)
    return found


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


def _perfetto(data: bytes, source: str) -> Timeline:
    boards: dict[int, str] = {}
    rows: dict[int, Track] = {}
    names: dict[int, str] = {}
    keys: dict[int, str] = {}
    events: list[tuple[int, int, int, int, str, dict[str, int]]] = []
    for number, content in _fields(data):
        if number != 1:
            continue
        packet = _message(content)
        for interned in packet[12]:
            inner = _message(interned)
            names = {m[1][0]: m[2][0].decode() for m in map(_message, inner[2])}
            keys = {m[1][0]: m[2][0].decode() for m in map(_message, inner[3])}
        for described in packet[60]:
            track = _message(described)
            if track[3]:
                boards[track[1][0]] = _message(track[3][0])[6][0].decode()
            elif track[5] and track[2]:
                rows[track[1][0]] = (boards[track[5][0]], track[2][0].decode())
        for content_of_event in packet[11]:
            event = _message(content_of_event)
            arguments = {keys[m[1][0]]: _signed(m[4][0] if m[4] else 0) for m in map(_message, event[4])}
            ns = packet[8][0]
            ps = PS_PER_NS * ns + (packet[2047][0] if packet[2047] else 0)
            name = names[event[10][0]] if event[10] else ""
            events.append((ns, ps, event[9][0] if event[9] else 0, event[11][0], name, arguments))
    events.sort(key=lambda one: one[0])  # stable, as Perfetto reads them
    found = Timeline(source)
    begin, end, instant = 1, 2, 3
    open_slices: dict[int, list[tuple[int, str, dict[str, int]]]] = defaultdict(list)
    for _, ps, kind, uuid, name, arguments in events:
        if kind == begin:
            open_slices[uuid].append((ps, name, arguments))
        elif kind == end:
            stack = open_slices[uuid]
            topmost = max((i for i, one in enumerate(stack) if one[1] == name), default=len(stack) - 1)
            since, _, of_begin = stack.pop(topmost)
            found.slices.append((rows[uuid], since, ps, name, of_begin))
        elif kind == instant and name != "arrow":
            found.instants.append((rows[uuid], ps, name, arguments))
    return found
