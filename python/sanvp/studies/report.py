"""The report: a Markdown table, and one HTML page with the figures in it."""

from __future__ import annotations

import base64
import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from .congestion import congestion_of, plot_congestion, write_congestion
from .drawing import draw_plot, told_once
from .errors import NotMeasuredError, StudyError
from .figure import Figure
from .figure_data import write_points
from .interactive import LIST, SCRIPT, SEE, congestion_figure, element, library, plot_figure
from .interference_table import table as interference_table
from .measurements import Measurements
from .plotted import plot_of, remarks
from .sources import matrix_source, remark, runs_of_figure
from .targets import DEVIATES, FAILS, HOLDS, NOT_RUN, WITHIN, Target
from .texts import file_name, html_text, link_target, markdown_cell, markdown_link, number
from .value_table import table as value_table
from .verdicts import FITTED, OURS, PAPER, PREDICTED, Row, text

VERDICTS = (WITHIN, HOLDS, DEVIATES, FAILS, NOT_RUN)
HEADINGS = ("id", "paper", "measured", "unit", "deviation", "verdict", "basis", "cause")


def _cells(row: Row) -> tuple[str, ...]:
    deviation = "" if row.deviation is None else f"{100 * row.deviation:+z.1f} %"  # z: no -0.0
    return (row.id, text(row.paper), _measured(row), row.unit, deviation, row.full_verdict, row.basis, row.cause)


def _measured(row: Row) -> str:
    """The measured cell, with the 95 % interval if several seeds were run."""
    value = text(row.measured)
    if row.interval_95 is None:
        dissent = f" (so with {row.agreeing} of {row.seeds} seeds)" if row.agreeing < row.seeds else ""
        return (row.shown or value) + dissent
    value = f"{value} ± {number(row.interval_95, 2)}"
    return value if row.shown in ("", text(row.measured)) else f"{row.shown}; {value}"


GROUPS = {
    (PAPER, PREDICTED): "papers, predicted",
    (PAPER, FITTED): "papers, fitted",
    (OURS, PREDICTED): "ours, predicted",
    (OURS, FITTED): "ours, fitted",
}


def _groups(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The papers' statements and ours, predicted and fitted, apart. Without empty groups."""
    rows = list(rows)
    groups = {name: [row for row in rows if (row.origin, row.basis) == key] for key, name in GROUPS.items()}
    return {name: of_group for name, of_group in groups.items() if of_group}


def _counts(rows: Iterable[Row]) -> str:
    counts = Counter(row.verdict for row in rows)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])


def summary(rows: Iterable[Row]) -> str:
    """The number of rows with each verdict, by whose statements they are and whether parameters were set by them."""
    groups = _groups(rows)
    if len(groups) == 1:
        return _counts(*groups.values())
    return "; ".join(f"{name}: {_counts(of_group)}" for name, of_group in groups.items())


def summary_table(rows: Iterable[Row]) -> str:
    """The same as a table."""
    lines = [("", "all", *VERDICTS)]
    for name, of_group in _groups(rows).items():
        counts = Counter(row.verdict for row in of_group)
        lines.append((name, str(len(of_group)), *(str(counts[verdict]) for verdict in VERDICTS)))
    return _as_table(lines)


def markdown(rows: Iterable[Row]) -> str:
    """The rows as a table."""
    cells = [*map(_cells, rows)]
    return _as_table([HEADINGS, *cells]) if cells else ""


def _as_table(lines: list[tuple[str, ...]]) -> str:
    """A table of the first line's headings."""
    ruled = [lines[0], ("---",) * len(lines[0]), *lines[1:]]
    return "".join("| " + " | ".join(map(markdown_cell, line)) + " |\n" for line in ruled)


def interference_markdown(measured: Measurements, mistakes: list[str]) -> Iterator[str]:
    """The tables of jobs alone and together. Adds errors to `mistakes`."""
    for one in measured.study.interference:
        if lines := interference_table(one, measured, mistakes):
            yield f"Interference: {one.name}\n\n{_as_table(lines)}"


def values_markdown(measured: Measurements, mistakes: list[str]) -> str:
    """The table of the study's values. Adds errors to `mistakes`."""
    lines = value_table(measured, mistakes)
    return f"Values:\n\n{_as_table(lines)}" if lines else ""


