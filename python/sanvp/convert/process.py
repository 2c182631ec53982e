"""A rank of a program of MPI, as its trace tells of it."""

from __future__ import annotations

from . import collectives
from .collectives import Group
from .goal import ANY, Rank, Sequence

COLLECTIVE_TAG = 1 << 20  # and up; each operation has the next one


class Process:
    """One thing after the other: computation, messages, collective operations of all ranks."""

    def __init__(self, rank: Rank, me: int, ranks: int, algorithm: str) -> None:
        self.sequence = Sequence(rank)
        self.me = me
        self.ranks = ranks
        self._algorithm = algorithm
        self._collectives = 0

    def start(self, size: int, partner: int, tag: int, *, is_send: bool) -> int:
        """Starts a message. @return what `sequence.wait` takes"""
        if partner >= self.ranks or (is_send and partner < 0):
            raise ValueError(f"there is no rank {partner} among {self.ranks}: give the traces of all ranks, in order")
        if is_send:
            return self.sequence.isend(size, partner, tag)
        return self.sequence.ireceive(size, max(partner, ANY), max(tag, ANY))

    def collective(self, name: str, size: int, root: int = 0) -> None:
        """All ranks together. @param size  as in collectives.play, but of alltoall what each rank gets from each"""
        self._collectives += 1
        group = Group(tuple(range(self.ranks)), self.me, COLLECTIVE_TAG + self._collectives, self._algorithm)
        if not 0 <= root < self.ranks:
            raise ValueError(f"the root {root} is none of the {self.ranks} ranks")
        collectives.play(name, self.sequence, group, size * (self.ranks if name == "alltoall" else 1), root)

    def exchange_all(self, sent: list[int], received: list[int]) -> None:
        """Bytes for each rank, and from each."""
        self._collectives += 1
        tag, under_way = COLLECTIVE_TAG + self._collectives, []
        for step in range(1, self.ranks):
            source = (self.me - step) % self.ranks
            under_way.append(self.sequence.ireceive(received[source], source, tag))
        for step in range(1, self.ranks):
            to = (self.me + step) % self.ranks
            under_way.append(self.sequence.isend(sent[to], to, tag))
        self.sequence.wait(*under_way)
