"""The papers' statements, and whether measured values agree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import StudyError
from .yaml_file import known, read

WITHIN, DEVIATES, HOLDS, FAILS, NOT_RUN = (
    "within tolerance",
    "deviates",
    "shape holds",
    "shape fails",
    "not run",
)
_FIELDS = ("machine", "paper", "ref", "workload", "metric", "value", "unit", "kind", "rel_tol_suggested", "note")
_SHAPE_FIELDS = ("claim", "check")
RANGE = 2  # values: the least and the most
_KINDS = ("exact", "approx", "range", "upper bound", "lower bound", "qualitative")


@dataclass(frozen=True)
class Target:
    """One statement of a paper: a number with its tolerance, or a shape."""

    id: str
    kind: str
    paper: Any  # as the file has it: a number, [low, high], {min, max, avg}, text, or the claim of a shape
    low: float | None
    high: float | None
    tolerance: float
    unit: str
    metric: str
    reference: str
    note: str

    @property
    def is_shape(self) -> bool:
        """Whether the statement is true or false rather than a number."""
        return self.kind == "qualitative"

    def deviation(self, measured: float) -> float | None:
        """Relative to the paper's value; 0 inside its range, or on the right side of its bound."""
        if self.low is not None and measured < self.low:
            reference = self.low
        elif self.high is not None and measured > self.high:
            reference = self.high
        else:
            return 0.0
        return (measured - reference) / abs(reference) if reference else None

    def verdict(self, measured: float | bool) -> str:
        """The verdict on a measured value, or on whether a shape holds."""
        if self.is_shape:
            return HOLDS if measured else FAILS
        deviation = self.deviation(measured)
        return WITHIN if deviation is not None and abs(deviation) <= self.tolerance + 1e-12 else DEVIATES


def _bounds(value: Any, kind: str, place: str) -> tuple[float | None, float | None]:
    """The smallest and the largest value that agree exactly."""
    if kind == "qualitative":
        return None, None
    if isinstance(value, dict):
        value = known(value, f"{place}.value", ("avg",), ("min", "max"))["avg"]
    if isinstance(value, list):
        if len(value) != RANGE or not all(isinstance(end, (int, float)) for end in value):
            raise StudyError(f"{place}.value: must be [LEAST, MOST]")
        return float(value[0]), float(value[1])
    number = re.search(r"-?\d+(\.\d+)?", str(value))
    if not number:
        raise StudyError(f"{place}: no number in value '{value}'")
    bound = float(number[0])
    return (None if kind == "upper bound" else bound), (None if kind == "lower bound" else bound)


def target(identity: str, entry: dict[str, Any], place: str) -> Target:
    """Makes a target of its fields in the file."""
    if entry["kind"] not in _KINDS:
        raise StudyError(f"{place}.kind: '{entry['kind']}' is none of {', '.join(_KINDS)}")
    for key in ("claim",) if entry["kind"] == "qualitative" else ("value",):
        if key not in entry:
            raise StudyError(f"{place}: key '{key}' is missing")
    tolerance = entry.get("rel_tol_suggested") or 0
    if isinstance(tolerance, bool) or not isinstance(tolerance, (int, float)):
        raise StudyError(f"{place}.rel_tol_suggested: '{tolerance}' is not a number")
    low, high = _bounds(entry.get("value"), entry["kind"], place)
    return Target(
        id=identity,
        kind=entry["kind"],
        paper=entry["claim"] if entry["kind"] == "qualitative" else entry["value"],
        low=low,
        high=high,
        tolerance=float(tolerance),
        unit=str(entry.get("unit", "")),
        metric=str(entry.get("metric", "")),
        reference=str(entry.get("ref", "")),
        note=str(entry.get("note", "")),
    )


def read_targets(folder: Path) -> dict[str, Target]:
    """Reads targets.yaml: targets by id, in the file's order. None without that file."""
    path = folder / "targets.yaml"
    targets: dict[str, Target] = {}
    if not path.exists():
        return targets
    listed = known(read(path), path.name, ("targets",), ("meta",))["targets"]
    if not isinstance(listed, list):
        raise StudyError(f"{path.name}: targets: must be a list")
    for number, entry in enumerate(listed):
        place = f"{path.name}: targets[{number}]"
        found = known(entry, place, ("id", "kind"), (*_FIELDS, *_SHAPE_FIELDS))
        if not isinstance(found["id"], str):
            raise StudyError(f"{place}.id: '{found['id']}' must be text")
        if found["id"] in targets:
            raise StudyError(f"{place}: the id {found['id']} occurs twice")
        targets[found["id"]] = target(found["id"], found, f"{path.name}: {found['id']}")
    return targets
