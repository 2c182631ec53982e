"""Studies that repeat their runs with other seeds: means, intervals, and how they are told.

The script that stands for the program draws the square of its seed.
"""

from __future__ import annotations

import sys

import pytest
from matplotlib.axes import Axes
from program import PROJECT
from study_bench import STUDY, USERS_MISTAKE, Bench, done

sys.path.insert(0, str(PROJECT / "python"))

from sanvp.studies.__main__ import main
from sanvp.studies.drawing import draw_plot
from sanvp.studies.errors import NotMeasuredError
from sanvp.studies.measurements import Measurements
from sanvp.studies.plotted import plot_of
from sanvp.studies.results import Cost, Outcome
from sanvp.studies.seeds import half_width, interval, values_by_seed
from sanvp.studies.series import Series
from sanvp.studies.study import read_study
from sanvp.studies.targets import HOLDS, read_targets

SEEDED = """\
title: A study
seeds: 5
runs:
  sent: {command: 'run qsnet-16 uniform --load {load} -- --bytes 8', axes: {load: [1, 2]}}
  exact: {command: run qsnet-16 ping --load 1, seeds: 1}
values:
  drawn: sent.drawn(load=1)
targets:
  number: {measured: drawn}
  family.1: {measured: drawn * drawn}
  family.2: {measured: exact.drawn}
  shape: {measured: drawn > 10}
  other: {measured: 1.5 * exact.drawn, shows: "{exact.rate:.0f} of them"}
figures:
  one: {x: load, y: sent.drawn, x_label: load, y_label: drawn}
"""
# Of 1, 4, 9, 16, 25: mean 11, deviations 10, 7, 2, 5, 14, of which the squares add up to 374; so the standard deviation
# is sqrt(374 / 4) = 9.669, and with t = 2.776 for 4 degrees of freedom half the interval 2.776 * 9.669 / sqrt(5).
MEAN, HALF_WIDTH = 11, 12.004


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 3], 12.706),  # sqrt(2) / sqrt(2), times t for one degree of freedom
        ([1, 2, 3], 4.303 / 3**0.5),
        ([1, 4, 9, 16, 25], HALF_WIDTH),
        ([7, 7, 7], 0),
        ([0, 1] * 10, 2.093 * (5 / 19) ** 0.5 / 20**0.5),  # twenty times 0.5 from the mean, squared: 5
    ],
)
def test_half_an_interval_is_students(values: list[float], expected: float) -> None:
    assert half_width(values) == pytest.approx(expected, abs=1e-3)


def test_a_series_has_an_interval_in_each_cell_of_which_there_are_two_values() -> None:
    first = Series(("load",), {(1,): 1.0, (2,): 5.0, (3,): True})
    second = Series(("load",), {(1,): 3.0, (3,): False})
    assert interval([first, second]) == Series(("load",), {(1,): pytest.approx(12.706)})
    assert interval([first]) is None
    assert interval([]) is None


def test_a_seed_without_a_value_is_left_out() -> None:
    def value_of(seed: int) -> int:
        if seed == 2:
            raise NotMeasuredError("no result")
        return seed

    assert values_by_seed(value_of, [1, 2, 3]) == [1, 3]


def test_each_point_runs_with_each_seed_and_quick_with_two(bench: Bench) -> None:
    bench.write(SEEDED)
    done(bench.study("run", "small", "--quick"))
    few = [f"run qsnet-16 uniform --load {load} --seed {seed}" for load in (1, 2) for seed in (1, 2)]
    calls = bench.calls()
    assert sorted(call.split(" --json")[0] for call in calls) == ["run qsnet-16 ping --load 1", *few]
    assert all(call.endswith("-- --bytes 8") for call in calls if "uniform" in call)
    done(bench.study("run", "small"))
    more = [f"run qsnet-16 uniform --load {load} --seed {seed}" for load in (1, 2) for seed in (3, 4, 5)]
    assert sorted(call.split(" --json")[0] for call in bench.calls()) == more
    assert "11/11" in done(bench.study("list"))


