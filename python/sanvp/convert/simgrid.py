"""SimGrid's time-independent traces (SMPI replay) to GOAL: a file for each rank, listed in a file, or one for all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from .errors import ConvertError, at
from .goal import Writer
from .process import Process

# Bytes of SimGrid's datatypes by their numbers in traces (src/smpi/mpi/smpi_datatype.cpp): MPI_DOUBLE, MPI_INT,
# MPI_CHAR, MPI_SHORT, MPI_LONG, MPI_FLOAT, MPI_BYTE, MPI_LONG_LONG, signed and unsigned char, unsigned short, int,
# long, long long, long double, wchar, bool.
TYPE_BYTES = (8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1)
DOUBLE, BYTE = 0, 6
NS_PER_S = 1e9
NOTHING = {"finalize", "comm_size", "comm_split", "comm_dup", "location", "test"}
# From an action to the operation, and the places of its datatype, its root and the cost of combining (0: none).
COLLECTIVES = {
    "barrier": ("barrier", 0, 0, 0),
    "bcast": ("broadcast", 2, 1, 0),
    "reduce": ("reduce", 3, 2, 1),
    "allreduce": ("allreduce", 2, 0, 1),
    "alltoall": ("alltoall", 2, 0, 0),
    "allgather": ("allgather", 2, 0, 0),
    "gather": ("gather", 3, 2, 0),
    "scatter": ("scatter", 3, 2, 0),
}


class _Player:
    """Turns the actions of one rank into operations."""

    def __init__(self, process: Process, flops: float) -> None:
        self._process = process
        self._ns_per_flop = NS_PER_S / flops
        self._type = BYTE
        self._under_way: dict[tuple[int, int, int], list[int]] = {}  # (source, destination, tag): operations

    def _unit(self, words: list[str], kind: int) -> int:
        """Bytes of the datatype that is word `kind`, or of the trace's own."""
        number = int(words[kind]) if len(words) > kind else self._type
        if not 0 <= number < len(TYPE_BYTES):
            raise ValueError(f"datatype {number} is none of 0 to {len(TYPE_BYTES) - 1}")
        return TYPE_BYTES[number]

    def _size(self, words: list[str], kind: int) -> int:
        return round(float(words[0])) * self._unit(words, kind)

    def _message(self, action: str, words: list[str]) -> None:
        is_send, partner, tag = action.endswith("send"), int(words[0]), int(words[1])
        number = self._process.start(self._size(words[2:], 1), partner, tag, is_send=is_send)
        if action[0] == "i":
            ends = (self._process.me, partner) if is_send else (partner, self._process.me)
            self._under_way.setdefault((*ends, tag), []).append(number)
        else:
            self._process.sequence.wait(number)

    def _collective(self, action: str, words: list[str]) -> None:
        name, kind, root, combined = COLLECTIVES[action]
        place = int(words[root]) if root and len(words) > root else 0
        self._process.collective(name, self._size(words, kind) if kind else 0, place)
        if combined:
            self._process.sequence.calc(float(words[combined]) * self._ns_per_flop)

    def _vector(self, action: str, words: list[str]) -> None:
        """Counts by rank: `alltoallv` SIZE SENT... SIZE RECEIVED...; `reducescatter` RECEIVED... OPERATIONS."""
        ranks = self._process.ranks
        if action == "alltoallv":
            unit = self._unit(words, 2 * ranks + 2)
            sent, received = words[1 : ranks + 1], words[ranks + 2 : 2 * ranks + 2]
            self._process.exchange_all([int(one) * unit for one in sent], [int(one) * unit for one in received])
        else:
            total = sum(int(one) for one in words[:ranks])
            self._process.collective("reduce_scatter", total * self._unit(words, ranks + 1))
            self._process.sequence.calc(float(words[ranks]) * self._ns_per_flop)

    def play(self, action: str, words: list[str]) -> bool:
        """Adds the operations of an action. @return whether the action is known"""
        if action in ("send", "isend", "recv", "irecv"):
            self._message(action, words)
        elif action in COLLECTIVES:
            self._collective(action, words)
        elif action in ("compute", "sleep"):
            self._process.sequence.calc(float(words[0]) * (NS_PER_S if action == "sleep" else self._ns_per_flop))
        elif action == "wait":
            if found := self._under_way.get((int(words[0]), int(words[1]), int(words[2]))):
                self._process.sequence.wait(found.pop(0))
        elif action == "waitall":
            self._process.sequence.wait(*(one for numbers in self._under_way.values() for one in numbers))
            self._under_way.clear()
        elif action in ("alltoallv", "reducescatter"):
            self._vector(action, words)
        elif action == "init":
            self._type = DOUBLE if words else BYTE
        else:
            return action in NOTHING
        return True


def _actions(path: Path, lines: Iterable[str]) -> Iterator[tuple[int, int, list[str]]]:
    for number, line in enumerate(lines, 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        rank = words[0].removeprefix("p")
        if len(words) < 2 or not rank.isdecimal():
            raise at(path, number, f"no action: {line.strip()!r}", "write RANK ACTION ARGUMENTS, such as 0 compute 1e6")
        yield number, int(rank), words[1:]


def ranks_of(path: Path) -> list[tuple[Path, list[tuple[int, list[str]]] | None]]:
    """Each rank's file; and its actions, with their lines, where one file has all."""
    text = path.read_text(encoding="utf-8").split("\n")
    first = next((line.split() for line in text if line.split()), None)
    if first is None:
        raise ConvertError(f"{path}: is empty: give the file that lists the ranks' traces, or a trace")
    if len(first) == 1:  # the names of files
        return [(path.parent / line.strip(), None) for line in text if line.strip()]
    by_rank: dict[int, list[tuple[int, list[str]]]] = {}
    for number, rank, words in _actions(path, text):
        by_rank.setdefault(rank, []).append((number, words))
    if missing := [rank for rank in range(len(by_rank)) if rank not in by_rank]:
        raise ConvertError(f"{path}: has no action of rank {missing[0]}: give the trace of all ranks")
    return [(path, by_rank[rank]) for rank in range(len(by_rank))]


def convert(path: Path, writer_of: Callable[[int], Writer], *, flops: float, algorithm: str) -> Writer:
    """Writes the trace. @param flops  operations per second, by which `compute` becomes time"""
    files = ranks_of(path)
    writer = writer_of(len(files))
    for me, (file, lines) in enumerate(files):
        with writer.rank(me) as rank:
            player = _Player(Process(rank, me, len(files), algorithm), flops)
            if lines is None:
                with file.open(encoding="utf-8") as trace:
                    lines = [(number, words) for number, _, words in _actions(file, trace)]
            for number, words in lines:
                try:
                    if not player.play(words[0], words[1:]):
                        raise at(file, number, f"the action {words[0]!r} is not known", "leave it out, or spell it out")
                except (ValueError, IndexError, OverflowError) as error:
                    cure = "see SMPI's replay for its arguments"
                    raise at(file, number, f"{' '.join(words)!r}: {error}", cure) from None
    return writer
