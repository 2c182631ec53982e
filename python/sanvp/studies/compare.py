"""`study compare A B`: which parameters differ, and which metrics moved beyond their 95 % intervals.

A and B are two studies, two folders of `--results`, or two result folders of the program (`--out`).
"""

from __future__ import annotations

import csv
import json
import math
import statistics
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .. import commands
from ..errors import SanvpError
from . import texts
from .api import numbers
from .errors import StudyError
from .measurements import Measurements, measurements
from .results import Results
from .seeds import FEWEST, half_width
from .selection import select

# What depends on the computer, on what is recorded, or on nothing but the command.
_NOT_COMPARED = ("cpu_time_s", "events", "seed")
# Metrics for which the program itself gives half of the interval: one run has one, too.
_OWN_WIDTHS = {
    "latency_ns.mean": "latency_half_width_ns",
    "latency_mean_ns": "latency_half_width_ns",
    "accepted_MBps": "accepted_half_width_MBps",
}
_VALUE_OPTIONS = ("-s", "--set")


@dataclass(frozen=True)
class Number:
    """A metric: its mean over seeds, and half of its interval; 0: it is exact."""

    mean: float
    half_width: float = 0


@dataclass
class Side:
    """A or B: parameters and metrics, by point."""

    label: str
    parameters: dict[str, dict[str, str]] = field(default_factory=dict)
    metrics: dict[str, dict[str, Number]] = field(default_factory=dict)


@dataclass(frozen=True)
class Moved:
    """A metric that differs by more than chance."""

    at: str
    metric: str
    a: Number
    b: Number

    @property
    def change(self) -> float | None:
        """Relative to A."""
        return (self.b.mean - self.a.mean) / abs(self.a.mean) if self.a.mean else None


@dataclass
class Comparison:
    """What differs."""

    parameters: list[tuple[str, str, str, str]]  # at, key, value in A, value in B
    moved: list[Moved]
    equal: int = 0
    within: int = 0
    points: int = 0
    only: tuple[int, int] = (0, 0)  # points that A alone has, and B alone

    def json(self) -> dict[str, Any]:
        """All of it, for --json."""
        parameters = [dict(zip(("at", "parameter", "a", "b"), row, strict=True)) for row in self.parameters]
        moved = [{**asdict(one), "change": one.change} for one in self.moved]
        counts = {"points": self.points, "equal": self.equal, "within_intervals": self.within}
        return {
            **counts,
            "only_in_a": self.only[0],
            "only_in_b": self.only[1],
            "parameters": parameters,
            "moved": moved,
        }


def compare(a: Side, b: Side) -> Comparison:
    """Compares the points that both have."""
    both = [at for at in a.metrics if at in b.metrics]
    if not both:
        raise StudyError(f"{a.label} and {b.label} have no point in common that has been run")
    found = Comparison(_differing(a, b, both), [], points=len(both))
    found.only = (len(a.metrics) - len(both), len(b.metrics) - len(both))
    for at in both:
        for metric in (name for name in a.metrics[at] if name in b.metrics[at]):
            before, after = a.metrics[at][metric], b.metrics[at][metric]
            if before.mean == after.mean:
                found.equal += 1
            elif abs(after.mean - before.mean) <= math.hypot(before.half_width, after.half_width):
                found.within += 1
            else:
                found.moved.append(Moved(at, metric, before, after))
    return found