def test_a_number_is_that_of_the_mean_with_the_interval_of_the_seeds(bench: Bench) -> None:
    bench.write(SEEDED)
    done(bench.study("run", "small"))
    rows = bench.rows()
    assert (rows["number"]["measured"], rows["number"]["seeds"]) == (MEAN, 5)
    assert rows["number"]["interval_95"] == pytest.approx(HALF_WIDTH, abs=1e-3)
    # the square of the mean, not the mean of 1, 16, 81, 256, 625
    assert rows["family.1"]["measured"] == MEAN**2
    squares = half_width([1, 16, 81, 256, 625])
    assert rows["family.1"]["interval_95"] == pytest.approx(squares)
    assert (rows["family.2"]["measured"], rows["family.2"]["interval_95"], rows["family.2"]["seeds"]) == (1, None, 1)
    told = done(bench.study("report"))
    assert "| number | 50 | 11 ± 12 | MB/s |" in told
    assert "| family.2 | 10 | 1 |" in told
    assert "| other | 1 .. 2 | 100 of them |" in told
    page = bench.folder / "page.md"
    done(bench.study("report", "--markdown", page))
    assert "11 of 11 results (all points); means of 5 seeds;" in page.read_text()


def test_what_a_study_shows_beside_a_number_keeps_the_number_and_its_interval(bench: Bench) -> None:
    bench.write(SEEDED.replace("number: {measured: drawn}", "number: {measured: drawn, shows: 'about {drawn:.0f}'}"))
    done(bench.study("run", "small"))
    assert "| number | 50 | about 11; 11 ± 12 | MB/s |" in done(bench.study("report"))


def test_a_shape_is_judged_by_the_mean_and_shows_how_many_seeds_alone_have_it(bench: Bench) -> None:
    bench.write(SEEDED)
    done(bench.study("run", "small"))
    shape = bench.rows()["shape"]  # 11 > 10, and so are 16 and 25
    assert (shape["verdict"], shape["interval_95"], shape["seeds"]) == (HOLDS, None, 5)
    assert "| shape | it rises | yes (so with 2 of 5 seeds) |" in done(bench.study("report"))
    bench.write(SEEDED.replace("drawn > 10", "drawn >= 1"))
    assert "| shape | it rises | yes |" in done(bench.study("report"))


def test_a_sweep_that_has_its_seeds_as_an_axis_may_name_it(bench: Bench) -> None:
    drawn = STUDY.replace("sent.rate, 'seed'", "sent.drawn, 'seed'").replace("seed: [1, 2]", "seed: [1, 2, 3, 4, 5]")
    bench.write(drawn.replace("title: A study", "title: A study\nseeds: seed"))
    done(bench.study("run", "small"))
    rows = bench.rows()
    assert (rows["number"]["measured"], rows["number"]["seeds"]) == (MEAN, 5)
    assert rows["number"]["interval_95"] == pytest.approx(HALF_WIDTH, abs=1e-3)
    assert (rows["family.2"]["measured"], rows["family.2"]["interval_95"], rows["family.2"]["seeds"]) == (10, None, 1)


def test_what_is_true_or_false_is_true_where_it_is_with_each_seed(bench: Bench) -> None:
    bench.write(SEEDED.replace("drawn > 10", "exact.odd and not sent.odd(load=1)"))
    done(bench.study("run", "small"))
    assert bench.rows()["shape"]["verdict"] == HOLDS