def results(measured: Measurements, *, with_cost: bool = True) -> str:
    """The number of results, and their CPU time and memory."""
    kind = "the quick points" if measured.quick else "all points"
    there = f"{len(measured.outcomes)} of {len(measured.points)} results ({kind})"
    seeds = f"; means of {len(measured.by_seed)} seeds" if measured.by_seed else ""
    return f"{there}{seeds}; {measured.cost}." if with_cost and measured.cost else f"{there}{seeds}."


def sections(
    studies: Iterable[Measurements], drawn: Mapping[str, list[Drawn]], folder: Path, mistakes: list[str]
) -> str:
    """What each study is, its values and its figures. Adds errors to `mistakes`.

    Equal results give equal bytes. @param folder  of the page, where its links start
    """
    parts = []
    for measured in studies:
        study = measured.study
        parts += [f"## {study.title}", *([study.about] if study.about else [])]
        parts += [results(measured, with_cost=False)] if measured.points else []
        parts += [values_markdown(measured, mistakes)]
        parts += ["\n".join(_listed(measured, drawn.get(study.name, []), folder))]
    return "".join(part.rstrip("\n") + "\n\n" for part in parts if part).removesuffix("\n")


def _listed(measured: Measurements, drawn: Iterable[Drawn], folder: Path) -> Iterator[str]:
    """The list of a study's figures, with links to their files."""
    figures = {one.name: one for one in drawn}
    if measured.study.figures:
        yield "Figures:\n"
    for figure in measured.study.figures:
        one = figures.get(_name(measured, figure))
        if one is None:
            yield f"* {figure.title}: not drawn"
            continue
        picture, data = (
            markdown_link(text, file.relative_to(folder).as_posix())
            for text, file in ((figure.title, one.vector), (one.data.name, one.data))
        )
        yield f"* {picture}, its points: {data}" + (f". {one.remark}" if one.remark else "")


MARK = "<!-- scripts/study report --markdown writes all below this line, and keeps all above it. -->"
_HEAD = """\
# Results: the papers' figures and tables, reproduced

`scripts/study report NAME... --markdown FILE` writes this page; how to run the studies:
[scripts/studies](../scripts/studies/README.md). *Paper* is the paper's statement (`targets.yaml`),
*deviation* is relative to it, and *cause* says why they differ. *Basis* is *fitted* if a parameter was set so that this
value comes out, else *predicted*. Random runs are repeated: *measured* is the mean over the seeds, ± half of its 95 %
interval (Student's t); of a shape, with how many seeds it holds.
"""


def document(studies: Iterable[Measurements], rows: list[Row], earlier: str = "") -> str:
    """The tables as a page of Markdown, study by study. Equal results give equal bytes, but for CPU time and memory.

    @param earlier  the page as it was, whose head is kept
    """
    head = earlier.partition(MARK)[0] if MARK in earlier else _HEAD + "\n"
    parts = [head + MARK + "\n", *([summary_table(rows)] if rows else [])]
    for measured in studies:
        of_study = [row for row in rows if row.study == measured.study.name]
        parts += [f"## {measured.study.title}\n", *([measured.study.about + "\n"] if measured.study.about else [])]
        parts += [f"`scripts/study run {measured.study.name}`: {results(measured)}\n"] if measured.points else []
        parts += [text + "\n" for text in interference_markdown(measured, [])]
        table = markdown(of_study) or values_markdown(measured, [])  # statements say what the values are for
        parts += [table] if table else []
    return "\n".join(parts)


def with_pictures(content: str, folder: Path, drawn: Iterable[Drawn]) -> tuple[str, list[Path]]:
    """Copies the figures that a page of Markdown shows beside it, curves as SVG.

    @param folder  of the page
    @return the page, and the files
    """
    vectors = {one.name: one.vector for one in drawn}
    copied = []

    def show(found: re.Match[str]) -> str:
        place = Path(found[2])
        source = vectors.get(place.stem)
        if source is None or place.is_absolute():
            return found[0]
        place = place.with_suffix(source.suffix)
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_bytes(source.read_bytes())
        copied.append(folder / place)
        return f"{found[1]}({place.as_posix()})"

    return re.sub(r"(!\[[^\]]*\])\(([^)\s]+\.(?:png|svg))\)", show, content), copied


@dataclass(frozen=True)
class Drawn:
    """A figure that has results: its files, and its part of the page if Plotly is there."""

    name: str
    title: str
    picture: Path
    data: Path  # a CSV file
    element: str | None
    remark: str = ""  # on runs that are saturated, or have no result

    @property
    def vector(self) -> Path:
        """An SVG file of lines and bars; a congestion matrix is a picture of squares."""
        curves = self.picture.with_suffix(".svg")
        return curves if curves.is_file() else self.picture


