"""The calls in DUMPI's traces as text: what `dumpi2ascii` of SST prints of a rank."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .errors import at

_CALL = re.compile(r"(MPI\w+) (entering|returning) at walltime (\d+(?:\.\d+)?),")
_VALUE = re.compile(r"\w+ (\w+)(?:\[[^\]=]*\])*=(.*)")
_NUMBERS = re.compile(r"-?\d+")
NS_PER_S = 10**9
_BYTES = {
    **dict.fromkeys(("CHAR", "SIGNED_CHAR", "UNSIGNED_CHAR", "BYTE", "PACKED", "CHARACTER"), 1),
    **dict.fromkeys(("SHORT", "UNSIGNED_SHORT"), 2),
    **dict.fromkeys(("INT", "UNSIGNED", "FLOAT", "INTEGER", "REAL", "LOGICAL", "WCHAR", "SHORT_INT"), 4),
    **dict.fromkeys(("LONG", "UNSIGNED_LONG", "DOUBLE", "LONG_LONG", "LONG_LONG_INT", "UNSIGNED_LONG_LONG"), 8),
    **dict.fromkeys(("DOUBLE_PRECISION", "COMPLEX", "2INT", "FLOAT_INT", "2INTEGER", "2REAL"), 8),
    **dict.fromkeys(("LONG_DOUBLE", "DOUBLE_COMPLEX", "DOUBLE_INT", "LONG_INT", "2DOUBLE_PRECISION"), 16),
}  # DUMPI's names without MPI_; on 64-bit machines


@dataclass
class Call:
    """A call of MPI with its arguments as text."""

    name: str
    line: int
    start: int  # ns
    end: int = 0
    values: dict[str, str] = field(default_factory=dict)

    def numbers(self, name: str) -> list[int]:
        return [int(one) for one in _NUMBERS.findall(self.values[name].split("(")[0])]

    def number(self, name: str) -> int:
        return self.numbers(name)[0]

    def size(self, count: str, kind: str, other: int) -> int:
        """Bytes of `count` elements. @param other  of a type of the program's own"""
        name = self.values[kind].partition("(")[2].rstrip(") ").removeprefix("MPI_")
        unit = _BYTES.get(name, other)
        if unit == 0:
            raise ValueError(
                f"the size of the datatype {name or self.values[kind]!r} is not known: give --type-bytes N"
            )
        return self.number(count) * unit


def _ns(seconds: str) -> int:
    whole, _, part = seconds.partition(".")
    return int(whole) * NS_PER_S + int(part.ljust(9, "0")[:9] or 0)


def calls(path: Path) -> Iterator[Call]:
    """The calls of a rank. Other lines, such as those of headers, are passed over."""
    call: Call | None = None
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if found := _CALL.match(line):
                name, what, seconds = found.groups()
                if what == "entering":
                    call = Call(name, number, _ns(seconds))
                elif call is None or call.name != name:
                    raise at(path, number, f"{name} returns, but it was not entered", "convert the whole file")
                else:
                    call.end = _ns(seconds)
                    yield call
                    call = None
            elif call is not None and (value := _VALUE.match(line)):
                call.values.setdefault(value[1], value[2].strip())
    if call is not None:
        raise at(path, call.line, f"{call.name} does not return", "convert the whole file")
