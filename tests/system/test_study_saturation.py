"""What a report says of runs that are saturated, or have no result; and its tables of values."""

from __future__ import annotations

import csv
import json

import pytest
from study_bench import USERS_MISTAKE, Bench, done
from test_study_page import figures, with_library

STUDY = """\
title: How much is too much
about: Loads up to the link's rate.
seeds: 2
runs:
  sent: {command: 'traffic qsnet-16 uniform --load {load}', axes: {load: [0.1, 0.2, 0.4, 0.8]}}
values:
  gain: sent.rate(load=0.4) / sent.rate(load=0.1)
  rate: sent.rate
  drawn: mean(sent.drawn)
  is_more: gain > 3
figures:
  lines: {x: load, y: sent.number}
  bars: {kind: bars, groups: load, y: sent.rate}
"""
# with seed 1 it is saturated from load 0.4 on, with seed 2 from 0.8 on, where nothing arrives
VERDICT = """\
seed = int(options["--seed"])
metrics["verdict"] = "saturated" if load > 0.2 * seed else "not saturated"
metrics["drained"] = load < 0.8
metrics["number"] = 100 * load if load < 0.8 else None
metrics["named"]"""


@pytest.fixture
def saturated(bench: Bench) -> Bench:
    """A study of which some runs are saturated."""
    bench.program.write_text(bench.program.read_text().replace('metrics["named"]', VERDICT))
    bench.write(STUDY)
    done(bench.study("run", "small"))
    return bench


def rows(bench: Bench, figure: str) -> list[dict[str, str]]:
    with (bench.folder / "results" / "figures" / f"small-{figure}.csv").open() as file:
        return list(csv.DictReader(file))


def test_the_points_of_a_figure_have_the_verdicts_of_their_runs(saturated: Bench) -> None:
    done(saturated.study("report", "small", "--static"))
    lines = rows(saturated, "lines")
    assert list(lines[0]) == ["load", "curve", "y", "interval_95", "runs", "verdict", "command"]
    assert [(row["load"], row["verdict"]) for row in lines] == [
        ("0.1", "not saturated"),
        ("0.2", "not saturated"),
        ("0.4", "1 not saturated; 1 saturated"),
    ]
    assert rows(saturated, "bars")[-1]["verdict"] == "saturated *"


def test_points_of_saturated_runs_have_open_marks(saturated: Bench) -> None:
    done(saturated.study("report", "small", **with_library(saturated)))
    page = (saturated.folder / "results" / "report.html").read_text()
    drawn = figures(page)
    (line,), (bars,) = (drawn[f"small-{name}"]["data"] for name in ("lines", "bars"))
    assert line["marker"]["symbol"] == ["circle", "circle", "circle-open"]
    assert "<br>1 not saturated; 1 saturated<br>" in line["hovertext"][2]
    assert [colour == "white" for colour in bars["marker"]["color"]] == [False, False, True, True]
    for name in ("lines", "bars"):
        assert drawn[f"small-{name}"]["layout"]["title"]["text"].endswith("(2 seeds, 95 % intervals, open: saturated)")
        picture = (saturated.folder / "results" / "figures" / f"small-{name}.svg").read_text()
        assert "open: saturated" in picture


def test_the_report_says_how_many_runs_of_a_figure_are_saturated(saturated: Bench) -> None:
    done(saturated.study("report", "small", "--static"))
    told = (
        "3 of 8 runs are saturated: their latencies depend on the length of the run; of 2 (*) the longest latencies "
        "are missing; 2 have no number to draw."
    )
    text, page = ((saturated.folder / "results" / f"report.{kind}").read_text() for kind in ("md", "html"))
    assert (
        f"* [lines](figures/small-lines.svg), its points: [small-lines.csv](figures/small-lines.csv). {told}\n" in text
    )
    assert f"<p>{told}</p>" in page


def test_runs_without_a_result_are_counted_under_their_figure(bench: Bench) -> None:
    bench.break_at(0.2)
    bench.write(STUDY.replace("sent.number", "sent.rate"))
    assert bench.study("run", "small").returncode == USERS_MISTAKE
    done(bench.study("report", "small", "--static"))
    text, page = ((bench.folder / "results" / f"report.{kind}").read_text() for kind in ("md", "html"))
    assert text.count("2 of 8 runs have no result.\n") == 2
    assert page.count("<p>2 of 8 runs have no result.</p>") == 2


