"""The papers' statements, and whether measured values agree."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import StudyError
from .yaml_file import known, read, text

WITHIN, DEVIATES, HOLDS, FAILS, NOT_RUN = (
    "within tolerance",
    "deviates",
    "shape holds",
    "shape fails",
    "not run",
)
_FIELDS = ("machine", "paper", "ref", "workload", "metric", "unit", "kind", "rel_tol_suggested", "note")
_NUMBER_FIELDS = ("value", "at_least")
_SHAPE_FIELDS = ("claim", "check")
RANGE = 2  # values: the least and the most
_KINDS = ("exact", "approx", "range", "upper bound", "lower bound", "qualitative")


@dataclass(frozen=True)
class Target:
    """One statement of a paper: a number with its tolerance, or a shape."""

    id: str
    kind: str
    paper: Any  # as the file has it: a number, [low, high], {min, max, avg}, {min, max}, text, or the claim of a shape
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

    @property
    def is_spread(self) -> bool:
        """Whether the paper's value is the least and the greatest of some networks, both of which count."""
        return isinstance(self.paper, dict) and "avg" not in self.paper

    def deviation(self, measured: float | Mapping[str, float]) -> float | None:
        """Relative to the paper's value; 0 within its range or bound; the worse of two ends."""
        if isinstance(measured, Mapping):
            each = [_relative(measured[end], self.paper[end]) for end in ("min", "max")]
            return max(each, key=abs) if None not in each else None
        if self.low is not None and measured < self.low:
            reference = self.low
        elif self.high is not None and measured > self.high:
            reference = self.high
        else:
            return 0.0
        return _relative(measured, reference)

    def verdict(self, measured: float | bool | Mapping[str, float]) -> str:
        """The verdict on a measured value, or on whether a shape holds."""
        if self.is_shape:
            return HOLDS if measured else FAILS
        deviation = self.deviation(measured)
        return WITHIN if deviation is not None and abs(deviation) <= self.tolerance + 1e-12 else DEVIATES


def _relative(measured: float, reference: float) -> float | None:
    return (measured - reference) / abs(reference) if reference else None


def _bounds(value: Any, kind: str, at_least: float | None, place: str) -> tuple[float | None, float | None]:
    """The smallest and the largest value that agree exactly."""
    if kind == "qualitative":
        return None, None
    if isinstance(value, dict):
        required, optional = (("avg",), ("min", "max")) if "avg" in value else (("min", "max"), ())
        known(value, f"{place}.value", required, optional)
        for key in value:
            if _number(value, key, f"{place}.value") is None:
                raise StudyError(f"{place}.value.{key}: is empty")
        if "avg" not in value:
            return None, None
        value = value["avg"]
    if isinstance(value, list):
        if len(value) != RANGE or not all(isinstance(end, (int, float)) for end in value):
            raise StudyError(f"{place}.value: must be [LEAST, MOST]")
        return float(value[0]), float(value[1])
    number = re.search(r"-?\d+(\.\d+)?", text(value, f"{place}.value"))
    if not number:
        raise StudyError(f"{place}: no number in value '{value}'")
    bound = float(number[0])
    return (at_least if kind == "upper bound" else bound), (None if kind == "lower bound" else bound)


def _number(entry: dict[str, Any], key: str, place: str) -> float | None:
    value = entry.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float, type(None))):
        raise StudyError(f"{place}.{key}: '{text(value, f'{place}.{key}')}' is not a number")
    return value


def target(identity: str, entry: dict[str, Any], place: str) -> Target:
    """Makes a target of its fields in the file."""
    if entry["kind"] not in _KINDS:
        raise StudyError(f"{place}.kind: '{text(entry['kind'], f'{place}.kind')}' is none of {', '.join(_KINDS)}")
    for key in ("claim",) if entry["kind"] == "qualitative" else ("value",):
        if key not in entry:
            raise StudyError(f"{place}: key '{key}' is missing")
    tolerance = _number(entry, "rel_tol_suggested", place) or 0
    at_least = _number(entry, "at_least", place)
    if at_least is not None and entry["kind"] != "upper bound":
        raise StudyError(f"{place}.at_least: belongs to an upper bound, of which it says how near a value must come")
    low, high = _bounds(entry.get("value"), entry["kind"], at_least, place)
    return Target(
        id=identity,
        kind=entry["kind"],
        paper=text(entry["claim"], f"{place}.claim") if entry["kind"] == "qualitative" else entry["value"],
        low=low,
        high=high,
        tolerance=float(tolerance),
        unit=text(entry.get("unit"), f"{place}.unit"),
        metric=text(entry.get("metric"), f"{place}.metric"),
        reference=text(entry.get("ref"), f"{place}.ref"),
        note=text(entry.get("note"), f"{place}.note"),
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
        found = known(entry, place, ("id", "kind"), (*_FIELDS, *_NUMBER_FIELDS, *_SHAPE_FIELDS))
        if not isinstance(found["id"], str):
            raise StudyError(f"{place}.id: '{found['id']}' must be text")
        if found["id"] in targets:
            raise StudyError(f"{place}: the id {found['id']} occurs twice")
        targets[found["id"]] = target(found["id"], found, f"{path.name}: {found['id']}")
    return targets
