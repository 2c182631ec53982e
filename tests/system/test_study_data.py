"""Values of other programs in a study: `data`, CSV files with a head that says whose they are."""

from __future__ import annotations

import pytest
from study_bench import USERS_MISTAKE, Bench, done

RUNS = """\
runs:
  a:
    command: traffic qsnet-16 uniform --load {load}
    axes: {load: [0.1, 0.2, 0.4]}
data:
  theirs: {file: theirs.csv, index: {whose: program, load: load}}
"""
THEIRS = "# Other 1.0, by: other --all\nprogram,load,rate,note\nother,0.1,8,\nother,0.4,50,late\n"


def with_data(bench: Bench, text: str, theirs: str = THEIRS) -> None:
    bench.write(RUNS + text)
    (bench.folder / "theirs.csv").write_text(theirs)


def test_data_meet_runs_at_equal_coordinates_and_are_drawn_beside_them(bench: Bench) -> None:
    measured = "max(a.rate / theirs.rate - 1)"
    anchor = f"anchors:\n  apart: {{value: 0.25, rel_tol_suggested: 0, ref: them, measured: {measured}}}\n"
    figure = "figures:\n  both: {x: load, y: {ours: a.rate, theirs: theirs.rate}}\n"
    with_data(bench, anchor + figure)
    done(bench.study("run", "small"))
    row = bench.rows()["apart"]
    assert (row["measured"], row["verdict"]) == (0.25, "within tolerance")  # 10 and 8 at 0.1, 40 and 50 at 0.4
    done(bench.study("report", "small", "--static"))
    points = (bench.folder / "results" / "figures" / "small-both.csv").read_text().splitlines()
    assert len(points) == 1 + 3 + 2


@pytest.mark.parametrize(
    ("text", "theirs", "message"),
    [
        ("values: {x: theirs.rte}\nanchors:\n  y: {claim: c, ref: r, measured: x > 1}\n", THEIRS, "no column 'rte' in"),
        ("values: {x: theirs}\n", THEIRS, "'theirs' needs a column of"),
        ("values: {x: thers.rate}\n", THEIRS, "unknown name 'thers': did you mean 'theirs'?"),
        ("values: {x: \"theirs.rate(whose='me')\"}\n", THEIRS, "no whose='me'; whose is other"),
        ("values: {theirs: a.rate}\n", THEIRS, "there is another 'theirs'"),
        ("", "# only a head\n", "has no rows below its head"),
        ("", "program,load\nother\n", "a row with other columns than its head"),
        ("", "name,load\nother,1\n", "no column 'program' in"),
    ],
)
def test_a_mistake_in_data_is_said_with_its_place(bench: Bench, text: str, theirs: str, message: str) -> None:
    with_data(bench, text, theirs)
    result = bench.study("report", "small")
    assert result.returncode == USERS_MISTAKE
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_a_curve_has_its_colour_in_every_panel_also_where_another_one_is_missing(bench: Bench) -> None:
    """Theirs has no value in the panel of seed 2, and the last curve keeps the third colour there."""
    runs = RUNS.replace("{load}", "{load} --seed {seed}").replace("0.4]", "0.4], seed: [1, 2]")
    runs = runs.replace("whose: program", "seed: program")
    bench.write(
        runs + "figures:\n  both: {x: load, y: {ours: a.rate, theirs: theirs.rate, last: a.rate * 2}, panels: seed}\n"
    )
    (bench.folder / "theirs.csv").write_text(THEIRS.replace("other", "1"))
    done(bench.study("run", "small"))
    done(bench.study("report", "small", "--static"))
    picture = (bench.folder / "results" / "figures" / "small-both.svg").read_text()
    blue, orange, green = (
        picture.count(f"stroke: {colour}; stroke-width: 1.5") for colour in ("#1f77b4", "#ff7f0e", "#2ca02c")
    )
    assert (blue, orange, green) == (3, 2, 3)  # a line in each panel, and one in the legend
