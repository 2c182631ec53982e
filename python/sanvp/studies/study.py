"""A study file, read and checked. Its format: scripts/studies/README.md."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import StudyError, one_of
from .expressions import FUNCTIONS, Expression, Template, names_only
from .figure import Figure, read_figure
from .interference import Interference, read_interference
from .point import Point
from .programs import Program, read_programs
from .project import ROOT, STUDIES, shown
from .published import Data, read_data
from .seeds import Seeds, read_seeds
from .series import Scalar
from .targets import Target, read_targets, target
from .traces import Trace, TraceOfRun, read_trace, with_trace
from .yaml_file import known, mapping, read, text

Coordinates = dict[str, Scalar]
_WORD = re.compile(r"(?:\{[^{}]*\}|[^\s{])+")  # spaces within braces do not end a word


@dataclass(frozen=True)
class Table:
    """A CSV file of a run's result folder, and the columns that are a row's coordinates."""

    file: str
    index: Mapping[str, str]  # axis: column


@dataclass(frozen=True)
class Run:
    """A command and the axes that it is swept over."""

    name: str
    place: str
    command: tuple[Template, ...]
    axes: Mapping[str, tuple[Scalar, ...]]
    constants: Coordinates
    quick_axes: Mapping[str, tuple[Scalar, ...]] | None  # None: left out
    quick_constants: Coordinates
    tables: Mapping[str, Table]
    seeds: Seeds
    folder: Path  # where it runs
    trace: TraceOfRun | None = None  # the program, instead of one that the command names
    warm_start: str = ""  # Point.warm_start

    def traces(self, quick: bool) -> Iterator[Trace]:
        """The traces that the study makes for its points."""
        axes = self.quick_axes if quick else self.axes
        constants = self.quick_constants if quick else self.constants
        if self.trace is None or not self.trace.made or axes is None:
            return
        for values in itertools.product(*axes.values()):
            lookup = names_only({**constants, **dict(zip(self.axes, values, strict=True))}, self.place + ".trace")
            words = tuple(word.fill(lookup) for word in self.trace.made)
            yield Trace(self.folder / self.trace.file.fill(lookup), words, self.folder, self.place + ".trace")

    def points(self, quick: bool) -> Iterator[Point]:
        """All combinations of the axes, with each seed."""
        axes = self.quick_axes if quick else self.axes
        constants = self.quick_constants if quick else self.constants
        tables = tuple(table.file for table in self.tables.values())
        for values in itertools.product(*axes.values()) if axes is not None else ():
            at = dict(zip(self.axes, values, strict=True))
            lookup = names_only({**constants, **at}, self.place + ".command")
            command = tuple(part.fill(lookup) for part in self.command)
            if self.trace is not None:
                command = with_trace(command, self.trace.file.fill(lookup), self.place)
            count = self.seeds.count(names_only({**constants, **at}, self.seeds.place), quick)
            if count == 1:
                yield Point(self.name, values, command, tables, at.get(self.seeds.axis), self.folder, self.warm_start)
                continue
            for seed in range(1, count + 1):
                yield Point(
                    self.name, values, self.seeds.into(command, seed), tables, seed, self.folder, self.warm_start
                )


@dataclass(frozen=True)
class Answer:
    """How a target is measured, and why it deviates."""

    target: Target
    at: Coordinates
    measured: Expression | None
    shows: Template | None
    cause: str
    place: str
    is_anchor: bool = False
    fitted: str = ""  # which parameter was set so that the value comes out; "": none
    readings: Mapping[str, Expression] = field(default_factory=dict)  # what else the paper's words may mean


@dataclass
class Study:
    """A study file."""

    name: str
    path: Path
    title: str
    about: str
    folder: Path = ROOT  # where relative paths of commands start
    programs: list[Program] = field(default_factory=list)
    interference: list[Interference] = field(default_factory=list)
    runs: dict[str, Run] = field(default_factory=dict)
    data: dict[str, Data] = field(default_factory=dict)
    values: dict[str, Expression] = field(default_factory=dict)
    answers: list[Answer] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)

    def points(self, quick: bool) -> list[Point]:
        """The points of all runs."""
        return [point for run in self.runs.values() for point in run.points(quick)]

    def traces(self, quick: bool) -> list[Trace]:
        """The traces that must be made before the points can run. Two runs may share one."""
        made: dict[Path, Trace] = {}
        for trace in (trace for run in self.runs.values() for trace in run.traces(quick)):
            if made.setdefault(trace.file, trace).words != trace.words:
                raise StudyError(f"{trace.place}: {shown(trace.file)} is made in two ways: give each a name of its own")
        return list(made.values())

    def coordinates(self) -> dict[str, list[Scalar]]:
        """All values of each axis, including those of quick points and of data."""
        found: dict[str, list[Scalar]] = {}
        for run in self.runs.values():
            for axes in (run.axes, run.quick_axes or {}):
                for axis, values in axes.items():
                    found[axis] = list(dict.fromkeys([*found.get(axis, []), *values]))
        for data in self.data.values():
            for axis in data.index:
                found[axis] = list(dict.fromkeys([*found.get(axis, []), *data.coordinates(axis)]))
        return found

    def axes(self) -> list[str]:
        """All axes, including those of tables."""
        of_tables = (axis for run in self.runs.values() for table in run.tables.values() for axis in table.index)
        return list(dict.fromkeys([*self.coordinates(), *of_tables]))

    def names(self) -> list[str]:
        """What an expression's names may begin with."""
        return [*self.runs, *self.data, *self.values]


