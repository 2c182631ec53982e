"""The language of study files, and the verdicts: `python/sanvp/studies` without running anything."""

from __future__ import annotations

import sys

import pytest
from program import PROJECT

sys.path.insert(0, str(PROJECT / "python"))

from sanvp.studies.errors import NotMeasuredError, StudyError
from sanvp.studies.expressions import Expression, Template, names_only
from sanvp.studies.series import Series
from sanvp.studies.study import read_studies
from sanvp.studies.targets import DEVIATES, FAILS, HOLDS, WITHIN, target

# rate over nodes and load; two of the four combinations of delay
RATE = Series(("nodes", "load"), {(16, 0.1): 10.0, (16, 0.5): 40.0, (64, 0.1): 8.0, (64, 0.5): 20.0})
DELAY = Series(("load",), {(0.1,): 2.0, (0.5,): 5.0})


def value(text: str) -> object:
    """Of an expression over these two."""
    return Expression(text, "here")(names_only({"rate": RATE, "delay": DELAY}, "here"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3 // 4 - 5 % 3", 0),
        ("rate(nodes=16, load=0.5)", 40.0),
        ("max(rate)", 40.0),
        ("sum(rate(load=0.1))", 18.0),
        ("mean(rate, 'load')(nodes=64)", 14.0),
        ("max(rate(nodes=64, load=[0.1, 0.5]))", 20.0),
        ("count(rate(nodes=range(1, 17)))", 2),
        ("max(rate / delay)", 8.0),  # 40 / 5, met at equal loads
        ("all(rate(nodes=16) > rate(nodes=64))", True),
        ("all(rate(nodes=16) > 2 * rate(nodes=64))", False),
        ("all(5 < rate <= 40)", True),
        ("all(5 < rate < 40)", False),
        ("falls(max(rate, 'load'), 'nodes')", True),
        ("rises(max(rate, 'load'), 'nodes')", False),
        ("argmax(max(rate, 'nodes'), 'load')", 0.5),
        ("sum(index(delay, 'load'))", 0.6),
        ("sum(bins(delay, 'load', 1))", 7.0),
        ("min(exceeding(delay, 'load'))", 1 - 2 / 7),  # at 0.5, with 2 of 7 below
        ("'many' if max(rate) > 30 else 'few'", "many"),
        ("not max(rate) > 30 or 1 > 2", False),
        ("max(1, 2)", 2),
        ("min(3, 1)", 1),
        ("sum(1, 2, 3)", 6.0),
        ("mean(1, 2, 6)", 3.0),
        ("count(1, 2, 6)", 3),
        ("any(False, True) and not all(False, True)", True),
        ("max('a', 'b')", "b"),
        ("sum(max(delay, 3))", 8.0),  # 3 and 5
        ("max(min(delay, 4), 'load')", 4),
        ("deviation(7)", 0.0),
        ("count(7)", 1),
        ("'a' + 'b'", "ab"),
    ],
)
def test_an_expression_has_its_value(text: str, expected: object) -> None:
    assert value(text) == (pytest.approx(expected) if isinstance(expected, float) else expected)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("index(3, 'load')", "one value has no axis 'load'"),
        ("index(rate)", "index(x, axis) has 1 arguments here"),
        ("max()", "max(value, others...) has 0 arguments here"),
        ("bins(delay, 'load', 0)", "a width above 0"),
        ("rate(load=delay)", "load is selected by a value"),
        ("rate(load=[[0.1]])", "load is selected by a value"),
        ("[1, 2]", "a list selects"),
        ("rate * range(3)", "a list selects"),
        ("'a' * 1000000000", "'a' is no number"),
        ("'%99999999d' % 1", "is no number"),
        ("1 if rate else 2", "all() or any()"),
        ("1e308 * 10", "the result is no finite number"),
        ("1e999", "a number is too great"),
        ("9" * 400, "a number is too great"),
        ("log(0)", "math domain error"),
        ("'\\0'", "no text may have the character \\x00"),
        ("-" * 3000 + "1", "here: '---"),
        ("+".join("1" * 3000), "is nested too deeply"),
    ],
)
def test_an_operand_that_does_not_fit_is_a_mistake_of_the_study(text: str, message: str) -> None:
    with pytest.raises(StudyError) as raised:
        value(text)
    assert message in str(raised.value)


def test_a_line_through_points_is_judged() -> None:
    assert Expression("r2(index(x, 'n'), x)", "")(
        names_only({"x": Series(("n",), {(n,): 3.0 * n for n in (1, 2, 5)})}, "")
    )
    bent = Series(("n",), {(1,): 1.0, (2,): 4.0, (3,): 1.0})
    assert Expression("r2(index(x, 'n'), x)", "")(names_only({"x": bent}, "")) == pytest.approx(0)


def test_missing_data_is_not_measured() -> None:
    for text in (
        "rate(nodes=32)",
        "rate(nodes=64, load=0.5) / delay(load=0.9)",
        "falls(rate(load=0.1, nodes=[16]), 'nodes')",
    ):
        with pytest.raises(NotMeasuredError):
            value(text)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "rate.__class__()",
        "(lambda: 1)()",
        "[x for x in rate]",
        "open('/etc/passwd')",
        "2 ** 9999999",
        "rate(**delay)",
        "max(rate).cells",
        "rate[0]",
        "f'{rate}'",
        "1 +",
    ],
)
def test_an_expression_can_do_no_harm(text: str) -> None:
    with pytest.raises(StudyError, match="here"):
        value(text)


