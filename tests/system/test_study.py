"""`scripts/study`: its language, its verdicts, what it keeps, what it reports, and what it says to mistakes.

Most tests put a small script in the program's place: it notes each call, so that what runs twice is seen.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest
from program import PROJECT, SANVP

sys.path.insert(0, str(PROJECT / "scripts"))

from sanvp_study.__main__ import main
from sanvp_study.errors import NotMeasuredError, StudyError
from sanvp_study.expressions import Expression, Template, names_only
from sanvp_study.series import Series
from sanvp_study.study import read_studies
from sanvp_study.targets import DEVIATES, FAILS, HOLDS, NOT_RUN, WITHIN, target

USERS_MISTAKE = 2

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
    ],
)
def test_an_expression_has_its_value(text: str, expected: object) -> None:
    assert value(text) == (pytest.approx(expected) if isinstance(expected, float) else expected)


def test_a_line_through_points_is_judged() -> None:
    assert Expression("r2(index(x, 'n'), x)", "")(
        names_only({"x": Series(("n",), {(n,): 3.0 * n for n in (1, 2, 5)})}, "")
    )
    bent = Series(("n",), {(1,): 1.0, (2,): 4.0, (3,): 1.0})
    assert Expression("r2(index(x, 'n'), x)", "")(names_only({"x": bent}, "")) == pytest.approx(0)


def test_what_is_not_there_is_not_measured() -> None:
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


def test_the_shipped_studies_are_right_and_their_quick_versions_small() -> None:
    studies, targets = read_studies()
    assert len(targets) == 181  # what meta.count of targets.yaml says
    assert len(studies) >= 10
    answered = [a for study in studies.values() for a in study.answers if not a.is_anchor and a.measured]
    assert len(answered) > 100
    for study in studies.values():
        full, quick = study.points(quick=False), study.points(quick=True)
        assert bool(full) == bool(quick), study.name
        assert len(quick) <= 100, study.name
        assert len(set(full)) == len(full), study.name


FAKE = """\
#!{python}
import json, pathlib, sys
here = pathlib.Path(__file__).parent
words = sys.argv[1:]
options = dict(zip(words, words[1:]))
with (here / "calls").open("a") as calls:
    print(*(word if not word.startswith("/tmp") else "FILE" for word in words), file=calls)
load = float(options["--load"])
if load in json.loads((here / "broken").read_text()):
    sys.exit("sanvp: load: too much of it")
metrics = {{"rate": 100 * load, "latency_ns": {{"mean": 7.0}}, "nothing": None}}
metrics["jobs"] = [{{"app": "a", "metrics": {{"rate": {{"value": factor * load, "unit": "B"}}}}}} for factor in (1, 5)]
pathlib.Path(options["--json"]).write_text(json.dumps(metrics))
if "--out" in options:
    pathlib.Path(options["--out"]).mkdir()
    (pathlib.Path(options["--out"]) / "each.csv").write_text(f"who,got\\na,{{load}}\\nb,{{2 * load}}\\n")
"""

STUDY = """\
title: A study
runs:
  sent:
    command: traffic qsnet-16 uniform --load {load} --seed {seed}
    axes: {load: [0.1, 0.2, 0.4], seed: [1, 2]}
    quick: {seed: [1]}
    tables:
      each: {index: {who: who}}
values:
  rate: mean(sent.rate, 'seed')
targets:
  number: {measured: rate(load=0.4), cause: It is so.}
  "family.{seed}": {measured: "sent.rate(load=0.1)"}
  shape: {measured: "rises(rate, 'load') and max(sent.job1.rate) == 5 * max(sent.job0.rate)", shows: "{rate:.0f}"}
  never: {cause: Nobody knows how.}
anchors:
  mine: {value: 0.8, ref: here, measured: "sent.each.got(load=0.4, seed=1, who='b')"}
figures:
  one: {x: load, y: rate, x_label: load, y_label: rate, marks: [{target: number, at: {load: 0.4}}]}
