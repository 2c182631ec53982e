"""Collective operations of an OTF2 archive. It has for each rank how many bytes the rank sends and receives in all, so
what passes between two ranks is made of what all of them have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from . import collectives
from .collectives import Group
from .goal import Sequence, Writer

NAMES = {
    name.upper(): name
    for name in (
        "barrier", "bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv", "alltoall",
        "alltoallv", "reduce", "allreduce", "scan", "exscan", "reduce_scatter", "reduce_scatter_block",
    )
} | {"ALLTOALLW": "alltoallv"}  # fmt: skip
_OF_EACH = ("gatherv", "scatterv", "allgatherv", "alltoallv")  # each rank may have another size


@dataclass
class Instance:
    """An operation that all ranks of a communicator have made together."""

    name: str
    members: tuple[int, ...]
    number: int
    root: int  # its place in the communicator
    parts: dict[int, tuple[int, int]] = field(default_factory=dict)  # by rank: bytes sent and received
    communicator: int = 0  # as the GOAL file numbers it

    @property
    def is_whole(self) -> bool:
        """Whether all have made it: the end of a recording may lack some."""
        return len(self.parts) == len(self.members)

    @property
    def has_root(self) -> bool:
        return self.name in ("bcast", "gather", "gatherv", "scatter", "scatterv", "reduce")

    def _most(self, which: int) -> int:
        return max(part[which] for part in self.parts.values())

    @property
    def block(self) -> int:
        """The bytes of one rank's data, where all have as many."""
        sent, received, ranks = self._most(0), self._most(1), len(self.members)
        if self.name in ("bcast", "reduce_scatter_block"):
            return received or sent // ranks
        if self.name in ("allgather", "alltoall"):
            return received // ranks
        if self.name == "scatter":
            return received
        return sent

    def blocks(self) -> list[int]:
        """The bytes of each rank's data: of alltoallv those for one other rank."""
        sent = [self.parts[rank][0] for rank in self.members]
        if self.name == "scatterv":
            return [self.parts[rank][1] for rank in self.members]
        if self.name == "alltoallv":
            return [one // len(self.members) for one in sent]
        if self.name == "allgatherv" and sum(sent) != self._most(1):
            return [self._most(1) // len(self.members)] * len(self.members)
        return sent


def number_communicators(instances: Iterable[Instance], ranks: int, writer: Writer) -> None:
    """Defines those that operations need beside that of all ranks."""
    known = {tuple(range(ranks)): 0}
    for one in instances:
        if one.members not in known:
            known[one.members] = len(known)
            writer.communicator(known[one.members], one.members)
        one.communicator = known[one.members]


def _sizes(word: str, sizes: Iterable[int]) -> str:
    return f" {word} " + " ".join(f"{size}b" for size in sizes)


def statement(one: Instance, me: int) -> str:
    """The operation as a call, in sanvp's GOAL."""
    text = f"collective {one.name}"
    if one.name == "reduce_scatter":
        text += _sizes("gives", [collectives.share(one.block, len(one.members), i) for i in range(len(one.members))])
    elif one.name in _OF_EACH:
        blocks, place = one.blocks(), one.members.index(me)
        is_root = place == one.root
        if one.name == "alltoallv":
            text += _sizes("gives", [blocks[place]]) + _sizes("takes", blocks)
        elif one.name == "scatterv":
            text += (_sizes("gives", blocks) if is_root else "") + _sizes("takes", [blocks[place]])
        else:
            takes = is_root or one.name == "allgatherv"
            text += _sizes("gives", [blocks[place]]) + (_sizes("takes", blocks) if takes else "")
    elif one.name != "barrier":
        text += _sizes("gives", [one.block])
    if one.has_root:
        text += f" root {one.root}"
    return text + (f" comm {one.communicator}" if one.communicator else "")


def play(one: Instance, sequence: Sequence, group: Group) -> None:
    """The operation as messages; those of several sizes as if all had the largest."""
    names = {"bcast": "broadcast", "scan": "allreduce", "exscan": "allreduce", "reduce_scatter_block": "reduce_scatter"}
    size = max(one.blocks()) if one.name in _OF_EACH else one.block
    name = names.get(one.name, one.name.removesuffix("v"))
    if name == "alltoall" or one.name == "reduce_scatter_block":
        size *= group.size
    collectives.play(name, sequence, group, size, one.root if one.has_root else 0)