def test_files_of_commands_without_a_verdict_say_nothing_of_saturation(bench: Bench) -> None:
    bench.write(STUDY.replace("sent.number", "sent.rate"))
    done(bench.study("run", "small"))
    done(bench.study("report", "small", "--static"))
    assert list(rows(bench, "lines")[0]) == ["load", "curve", "y", "interval_95", "runs", "command"]
    for file in ("report.md", "report.html", "figures/small-lines.svg"):
        assert "saturated" not in (bench.folder / "results" / file).read_text()


def test_a_report_without_statements_says_what_the_study_is_and_has_its_values(bench: Bench) -> None:
    bench.write(STUDY.replace("sent.number", "sent.rate"))
    done(bench.study("run", "small"))
    told = done(bench.study("report", "small", "--static"))
    text = (bench.folder / "results" / "report.md").read_text()
    assert text == (
        "## How much is too much\n\n"
        "Loads up to the link's rate.\n\n"
        "8 of 8 results (all points); means of 2 seeds.\n\n"
        "Values:\n\n"
        "| value | at | result |\n"
        "| --- | --- | --- |\n"
        "| gain |  | 4 ± 0 |\n"
        "| rate | load 0.1 | 10 ± 0 |\n"
        "| rate | load 0.2 | 20 ± 0 |\n"
        "| rate | load 0.4 | 40 ± 0 |\n"
        "| rate | load 0.8 | 80 ± 0 |\n"
        "| drawn |  | 2.5 ± 19 |\n"  # 1 and 4: 12.706 * 2.1213 / root(2)
        "| is_more |  | yes |\n\n"
        "Figures:\n\n"
        "* [lines](figures/small-lines.svg), its points: [small-lines.csv](figures/small-lines.csv)\n"
        "* [bars](figures/small-bars.svg), its points: [small-bars.csv](figures/small-bars.csv)\n"
    )
    page = (bench.folder / "results" / "report.html").read_text()
    assert "<tr><td>rate</td><td>load 0.8</td><td>80 ± 0</td></tr>" in page
    assert "<p>Loads up to the link&#x27;s rate.</p>" in page
    assert "| gain |" not in told, "the terminal has statements alone"
    done(bench.study("report", "small", "--static", "--markdown", bench.folder / "page.md"))
    assert "| rate | load 0.4 | 40 ± 0 |" in (bench.folder / "page.md").read_text()


def test_values_that_need_missing_runs_say_so_and_long_ones_are_told_in_a_line(bench: Bench) -> None:
    loads = json.dumps([round(0.001 * i, 3) for i in range(1, 51)])
    study = STUDY.replace("[0.1, 0.2, 0.4, 0.8]", loads).replace("seeds: 2\n", "").split("values:")[0]
    more = "  never: {command: 'traffic qsnet-16 uniform --load {load}', axes: {load: [5]}}\n"
    bench.break_at(5)
    bench.write(f"{study}{more}values:\n  rate: sent.rate\n  big: sent.rate > 2.5\n  none: max(never.rate)\n")
    assert bench.study("run", "small").returncode == USERS_MISTAKE
    done(bench.study("report", "small"))
    text = (bench.folder / "results" / "report.md").read_text()
    assert "| rate | 50 points, by load | 2.55 (0.1 .. 5) |\n" in text
    assert "| big | 50 points, by load | no, yes |\n" in text
    assert "| none |  | not run: never has no results |\n" in text
    assert "50 of 51 results (all points)." in text


def test_values_of_saturated_runs_have_the_verdicts(saturated: Bench) -> None:
    done(saturated.study("report", "small", "--static"))
    text = (saturated.folder / "results" / "report.md").read_text()
    assert "| value | at | result | verdict |" in text
    assert "| rate | load 0.1 | 10 ± 0 | not saturated |" in text
    assert "| rate | load 0.8 | 80 ± 0 | saturated * |" in text
    assert "| gain |  | 4 ± 0 | 3 not saturated; 1 saturated |" in text
