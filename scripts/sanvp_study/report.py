"""The report: a Markdown table, and one HTML page with the figures in it."""

from __future__ import annotations

import base64
import html
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from .drawing import draw
from .errors import NotMeasuredError, StudyError
from .measurements import Measurements
from .targets import DEVIATES, FAILS, HOLDS, NOT_RUN, WITHIN, Target
from .verdicts import Row, text

VERDICTS = (WITHIN, HOLDS, DEVIATES, FAILS, NOT_RUN)
HEADINGS = ("id", "paper", "measured", "unit", "deviation", "verdict", "cause")


def _cells(row: Row) -> tuple[str, ...]:
    deviation = "" if row.deviation is None else f"{100 * row.deviation:+.1f} %"
    return (row.id, text(row.paper), _measured(row), row.unit, deviation, row.verdict, row.cause)


def _measured(row: Row) -> str:
    """The measured cell, with the 95 % interval if several seeds were run."""
    value = text(row.measured)
    if row.interval_95 is None:
        dissent = f" (so with {row.agreeing} of {row.seeds} seeds)" if row.agreeing < row.seeds else ""
        return (row.shown or value) + dissent
    value = f"{value} ± {row.interval_95:.2g}"
    return value if row.shown in ("", text(row.measured)) else f"{row.shown}; {value}"


def summary(rows: Iterable[Row]) -> str:
    """The number of rows with each verdict."""
    counts = Counter(row.verdict for row in rows)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])


def markdown(rows: Iterable[Row]) -> str:
    """The rows as a table."""
    cells = [*map(_cells, rows)]
    lines = [HEADINGS, ("---",) * len(HEADINGS), *cells] if cells else []
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def results(measured: Measurements) -> str:
    """The number of results, and their CPU time and memory."""
    kind = "the quick points" if measured.quick else "all points"
    there = f"{len(measured.outcomes)} of {len(measured.points)} results ({kind})"
    seeds = f"; means of {len(measured.by_seed)} seeds" if measured.by_seed else ""
    return f"{there}{seeds}; {measured.cost}." if measured.cost else f"{there}."


def document(studies: Iterable[Measurements], rows: list[Row]) -> str:
    """The tables as a page of Markdown, study by study. Equal results give equal bytes, but for CPU time and memory."""
    parts = [
        "# Results: the papers' figures and tables, reproduced\n",
        "`scripts/study report NAME... --markdown FILE` writes this page; how to run the studies:",
        "[scripts/studies](../scripts/studies/README.md). *Paper* is the paper's statement (`targets.yaml`),",
        "*deviation* is relative to it, and *cause* says why they differ. Random runs are repeated: *measured* is the",
        "mean over the seeds, ± half of its 95 % interval (Student's t); of a shape, with how many seeds it holds.\n",
        *([f"{summary(rows)}.\n"] if rows else []),
    ]
    for measured in studies:
        of_study = [row for row in rows if row.study == measured.study.name]
        parts += [f"## {measured.study.title}\n", *([measured.study.about + "\n"] if measured.study.about else [])]
        parts += [f"`scripts/study run {measured.study.name}`: {results(measured)}\n"] if measured.points else []
        parts += [markdown(of_study)] if of_study else []
    return "\n".join(parts)


def pictures(
    studies: Iterable[Measurements], targets: Mapping[str, Target], folder: Path, mistakes: list[str]
) -> dict[str, list[Path]]:
    """Draws every figure that has results into the folder. @return the files, by study"""
    drawn: dict[str, list[Path]] = {}
    for measured in studies:
        for figure in measured.study.figures:
            file = folder / f"{measured.study.name}-{figure.name}.png"
            try:
                draw(figure, measured, targets, file)
            except (NotMeasuredError, StudyError) as error:
                file.unlink(missing_ok=True)  # an older picture must not pass for this one
                if isinstance(error, StudyError):
                    mistakes.append(str(error))
                continue
            drawn.setdefault(measured.study.name, []).append(file)
    return drawn


_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 13px; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid #ddd; }
td:nth-child(3), td:nth-child(5) { white-space: nowrap; }
td:first-child { font-family: monospace; }
img { max-width: 100%; margin: .5rem 0; }
.good { color: #17692f; } .bad { color: #a3271d; } .none { color: #888; }
""".strip()
_CLASS = {WITHIN: "good", HOLDS: "good", DEVIATES: "bad", FAILS: "bad", NOT_RUN: "none"}


def _table(rows: Iterable[Row]) -> str:
    head = "".join(f"<th>{name}</th>" for name in HEADINGS)
    body = []
    for row in rows:
        cells = [f"<td>{html.escape(cell)}</td>" for cell in _cells(row)]
        cells[5] = f'<td class="{_CLASS[row.verdict]}">{row.verdict}</td>'
        body.append(f'<tr title="{html.escape(row.reference)}">{"".join(cells)}</tr>')
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n" + "\n".join(body) + "\n</tbody></table>"


def page(studies: Iterable[Measurements], rows: list[Row], drawn: Mapping[str, list[Path]], identity: str) -> str:
    """The whole report as one self-contained HTML file."""
    verdicts = f"{summary(rows)}. " if rows else ""
    parts = [f"<p>{verdicts}Measured with the program {identity[:12]}.</p>"]
    for measured in studies:
        study = measured.study
        parts += [
            f'<h2 id="{html.escape(study.name)}">{html.escape(study.title)}</h2>',
            f"<p>{html.escape(study.about)}</p>" if study.about else "",
            f"<p>{results(measured)}</p>" if measured.points else "",
        ]
        for file in drawn.get(study.name, []):
            data = base64.b64encode(file.read_bytes()).decode()
            parts.append(f'<img alt="{html.escape(file.stem)}" src="data:image/png;base64,{data}">')
        if of_study := [row for row in rows if row.study == study.name]:
            parts.append(_table(of_study))
    if others := [row for row in rows if not row.study]:
        parts += ["<h2>No study yet</h2>", _table(others)]
    body = "\n".join(part for part in parts if part)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>sanvp: papers and measurements</title>\n'
        f"<style>\n{_STYLE}\n</style></head><body>\n<h1>Papers and measurements</h1>\n{body}\n</body></html>\n"
    )
