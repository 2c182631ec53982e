"""Mistakes in a study's figures and tables: each is one message with its place, and all else is drawn."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from program import PROJECT
from study_bench import USERS_MISTAKE, Bench, done

RUNS = """\
title: Mistakes
runs:
  a:
    command: traffic qsnet-16 uniform --load {load} --seed {seed}
    axes: {load: [0.1, 0.2], seed: [1, 2]}
    tables: {each: {index: {who: who}}}
"""
ONE = "figures:\n  one: "
FINE = "  fine: {x: load, y: a.rate}\n"


@pytest.mark.parametrize(
    ("figure", "message"),
    [
        ("{x: load, y: a.acepted}", "runs.a: no metric 'acepted'"),
        ("{x: load, y: a.latency_ns}", "runs.a: 'latency_ns' is no metric: it has mean"),
        ("{x: load, y: a.jobs}", "runs.a: 'jobs' is no metric"),
        ("{x: load, y: a.named}", "figures.one.y: 'by 1' is no number"),
        ("{kind: bars, groups: load, y: a.named}", "figures.one.y: 'by 1' is no number"),
        ("{x: load, y: a.each.gt}", "runs.a.tables.each: no column 'gt': did you mean 'got'?"),
        ("{x: who, y: a.rate}", "figures.one.y: has no axis 'who', but load, seed"),
        ("{x: load, y: max(a.rate)}", "figures.one.y: is one value, not a series"),
        ("{x: load, y: a.rate - 1000, y_scale: log}", "figures.one.y_scale: log shows numbers above 0 alone"),
        ("{x: load, y: a.rate * 1e308}", "the result is no finite number"),
        ("{x: load, y: a.rate, saturated: a.nmed}", "runs.a: no metric 'nmed' in the results: did you mean 'named'?"),
        ("{x: load, y: a.rate, marks: [{target: number, at: {load: high}}]}", "figures.one.x: has numbers and texts"),
        ("{kind: congestion, run: a, table: each, at: {}}", "figures.one.table: is no congestion.csv: no column"),
    ],
)
def test_a_mistake_in_a_figure_is_one_message_and_the_others_are_drawn(bench: Bench, figure: str, message: str) -> None:
    bench.write(RUNS + ONE + figure + "\n" + FINE + f"  twin: {figure}\n")
    done(bench.study("run", "small"))
    result = bench.study("report", "small", "--static")
    assert result.returncode == USERS_MISTAKE, result.stderr
    assert "Traceback" not in result.stderr
    assert message in result.stderr
    for line in result.stderr.splitlines():
        assert line.startswith("study: "), result.stderr
        assert "depends on itself" not in line
    assert (bench.folder / "results" / "figures" / "small-fine.png").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ONE + "{x: lod, y: a.rate}\n", "figures.one.x: no axis 'lod': did you mean 'load'?"),
        (ONE + "{x: a.rate, y: a.rate}\n", "figures.one.x: no axis 'a.rate': `along` names the axis"),
        (ONE + "{x: load, along: lod, y: a.rate}\n", "figures.one.along: no axis 'lod'"),
        (ONE + "{kind: bars, groups: lod, y: a.rate}\n", "figures.one.groups: no axis 'lod'"),
        (ONE + "{x: load, y: a.rate, panels: sed}\n", "figures.one.panels: no axis 'sed': did you mean 'seed'?"),
        (ONE + "{x: load, y: a.rate, panels: load}\n", "figures.one.panels: 'load' is the axis of x"),
        (ONE + "{x: load, y: a.rate, names: {sed: s}}\n", "figures.one.names: no axis 'sed'"),
        (ONE + "{kind: congestion, run: b, table: each, at: {}}\n", "figures.one.run: no run 'b'"),
        (ONE + "{kind: congestion, run: a, table: ech, at: {}}\n", "figures.one.table: no table 'ech'"),
        (ONE + "{kind: congestion, run: a, table: each, at: {lod: 1}}\n", "figures.one.at: no axis 'lod'"),
        (ONE + "{x: load, y: 'mean(a.rate, ''sed'')'}\n", "figures.one.y: no axis 'sed': did you mean 'seed'?"),
        (ONE + "{x: load, y: a.rate(sed=1)}\n", "figures.one.y: no axis 'sed'"),
        (ONE + "{x: load, y: a.rate, title: [1]}\n", "figures.one.title: must be a text"),
        (ONE + "{x: load, y: [[1]]}\n", "figures.one.y: must be a text"),
        ("values: {v: v + 1}\n", "values.v: depends on itself"),
        ("values: {v: w, w: u, u: w}\n", "depends on itself, by v, w, u"),
        ("values: {v: a.rate, w: v.rate}\n", "values.w: 'v' is a value of the study, and has no 'rate'"),
        ('about: "\\0"\n', "no text may have the character \\x00"),
        ('about: "\\ud800"\n', "no text may have the character \\ud800"),
        ("about: .inf\n", "'.inf' is no finite number"),
        ("about: !!binary aGFsbG8=\n", "is not allowed"),
        ("about: &x [*x]\n", "or an alias within itself"),
    ],
)
def test_a_typo_is_reported_before_anything_runs(bench: Bench, text: str, message: str) -> None:
    bench.write(RUNS + text)
    result = bench.study("run", "small")
    assert result.returncode == USERS_MISTAKE
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert bench.calls() == []


def test_a_mistake_in_an_interference_leaves_the_others_in_the_report(bench: Bench) -> None:
    bench.program.write_text(bench.program.read_text().replace('float(options["--load"])', "0.1"))
    bench.write(
        "interference:\n"
        "  wrong: {machine: qsnet-16, jobs: {one: a, two: a}, metric: rte}\n"
        "  right: {machine: qsnet-16, jobs: {one: a, two: a}, metric: rate}\n"
    )
    done(bench.study("run", "small"))
    result = bench.study("report", "small", "--static")
    assert result.returncode == USERS_MISTAKE
    assert "no metric 'job0.rte'" in result.stderr
    assert "Interference: right" in (bench.folder / "results" / "report.md").read_text()


def test_a_letter_that_no_font_has_is_one_note(bench: Bench) -> None:
    bench.write(RUNS + ONE + '{x: load, y: a.rate, title: "\\u65e5\\u65e5\\u672c $x^$ $"}\n')
    done(bench.study("run", "small"))
    result = bench.study("report", "small", "--static")
    assert result.returncode == 0
    notes = result.stderr.splitlines()
    assert len(notes) <= 1, result.stderr  # none where there is such a font
    assert all(note.startswith("study: note: ") and "\u65e5\u672c" in note for note in notes)


def test_figures_whose_files_would_have_one_name_are_told_apart(bench: Bench) -> None:
    bench.write(RUNS + ONE + "{x: load, y: a.rate}\n")
    (bench.folder / "small-two.yaml").write_text(RUNS + ONE.replace("one", "three") + "{x: load, y: a.rate}\n")
    bench.write(RUNS + ONE.replace("one", "two-three") + "{x: load, y: a.rate}\n")
    done(bench.study("run", "small"))
    result = bench.study("report", "--static")
    assert result.returncode == USERS_MISTAKE
    assert "its files would be those of" in result.stderr


@pytest.mark.parametrize("closed", ["1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_a_closed_stream_is_no_traceback_and_takes_no_file(bench: Bench, closed: str) -> None:
    bench.write(RUNS + ONE + "{x: load, y: a.rate}\n")
    done(bench.study("run", "small"))
    environment = {**os.environ, "SANVP": str(bench.program), "PYTHONPATH": str(PROJECT / "python")}
    for command in ("list", "report small --static --json rows.json --markdown page.md", "report --json -"):
        line = f"{sys.executable} -B -m sanvp --studies . --results results {command} {closed}"
        ended = subprocess.run(
            ["bash", "-c", line], capture_output=True, text=True, env=environment, cwd=bench.folder, check=False
        )
        assert (ended.returncode, ended.stderr) == (0, ""), ended.stderr
    assert isinstance(json.loads((bench.folder / "rows.json").read_text()), list)
    assert (bench.folder / "page.md").read_text().startswith("# Results")
    assert (bench.folder / "results" / "report.html").read_text().startswith("<!DOCTYPE html>")


def test_a_terminal_without_a_letter_gets_its_escape(bench: Bench) -> None:
    bench.write(RUNS.replace("Mistakes", "\u00e4\u65e5"))
    told = done(bench.study("list", PYTHONIOENCODING="ascii"))
    assert "\\xe4\\u65e5" in told


@pytest.mark.parametrize("before", [True, False])
def test_the_folder_of_results_is_named_before_a_command_or_behind_it(bench: Bench, before: bool) -> None:
    bench.write(RUNS)
    folder = ["--results", bench.folder / "elsewhere"]
    done(bench.study(*folder, "run", "small") if before else bench.study("run", "small", *folder))
    assert list((bench.folder / "elsewhere" / "cache").iterdir())
    assert not (bench.folder / "results").exists()


def test_usage_names_the_command_as_the_user_starts_it(bench: Bench) -> None:
    assert done(bench.study("run", "--help")).startswith("usage: sanvp study run")


@pytest.mark.parametrize("option", ["--html", "--markdown"])
def test_standard_output_is_no_page(bench: Bench, option: str) -> None:
    refused = bench.study("report", option, "-")
    assert refused.returncode == USERS_MISTAKE
    assert f"{option}: '-' is standard output for --json alone; name a file" in refused.stderr


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("manifest.json", "[]"),
        ("manifest.json", "{"),
        ("manifest.json", '{"parameters": {"a": 1}}'),
        ("stats.csv", "a\n1"),
    ],
)
def test_a_result_folder_that_is_damaged_is_named(bench: Bench, file: str, content: str) -> None:
    folder = bench.folder / "out"
    folder.mkdir()
    (folder / "manifest.json").write_text("{}")
    (folder / file).write_text(content)
    result = bench.study("compare", folder, folder)
    assert result.returncode == USERS_MISTAKE
    assert str(folder) in result.stderr
    assert "Traceback" not in result.stderr
