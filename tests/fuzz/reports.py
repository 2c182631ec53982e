"""Reports of mutated studies with made results: tables, figures and the page, without an exception and without a part
that a study's text has put into the page.

usage: reports.py SECONDS [SEED], with python and tests/system in PYTHONPATH
"""

from __future__ import annotations

import contextlib
import copy
import html.parser
import random
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any
from unittest import mock

import yaml
from study_bench import TARGETS

from sanvp.program import Cost
from sanvp.studies import report
from sanvp.studies.errors import NotMeasuredError, StudyError
from sanvp.studies.measurements import Measurements
from sanvp.studies.results import Outcome
from sanvp.studies.study import Point, Study, read_studies
from sanvp.studies.verdicts import rows

DRAWN = 0.02  # the share of reports whose pictures are drawn: that takes a second
MOST_POINTS = 300
STUDY = """\
title: A study
about: What it is about.
seeds: 2
runs:
  sent:
    command: traffic qsnet-16 uniform --load {load}
    axes: {load: [0.1, 0.2, 0.4], nodes: [16, 64]}
    quick: {load: [0.1]}
    tables:
      each: {index: {part: part}}
      links: {file: congestion.csv, index: {level: level}}
  one: {command: run qsnet-16 ping --np 2, axes: {bytes: [1, 2]}, seeds: 1}
interference:
  both: {machine: qsnet-16, jobs: {a: ping, b: halo}, metric: rate, axes: {n: [1, 2]}}
values:
  rate: mean(sent.rate, 'nodes')
  gain: sent.rate(nodes=64) / sent.rate(nodes=16)
targets:
  number: {measured: "rate(load=0.4)", shows: "{rate:.0f}", cause: It is so.}
  shape: {measured: "rises(rate, 'load') and max(sent.job1.rate) == 5 * max(sent.job0.rate)", fitted: a}
anchors:
  mine: {value: [1, 2], ref: here, unit: MB/s, measured: "sent.each.got(load=0.4, nodes=16, part='b')"}
  more: {claim: so, ref: there, measured: gain > 1, readings: {other: max(gain) < 2}}
  some: {value: {min: 1, max: 2}, ref: there, measured: gain}
figures:
  one: {x: load, y: sent.rate, x_label: load, y_label: rate, marks: [{target: number, at: {load: 0.4}}]}
  two: {x: rate, along: load, y: {a: rate, b: gain}, saturated: rate > 20, x_scale: log, y_scale: log}
  bars: {kind: bars, groups: part, y: ["mean(sent.each.got, 'load')"], names: {nodes: "{} nodes"}}
  panels: {x: load, y: sent.latency_ns.mean, panels: nodes, title: t}
  matrix: {kind: congestion, run: sent, table: links, at: {load: 0.1, nodes: 16}, metric: wait_ns_total}
"""
HOSTILE = [
    "</script><script>",
    "<!-- <script>",
    '"><img src=x>',
    "$x^$",
    "a|b",
    "\u65e5\u672c",
    "../../x",
    "{}",
    "{load}",
    "",
]
WORDS = ["sent", "one", "rate", "gain", "load", "nodes", "part", "bytes", "n", "number", "shape", "each", "links"]
EXPRESSIONS = [
    *(
        "sent.rate",
        "sent.named",
        "sent.odd",
        "sent.nothing",
        "sent.latency_ns",
        "sent.jobs",
        "sent.job0.rate",
        "one.rate",
    ),
    *("sent.each.got", "sent.each.part", "sent.links.from", "sent.links.wait_ns_total", "sent.huge", "rate", "gain"),
    *("0", "1e308", "'a'", "True", "[1, 2]", "range(3)", "0.1", "-1", "'load'", "'nodes'", "'part'", "'seed'"),
]
CALLS = [
    "mean",
    "sum",
    "max",
    "min",
    "count",
    "deviation",
    "all",
    "any",
    "abs",
    "log",
    "root",
    "lower",
    "index",
    "bins",
]
CALLS += ["exceeding", "argmax", "rises", "falls", "steepens", "r2", "range"]
TAGS = {
    *("html", "head", "meta", "title", "style", "script", "body", "h1", "h2", "h3", "p", "nav", "ul", "li", "a"),
    *("section", "div", "pre", "img", "table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {"lang", "charset", "href", "id", "class", "style", "alt", "src", "download", "title"}


class Page(html.parser.HTMLParser):
    """A page, all of whose elements must be the report's own."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Checks an element."""
        if tag not in TAGS or not {name for name, _ in attrs} <= ATTRIBUTES:
            raise AssertionError(f"an element of the study's: {tag} {attrs}")
        if tag == "img" and not dict(attrs).get("src", "").startswith("data:"):
            raise AssertionError(f"a picture of the study's: {attrs}")


def expression(dice: random.Random, depth: int = 3) -> str:
    """A random expression of the language."""
    if depth == 0 or dice.random() < 0.3:
        return dice.choice(EXPRESSIONS)

    def one() -> str:
        return expression(dice, depth - 1)

    match dice.randrange(6):
        case 0:
            return f"{dice.choice(CALLS)}({', '.join(one() for _ in range(dice.choice([0, 1, 1, 2, 2, 3])))})"
        case 1:
            return f"{dice.choice(CALLS)}({dice.choice(EXPRESSIONS)}, '{dice.choice(WORDS)}')"
        case 2:
            wanted = dice.choice([one(), "0.1", "16", "'a'", "[0.1, 0.4]"])
            return f"({one()})({dice.choice(WORDS)}={wanted})"
        case 3:
            return f"({one()} {dice.choice(['+', '-', '*', '/', '//', '%', '<', '==', 'and', 'or'])} {one()})"
        case 4:
            return f"({one()} if {one()} else {one()})"
    return f"{dice.choice(['-', 'not '])}{one()}"


def replaced(value: Any, dice: random.Random) -> Any:
    """The study with another value, or another key, at one place."""
    if not isinstance(value, (dict, list)) or not value or dice.random() < 0.05:
        kinds = [dice.choice(HOSTILE), dice.choice(WORDS), expression(dice), expression(dice), expression(dice)]
        return dice.choice([*kinds, value, 0, 1e300, True, None, [1, "a"], {"a": "rate"}])
    changed = copy.copy(value)
    key = dice.choice(list(changed)) if isinstance(changed, dict) else dice.randrange(len(changed))
    if isinstance(changed, dict) and dice.random() < 0.1:
        changed[dice.choice([*HOSTILE, *WORDS])] = changed.pop(key)
    else:
        changed[key] = replaced(changed[key], dice)
    return changed


def outcome(point: Point, dice: random.Random) -> Outcome:
    """Made results of a point: numbers, texts, truth values, nothing at all."""
    rate = dice.choice([0, 1.5, 20, 1e6, -3])
    metrics: dict[str, Any] = {"rate": rate, "latency_ns": {"mean": dice.random()}, "nothing": None, "huge": 1e308}
    metrics |= {"named": dice.choice(["a", "<b>", ""]), "odd": dice.random() < 0.5}
    metrics["jobs"] = [{"app": "a", "metrics": {"rate": {"value": factor * rate, "unit": "B"}}} for factor in (1, 5)]
    links = "".join(f"{level},switch {i},level {level} switch {i + 1},{i}\n" for level in (0, 1) for i in range(3))
    congestion = f"level,from,to,wait_ns_total\n{links}"
    files = {"each.csv": f"part,got\na,{rate}\nb,\n<i>,nan\n", "congestion.csv": congestion}
    return Outcome(metrics, {name: files.get(name, "a,b\n") for name in point.tables}, Cost(1, 1, 1))


def measured(study: Study, dice: random.Random) -> Measurements | None:
    """The study with made results of some of its points; None if it has too many."""
    points = [
        point
        for _, point in zip(
            range(MOST_POINTS),
            (point for run in study.runs.values() for point in run.points(quick=False)),
            strict=False,
        )
    ]
    if len(points) == MOST_POINTS:
        return None
    there = {point: outcome(point, dice) for point in points if dice.random() < 0.95}
    return Measurements(study, False, there)


def reported(one: Measurements, targets: Any, folder: Path, *, is_drawn: bool) -> None:
    """Writes and checks the whole report."""
    mistakes: list[str] = []
    table = rows([one], targets, mistakes)
    [row.json() for row in table]
    list(report.interference_markdown(one, mistakes))

    def touch(_of: Any, *rest: Any) -> None:
        file = rest[-1]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"PNG")

    patches = [] if is_drawn else [("draw_plot", touch), ("plot_congestion", touch)]
    with contextlib.ExitStack() as stack:
        for name, stub in patches:
            stack.enter_context(mock.patch.object(report, name, stub))
        stack.enter_context(mock.patch.object(report, "library", lambda: "/* Plotly */"))
        drawn = report.pictures([one], targets, folder / "figures", mistakes, [])
        page = report.page([one], table, drawn, "0" * 64)
    Page().feed(page)
    inside = page.replace(report.SCRIPT, "").split("<script>")[1:]
    if any("<" in script.partition("</script>")[0] for script in inside):
        raise AssertionError("a script has a text of the study")
    report.document([one], table)
    report.sections([one], drawn, folder, mistakes)
    for name in (line for text in mistakes for line in text.splitlines()[:1]):
        if not name.strip():
            raise AssertionError("an empty message")


def main() -> int:
    """Runs the mutated studies and returns the exit status."""
    seconds, seed = float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    dice = random.Random(seed)
    end, count, read = time.monotonic() + seconds, 0, 0
    with tempfile.TemporaryDirectory(prefix="sanvp-fuzz-") as temporary:
        folder = Path(temporary)
        (folder / "targets.yaml").write_text(TARGETS, encoding="utf-8")
        while time.monotonic() < end:
            count += 1
            content = yaml.safe_load(STUDY)
            for _ in range(dice.choice([1, 1, 2, 4])):
                content = replaced(content, dice)
            (folder / "small.yaml").write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
            try:
                studies, targets = read_studies(folder)
                one = measured(studies["small"], dice)
                if one is not None:
                    read += 1
                    reported(one, targets, folder, is_drawn=dice.random() < DRAWN)
            except (StudyError, NotMeasuredError):
                pass
            except Exception:
                kept = Path(f"fuzz-report-{count}.yaml")
                kept.write_bytes((folder / "small.yaml").read_bytes())
                print(f"fuzz: report, input {count} is in {kept}", file=sys.stderr)
                raise
    print(f"{'report':<10} {count:>8}, of which {read} were read")
    return 0


if __name__ == "__main__":
    warnings.simplefilter("error")  # none may reach a user
    sys.exit(main())