def _differing(a: Side, b: Side, both: list[str]) -> list[tuple[str, str, str, str]]:
    """Parameters that differ; what differs in the same way at all points, or at all of a run, stands once."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for at in both:
        before, after = a.parameters.get(at, {}), b.parameters.get(at, {})
        for key in dict.fromkeys([*before, *after]):
            values = (before.get(key, ""), after.get(key, ""))
            if values[0] != values[1]:
                rows.setdefault((key, *values), []).append(at)
    return [(place, *row) for row, places in rows.items() for place in _together(places, both)]


def _together(places: list[str], every: list[str]) -> list[str]:
    """Names for some of all points: "" for all, a run's name for all of a run's."""
    if len(places) == len(every):
        return [""]
    found: dict[str, None] = {}
    for at in places:
        run = at.partition(", ")[0]
        is_whole = all(one in places for one in every if one.partition(", ")[0] == run)
        found[run if is_whole else at] = None
    return list(found)


def read_side(name: str, studies: Path | None, results: Path | None) -> Side:
    """Reads A or B."""
    folder = Path(name)
    if (folder / "manifest.json").is_file():
        return _of_result_folder(folder)
    if (folder / "cache").is_dir():
        return _of_cache(folder)
    if folder.is_dir():
        raise StudyError(f"{name}: is no result folder: it has neither manifest.json nor cache/")
    selected = select([name], studies, results)
    if len(selected.chosen) != 1:
        raise StudyError(f"{name} are {len(selected.chosen)} studies: name one of them")
    return _of_study(measurements(selected.chosen[0], Results(selected.results)))


def _read_json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise StudyError(f"{file}: is no JSON: {error}") from None


def _of_result_folder(folder: Path) -> Side:
    try:
        return _of_manifest(folder, _read_json(folder / "manifest.json"))
    except (AttributeError, KeyError, TypeError, ValueError, csv.Error) as error:
        raise StudyError(f"{folder}: is no result folder of this program: {error}") from None


def _of_manifest(folder: Path, manifest: Mapping[str, Any]) -> Side:
    side = Side(str(folder))
    own = {key: str(one["value"]) for key, one in manifest.get("parameters", {}).items()}
    versions = {f"version of {name}": str(version) for name, version in manifest.get("versions", {}).items()}
    shared = _of_command(manifest.get("command", [])) | {"seed": str(manifest.get("seed", ""))} | versions | own
    for file, key_of, values_of in (("stats.csv", _nothing, _of_stat), ("latency.csv", _load, _of_load)):
        if (folder / file).is_file():
            with (folder / file).open(encoding="utf-8", newline="") as text:
                for row in csv.DictReader(text):
                    side.metrics.setdefault(key_of(row), {}).update(values_of(row))
    _widen(side)
    side.parameters = dict.fromkeys(side.metrics, shared)
    return side


def _widen(side: Side) -> None:
    """The mean latency in stats.csv is that of the last load, whose interval stands in latency.csv."""
    last = next(reversed(side.metrics), "")
    mean, known = side.metrics.get("the run", {}), side.metrics[last].get("latency_mean_ns") if last else None
    if known and (found := mean.get("network: latency.mean")) and found.mean == known.mean:
        mean["network: latency.mean"] = known


def _nothing(_row: Mapping[str, str]) -> str:
    return "the run"


def _load(row: Mapping[str, str]) -> str:
    return f"load {row['load']}"


def _of_stat(row: Mapping[str, str]) -> dict[str, Number]:
    try:
        return {f"{row['path']}: {row['name']}": Number(float(row["value"]))}
    except ValueError:  # nothing was measured
        return {}


def _of_load(row: Mapping[str, str]) -> dict[str, Number]:
    found = {name: float(text) for name, text in row.items() if _is_number(text) and name != "load"}
    return dict(_with_widths({name: [value] for name, value in found.items()}))


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _with_widths(values: Mapping[str, list[float]]) -> Iterator[tuple[str, Number]]:
    """Means, with the interval over seeds, or the program's own where there is one run."""
    for name, found in values.items():
        if name in _NOT_COMPARED or name in _OWN_WIDTHS.values():
            continue
        if len(found) >= FEWEST:
            yield name, Number(statistics.fmean(found), half_width(found))
        else:
            own = values.get(_OWN_WIDTHS.get(name, ""), [0])
            yield name, Number(found[0], own[0])


