"""Runs repeated with other seeds: the statistical spread of a measured value."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import NotMeasuredError, StudyError
from .expressions import Expression, Lookup
from .series import Key, Series, Value, plain

# The 0.975 quantile of Student's t for 1, 2, 3 ... degrees of freedom.
_STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
_STUDENT += (2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093)
MOST_SEEDS = len(_STUDENT) + 1
FEWEST = 2  # values that a spread needs; --quick runs as many


@dataclass(frozen=True)
class Seeds:
    """How a run is repeated: with a number of seeds, or along an axis of seeds."""

    how_many: Expression  # over the run's axes
    axis: str  # "": none
    place: str

    @property
    def is_one(self) -> bool:
        """Whether nothing is repeated."""
        return not self.axis and self.how_many.text == "1"

    def count(self, lookup: Lookup, quick: bool) -> int:
        """The number of seeds at these coordinates."""
        count = self.how_many(lookup)
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MOST_SEEDS:
            raise StudyError(f"{self.place}: must be 1 to {MOST_SEEDS} seeds, or the axis that has them")
        return min(count, FEWEST) if quick else count

    def into(self, command: tuple[str, ...], seed: int) -> tuple[str, ...]:
        """The command with this seed, before the application's arguments (--)."""
        end = command.index("--") if "--" in command else len(command)
        if "--seed" in command[:end]:
            raise StudyError(f"{self.place}: the command has a --seed: name its axis here instead")
        return (*command[:end], "--seed", str(seed), *command[end:])


def read_seeds(value: object, axes: Container[str], place: str) -> Seeds:
    """Reads `seeds`. A run that lacks the named axis is not repeated."""
    axis = value if isinstance(value, str) and value.isidentifier() else ""
    return Seeds(Expression("1" if axis else value, place), axis if axis in axes else "", place)


def half_width(values: Sequence[float]) -> float:
    """Half the width of the mean's 95 % confidence interval, by Student's t."""
    return _STUDENT[len(values) - 2] * statistics.stdev(values) / math.sqrt(len(values))


def values_by_seed(value_of: Callable[[Lookup], Any], by_seed: Iterable[Lookup]) -> list[Any]:
    """The value for each seed alone; seeds without results are left out."""
    found = []
    for lookup in by_seed:
        try:
            found.append(value_of(lookup))
        except (NotMeasuredError, StudyError):
            continue
    return found


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def interval(values: Iterable[Value]) -> Value | None:
    """Half the interval's width of a value over seeds, of series for each cell. None: too few values."""
    cells: dict[Key, list[float]] = {}
    axes: tuple[str, ...] = ()
    for value in values:
        series = value if isinstance(value, Series) else Series((), {(): value})
        axes = axes or series.axes
        for key, cell in series.cells.items():
            if series.axes == axes and _is_number(cell):
                cells.setdefault(key, []).append(float(cell))
    widths = {key: half_width(found) for key, found in cells.items() if len(found) >= FEWEST}
    return plain(Series(axes, widths)) if widths else None