"""

TARGETS = """\
targets:
- {id: number, kind: exact, value: 50, unit: MB/s, rel_tol_suggested: 0.1}
- {id: family.1, kind: exact, value: 10, rel_tol_suggested: 0.1}
- {id: family.2, kind: exact, value: 10, rel_tol_suggested: 0.1}
- {id: shape, kind: qualitative, claim: it rises}
- {id: never, kind: exact, value: 1}
- {id: other, kind: range, value: [1, 2]}
"""


@dataclass
class Bench:
    """A folder with a study, targets and the script that stands for the program."""

    folder: Path
    program: Path

    def study(self, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
        """Runs scripts/study there."""
        command = [
            sys.executable,
            "-B",
            "-m",
            "sanvp_study",
            "--studies",
            self.folder,
            "--results",
            self.folder / "results",
        ]
        return subprocess.run(
            [*map(str, command), *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            cwd=self.folder,
            env={**os.environ, "SANVP": str(self.program), "PYTHONPATH": str(PROJECT / "scripts"), **environment},
        )

    def calls(self) -> list[str]:
        """The program's calls since the last time."""
        log = self.folder / "calls"
        found = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return found

    def break_at(self, *loads: float) -> None:
        """From now on the program fails at these."""
        (self.folder / "broken").write_text(json.dumps(loads))

    def write(self, study: str) -> None:
        """The study file."""
        (self.folder / "small.yaml").write_text(study)

    def rows(self) -> dict[str, dict]:
        """What `report --json -` says, by id."""
        told = self.study("report", "--json", "-")
        assert told.returncode == 0, told.stderr
        return {row["id"]: row for row in json.loads(told.stdout)}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """With the script."""
    (tmp_path / "targets.yaml").write_text(TARGETS)
    program = tmp_path / "sanvp"
    program.write_text(FAKE.format(python=sys.executable))
    program.chmod(0o755)
    made = Bench(tmp_path, program)
    made.write(STUDY)
    made.break_at()
    return made


def done(run: subprocess.CompletedProcess[str]) -> str:
    """Standard output of a command that must end well."""
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_nothing_runs_twice(bench: Bench) -> None:
    done(bench.study("run", "small", "--quick"))
    assert sorted(call.split()[4] for call in bench.calls()) == ["0.1", "0.2", "0.4"]
    done(bench.study("run", "small"))
    assert sorted(call.split(" --json")[0] for call in bench.calls()) == [
        f"traffic qsnet-16 uniform --load {load} --seed 2" for load in (0.1, 0.2, 0.4)
    ]
    done(bench.study("run", "small"))
    assert bench.calls() == []
    assert "6/6" in done(bench.study("list"))


def test_another_program_starts_afresh(bench: Bench) -> None:
    done(bench.study("run", "small", "--quick"))
    bench.calls()
    with bench.program.open("a") as file:
        file.write("# another version\n")
    assert "0/6" in done(bench.study("list"))
    done(bench.study("run", "small", "--quick"))
    assert len(bench.calls()) == 3


def test_another_machine_file_starts_afresh(bench: Bench) -> None:
    base, machine = bench.folder / "base.ini", bench.folder / "mine.ini"
    base.write_text("[link]\nrate = 1MB/s\n")
    machine.write_text("include = base.ini # the rest\n")
    bench.write(STUDY.replace("qsnet-16", str(machine)))
    done(bench.study("run", "small", "--quick"))
    assert len(bench.calls()) == 3
    done(bench.study("run", "small", "--quick"))
    assert bench.calls() == []
    base.write_text("[link]\nrate = 2MB/s\n")
    done(bench.study("run", "small", "--quick"))
    assert len(bench.calls()) == 3


def test_other_software_starts_afresh_what_runs_it(bench: Bench) -> None:
    (bench.folder / "sw").mkdir()
    points = "{command: '%s qsnet-16 ping --load 1'}"
    bench.write(f"title: t\nruns:\n  a: {points % 'run'}\n  b: {points % 'traffic'}\n")
    for image, calls in (("one", ["run", "traffic"]), ("one", []), ("another", ["run"])):
        (bench.folder / "sw" / "ping.so").write_text(image)
        done(bench.study("run", "small"))
        assert sorted(call.split()[0] for call in bench.calls()) == calls


def test_a_failed_point_is_told_and_loses_no_other(bench: Bench) -> None:
    bench.break_at(0.2)
    run = bench.study("run", "small", "--quick", "--jobs", 2)
    assert run.returncode == USERS_MISTAKE
    assert f"{bench.program} traffic qsnet-16 uniform --load 0.2 --seed 1" in run.stderr
    assert "exit status 1: sanvp: load: too much of it" in run.stderr
    assert "1 of 3 points failed" in run.stderr
    assert len(bench.calls()) == 3
    row = bench.rows()["number"]
    assert row["measured"] == pytest.approx(40)
    assert "1 of 3 points" in row["cause"]
    bench.break_at()
    done(bench.study("run", "small", "--quick"))
    assert len(bench.calls()) == 1