def _numbers(metrics: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for name, value in numbers(metrics):
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            yield name, float(value)


def _of_study(measured: Measurements) -> Side:
    side = Side(measured.study.name)
    values: dict[str, dict[str, list[float]]] = {}
    machines: dict[tuple[str, ...], dict[str, str]] = {}
    for point, outcome in measured.outcomes.items():
        axes = measured.study.runs[point.run].axes
        at = ", ".join([point.run, *(f"{axis} {value}" for axis, value in zip(axes, point.coordinates, strict=True))])
        for name, value in _numbers(outcome.metrics):
            values.setdefault(at, {}).setdefault(name, []).append(value)
        if at not in side.parameters:
            side.parameters[at] = _of_command(point.command) | _machine(point.command, point.folder, machines)
    side.metrics = {at: dict(_with_widths(of)) for at, of in values.items()}
    return side


def _of_cache(folder: Path) -> Side:
    """A folder of `--results`: each command is a point, whatever study it belongs to; the latest program counts."""
    side = Side(str(folder))
    newest: dict[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {}
    for file in sorted((folder / "cache").glob("*.json"), key=lambda file: (file.stat().st_mtime_ns, file.name)):
        kept = _read_json(file)
        try:
            newest[" ".join(kept["command"])] = tuple(kept["command"]), kept["metrics"]
        except (KeyError, TypeError):
            raise StudyError(f"{file}: is no result of a study: remove it") from None
    values: dict[str, dict[str, list[float]]] = {}
    for _, (command, metrics) in sorted(newest.items()):  # in an order that does not depend on which run ended first
        at = " ".join(_without_seed(command))
        for name, value in _numbers(metrics):
            values.setdefault(at, {}).setdefault(name, []).append(value)
    side.metrics = {at: dict(_with_widths(of)) for at, of in values.items()}
    return side


def _without_seed(command: tuple[str, ...]) -> list[str]:
    words = list(command)
    if "--seed" in words:
        at = words.index("--seed")
        del words[at : at + 2]
    return words


def _of_command(command: list[str] | tuple[str, ...]) -> dict[str, str]:
    """The words of a command by what they are; its settings and its machine are parameters of their own."""
    words = list(command)
    behind = words[words.index("--") + 1 :] if "--" in words else []
    words = words[: len(words) - len(behind) - bool(behind)]
    found: dict[str, str] = {}
    places = iter(("command", "machine", "app or pattern"))
    while words:
        word = words.pop(0)
        if not word.startswith("-"):
            found[next(places, "argument")] = word
        elif word in ("--out", "--json", "--seed", *_VALUE_OPTIONS):
            del words[:1]  # a setting is compared as the machine's parameter
        else:
            has_value = bool(words) and not words[0].startswith("-")
            value = words.pop(0) if has_value else "yes"
            found[word] = f"{found[word]}; {value}" if word in found else value  # such as several --job
    return found | ({"arguments": " ".join(behind)} if behind else {})


def _machine(command: tuple[str, ...], folder: Path, known: dict[tuple[str, ...], dict[str, str]]) -> dict[str, str]:
    """The parameters of a command's machine."""
    words = command[: command.index("--")] if "--" in command else command
    pairs = [words[i + 1] for i, word in enumerate(words[:-1]) if word in _VALUE_OPTIONS]
    settings = tuple(sorted(pair for pair in pairs if "=" in pair))
    key = (*command[1:2], *settings)
    if key not in known:
        split = dict(pair.split("=", 1) for pair in settings)
        try:
            described = commands.describe(command[1], settings=split, folder=folder).json.get("parameters", [])
            known[key] = split | {one["key"]: str(one["value"]) for one in described}
        except SanvpError:  # settings of a pattern or a program are none of the machine
            known[key] = split
    return known[key]


def text(found: Comparison, a: str, b: str) -> str:
    """The comparison for people."""
    count = found.equal + found.within + len(found.moved)
    differing = len({key for _, key, _, _ in found.parameters})
    summary = (
        f"{_counted(differing, 'parameter differs', 'parameters differ')}; of {_counted(count, 'metric', 'metrics')} "
        f"at {_counted(found.points, 'point', 'points')}, {len(found.moved)} moved, {found.within} are within their "
        f"intervals, {found.equal} are equal"
    )
    parts = [summary]
    for name, alone in zip((a, b), found.only, strict=True):
        parts += [f"{_counted(alone, 'point', 'points')} of {name} without a counterpart"] if alone else []
    parts = ["\n".join(parts) + "\n"]
    if found.parameters:
        rows = [("", "parameter", a, b), *found.parameters]
        parts += ["parameters that differ", _columns(rows)]
    if found.moved:
        rows = [("at", "metric", a, b, "change")]
        for one in found.moved:
            change = "" if one.change is None else f"{100 * one.change:+.3g} %"
            rows.append((one.at, one.metric, _number(one.a), _number(one.b), change))
        parts += ["metrics that moved beyond their intervals", _columns(rows)]
        if not all(one.a.half_width or one.b.half_width for one in found.moved):
            parts += ["Without ±: of one run. Where it draws random numbers, `seeds` in a study give an interval.\n"]
    return "\n".join(parts).removesuffix("\n") + "\n"


def _counted(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"


def _number(number: Number) -> str:
    return texts.number(number.mean, 6) + (f" ± {texts.number(number.half_width, 2)}" if number.half_width else "")


def _columns(rows: list[tuple[str, ...]]) -> str:
    """Rows with aligned columns, without those that are empty."""
    kept = [column for column in zip(*rows, strict=True) if any(column)]
    padded = [[cell.ljust(max(map(len, column))) for cell in column] for column in kept]
    return "".join("  " + "  ".join(row).rstrip() + "\n" for row in zip(*padded, strict=True))
