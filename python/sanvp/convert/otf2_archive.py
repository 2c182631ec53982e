"""OTF2 archives (Score-P, `sanvp run --trace F.otf2`) to GOAL, by Python's otf2. What passes between two calls of MPI
is computation; calls last as long as their messages and collective operations do where the file is played."""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import collectives, otf2_collectives
from .errors import ConvertError
from .goal import Sequence, Writer
from .otf2_collectives import Instance
from .process import COLLECTIVE_TAG

CALLS = "calls"  # --algorithm: collective operations stay calls, for the machine's own MPI
# Calls that wait for no other rank: their time is computation.
_LOCAL = (
    "MPI_Comm_rank", "MPI_Comm_size", "MPI_Wtime", "MPI_Wtick", "MPI_Get_", "MPI_Type_", "MPI_Pack", "MPI_Unpack",
    "MPI_Cart_coords", "MPI_Cart_rank", "MPI_Cart_shift", "MPI_Pcontrol",
)  # fmt: skip
_ACCESSES = ("RmaPut", "RmaGet", "RmaAtomic")
NS_PER_S = 1e9


@dataclass(eq=False)
class Step:
    """Something that a rank does: computes, starts a message, waits for messages, or takes part in an operation."""

    ns: float = 0
    message: tuple[bool, int, int, int] | None = None  # whether it is a send, bytes, partner, tag
    waits_for: list[Step] = field(default_factory=list)
    operation: Instance | None = None
    number: int = 0  # in the GOAL file, of a message


@dataclass(eq=False)
class _Rank:
    """A rank while its events are read."""

    number: int
    steps: list[Step] = field(default_factory=list)
    depth: int = 0  # of regions of MPI
    left: int | None = None  # when it left MPI; None: it has not begun
    begun: int | None = None
    ended: int = 0
    is_local: bool = False
    pending: list[Step] = field(default_factory=list)  # what the call waits for
    requests: dict[int, Step] = field(default_factory=dict)
    made: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))  # operations, by communicator


class _Program:
    """The steps of all ranks."""

    def __init__(self, definitions: Any) -> None:
        self._definitions = definitions
        group = next(
            (one for one in definitions.groups if _name(one.group_type) == "COMM_LOCATIONS" and _is_mpi(one)), None
        )
        if group is None:
            raise ValueError("it has no ranks of MPI: record a program of MPI")
        self._places = {location._ref: rank for rank, location in enumerate(group.members)}
        self.ranks = [_Rank(number) for number in range(len(group.members))]
        self._tags: dict[tuple[int, int], int] = {}
        self._members: dict[int, tuple[int, ...]] = {}
        self.instances: dict[tuple[int, int], Instance] = {}
        self.accesses = 0

    def members(self, comm: Any) -> tuple[int, ...]:
        """The ranks of a communicator, in its order."""
        if comm._ref not in self._members:
            group = getattr(comm, "group", None)
            if group is None:
                raise ValueError("it has messages between two groups (an intercommunicator), which are not known here")
            is_self = _name(group.group_type) == "COMM_SELF"
            self._members[comm._ref] = () if is_self else tuple(self._places[one._ref] for one in group.members)
        return self._members[comm._ref]

    def play(self, location: Any, event: Any) -> None:
        """The next event of a location."""
        rank = self.ranks[self._places[location._ref]] if location._ref in self._places else None
        if rank is None:
            return
        kind = type(event).__name__
        if kind in ("Enter", "Leave"):
            if _is_mpi(event.region):
                (self._enter if kind == "Enter" else self._leave)(rank, event)
        elif kind in _ACCESSES:
            self.accesses += 1
        elif handler := getattr(self, "_on_" + kind, None):
            handler(rank, event)

    def _enter(self, rank: _Rank, event: Any) -> None:
        rank.depth += 1
        if rank.depth > 1:
            return
        name = event.region.name
        rank.is_local = name.startswith(_LOCAL)
        if name == "MPI_Finalize":
            rank.ended = event.time
        if rank.left is not None and not rank.is_local:
            rank.steps.append(Step(ns=event.time - rank.left))

    def _leave(self, rank: _Rank, event: Any) -> None:
        rank.depth -= 1
        if rank.depth > 0:
            return
        if rank.pending:
            rank.steps.append(Step(waits_for=rank.pending))
            rank.pending = []
        if rank.left is None:
            rank.begun = event.time
        if rank.left is None or not rank.is_local:
            rank.left = event.time
        if event.region.name != "MPI_Finalize":
            rank.ended = event.time

    def _tag(self, event: Any) -> int:
        return self._tags.setdefault((event.communicator._ref, event.msg_tag), len(self._tags))

    def _sent(self, rank: _Rank, event: Any) -> Step:
        to = self.members(event.communicator)[event.receiver]
        rank.steps.append(Step(message=(True, event.msg_length, to, self._tag(event))))
        return rank.steps[-1]

    def _received(self, step: Step, event: Any) -> Step:
        source = self.members(event.communicator)[event.sender]
        step.message = (False, event.msg_length, source, self._tag(event))
        return step

    def _on_MpiSend(self, rank: _Rank, event: Any) -> None:  # noqa: N802
        rank.pending.append(self._sent(rank, event))

    def _on_MpiIsend(self, rank: _Rank, event: Any) -> None:  # noqa: N802
        rank.requests[event.request_id] = self._sent(rank, event)

    def _on_MpiIsendComplete(self, rank: _Rank, event: Any) -> None:  # noqa: N802
        if (step := rank.requests.pop(event.request_id, None)) is not None:
            rank.pending.append(step)

    def _on_MpiRecv(self, rank: _Rank, event: Any) -> None:  # noqa: N802
        rank.steps.append(self._received(Step(), event))
        rank.pending.append(rank.steps[-1])

    def _on_MpiIrecvRequest(self, rank: _Rank, event: Any) -> None:  # noqa: N802
        rank.steps.append(Step())  # of which message is known when it is over
        rank.requests[event.request_id] = rank.steps[-1]

    def _on_MpiIrecv(self, rank: _Rank, event: Any) -> None:  # noqa: N802
        if (step := rank.requests.pop(event.request_id, None)) is not None:
            rank.pending.append(self._received(step, event))

    def _on_MpiRequestCancelled(self, rank: _Rank, event: Any) -> None:  # noqa: N802
        if (step := rank.requests.pop(event.request_id, None)) is not None:
            step.message = None

    def _on_NonBlockingCollectiveRequest(self, rank: _Rank, event: Any) -> None:  # noqa: N802
        self._on_MpiIrecvRequest(rank, event)  # all ranks begin operations in the same order

    def _on_NonBlockingCollectiveComplete(self, rank: _Rank, event: Any) -> None:  # noqa: N802
        if (step := rank.requests.pop(event.request_id, None)) is not None:
            step.operation = self._instance(rank, event)

    def _on_MpiCollectiveEnd(self, rank: _Rank, event: Any) -> None:  # noqa: N802
        rank.steps.append(Step(operation=self._instance(rank, event)))

    def _instance(self, rank: _Rank, event: Any) -> Instance | None:
        members = self.members(event.communicator)
        name = otf2_collectives.NAMES.get(_name(event.collective_op))
        if len(members) < 2 or name is None:
            return None
        comm = event.communicator._ref
        number = rank.made[comm]
        rank.made[comm] += 1
        instance = self.instances.setdefault((comm, number), Instance(name, members, len(self.instances), event.root))
        instance.parts[rank.number] = (event.size_sent, event.size_received)
        return instance


