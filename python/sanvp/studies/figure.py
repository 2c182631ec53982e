"""A figure's entry in a study file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import StudyError, one_of
from .expressions import Expression, Template
from .labels import common_label, label_of
from .series import Scalar
from .targets import Target
from .yaml_file import known, mapping, scalars, text

_COMMON = ("kind", "title", "names")
_PLOT = ("x_label", "y_label", "x_scale", "y_scale", "marks")
_FIELDS = {  # kind: (required, optional)
    "lines": (("x", "y"), ("along", "panels", "saturated", *_PLOT)),
    "bars": (("groups", "y"), _PLOT),
    "congestion": (("run", "table", "at"), ("metric",)),
}
MOST_PANEL_AXES = 2
METRICS = {"wait_ns_total": "waiting", "delay_ns_total": "delay since injection"}  # of congestion.csv: what it is
_SCALES = ("linear", "log")


@dataclass(frozen=True)
class Mark:
    """A paper's value in a figure. Braces in its id stand for coordinates; `at` gives the others."""

    target: Template
    at: Mapping[str, Scalar]

    @property
    def is_pattern(self) -> bool:
        """Whether its id has braces."""
        return any(self.target.expressions())


@dataclass(frozen=True)
class Figure:
    """One picture."""

    name: str
    place: str
    kind: str
    title: str
    x: str  # an axis or an expression; of bars the axis of groups
    along: str  # the axis along which a line goes
    names: Mapping[str, str]  # of axes: how labels have a value, which stands for {}
    panels: tuple[str, ...]  # axes with a panel for each value: columns; or rows and columns
    curves: Mapping[str, Expression]  # by label; "" if there is one expression
    saturated: Expression | None  # true where the region past saturation is shaded; needs an x expression
    labels: Mapping[str, str]
    scales: Mapping[str, str]
    marks: tuple[Mark, ...]
    matrix: Mapping[str, Any]  # of a congestion matrix: run, table, at, metric

    def expressions(self) -> Iterator[Expression]:
        """All expressions that it draws."""
        yield from self.curves.values()
        if self.saturated:
            yield self.saturated
        if self.kind == "lines" and self.x != self.along:
            yield self.x_expression()

    def check(self, axes: Sequence[str], tables: Mapping[str, Sequence[str]]) -> None:
        """Checks that all that it names is there. @param tables  of each run"""
        named = [("along" if self.along != self.x else "groups" if self.kind == "bars" else "x", self.along)]
        named = [*named, *(("panels", axis) for axis in self.panels)] if self.kind != "congestion" else []
        named += [("names", axis) for axis in self.names]
        named += [("at", axis) for axis in self.matrix.get("at", {})]
        for key, axis in named:
            if axis not in axes:
                is_name = key != "x" or axis.isidentifier()
                cure = one_of(axis, axes) if is_name else "`along` names the axis of points whose x is an expression"
                raise StudyError(f"{self.place}.{key}: no axis '{axis}': {cure}")
        if self.along in self.panels:
            raise StudyError(f"{self.place}.panels: '{self.along}' is the axis of x")
        for key, among in (("run", tables), ("table", tables.get(self.matrix.get("run", ""), ()))):
            if self.matrix and (name := self.matrix[key]) not in among:
                raise StudyError(f"{self.place}.{key}: no {key} '{name}': {one_of(name, among)}")

    def x_expression(self) -> Expression:
        """The x of a line whose x is measured, too."""
        return Expression(self.x, f"{self.place}.x")


def _mark(value: object, place: str, targets: Mapping[str, Target]) -> Mark:
    entry = known(value, place, ("target",), ("at",))
    mark = Mark(Template(entry["target"], f"{place}.target"), scalars(entry.get("at", {}), f"{place}.at"))
    if not mark.is_pattern and mark.target.text not in targets:
        raise StudyError(f"{place}.target: no id '{mark.target.text}': {one_of(mark.target.text, targets)}")
    return mark


def read_figure(name: str, value: object, place: str, targets: Mapping[str, Target]) -> Figure:
    """Reads a figure's entry."""
    kind = text(mapping(value, place).get("kind", "lines"), f"{place}.kind")
    if kind not in _FIELDS:
        raise StudyError(f"{place}.kind: '{kind}': {one_of(kind, _FIELDS)}")
    required, optional = _FIELDS[kind]
    entry = known(value, place, required, (*_COMMON, *optional))
    curves = entry.get("y", {})
    if isinstance(curves, list):
        curves = {label_of(text(one, f"{place}.y")): one for one in curves}
    if not isinstance(curves, dict):
        curves = {"": curves}
    if not curves and kind != "congestion":
        raise StudyError(f"{place}.y: needs an expression at least")
    scales = {axis: text(entry.get(f"{axis}_scale", "linear"), f"{place}.{axis}_scale") for axis in ("x", "y")}
    for axis, scale in scales.items():
        if scale not in _SCALES:
            raise StudyError(f"{place}.{axis}_scale: '{scale}': {one_of(scale, _SCALES)}")
    marks = entry.get("marks", [])
    if not isinstance(marks, list):
        raise StudyError(f"{place}.marks: must be a list")
    if kind == "congestion":
        scalars(entry["at"], f"{place}.at")
        names = {key: text(entry.get(key), f"{place}.{key}") for key in ("run", "table", "metric")}
        entry |= {**names, "metric": names["metric"] or "wait_ns_total"}
        if entry["metric"] not in METRICS:
            raise StudyError(f"{place}.metric: '{entry['metric']}': {one_of(entry['metric'], METRICS)}")
    x = text(entry.get("x", entry.get("groups")), f"{place}.x")
    panels = entry.get("panels", [])
    panels = [panels] if isinstance(panels, str) else panels
    if not isinstance(panels, list) or len(panels) > MOST_PANEL_AXES:
        raise StudyError(f"{place}.panels: must be an axis, or a list of two: rows and columns")
    return Figure(
        name=name,
        place=place,
        kind=kind,
        title=" ".join(text(entry.get("title", name.replace("_", " ")), f"{place}.title").split()),
        x=x,
        along=text(entry.get("along", x), f"{place}.along"),
        names={axis: str(name) for axis, name in scalars(entry.get("names", {}), f"{place}.names").items()},
        panels=tuple(text(axis, f"{place}.panels") for axis in panels),
        curves={str(label): Expression(one, f"{place}.y") for label, one in curves.items()},
        saturated=Expression(entry["saturated"], f"{place}.saturated") if "saturated" in entry else None,
        labels={
            "x": text(entry.get("x_label", label_of(x) if kind == "lines" else ""), f"{place}.x_label"),
            "y": text(entry.get("y_label", common_label(map(str, curves.values()))), f"{place}.y_label"),
        },
        scales=scales,
        marks=tuple(_mark(one, f"{place}.marks", targets) for one in marks),
        matrix={key: entry[key] for key in (*required, "metric")} if kind == "congestion" else {},
    )