def _name(measured: Measurements, figure: Figure) -> str:
    """What the figure is called: its files, and its part of the page."""
    return file_name(f"{measured.study.name}-{figure.name}")


def _draw(
    figure: Figure, measured: Measurements, targets: Mapping[str, Target], folder: Path, *, static: bool
) -> Drawn:
    """Draws a figure. Raises NotMeasuredError if there is nothing to draw."""
    static = static or library() is None
    name = _name(measured, figure)
    picture, data = folder / f"{name}.png", folder / f"{name}.csv"
    if figure.kind == "congestion":
        matrix, title = congestion_of(figure, measured), figure.title + remarks(figure, measured)
        source = matrix_source(figure, measured)
        folder.mkdir(parents=True, exist_ok=True)
        plot_congestion(matrix, title, picture)
        write_congestion(matrix, source, data)
        shown_figure = None if static else congestion_figure(matrix, title, source.command)
    else:
        plot = plot_of(figure, measured, targets)
        draw_plot(plot, picture)
        with data.open("w", encoding="utf-8", newline="") as to:
            write_points(plot, to)
        source = plot.source()
        shown_figure = None if static else plot_figure(plot)
    shown_element = element(name, *shown_figure) if shown_figure else None
    said = remark(runs_of_figure(figure, measured), measured, source)
    return Drawn(name, figure.title, picture, data, shown_element, said)


def pictures(
    studies: Iterable[Measurements],
    targets: Mapping[str, Target],
    folder: Path,
    mistakes: list[str],
    notes: list[str],
    *,
    static: bool = False,
) -> dict[str, list[Drawn]]:
    """Draws every figure that has results into the folder. @return them, by study"""
    drawn: dict[str, list[Drawn]] = {}
    places: dict[str, str] = {}  # of figures, by name
    for measured in studies:
        for figure in measured.study.figures:
            if (other := places.setdefault(_name(measured, figure), figure.place)) != figure.place:
                mistakes.append(f"{figure.place}: its files would be those of {other}: rename one of them")
                continue
            try:
                with told_once(figure.place, notes):
                    one = _draw(figure, measured, targets, folder, static=static)
                drawn.setdefault(measured.study.name, []).append(one)
            except (NotMeasuredError, StudyError) as error:
                for suffix in ("png", "svg", "csv"):  # an older one must not pass for this one
                    (folder / f"{_name(measured, figure)}.{suffix}").unlink(missing_ok=True)
                if isinstance(error, StudyError):
                    mistakes.append(str(error))
    return drawn