def _name(value: Any) -> str:
    """BCAST, of CollectiveOp.BCAST."""
    return str(value).rpartition(".")[2]


def _is_mpi(definition: Any) -> bool:
    return _name(definition.paradigm) == "MPI"


@contextmanager
def _library(path: Path) -> Iterator[Any]:
    """Python's otf2. What its library prints of an archive's mistakes becomes the message of an error."""
    try:
        import _otf2
        import otf2
    except ImportError as error:
        # Debian 13's package does not ask for six, which it imports.
        missing = (error.name or "otf2").lstrip("_")
        raise ConvertError(
            f"{path}: is read by Python's otf2, and {missing} is missing: install it (Debian: python3-{missing})"
        ) from None
    sys.stderr.flush()
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        yield otf2
    except (otf2.error.Error, _otf2.Error, ValueError, LookupError, AttributeError, TypeError) as error:
        raise ConvertError(
            f"{path}: {str(error) or 'is broken'}: give the anchor file of a whole OTF2 archive"
        ) from None
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


def _read(path: Path) -> tuple[_Program, float]:
    """@return the program, and nanoseconds of a tick."""
    with path.open("rb"):
        pass  # it says better what is wrong with the file
    with _library(path) as otf2, otf2.reader.open(str(path)) as trace:
        program = _Program(trace.definitions)
        for location, event in trace.events:
            program.play(location, event)
        return program, NS_PER_S / trace.timer_resolution


def _write(rank: _Rank, me: int, sequence: Sequence, tick_ns: float, ratio: float, algorithm: str) -> None:
    for step in rank.steps:
        if step.message is not None:
            is_send, size, partner, tag = step.message
            start = sequence.isend if is_send else sequence.ireceive
            step.number = start(size, partner, tag)
        elif step.operation is not None and step.operation.is_whole:
            if algorithm == CALLS:
                sequence.operate(otf2_collectives.statement(step.operation, me))
            else:
                group = collectives.Group(
                    step.operation.members,
                    step.operation.members.index(me),
                    COLLECTIVE_TAG + step.operation.number,
                    algorithm,
                )
                otf2_collectives.play(step.operation, sequence, group)
        elif step.waits_for:
            sequence.wait(*(one.number for one in step.waits_for if one.number))
        else:
            sequence.calc(step.ns * tick_ns * ratio)


def convert(path: Path, writer_of: Callable[[int], Writer], *, algorithm: str, cpu_ratio: float) -> Writer:
    """Writes the trace. @param cpu_ratio  by which computation becomes longer"""
    program, tick_ns = _read(path)
    if program.accesses:
        print(f"note: {program.accesses} accesses to memory of other ranks are left out", file=sys.stderr)
    writer = writer_of(len(program.ranks))
    begun = [rank.begun for rank in program.ranks if rank.begun is not None]
    first = min(begun, default=0)
    writer.about = f", {(max((rank.ended for rank in program.ranks), default=0) - first) * tick_ns / 1000:.3f} us"
    if algorithm == CALLS:
        otf2_collectives.number_communicators(program.instances.values(), len(program.ranks), writer)
    for me, rank in enumerate(program.ranks):
        with writer.rank(me) as block:
            sequence = Sequence(block)
            sequence.calc(((rank.begun or first) - first) * tick_ns)
            _write(rank, me, sequence, tick_ns, cpu_ratio, algorithm)
    return writer