def _axes(value: object, place: str) -> tuple[dict[str, tuple[Scalar, ...]], Coordinates]:
    """Splits entries into axes (lists) and constants (single values)."""
    axes: dict[str, tuple[Scalar, ...]] = {}
    constants: Coordinates = {}
    for name, values in mapping(value or {}, place).items():
        if not name.isidentifier():
            raise StudyError(f"{place}: '{name}' cannot name an axis")
        if isinstance(values, list) and values and all(isinstance(one, Scalar) for one in values):
            axes[name] = tuple(values)
        elif isinstance(values, Scalar):
            constants[name] = values
        else:
            raise StudyError(f"{place}.{name}: must be a value or a list of values")
    return axes, constants


def _run(name: str, value: object, place: str, seeds: object, folder: Path) -> Run:
    entry = known(value, place, ("command",), ("axes", "quick", "tables", "seeds", "trace", "warm_start"))
    axes, constants = _axes(entry.get("axes"), f"{place}.axes")
    quick_axes, quick_constants = dict(axes), dict(constants)
    is_left_out = entry.get("quick") == "skip"
    quick = f"{place}.quick"
    changed = {} if is_left_out else known(entry.get("quick") or {}, quick, (), (*axes, *constants))
    for axis, values in changed.items():
        few, fixed = _axes({axis: [values] if axis in axes and isinstance(values, Scalar) else values}, quick)
        if axis in constants and few:
            raise StudyError(f"{quick}.{axis}: must be a single value, as in axes")
        quick_axes.update(few)
        quick_constants.update(fixed)
    tables = {}
    for table, about in mapping(entry.get("tables", {}), f"{place}.tables").items():
        described = known(about, f"{place}.tables.{table}", ("index",), ("file",))
        indices = mapping(described["index"], f"{place}.tables.{table}.index")
        tables[table] = Table(
            text(described.get("file", f"{table}.csv"), f"{place}.tables.{table}.file"),
            {axis: text(column, f"{place}.tables.{table}.index.{axis}") for axis, column in indices.items()},
        )
    words = entry["command"] if isinstance(entry["command"], list) else _WORD.findall(text(entry["command"], place))
    words = [text(word, f"{place}.command") for word in words]
    if not words:
        raise StudyError(f"{place}.command: is empty")
    command = tuple(Template(word, f"{place}.command") for word in words)
    few = None if is_left_out else quick_axes
    repeated = read_seeds(entry.get("seeds", seeds), axes, f"{place}.seeds")
    trace = read_trace(entry["trace"], f"{place}.trace", _WORD.findall) if "trace" in entry else None
    warm_start = text(entry.get("warm_start"), f"{place}.warm_start")
    if warm_start and "--fault" not in " ".join(words):
        raise StudyError(
            f"{place}.warm_start: points that share their first part differ in --fault, which is not there"
        )
    run = Run(name, place, command, axes, constants, few, quick_constants, tables, repeated, folder, trace, warm_start)
    next(run.points(quick=False), None)  # reports an unknown name in the command now
    next(run.traces(quick=False), None)
    return run


_ANSWER = ("measured", "shows", "cause", "fitted", "readings")


