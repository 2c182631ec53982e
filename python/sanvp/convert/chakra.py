"""Chakra's execution traces (MLCommons; schema/protobuf/et_def.proto) to GOAL: a file of each rank, a graph of nodes.

Computation has CPU 0 of its rank and messages have CPU 1, as streams of an accelerator go on side by side. Collective
operations become messages by the algorithm that is asked for.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Listed
from dataclasses import dataclass, field
from pathlib import Path

from . import collectives
from .collectives import Group
from .errors import ConvertError
from .goal import CARD, Rank, Sequence, Writer
from .protobuf import fields, messages, number, numbers

COMPUTE, SEND, RECEIVE, COLLECTIVE = 4, 5, 6, 7  # NodeType
OPERATIONS = (  # CollectiveCommType
    "allreduce",
    "reduce",
    "allgather",
    "gather",
    "scatter",
    "broadcast",
    "alltoall",
    "reduce_scatter",
    "reduce_scatter",
    "barrier",
)
COLLECTIVE_TAG = 1 << 20
_NODE = {"id": 1, "name": 2, "type": 3, "ctrl_deps": 4, "data_deps": 5, "duration_micros": 7, "attr": 10}
_FLOATING = {3: "d", 5: "f"}  # of an attribute's value
_TEXT = 29
_WHOLE = (7, 9, 11, 13, 27)  # int32, int64, uint32, uint64, bool
NS_PER_US, NS_PER_S = 1000, 1e9


@dataclass
class Node:
    """A step of a rank."""

    id: int = 0
    name: str = ""
    type: int = 0
    waits_for: set[int] = field(default_factory=set)
    micros: int = 0
    attributes: dict[str, float | str] = field(default_factory=dict)

    def attribute(self, name: str, default: float | None = None) -> int:
        found = self.attributes.get(name, default)
        if found is None:
            raise ValueError(f"has no attribute {name}")
        return int(found)


def _attribute(data: bytes) -> tuple[str, float | str | None]:
    name, value = "", None
    for key, content in fields(data):
        if key == 1 and isinstance(content, bytes):
            name = content.decode()
        elif key in _FLOATING:
            value = number(content, _FLOATING[key])
        elif key in _WHOLE:
            value = number(content)
        elif key == _TEXT and isinstance(content, bytes):
            value = content.decode()
    return name, value


def _node(data: bytes) -> Node:
    node = Node()
    for key, content in fields(data):
        if key in (_NODE["ctrl_deps"], _NODE["data_deps"]):
            node.waits_for.update(numbers(content))
        elif isinstance(content, int):
            if key == _NODE["id"]:
                node.id = content
            elif key == _NODE["type"]:
                node.type = content
            elif key == _NODE["duration_micros"]:
                node.micros = content
        elif key == _NODE["name"]:
            node.name = content.decode()
        elif key == _NODE["attr"]:
            name, value = _attribute(content)
            if value is not None:
                node.attributes[name] = value
    return node


def nodes_of(path: Path) -> dict[int, Node]:
    """The nodes of a rank by their ids. The first message of a file is its metadata."""
    found: dict[int, Node] = {}
    try:
        with path.open("rb") as file:
            for index, data in enumerate(messages(file)):
                if index == 0:
                    for _ in fields(data):
                        pass
                    continue
                node = _node(data)
                if node.id in found:
                    raise ValueError(f"two nodes have the id {node.id}")
                found[node.id] = node
    except (ValueError, UnicodeDecodeError) as error:
        raise ConvertError(f"{path}: {error}: give an execution trace of Chakra, such as trace.0.et") from None
    return found


def _in_order(path: Path, nodes: Mapping[int, Node]) -> list[Node]:
    """Each node after those that it waits for; of several, the lowest id first."""
    left = {one.id: len(one.waits_for) for one in nodes.values()}
    followers: dict[int, list[int]] = {}
    for node in nodes.values():
        for before in node.waits_for:
            if before not in nodes:
                raise ConvertError(f"{path}: node {node.id} waits for node {before}, which is not there: write it, too")
            followers.setdefault(before, []).append(node.id)
    free = [one for one, count in left.items() if count == 0]
    heapq.heapify(free)
    order = []
    while free:
        node = nodes[heapq.heappop(free)]
        order.append(node)
        for after in followers.get(node.id, ()):
            left[after] -= 1
            if left[after] == 0:
                heapq.heappush(free, after)
    if len(order) < len(nodes):
        circle = sorted(one for one, count in left.items() if count)[:5]
        raise ConvertError(
            f"{path}: nodes wait for each other in a circle, {circle} among them: take a dependence away"
        )
    return order


@dataclass
class _Player:
    """Turns the nodes of one rank into operations."""

    rank: Rank
    me: int
    ranks: int
    groups: Mapping[str, Listed[int]]
    flops: float | None
    algorithm: str
    ends: dict[int, tuple[int, ...]] = field(default_factory=dict)  # node: what its followers wait for
    used: dict[tuple[int, ...], int] = field(default_factory=dict)  # group: its collective operations so far

    def play(self, node: Node) -> None:
        before = {one for id in node.waits_for for one in self.ends[id]}
        is_message = node.type in (SEND, RECEIVE, COLLECTIVE)
        sequence = Sequence(self.rank, cpu=CARD if is_message else 0, after=before)
        if node.type == COMPUTE:
            sequence.calc(self._span(node))
        elif is_message:
            size = node.attribute("comm_size", 0 if self._operation(node) == "barrier" else None)
            tag = node.attribute("comm_tag", 0)
            if node.type == COLLECTIVE:
                self._collective(node, sequence, size)
            elif node.type == SEND:
                sequence.send(size, self._partner(node, "comm_dst"), tag)
            else:
                sequence.receive(size, self._partner(node, "comm_src"), tag)
        self.ends[node.id] = sequence.last

    def _span(self, node: Node) -> float:
        if node.micros:
            return node.micros * NS_PER_US
        if "runtime" in node.attributes:
            return node.attribute("runtime") * NS_PER_US
        operations = node.attribute("num_ops", 0)
        if operations and self.flops is None:
            raise ValueError("has a number of operations and no time: give --flops RATE")
        return operations * NS_PER_S / (self.flops or 1)

    def _partner(self, node: Node, name: str) -> int:
        partner = node.attribute(name)
        if not 0 <= partner < self.ranks:
            raise ValueError(f"{name} is {partner}, and there are ranks 0 to {self.ranks - 1}")
        return partner

    def _operation(self, node: Node) -> str:
        if node.type != COLLECTIVE:
            return ""
        kind = node.attribute("comm_type", 0)
        if not 0 <= kind < len(OPERATIONS):
            raise ValueError(f"comm_type is {kind}, and there are 0 to {len(OPERATIONS) - 1}")
        return OPERATIONS[kind]

    def _collective(self, node: Node, sequence: Sequence, size: int) -> None:
        name = str(node.attributes.get("pg_name", ""))
        ranks = tuple(self.groups.get(name, range(self.ranks)))
        if name and name not in self.groups:
            raise ValueError(f"is of the process group {name!r}: give --groups FILE, which says its ranks")
        if self.me not in ranks:
            raise ValueError(f"is of the process group {name!r}, in which rank {self.me} is not")
        self.used[ranks] = self.used.get(ranks, 0) + 1
        group = Group(ranks, ranks.index(self.me), COLLECTIVE_TAG + self.used[ranks], self.algorithm)
        root = node.attribute("root", ranks[0])
        collectives.play(self._operation(node), sequence, group, size, ranks.index(root) if root in ranks else 0)


def convert(
    files: Listed[Path],
    writer_of: Callable[[int], Writer],
    *,
    groups: Mapping[str, Listed[int]],
    flops: float | None,
    algorithm: str,
) -> Writer:
    """Writes the traces of all ranks, in order. @param groups  ranks by the name of a process group"""
    writer = writer_of(len(files))
    for me, file in enumerate(files):
        order = _in_order(file, nodes_of(file))
        with writer.rank(me) as rank:
            player = _Player(rank, me, len(files), groups, flops, algorithm)
            for node in order:
                try:
                    player.play(node)
                except ValueError as error:
                    raise ConvertError(f"{file}: node {node.id} ({node.name}) {error}") from None
    return writer