def test_the_report_has_all_targets(bench: Bench) -> None:
    rows = bench.rows()
    assert list(rows) == ["number", "family.1", "family.2", "shape", "never", "other"]
    assert all(row["verdict"] == NOT_RUN and row["measured"] is None for row in rows.values())
    assert rows["never"]["cause"] == "Nobody knows how."
    done(bench.study("run", "small"))
    rows = bench.rows()
    assert set(rows["number"]) == {"id", "paper", "measured", "unit", "deviation", "verdict", "cause"}
    number = rows["number"]
    assert (number["paper"], number["unit"], number["verdict"], number["cause"]) == (50, "MB/s", DEVIATES, "It is so.")
    assert (number["measured"], number["deviation"]) == (pytest.approx(40), pytest.approx(-0.2))
    assert [rows[name]["verdict"] for name in ("family.1", "family.2", "shape")] == [WITHIN, WITHIN, HOLDS]
    assert rows["family.1"]["cause"] == ""
    assert rows["other"]["verdict"] == NOT_RUN
    assert rows["other"]["measured"] is None


def test_quick_results_say_so_until_there_are_all(bench: Bench) -> None:
    done(bench.study("run", "small", "--quick"))
    rows = bench.rows()
    assert rows["number"]["cause"] == "It is so. From the quick version."
    assert rows["family.2"]["verdict"] == NOT_RUN  # seed 2 is not among the quick ones
    done(bench.study("run", "small"))
    assert bench.rows()["number"]["cause"] == "It is so."


def test_the_report_is_one_page_with_its_pictures(bench: Bench) -> None:
    done(bench.study("run", "small"))
    page = bench.folder / "page.html"
    told = done(bench.study("report", "--html", page, "--json", bench.folder / "rows.json"))
    assert "| number | 50 | 40 | MB/s | -20.0 % | deviates | It is so. |" in told
    assert "| shape | it rises | 10, 20, 40 |" in told
    assert "| mine | 0.8 | 0.8 |  | +0.0 % | within tolerance |  |" in told
    text = page.read_text()
    assert text.count("data:image/png;base64,") == 1
    assert "http" not in text
    assert 'src="/' not in text
    assert (bench.folder / "results" / "figures" / "small-one.png").read_bytes().startswith(b"\x89PNG")
    assert (bench.folder / "results" / "report.md").read_text() in told
    assert len(json.loads((bench.folder / "rows.json").read_text())) == 6


def test_an_applications_arguments_stay_behind_the_dashes(bench: Bench) -> None:
    bench.write("title: t\nruns: {r: {command: 'run qsnet-16 ping --load 1 -- --size 5'}}\n")
    done(bench.study("run", "small"))
    assert bench.calls() == ["run qsnet-16 ping --load 1 --json FILE -- --size 5"]


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("axes:", "axis:", ["runs.sent", "'axis'", "did you mean 'axes'?"]),
        ("title:", "tilte:", ["'tilte'", "did you mean 'title'?"]),
        ("command: traffic", "comand: traffic", ["runs.sent", "did you mean 'command'?"]),
        ("--load {load}", "--load {lod}", ["runs.sent.command", "'lod'", "did you mean 'load'?"]),
        ("quick: {seed: [1]}", "quick: {sed: [1]}", ["runs.sent.quick", "did you mean 'seed'?"]),
        ("load: [0.1, 0.2, 0.4]", "load: []", ["runs.sent.axes.load"]),
        ("mean(sent.rate", "maen(sent.rate", ["values.rate", "did you mean 'mean'?"]),
        ("mean(sent.rate", "mean(snet.rate", ["values.rate", "did you mean 'sent'?"]),
        ("rate(load=0.4)", "rate(load=0.3)", ["targets.number.measured", "no load=0.3", "0.1, 0.2, 0.4"]),
        ("  number: {mea", "  nubmer: {mea", ["targets.nubmer", "did you mean 'number'?"]),
        ("family.{seed}", "family.{seeds}", ["targets.family.{seeds}", "did you mean 'seed'?"]),
        ("{target: number", "{target: nummer", ["figures.one.marks.target", "did you mean 'number'?"]),
        ("x_label: load", "xlabel: load", ["figures.one", "did you mean 'x_label'?"]),
        ("  shape: {", "  number: {", ["'number' stands twice", "small.yaml:14"]),
        ("runs:\n", "runs: [\n", ["small.yaml:"]),
    ],
)
def test_a_typo_is_told_with_file_and_key(
    bench: Bench, capsys: pytest.CaptureFixture[str], right: str, wrong: str, told: list[str]
) -> None:
    assert right in STUDY
    bench.write(STUDY.replace(right, wrong, 1))
    assert main(["--studies", str(bench.folder), "run", "small"]) == USERS_MISTAKE
    assert bench.calls() == []
    message = capsys.readouterr().err
    for part in ["study: ", "small.yaml", *told]:
        assert part in message


