"""Collective operations as messages: what one rank of a group sends and receives, by algorithm.

The algorithms are the usual ones (R. Thakur, R. Rabenseifner, W. Gropp: "Optimization of Collective Communication
Operations in MPICH", IJHPCA 19(1), 2005). Combining costs no time of its own unless `combine` says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .goal import Sequence

ALGORITHMS = ("ring", "tree", "direct", "recursive")


@dataclass(frozen=True)
class Group:
    """The ranks of an operation, and this rank's place among them."""

    ranks: tuple[int, ...]
    me: int
    tag: int
    algorithm: str = "ring"
    combine: float = 0  # nanoseconds for each byte that is combined

    @property
    def size(self) -> int:
        return len(self.ranks)

    @property
    def doubles(self) -> bool:
        """Whether recursive halving and doubling apply: for powers of two."""
        return self.algorithm == "recursive" and self.size & (self.size - 1) == 0

    def rank(self, place: int) -> int:
        return self.ranks[place % self.size]


def share(size: int, parts: int, part: int) -> int:
    """The bytes of one of nearly equal parts."""
    return size // parts + (part % parts < size % parts)


def _ring(sequence: Sequence, group: Group, size: int, first: int, combine: float) -> None:
    """Parts of `size` go round: with each step on to the next rank. `first` is the part that this rank begins with."""
    for step in range(group.size - 1):
        received = share(size, group.size, first - step - 1)
        sent = share(size, group.size, first - step)
        sequence.exchange(sent, group.rank(group.me + 1), received, group.rank(group.me - 1), group.tag)
        sequence.calc(received * combine)


def _all_at_once(sequence: Sequence, group: Group, sent: Callable[[int], int], received: Callable[[int], int]) -> None:
    """A message to each other rank, and one from each, the next ranks first."""
    under_way = []
    for step in range(1, group.size):
        source = (group.me - step) % group.size
        under_way.append(sequence.ireceive(received(source), group.rank(source), group.tag))
    for step in range(1, group.size):
        to = (group.me + step) % group.size
        under_way.append(sequence.isend(sent(to), group.rank(to), group.tag))
    sequence.wait(*under_way)


def _halving(sequence: Sequence, group: Group, size: int) -> None:
    distance = group.size // 2
    while distance:
        part = size * distance // group.size
        partner = group.rank(group.me ^ distance)
        sequence.exchange(part, partner, part, partner, group.tag)
        sequence.calc(part * group.combine)
        distance //= 2


def _doubling(sequence: Sequence, group: Group, size: int) -> None:
    distance = 1
    while distance < group.size:
        part = size * distance // group.size
        partner = group.rank(group.me ^ distance)
        sequence.exchange(part, partner, part, partner, group.tag)
        distance *= 2


