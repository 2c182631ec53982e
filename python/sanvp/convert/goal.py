"""Writes GOAL, a rank at a time, so that memory does not grow with the trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO

ANY = -1  # rank or tag of a receive
MOST_LISTED = 2  # predecessors of an operation; one that has more waits for a calc of no time, which waits for them
CARD = 1  # the CPU that messages use where they go on beside computation


class Rank:
    """The operations of one rank. Each call adds one and gives its number."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self.operations = 0

    def add(self, operation: str, after: Iterable[int] = ()) -> int:
        """Adds an operation that starts when those `after` which it comes are over."""
        self.operations += 1
        label = f"l{self.operations}"
        lines = [f"{label}: {operation}\n", *(f"{label} requires l{before}\n" for before in after)]
        self._out.write("".join(lines))
        return self.operations


class Sequence:
    """A program of one rank that does one thing after the other, as a process of MPI does.

    A nonblocking operation starts in its turn, and what follows does not wait for it unless `wait` says so. Several
    sequences of a rank go on side by side.
    """

    def __init__(self, rank: Rank, *, cpu: int = 0, after: Iterable[int] = ()) -> None:
        self._rank = rank
        self._cpu = f" cpu {cpu}" if cpu else ""
        # What the next operation waits for, and how many operations the rank had when that came to be waited for.
        self._last = dict.fromkeys(sorted(set(after)), rank.operations)

    def branch(self, *, cpu: int = 0) -> Sequence:
        """A sequence that starts when this one has come so far."""
        return Sequence(self._rank, cpu=cpu, after=self._last)

    @property
    def last(self) -> tuple[int, ...]:
        """The operations that the next one waits for."""
        return tuple(self._last)

    def _add(self, operation: str) -> int:
        if len(self._last) > MOST_LISTED:
            self._only(self._rank.add("calc 0" + self._cpu, self._last))
        return self._rank.add(operation + self._cpu, self._last)

    def _only(self, *operations: int) -> None:
        self._last = dict.fromkeys(operations, self._rank.operations)

    def calc(self, ns: float) -> None:
        """Computes."""
        if round(ns) > 0:
            self._only(self._add(f"calc {round(ns)}"))

    def operate(self, statement: str) -> None:
        """Takes part in a collective operation; what follows waits for its end. @param statement  sanvp's own"""
        self._only(self._add(statement))

    def isend(self, size: int, to: int, tag: int) -> int:
        """Starts a send. @return what `wait` takes"""
        return self._add(f"send {size}b to {to} tag {tag}")

    def ireceive(self, size: int, source: int, tag: int) -> int:
        """Starts a receive. @return what `wait` takes"""
        return self._add(f"recv {size}b from {source} tag {tag}")

    def wait(self, *operations: int) -> None:
        """What follows waits for these, too."""
        newest = max(operations, default=0)
        kept = {one: since for one, since in self._last.items() if newest <= since}  # else the newest waits for it
        self._last = kept | dict.fromkeys(sorted(set(operations) - kept.keys()), self._rank.operations)

    def send(self, size: int, to: int, tag: int) -> None:
        """Sends; what follows waits for its end."""
        self._only(self.isend(size, to, tag))

    def receive(self, size: int, source: int, tag: int) -> None:
        """Receives; what follows waits for its end."""
        self._only(self.ireceive(size, source, tag))

    def exchange(self, size: int, to: int, received: int, source: int, tag: int) -> None:
        """Sends and receives at the same time; what follows waits for both."""
        sent = self.isend(size, to, tag)
        self._only(sent, self.ireceive(received, source, tag))


class Writer:
    """A GOAL file, whose ranks are written in order."""

    def __init__(self, out: TextIO, ranks: int, origin: str) -> None:
        self._out = out
        self.ranks = ranks
        self.operations = 0
        self.about = ""  # more to say of the program
        out.write(f"// {origin}\nnum_ranks {ranks}\n")

    def communicator(self, number: int, ranks: Iterable[int]) -> None:
        """Defines one for collective operations, in front of all ranks. @param number  from 1 on"""
        self._out.write(f"comm {number} {{ {' '.join(map(str, ranks))} }}\n")

    @contextmanager
    def rank(self, number: int) -> Iterator[Rank]:
        """The block of a rank."""
        self._out.write(f"\nrank {number} {{\n")
        rank = Rank(self._out)
        yield rank
        self.operations += rank.operations
        self._out.write("}\n")
