"""DUMPI's traces as text (SST's `dumpi2ascii`, a file for each rank) to GOAL. What passes between two calls is
computation, and calls of MPI last as long as their messages do on the network that plays the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from .dumpi_calls import Call, calls
from .errors import at
from .goal import Writer
from .process import Process

_MESSAGE = re.compile(r"MPI_(I?)[bsr]?(send|recv)", re.IGNORECASE)
_COMPLETION = re.compile(r"MPI_(?:Wait|Test)(?:all|(any|some))?")
COLLECTIVES = {"MPI_Bcast": "broadcast"} | {
    "MPI_" + name.capitalize(): name
    for name in ("barrier", "reduce", "allreduce", "allgather", "alltoall", "gather", "scatter")
}


class _Player:
    """Turns the calls of one rank into operations."""

    def __init__(self, process: Process, type_bytes: int) -> None:
        self._process = process
        self._type_bytes = type_bytes
        self._requests: dict[int, int] = {}  # DUMPI's number: the operation

    def _message(
        self, call: Call, is_send: bool, count: str = "count", kind: str = "datatype", tag: str = "tag"
    ) -> int:
        partner = call.number("dest" if is_send else "source")
        return self._process.start(call.size(count, kind, self._type_bytes), partner, call.number(tag), is_send=is_send)

    def _completed(self, call: Call, kind: str) -> None:
        """Wait and Test, and those of several requests."""
        if "flag" in call.values and call.number("flag") == 0:
            return
        requests = call.numbers("requests" if "requests" in call.values else "request")
        if kind:
            name = "index" if kind == "any" else "indices"
            requests = [requests[one] for one in call.numbers(name) if one >= 0]
        self._process.sequence.wait(*(self._requests.pop(one) for one in requests if one in self._requests))

    def _collective(self, call: Call) -> None:
        if "WORLD" not in call.values["comm"]:
            raise ValueError(
                f"it is on {call.values['comm']}, and only the ranks of MPI_COMM_WORLD are known: leave it out"
            )
        if (name := COLLECTIVES.get(call.name)) is None:
            raise ValueError(
                "its messages are not known: leave it out, or write what it sends as calls of MPI_Sendrecv"
            )
        counted = ("sendcount", "sendtype") if "sendcount" in call.values else ("count", "datatype")
        size = call.size(*counted, self._type_bytes) if name != "barrier" else 0
        self._process.collective(name, size, call.number("root") if "root" in call.values else 0)

    def play(self, call: Call) -> None:
        sequence = self._process.sequence
        if found := _MESSAGE.fullmatch(call.name):
            is_send = found[2].lower() == "send"
            if "PROC_NULL" in call.values["dest" if is_send else "source"]:
                return
            number = self._message(call, is_send)
            if found[1]:
                self._requests[call.number("request")] = number
            else:
                sequence.wait(number)
        elif call.name == "MPI_Sendrecv":
            received = self._message(call, False, "recvcount", "recvtype", "recvtag")
            sequence.wait(received, self._message(call, True, "sendcount", "sendtype", "sendtag"))
        elif found := _COMPLETION.fullmatch(call.name):
            self._completed(call, found[1])
        elif call.name in COLLECTIVES or ("comm" in call.values and "datatype" in call.values):
            self._collective(call)


def convert(
    files: Sequence[Path], writer_of: Callable[[int], Writer], *, algorithm: str, type_bytes: int, cpu_ratio: float
) -> Writer:
    """Writes the trace. @param cpu_ratio  by which computation becomes longer"""
    writer = writer_of(len(files))
    for me, file in enumerate(files):
        with writer.rank(me) as rank:
            process = Process(rank, me, len(files), algorithm)
            player, before = _Player(process, type_bytes), None
            for call in calls(file):
                process.sequence.calc(max(0, call.start - (call.start if before is None else before)) * cpu_ratio)
                try:
                    player.play(call)
                except KeyError as error:
                    raise at(
                        file, call.line, f"{call.name} has no {error}", "convert it by dumpi2ascii again"
                    ) from None
                except (ValueError, IndexError) as error:
                    raise at(file, call.line, call.name, str(error)) from None
                before = call.end
    return writer