def reduce_scatter(sequence: Sequence, group: Group, size: int) -> None:
    """Each rank has `size` bytes, and keeps its part of their combination."""
    part = share(size, group.size, group.me)
    if group.algorithm == "direct":
        _all_at_once(sequence, group, lambda to: share(size, group.size, to), lambda _: part)
        sequence.calc(part * (group.size - 1) * group.combine)
    elif group.algorithm == "tree":
        reduce(sequence, group, size, 0)
        scatter(sequence, group, size // group.size, 0)
    elif group.doubles:
        _halving(sequence, group, size)
    else:
        _ring(sequence, group, size, group.me - 1, group.combine)


def allgather(sequence: Sequence, group: Group, part: int) -> None:
    """Each rank has `part` bytes, and receives those of all."""
    if group.algorithm == "direct":
        _all_at_once(sequence, group, lambda _: part, lambda _: part)
    elif group.algorithm == "tree":
        gather(sequence, group, part, 0)
        broadcast(sequence, group, part * group.size, 0)
    elif group.doubles:
        _doubling(sequence, group, part * group.size)
    else:
        _ring(sequence, group, part * group.size, group.me, 0)


def allreduce(sequence: Sequence, group: Group, size: int) -> None:
    """Each rank has `size` bytes, and receives their combination."""
    if group.algorithm == "tree":
        reduce(sequence, group, size, 0)
        broadcast(sequence, group, size, 0)
    elif group.algorithm == "direct":
        reduce_scatter(sequence, group, size)
        part = share(size, group.size, group.me)
        _all_at_once(sequence, group, lambda _: part, lambda source: share(size, group.size, source))
    elif group.doubles:
        _halving(sequence, group, size)
        _doubling(sequence, group, size)
    else:
        _ring(sequence, group, size, group.me, group.combine)
        _ring(sequence, group, size, group.me + 1, 0)


def alltoall(sequence: Sequence, group: Group, size: int) -> None:
    """Each rank has `size` bytes: a part for each rank, its own among them."""
    if group.algorithm == "direct":
        mine = share(size, group.size, group.me)
        _all_at_once(sequence, group, lambda to: share(size, group.size, to), lambda _: mine)
        return
    if group.algorithm in ("tree", "recursive"):  # Bruck's: parts travel together, log2 steps
        part, distance = size // group.size, 1
        while distance < group.size:
            parts = sum(1 for i in range(group.size) if i & distance)
            to, source = group.rank(group.me + distance), group.rank(group.me - distance)
            sequence.exchange(parts * part, to, parts * part, source, group.tag)
            distance *= 2
        return
    for step in range(1, group.size):
        to, source = group.me + step, group.me - step
        sent, received = share(size, group.size, to), share(size, group.size, group.me)
        sequence.exchange(sent, group.rank(to), received, group.rank(source), group.tag)


def _tree(group: Group, root: int) -> tuple[int, list[tuple[int, int]]]:
    """This rank's parent in the binomial tree (-1 for the root), and its children with the size of their subtrees."""
    place = (group.me - root) % group.size
    children, bit = [], 1
    while bit < group.size and not place & bit:
        if place + bit < group.size:
            children.append(((place + bit + root) % group.size, min(bit, group.size - place - bit)))
        bit *= 2
    return (((place & ~bit) + root) % group.size if place else -1), children


def _place(group: Group, root: int) -> tuple[int, list[tuple[int, int]], int]:
    """As _tree, and the size of this rank's own subtree; without a tree all are the root's children."""
    if group.algorithm != "direct":
        parent, children = _tree(group, root)
        return parent, children, 1 + sum(size for _, size in children)
    everyone = [((root + i) % group.size, 1) for i in range(1, group.size)]
    return (-1, everyone, 1) if group.me == root else (root, [], 1)


def broadcast(sequence: Sequence, group: Group, size: int, root: int) -> None:
    """`root` (a place in the group) sends `size` bytes to all."""
    _down(sequence, group, root, lambda _: size)


def scatter(sequence: Sequence, group: Group, part: int, root: int) -> None:
    """`root` sends each its `part` bytes."""
    _down(sequence, group, root, lambda ranks: part * ranks)


def reduce(sequence: Sequence, group: Group, size: int, root: int) -> None:
    """`root` receives the combination of all `size` bytes."""
    _up(sequence, group, root, lambda _: size, group.combine)


def gather(sequence: Sequence, group: Group, part: int, root: int) -> None:
    """`root` receives the `part` bytes of each."""
    _up(sequence, group, root, lambda ranks: part * ranks, 0)


def _down(sequence: Sequence, group: Group, root: int, size: Callable[[int], int]) -> None:
    """From the root; the message for a subtree of so many ranks has size(ranks) bytes."""
    parent, children, own = _place(group, root)
    if parent >= 0:
        sequence.receive(size(own), group.rank(parent), group.tag)
    sequence.wait(*[sequence.isend(size(ranks), group.rank(child), group.tag) for child, ranks in reversed(children)])


def _up(sequence: Sequence, group: Group, root: int, size: Callable[[int], int], combine: float) -> None:
    parent, children, own = _place(group, root)
    for child, ranks in children:
        sequence.receive(size(ranks), group.rank(child), group.tag)
        sequence.calc(size(ranks) * combine)
    if parent >= 0:
        sequence.send(size(own), group.rank(parent), group.tag)


def barrier(sequence: Sequence, group: Group) -> None:
    """Dissemination: after step i each has heard of 2^(i+1) ranks."""
    distance = 1
    while distance < group.size:
        sequence.exchange(0, group.rank(group.me + distance), 0, group.rank(group.me - distance), group.tag)
        distance *= 2


_BY_NAME: dict[str, Callable[[Sequence, Group, int, int], None]] = {
    "barrier": lambda sequence, group, _size, _root: barrier(sequence, group),
    "broadcast": broadcast,
    "reduce": reduce,
    "gather": gather,
    "scatter": scatter,
    "allreduce": lambda sequence, group, size, _root: allreduce(sequence, group, size),
    "allgather": lambda sequence, group, size, _root: allgather(sequence, group, size),
    "alltoall": lambda sequence, group, size, _root: alltoall(sequence, group, size),
    "reduce_scatter": lambda sequence, group, size, _root: reduce_scatter(sequence, group, size),
}


def play(name: str, sequence: Sequence, group: Group, size: int, root: int = 0) -> None:
    """Adds this rank's part of an operation. @param size  bytes of each rank's input; scatter: of each rank's output"""
    if group.size > 1:
        _BY_NAME[name](sequence, group, size, root)