def _answers(study: Study, entries: object, known_targets: Mapping[str, Target], place: str) -> Iterator[Answer]:
    """Reads `targets`. Braces in an id stand for coordinates: one answer for each id that exists."""
    coordinates = study.coordinates()
    for key, value in mapping(entries, place).items():
        here = f"{place}.{key}"
        entry = known(value, here, (), _ANSWER)
        pattern = Template(key, here)
        axes = [expression.text for expression in pattern.expressions()]
        for axis in axes:
            if axis not in coordinates:
                raise StudyError(f"{here}: no axis '{axis}': {one_of(axis, coordinates)}")
        combinations = [
            dict(zip(axes, values, strict=True)) for values in itertools.product(*(coordinates[axis] for axis in axes))
        ]
        ids = {pattern.fill(names_only(at, here)): at for at in combinations}
        found = {identity: at for identity, at in ids.items() if identity in known_targets}
        if not found:
            raise StudyError(f"{here}: no such id in targets.yaml: {one_of(next(iter(ids)), known_targets)}")
        for identity, at in found.items():
            yield _answer(known_targets[identity], at, entry, here)


def _anchors(entries: object, place: str) -> Iterator[Answer]:
    """Reads `anchors`: values from elsewhere, given in place."""
    own = ("value", "at_least", "claim", "unit", "kind", "rel_tol_suggested", "ref", "metric", "note")
    for key, value in mapping(entries, place).items():
        here = f"{place}.{key}"
        entry = known(value, here, ("measured", "ref"), (*own, *_ANSWER))
        described = {"kind": "qualitative" if "claim" in entry else "exact", **{k: entry[k] for k in own if k in entry}}
        yield _answer(target(key, described, here), {}, entry, here, is_anchor=True)


def _answer(of: Target, at: Coordinates, entry: dict[str, Any], place: str, is_anchor: bool = False) -> Answer:
    measured = Expression(entry["measured"], f"{place}.measured") if "measured" in entry else None
    shows = Template(entry["shows"], f"{place}.shows", reals=".4g") if "shows" in entry else None
    if measured is None and not entry.get("cause"):
        raise StudyError(f"{place}: needs 'measured', or a 'cause' why it is not measured")
    readings = {
        name: Expression(reading, f"{place}.readings.{name}")
        for name, reading in mapping(entry.get("readings", {}), f"{place}.readings").items()
    }
    cause, fitted = (" ".join(text(entry.get(key), f"{place}.{key}").split()) for key in ("cause", "fitted"))
    return Answer(of, at, measured, shows, cause, place, is_anchor, fitted, readings)


def _expressions(study: Study) -> Iterator[Expression]:
    yield from study.values.values()
    for answer in study.answers:
        yield from [answer.measured] if answer.measured else []
        yield from answer.shows.expressions() if answer.shows else []
        yield from answer.readings.values()
    for figure in study.figures:
        yield from figure.expressions()


def _check_names(study: Study) -> None:
    """Checks that all names and axes exist, so that a typo is reported before anything runs."""
    coordinates, axes = study.coordinates(), study.axes()
    for figure in study.figures:
        figure.check(axes, {name: list(run.tables) for name, run in study.runs.items()})
    for expression in _expressions(study):
        for name in expression.names:
            first, _, rest = name.partition(".")
            if first not in study.names():
                raise StudyError(f"{expression.place}: unknown name '{first}': {one_of(first, study.names())}")
            if first in study.runs and not rest:
                raise StudyError(f"{expression.place}: '{first}' needs a metric, such as {first}.accepted_MBps")
            if first in study.data and not rest:
                raise StudyError(f"{expression.place}: '{first}' needs a column of {shown(study.data[first].file)}")
            if first in study.values and rest:
                raise StudyError(f"{expression.place}: '{first}' is a value of the study, and has no '{rest}'")
        for axis in expression.axes:
            if axis not in axes:
                raise StudyError(f"{expression.place}: no axis '{axis}': {one_of(axis, axes)}")
        for axis, coordinate in expression.selected:
            if axis in coordinates and "*" not in str(coordinate) and coordinate not in coordinates[axis]:
                known_values = ", ".join(map(str, coordinates[axis]))
                raise StudyError(f"{expression.place}: no {axis}={coordinate!r}; {axis} is {known_values}")
    _check_order(study.values)