def test_how_many_seeds_there_are_may_hang_on_the_coordinates(bench: Bench) -> None:
    bench.write(SEEDED.replace("seeds: 5", "seeds: 3 if load == 2 else 1"))
    done(bench.study("run", "small"))
    seeds = [f"run qsnet-16 uniform --load 2 --seed {seed}" for seed in (1, 2, 3)]
    calls = ["run qsnet-16 ping --load 1", "run qsnet-16 uniform --load 1", *seeds]
    assert sorted(call.split(" --json")[0] for call in bench.calls()) == calls
    number = bench.rows()["number"]  # one run, which is exact
    assert (number["measured"], number["interval_95"]) == (1, 0)


def test_a_column_of_a_table_is_a_mean_over_seeds(bench: Bench) -> None:
    table = "axes: {load: [1, 2]}, tables: {each: {index: {who: who}}}}"
    got = "measured: 'sent.each.got(load=2, who=\"b\")'}"
    bench.write(SEEDED.replace("axes: {load: [1, 2]}}", table).replace("measured: drawn}", got))
    done(bench.study("run", "small"))
    number = bench.rows()["number"]
    assert (number["measured"], number["interval_95"], number["seeds"]) == (4, 0, 5)


def test_values_that_are_not_numbers_must_be_the_same_with_each_seed(bench: Bench) -> None:
    bench.write(SEEDED.replace("drawn > 10", 'sent.named(load=1) == "by 1"'))
    done(bench.study("run", "small"))
    told = bench.study("report")
    assert told.returncode == USERS_MISTAKE
    assert "runs.sent: named: is no number and differs from seed to seed" in told.stderr


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("seeds: 5", "seeds: 0", ["runs.sent.seeds", "1 to 20 seeds"]),
        ("seeds: 5", "seeds: yes", ["runs.sent.seeds", "1 to 20 seeds"]),
        ("seeds: 5", "seeds: 21", ["runs.sent.seeds", "1 to 20 seeds"]),
        ("seeds: 5", "seeds: 5 if laod == 1 else 1", ["runs.sent.seeds", "did you mean 'load'?"]),
        ("seeds: 5", "seeds: 5 if", ["runs.sent.seeds", "is no expression"]),
        ("seeds: 5", "seeds: laod", ["seeds", "did you mean 'load'?"]),
        ("seeds: 5", "seed: 5", ["'seed'", "did you mean 'seeds'?"]),
        ("--load {load}", "--load {load} --seed 3", ["runs.sent.seeds", "name its axis here"]),
    ],
)
def test_a_mistake_about_seeds_is_an_error(
    bench: Bench, capsys: pytest.CaptureFixture[str], right: str, wrong: str, told: list[str]
) -> None:
    bench.write(SEEDED.replace(right, wrong, 1))
    assert main(["--studies", str(bench.folder), "run", "small"]) == USERS_MISTAKE
    message = capsys.readouterr().err
    for part in ["small.yaml", *told]:
        assert part in message


@pytest.mark.parametrize("kind", ["lines", "bars"])
def test_a_figure_draws_the_intervals_of_its_points(bench: Bench, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    bars = SEEDED.replace("{x: load,", "{kind: bars, groups: load,").replace(" x_label: load,", "")
    bench.write(SEEDED if kind == "lines" else bars)
    targets = read_targets(bench.folder)
    study = read_study(bench.folder / "small.yaml", targets)
    cost = Cost(1, 1, 1)
    outcomes = {
        point: Outcome({"drawn": point.coordinates[0] * point.seed**2 if point.seed else 1}, {}, cost)
        for point in study.points(quick=False)
    }
    drawn: list[float] = []

    errorbar = Axes.errorbar  # that of bars calls it, too

    def noted(axes: Axes, *of: object, yerr: list[float], **how: object) -> object:
        drawn.extend(yerr)
        return errorbar(axes, *of, yerr=yerr, **how)

    monkeypatch.setattr(Axes, "errorbar", noted)
    plot = plot_of(study.figures[0], Measurements(study, False, outcomes), targets)
    draw_plot(plot, bench.folder / "one.png")
    assert drawn == pytest.approx([HALF_WIDTH, 2 * HALF_WIDTH], abs=1e-3)
