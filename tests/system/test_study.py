"""`scripts/study run`: what it keeps, what runs again, and what it says to mistakes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from program import PROJECT
from study_bench import STUDY, USERS_MISTAKE, Bench, done

sys.path.insert(0, str(PROJECT / "python"))

from sanvp.studies.__main__ import main


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


def test_other_software_repeats_the_runs_that_use_it(bench: Bench) -> None:
    (bench.folder / "sw").mkdir()
    points = "{command: '%s qsnet-16 ping --load 1'}"
    bench.write(f"title: t\nruns:\n  a: {points % 'run'}\n  b: {points % 'traffic'}\n")
    for image, calls in (("one", ["run", "traffic"]), ("one", []), ("another", ["run"])):
        (bench.folder / "sw" / "ping.so").write_text(image)
        done(bench.study("run", "small"))
        assert sorted(call.split()[0] for call in bench.calls()) == calls


def test_a_failed_point_is_reported_and_loses_no_other(bench: Bench) -> None:
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


def test_a_check_that_finds_pairs_without_a_route_is_a_result(bench: Bench) -> None:
    bench.write("title: t\nruns: {r: {command: 'check qsnet-16 unserved --load 1'}}\n")
    done(bench.study("run", "small"))
    assert "1/1" in done(bench.study("list"))
    bench.write("title: t\nruns: {r: {command: 'traffic qsnet-16 unserved --load 1'}}\n")
    run = bench.study("run", "small")
    assert run.returncode == USERS_MISTAKE
    assert "exit status 2: nothing on standard error" in run.stderr
    bench.break_at(1)  # ends before there is any JSON
    bench.write("title: t\nruns: {r: {command: 'check qsnet-16 other --load 1'}}\n")
    run = bench.study("run", "small")
    assert run.returncode == USERS_MISTAKE
    assert "too much of it" in run.stderr


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
        ("  shape: {", "  number: {", ["'number' occurs twice", "small.yaml:14"]),
        ("runs:\n", "runs: [\n", ["small.yaml:"]),
    ],
)
def test_a_typo_is_an_error_with_file_and_key(
    bench: Bench, capsys: pytest.CaptureFixture[str], right: str, wrong: str, told: list[str]
) -> None:
    assert right in STUDY
    bench.write(STUDY.replace(right, wrong, 1))
    assert main(["--studies", str(bench.folder), "run", "small"]) == USERS_MISTAKE
    assert bench.calls() == []
    message = capsys.readouterr().err
    for part in ["study: ", "small.yaml", *told]:
        assert part in message


def test_two_studies_do_not_answer_one_target(bench: Bench) -> None:
    (bench.folder / "twin.yaml").write_text("title: t\ntargets: {number: {cause: why}}\n")
    run = bench.study("list")
    assert run.returncode == USERS_MISTAKE
    assert "twin.yaml: targets.number" in run.stderr
    assert "small.yaml: targets.number" in run.stderr


def test_the_first_word_of_several_studies_stands_for_all(bench: Bench) -> None:
    for word in ("first", "second"):
        (bench.folder / f"family-{word}.yaml").write_text(
            f"title: {word}\nruns: {{one: {{command: 'traffic qsnet-16 {word} --load 0.1'}}}}\n"
        )
    run = bench.study("run", "family")
    assert run.returncode == 0, run.stderr
    assert "2 points" in run.stderr


def test_mistakes_on_the_command_line_are_errors(bench: Bench) -> None:
    run = bench.study("run", "smal")
    assert run.returncode == USERS_MISTAKE
    assert "no study 'smal': did you mean 'small'?" in run.stderr
    run = bench.study("run", "small", SANVP=str(bench.folder / "nowhere"))
    assert run.returncode == USERS_MISTAKE
    assert "scripts/build" in run.stderr
    assert bench.study("run", "small", "--jobs", 0).returncode == USERS_MISTAKE


def test_a_reader_may_have_read_enough(bench: Bench) -> None:
    done(bench.study("run", "small", "--quick"))
    study = f"{sys.executable} -B -m sanvp.studies --studies . --results results report --json -"
    environment = {**os.environ, "SANVP": str(bench.program), "PYTHONPATH": str(PROJECT / "python")}
    command = ["bash", "-o", "pipefail", "-c", f"{study} | true"]
    run = subprocess.run(command, capture_output=True, text=True, cwd=bench.folder, env=environment, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_dask_is_asked_for_only_where_it_is_wanted(bench: Bench) -> None:
    (bench.folder / "distributed.py").write_text("raise ImportError('not here', name='distributed')\n")
    path = os.pathsep.join([str(bench.folder), str(PROJECT / "python")])
    run = bench.study("run", "small", "--scheduler", "tcp://localhost:8786", PYTHONPATH=path)
    assert run.returncode == USERS_MISTAKE
    assert "python3-distributed" in run.stderr
    assert bench.calls() == []
    done(bench.study("run", "small", PYTHONPATH=path))