def _check_order(values: Mapping[str, Expression]) -> None:
    """Checks that no value depends on itself."""
    waiting = {name: [other for other in one.names if other in values] for name, one in values.items()}
    while ready := [name for name, others in waiting.items() if not any(other in waiting for other in others)]:
        for name in ready:
            del waiting[name]
    if waiting:
        name = next(iter(waiting))
        raise StudyError(f"{values[name].place}: depends on itself, by {', '.join(waiting)}")


def _read_runs(study: Study, entry: dict[str, Any], place: str) -> None:
    """Reads `runs` and `interference`."""
    seeds = entry.get("seeds", 1)
    for name, value in mapping(entry.get("runs", {}), f"{place}: runs").items():
        study.runs[name] = _run(name, value, f"{place}: runs.{name}", seeds, study.folder)
    for name, value in mapping(entry.get("interference", {}), f"{place}: interference").items():
        here = f"{place}: interference.{name}"
        if not name.isidentifier():
            raise StudyError(f"{here}: '{name}' cannot name an interference")
        one, runs = read_interference(name, value, here)
        study.interference.append(one)
        for run, described in runs.items():
            if run in study.runs:
                raise StudyError(f"{here}: there is another run '{run}'")
            study.runs[run] = _run(run, described, here, seeds, study.folder)
    if (
        isinstance(axis := entry.get("seeds"), str)
        and axis.isidentifier()
        and axis not in (axes := study.coordinates())
    ):
        raise StudyError(f"{place}: seeds: no axis '{axis}': {one_of(axis, axes)}")


def read_study(path: Path, known_targets: Mapping[str, Target], folder: Path = ROOT) -> Study:
    """Reads a study file. A mistake raises StudyError. @param folder  where its commands run"""
    place = shown(path)
    optional = (
        "title",
        "about",
        "seeds",
        "programs",
        "runs",
        "interference",
        "data",
        "values",
        "targets",
        "anchors",
        "figures",
    )
    entry = known(read(path), place, (), optional)
    title = " ".join(text(entry.get("title"), f"{place}: title").split())
    about = text(entry.get("about"), f"{place}: about").strip()
    study = Study(path.stem, path, title or path.stem.replace("_", " ").replace("-", " "), about, folder)
    study.programs += read_programs(entry.get("programs", {}), folder, f"{place}: programs")
    _read_runs(study, entry, place)
    for name, value in mapping(entry.get("data", {}), f"{place}: data").items():
        if name in study.runs or name in FUNCTIONS:
            raise StudyError(f"{place}: data.{name}: there is another '{name}'")
        study.data[name] = read_data(name, value, f"{place}: data.{name}", path.parent)
    for name, value in mapping(entry.get("values", {}), f"{place}: values").items():
        if not name.isidentifier():
            raise StudyError(f"{place}: values: '{name}' cannot name a value")
        if name in study.runs or name in study.data or name in FUNCTIONS:
            raise StudyError(f"{place}: values.{name}: there is another '{name}'")
        study.values[name] = Expression(value, f"{place}: values.{name}")
    study.answers += _answers(study, entry.get("targets", {}), known_targets, f"{place}: targets")
    study.answers += _anchors(entry.get("anchors", {}), f"{place}: anchors")
    for name, value in mapping(entry.get("figures", {}), f"{place}: figures").items():
        study.figures.append(read_figure(name, value, f"{place}: figures.{name}", known_targets))
    _check_names(study)
    return study


def read_own_study(path: Path) -> tuple[Study, dict[str, Target]]:
    """Reads a study from anywhere, and the targets beside it, if there are any. Its commands run in its folder."""
    path = path.resolve()
    targets = read_targets(path.parent)
    return read_study(path, targets, path.parent), targets


def read_studies(folder: Path = STUDIES) -> tuple[dict[str, Study], dict[str, Target]]:
    """Reads all studies of a folder, by name, and the targets. Two studies must not answer one target."""
    targets = read_targets(folder)
    studies = {path.stem: read_study(path, targets) for path in sorted(folder.glob("*.yaml")) if path.stem != "targets"}
    answered: dict[str, Answer] = {}
    for answer in (answer for study in studies.values() for answer in study.answers):
        if answered.setdefault(answer.target.id, answer) is not answer:
            raise StudyError(f"{answer.place}: {answered[answer.target.id].place} also answers it")
    return studies, targets
