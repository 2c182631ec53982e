"""What is given and has no effect is noted, or refused where the results would mean something else."""

from __future__ import annotations

import pytest
from program import PROJECT, USER_MISTAKE, done, sanvp

UNIFORM = ("traffic", "qsnet-16", "uniform", "--packets", "200")
GOAL = ("traffic", "qsnet-16", "goal", "--file", PROJECT / "examples" / "goal" / "pipeline.goal")
PAIRS = ("traffic", "qsnet-16", "pairs", "--packets", "200")


def notes(*arguments: object) -> list[str]:
    """Of a run that ends well."""
    return [line for line in done(*arguments).err.splitlines() if line.startswith("note: ")]


@pytest.mark.parametrize(
    ("command", "options", "why"),
    [
        (UNIFORM, ["--resolution 0.1"], "does nothing without --saturation"),
        (UNIFORM, ["-s traffic.highest=2"], "does nothing without --saturation"),
        (UNIFORM, ["--probe-source 1", "--probe-destination 2"], "does nothing without --probe-interval TIME"),
        (UNIFORM, ["-s traffic.spy-until=1ms"], "does nothing without --spy CHANNEL"),
        (UNIFORM, ["--probe-interval 10us", "-s traffic.series=1us"], "writes nothing without --out DIR"),
        (UNIFORM, ["--jobs 2"], "does nothing with one load"),
        (UNIFORM, ["--map 0-3", "--critical-path"], "does nothing with uniform: goal has it"),
        (PAIRS, ["--distance 3", "--exchange 2"], "does nothing with --list"),
        (PAIRS, ["--distance 3"], "does nothing with --exchange"),
        (("traffic", "qsnet-16", "equal-dist", "--packets", "200"), ["--setup 1us"], "does nothing without --messages"),
        (
            ("traffic", "qsnet-16", "closed", "--packets", "200"),
            ["--load 0.5", "--arrivals constant"],
            "does nothing with closed, which sets its own pace",
        ),
        (GOAL, ["--load 0.5", "--packets-out x.txt", "--target 3"], "does nothing with goal: patterns have it"),
    ],
)
def test_each_option_that_needs_another_one_gets_a_note(command, options, why):
    more = {"--list": ("--list", "0-5,5-0"), "--exchange": ("--exchange", "4")}.get(why.rsplit(maxsplit=1)[-1], ())
    words = [word for option in options for word in option.split()]
    names = [option.split("=")[0] if option.startswith("-s") else option.split()[0] for option in options]
    assert sorted(notes(*command, *more, *words)) == sorted(f"note: {name} {why}" for name in names)
    assert notes(*command, *more) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("closed", "--saturation"), "--saturation: this pattern sets its own pace, whatever the load"),
        (("closed", "--load", "0.1:0.3:0.1"), "--load: this pattern sets its own pace, whatever the load"),
        (("closed", "--load", "0.1,0.2@1us"), "--load: this pattern sets its own pace, whatever the load"),
        ((*GOAL[2:], "--saturation"), "--saturation: goal sets its own pace, whatever the load"),
        ((*GOAL[2:], "--load", "0.1:0.3:0.1"), "--load: goal sets its own pace, whatever the load"),
        (("pairs", "--list", "0-0"), "pattern pairs: no node sends"),
        (("uniform", "--jobs", "-1"), "--jobs: -1 runs at once make no progress; give 1 or more"),
        (("uniform", "--load", "100MB"), "--load: '100MB' is an amount of data, not a rate; write 100MB/s"),
    ],
)
def test_what_would_be_measured_as_something_else_is_a_mistake(arguments, message):
    result = sanvp("traffic", "qsnet-16", *arguments)
    assert result.status == USER_MISTAKE
    assert result.err.startswith(f"error: {message}")
    assert len(result.err.splitlines()) == 1
    assert result.out == ""


def test_a_tornado_on_rings_of_two_has_no_sender():
    ring = ("topology.type=torus", "topology.sizes=2x2", "topology.hosts_per_switch=1", "topology.cables=1")
    settings = [word for pair in (*ring, "routing.type=ud") for word in ("-s", pair)]
    result = sanvp("traffic", "qsnet-16", "tornado", *settings)
    assert result.status == USER_MISTAKE
    assert "pattern tornado: no node sends" in result.err


def test_rates_are_swept_as_fractions_are():
    runs = done(*UNIFORM, "--load", "20MB/s:60MB/s:20MB/s", "--json", "-").json["runs"]
    assert [run["load"] for run in runs] == ["20MB/s", "40MB/s", "60MB/s"]


def test_what_is_due_after_the_end_of_a_run_gets_a_note(tmp_path):
    fault = ("--fault", "3s link 9 down", "--fault", "4s link 9 up")
    (note,) = notes(*UNIFORM, *fault)
    assert note.startswith("note: link 9 does not fail at 3s: the run ended at ")
    (tmp_path / "packets.txt").write_text("0 0 1 64\n")
    (note,) = notes("replay", "qsnet-16", "--traffic", tmp_path / "packets.txt", *fault)
    assert note.startswith("note: link 9 does not fail at 3s: the run ended at ")
    (note,) = notes(*UNIFORM, "--load", "0.1,0.5@3ms,0.2@1s")
    assert note.startswith("note: the load 0.1,0.5@3ms,0.2@1s does not change at 3ms: the run ended at ")
    assert notes(*UNIFORM, "--fault", "1us link 20 down") == []


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (UNIFORM, "--packets-out"),
        (UNIFORM, "--trace"),
        (UNIFORM, "--out"),
        ((*UNIFORM, "--log", "*=info"), "--log-file"),
        (("check", "qsnet-16"), "--dot"),
        (("check", "qsnet-16"), "--write-topology"),
        (("run", "qsnet-16", "hello"), "--record"),
    ],
)
def test_standard_output_is_for_json_alone(command, option, tmp_path):
    result = sanvp(*command, option, "-", cwd=tmp_path)
    assert result.status == USER_MISTAKE
    assert result.err.startswith(f"error: {option}: '-' is standard output for --json alone; name a ")
    assert list(tmp_path.iterdir()) == []