def test_what_a_result_lacks_is_told_and_spoils_no_other_target(bench: Bench) -> None:
    bench.write(STUDY.replace("{measured: rate(load=0.4)", "{measured: max(sent.rait)"))
    done(bench.study("run", "small"))
    told = bench.study("report", "--json", "-")
    assert told.returncode == USERS_MISTAKE
    assert "no metric 'rait' in the results: did you mean 'rate'?" in told.stderr
    assert {row["id"]: row["verdict"] for row in json.loads(told.stdout)}["shape"] == HOLDS


def test_two_studies_do_not_answer_one_target(bench: Bench) -> None:
    (bench.folder / "twin.yaml").write_text("title: t\ntargets: {number: {cause: why}}\n")
    run = bench.study("list")
    assert run.returncode == USERS_MISTAKE
    assert "twin.yaml: targets.number" in run.stderr
    assert "small.yaml: targets.number" in run.stderr


def test_mistakes_on_the_command_line_are_told(bench: Bench) -> None:
    run = bench.study("run", "smal")
    assert run.returncode == USERS_MISTAKE
    assert "no study 'smal': did you mean 'small'?" in run.stderr
    run = bench.study("run", "small", SANVP=str(bench.folder / "nowhere"))
    assert run.returncode == USERS_MISTAKE
    assert "scripts/build" in run.stderr
    assert bench.study("run", "small", "--jobs", 0).returncode == USERS_MISTAKE


def test_a_reader_may_have_read_enough(bench: Bench) -> None:
    done(bench.study("run", "small", "--quick"))
    study = f"{sys.executable} -B -m sanvp_study --studies . --results results report --json -"
    environment = {**os.environ, "SANVP": str(bench.program), "PYTHONPATH": str(PROJECT / "scripts")}
    command = ["bash", "-o", "pipefail", "-c", f"{study} | true"]
    run = subprocess.run(command, capture_output=True, text=True, cwd=bench.folder, env=environment, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_dask_is_asked_for_only_where_it_is_wanted(bench: Bench) -> None:
    (bench.folder / "distributed.py").write_text("raise ImportError('not here', name='distributed')\n")
    path = os.pathsep.join([str(bench.folder), str(PROJECT / "scripts")])
    run = bench.study("run", "small", "--scheduler", "tcp://localhost:8786", PYTHONPATH=path)
    assert run.returncode == USERS_MISTAKE
    assert "python3-distributed" in run.stderr
    assert bench.calls() == []
    done(bench.study("run", "small", PYTHONPATH=path))


def test_a_study_runs_with_the_program_itself(bench: Bench) -> None:
    bench.program = Path(SANVP)
    bench.write(
        textwrap.dedent("""\
        title: Real
        runs:
          sent:
            command: traffic qsnet-16 uniform --load {load} --packets 300
            axes: {load: [0.1, 0.3]}
            tables:
              each: {file: nodes.csv, index: {node: node}}
              links: {file: congestion.csv, index: {level: level, source: from, sink: to}}
        values:
          by_node: sum(sent.each.accepted_MBps, 'node') / sent.accepted_MBps
          links: count(sent.links.headers(load=0.1))
          from_hosts: count(sent.links.headers(load=0.1, level=1, source='host *'))
        targets:
          shape: {measured: "rises(sent.accepted_per_node_MBps, 'load') and links == 48 and from_hosts == 16"}
          number: {measured: 50 * max(by_node)}
        figures:
          matrix: {kind: congestion, run: sent, table: links, at: {load: 0.3}}
          bars: {kind: bars, groups: load, y: sent.accepted_MBps, y_label: MB/s}
        """)
    )
    done(bench.study("run", "small", "--jobs", 1))
    rows = bench.rows()
    assert rows["shape"]["verdict"] == HOLDS  # a 4-ary 2-tree: 16 links up from hosts, 16 up and 16 down
    assert rows["number"]["deviation"] == pytest.approx(0, abs=0.01)
    told = done(bench.study("report", "small"))
    assert all(picture in told for picture in ("small-matrix.png", "small-bars.png"))