_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 13px; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid #ddd; }
td:nth-child(3), td:nth-child(5) { white-space: nowrap; }
td:first-child { font-family: monospace; }
.plain td { font-family: inherit; white-space: nowrap; }
nav ul { margin: .2rem 0; }
.command { font-size: 12px; color: #555; white-space: pre-wrap; margin: 0; user-select: all; }
details p { font-size: 12px; margin: .6rem 0 0; } summary { font-size: 13px; cursor: pointer; }
.data { font-size: 12px; margin: .2rem 0 1.5rem; }
img { max-width: 100%; margin: .5rem 0; }
.good { color: #17692f; } .bad { color: #a3271d; } .none { color: #888; }
""".strip()
_NOT_SHOWN = ("interval_95", "runs", "command")  # columns of a figure's CSV file
_CLASS = {WITHIN: "good", HOLDS: "good", DEVIATES: "bad", FAILS: "bad", NOT_RUN: "none"}


def _table(rows: Iterable[Row]) -> str:
    head = "".join(f"<th>{name}</th>" for name in HEADINGS)
    body = []
    for row in rows:
        cells = [f"<td>{html_text(cell)}</td>" for cell in _cells(row)]
        cells[5] = f'<td class="{_CLASS[row.verdict]}">{html_text(row.full_verdict)}</td>'
        body.append(f'<tr title="{html_text(row.reference)}">{"".join(cells)}</tr>')
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n" + "\n".join(body) + "\n</tbody></table>"


def _plain_table(lines: list[tuple[str, ...]]) -> str:
    """A table of the first line's headings."""
    head = "".join(f"<th>{html_text(name)}</th>" for name in lines[0])
    body = "\n".join(f"<tr>{''.join(f'<td>{html_text(cell)}</td>' for cell in line)}</tr>" for line in lines[1:])
    return f'<table class="plain"><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>'


def _figure(drawn: Drawn) -> str:
    """A figure of the page, and a link to its points as a CSV file, which the page embeds, too."""
    shown_figure = drawn.element
    if shown_figure is None:
        kind = "svg+xml" if drawn.vector.suffix == ".svg" else "png"
        data = base64.b64encode(drawn.vector.read_bytes()).decode()
        shown_figure = f'<img alt="{html_text(drawn.name)}" src="data:image/{kind};base64,{data}">{_runs(drawn.data)}'
    table = base64.b64encode(drawn.data.read_bytes()).decode()
    name = html_text(drawn.data.name)
    said = f"\n<p>{html_text(drawn.remark)}</p>" if drawn.remark else ""
    link = f'<a download="{name}" href="data:text/csv;base64,{table}">{name}</a>'
    shown_figure += f'{said}\n<p class="data">{link}</p>'
    return f'<section id="figure-{html_text(drawn.name)}">\n{shown_figure}\n</section>'


def _runs(data: Path) -> str:
    """The points of a figure that is a picture, each with the command that repeats it."""
    with data.open(encoding="utf-8", newline="") as text:
        points = [row for row in csv.DictReader(text) if row.get("command")]
    lines = []
    for row in points:
        place = ", ".join(f"{name} = {row[name]}" for name in row if name not in _NOT_SHOWN and row[name])
        lines.append(f'<p>{html_text(place)}</p><pre class="command">{html_text(row["command"])}</pre>')
    return f"\n<details><summary>the points and their runs</summary>{''.join(lines)}</details>" if lines else ""


def _contents(studies: Iterable[Measurements], drawn: Mapping[str, list[Drawn]]) -> str:
    """The list of studies and their figures."""
    entries = []
    for study in (measured.study for measured in studies):
        figures = "".join(
            f'<li><a href="{link_target(f"figure-{one.name}")}">{html_text(one.title)}</a></li>'
            for one in drawn.get(study.name, [])
        )
        inner = f"<ul>{figures}</ul>" if figures else ""
        entries.append(f'<li><a href="{link_target(study.name)}">{html_text(study.title)}</a>{inner}</li>')
    return f"<nav><h2>Contents</h2><ul>{''.join(entries)}</ul></nav>" if entries else ""


def _section(measured: Measurements, rows: list[Row], drawn: Iterable[Drawn]) -> Iterator[str]:
    study = measured.study
    yield f'<h2 id="{html_text(study.name)}">{html_text(study.title)}</h2>'
    if study.about:
        yield f"<p>{html_text(study.about)}</p>"
    if measured.points:
        yield f"<p>{results(measured)}</p>"
    if values := value_table(measured, []):
        yield "<h3>Values</h3>"
        yield _plain_table(values)
    yield from map(_figure, drawn)
    for one in study.interference:
        if lines := interference_table(one, measured, []):
            yield f"<h3>Interference: {html_text(one.name)}</h3>"
            yield _plain_table(lines)
    if of_study := [row for row in rows if row.study == study.name]:
        yield _table(of_study)


def page(studies: list[Measurements], rows: list[Row], drawn: Mapping[str, list[Drawn]], identity: str) -> str:
    """The whole report as one self-contained HTML file."""
    told = f"{summary(rows)}. " if rows else ""
    parts = [f"<p>{told}Measured with the program {identity[:12]}.</p>", _contents(studies, drawn)]
    for measured in studies:
        parts += _section(measured, rows, drawn.get(measured.study.name, []))
    if others := [row for row in rows if not row.study]:
        parts += ["<h2>No study yet</h2>", _table(others)]
    body = "\n".join(part for part in parts if part)
    scripts, below = "", ""
    if any(one.element for figures in drawn.values() for one in figures):
        scripts = f"<script>{library()}</script>\n<script>\n{SEE}\n{SCRIPT}\n</script>\n"
    elif "<details>" in body:
        below = f"<script>\n{SEE}\n{LIST}\n</script>\n"
    title = "Papers and measurements" if rows else "Measurements"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>sanvp: {title.lower()}</title>\n'
        f"<style>\n{_STYLE}\n</style>\n{scripts}</head><body>\n<h1>{title}</h1>\n{body}\n{below}</body></html>\n"
    )