def test_a_text_has_its_braces_filled() -> None:
    names = names_only({"load": 0.25, "pattern": "a:b"}, "here")
    assert (
        Template("--load {load:.1f} {4 * load} {'x:y' if pattern == 'a:b' else 'z'}", "").fill(names)
        == "--load 0.2 1.0 x:y"
    )
    with pytest.raises(StudyError, match="did you mean 'load'"):
        Template("{laod}", "here").fill(names)


@pytest.mark.parametrize(
    ("kind", "paper", "tolerance", "measured", "deviation", "verdict"),
    [
        ("exact", 100, 0.02, 101.9, 0.019, WITHIN),
        ("exact", 100, 0.02, 102.1, 0.021, DEVIATES),
        ("exact", 100, 0.02, 97.9, -0.021, DEVIATES),
        ("approx", -0.5, 0.3, -0.6, -0.2, WITHIN),
        ("range", [165, 200], 0, 180, 0, WITHIN),
        ("range", [165, 200], 0, 164, -1 / 165, DEVIATES),
        ("range", [165, 200], 0.05, 209, 0.045, WITHIN),
        ("upper bound", 120, 0.1, 20, 0, WITHIN),
        ("upper bound", "up to 40", None, 44, 0.1, DEVIATES),
        ("exact", {"min": 1, "max": 3}, 0.15, {"min": 1.1, "max": 3}, 0.1, WITHIN),
        ("exact", {"min": 1, "max": 3}, 0.15, {"min": 1, "max": 2.4}, -0.2, DEVIATES),
        ("lower bound", "> 10", None, 44, 0, WITHIN),
        ("lower bound", "> 10", None, 9, -0.1, DEVIATES),
        ("exact", {"min": 1, "max": 3, "avg": 2}, 0.15, 2.2, 0.1, WITHIN),
        ("exact", 0, 0.1, 1, None, DEVIATES),
        ("qualitative", None, None, True, None, HOLDS),
        ("qualitative", None, None, False, None, FAILS),
    ],
)
def test_a_verdict_follows_from_the_tolerance(
    kind: str, paper: object, tolerance: float | None, measured: float, deviation: float | None, verdict: str
) -> None:
    entry = {"kind": kind, "value": paper, "rel_tol_suggested": tolerance, "claim": "so"}
    of = target("id", entry, "here")
    assert of.verdict(measured) == verdict
    if not of.is_shape:
        assert of.deviation(measured) == (None if deviation is None else pytest.approx(deviation))


@pytest.mark.parametrize(("latency", "expected"), [([1, 2, 4, 9], True), ([1, 2, 3, 9], False), ([9, 3, 1, 0], True)])
def test_a_curve_steepens_if_every_slope_is_greater_than_the_one_before(latency: list[int], expected: bool) -> None:
    curve = Series(("load",), dict(zip([(1,), (2,), (3,), (5,)], latency, strict=True)))
    assert Expression("steepens(curve, 'load')", "here")(names_only({"curve": curve}, "here")) is expected


def test_an_upper_bound_may_say_how_near_to_it_a_value_must_come() -> None:
    entry = {"kind": "upper bound", "value": "up to 40", "at_least": 28}
    of = target("id", entry, "here")
    assert [of.verdict(measured) for measured in (0, 27.9, 28, 40, 40.1)] == [
        DEVIATES,
        DEVIATES,
        WITHIN,
        WITHIN,
        DEVIATES,
    ]
    assert of.deviation(14) == pytest.approx(-0.5)
    with pytest.raises(StudyError, match=r"here\.at_least: belongs to an upper bound"):
        target("id", {**entry, "kind": "exact"}, "here")


def test_no_bound_of_a_paper_is_met_by_nothing_at_all_or_from_beyond() -> None:
    _, targets = read_studies()
    bounds = [one for one in targets.values() if one.kind in ("upper bound", "lower bound")]
    assert len(bounds) >= 8
    assert [one.id for one in bounds if one.tolerance != 0 or one.verdict(0) != DEVIATES] == []


def test_the_shipped_studies_are_right_and_their_quick_versions_small() -> None:
    studies, targets = read_studies()
    assert len(targets) == 281  # what meta.count of targets.yaml says
    assert len(studies) >= 10
    answered = [a for study in studies.values() for a in study.answers if not a.is_anchor and a.measured]
    assert len(answered) > 100
    for study in studies.values():
        full, quick = study.points(quick=False), study.points(quick=True)
        assert bool(full) == bool(quick), study.name
        assert len(quick) <= 120, study.name
        assert len(set(full)) == len(full), study.name


def test_no_statement_of_the_qsnet_paper_is_left_without_a_study() -> None:
    studies, targets = read_studies()
    answers = {a.target.id: a for study in studies.values() for a in study.answers if not a.is_anchor}
    of_the_paper = [name for name in targets if name.startswith("qs.")]
    assert len(of_the_paper) == 60
    assert [name for name in of_the_paper if name not in answers] == []
    assert [name for name in of_the_paper if not (answers[name].measured or answers[name].cause)] == []


def test_every_figure_of_the_qsnet_paper_is_drawn_from_host_software() -> None:
    studies, _ = read_studies()
    drawn = {
        figure.name: {point.command[0] for point in study.points(quick=False)}
        for study in studies.values()
        for figure in study.figures
        if study.name.startswith("qsnet-")
    }
    figures = ["fig9a", "fig9b", "fig10a", "fig10b", "fig11", "fig11d", "fig12", "fig13", "fig14", "fig15a", "fig15b"]
    for figure in [*figures, "fig16a", "fig16b", "fig17", "fig18", "table1", "fig19", "fig20"]:
        assert drawn.get(figure) == {"run"}, figure
