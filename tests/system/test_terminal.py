"""What a terminal shows, and that a file gets the same without colour and progress."""

from __future__ import annotations

import re
import subprocess

import pytest
from program import SANVP, USER_MISTAKE, done, on_terminal, result_of, sanvp

COLOUR = re.compile(r"\x1b\[[\d;]*m")
PROGRESS = re.compile(r"\r\x1b\[K([\d.]+ us simulated[^\r\n]*)")
LONG_RUN = ("run", "qsnet-16", "cg", "--", "--rows", 24)


def screen(shown: str) -> list[str]:
    """The lines that remain: a line that was wiped is gone."""
    lines = [line.rpartition("\r\x1b[K")[2] for line in shown.replace("\r\n", "\n").split("\n")]
    return lines[:-1] if lines[-1] == "" else lines


@pytest.mark.parametrize(
    ("environment", "is_coloured"),
    [({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_messages_are_coloured_on_a_terminal_unless_it_is_forbidden(environment, is_coloured):
    status, shown = on_terminal("check", "qsnet-65", **environment)
    assert status == USER_MISTAKE
    assert bool(COLOUR.search(shown)) == is_coloured
    plain = sanvp("check", "qsnet-65").err
    assert not COLOUR.search(plain)
    assert screen(COLOUR.sub("", shown)) == plain.splitlines()


def test_a_run_shows_simulated_time_and_rate_and_leaves_the_lines_of_a_file():
    status, shown = on_terminal(*LONG_RUN)
    assert status == 0
    lines = PROGRESS.findall(shown)
    assert lines
    assert all(re.fullmatch(r"[\d.]+ us simulated, \d+ packets, \S+ (us|ms|s)/s", line) for line in lines), lines
    run = subprocess.run([SANVP, *map(str, LONG_RUN)], capture_output=True, text=True, check=True)
    assert "\x1b" not in run.stdout + run.stderr
    assert sorted(screen(COLOUR.sub("", shown))) == sorted((run.stdout + run.stderr).splitlines())


def test_a_run_shows_how_far_it_is_at_most_if_it_has_an_end():
    _, shown = on_terminal("run", "qsnet-16", "cg", "--until", "60ms", "--", "--rows", 24)
    lines = PROGRESS.findall(shown)
    assert lines
    assert all(re.search(r" (us|ms|s)/s, \d+ % of --until, at most \d+:\d\d left$", line) for line in lines), lines


def test_a_run_that_measures_for_a_time_shows_how_long_it_still_takes():
    _, shown = on_terminal("run", "qsnet-16", "uniform", "--", "--measure", "20K")
    lines = PROGRESS.findall(shown)
    assert any(re.search(r" (us|ms|s)/s, \d+ %, \d+:\d\d left$", line) for line in lines), lines


def test_a_log_of_progress_has_no_rate():
    run = result_of(
        subprocess.run([SANVP, *map(str, LONG_RUN[:3]), "--progress", "on"], capture_output=True, text=True, check=True)
    )
    assert "s/s" not in run.err


def test_the_version_names_the_program_first():
    lines = done("--version").out.splitlines()
    assert lines[0].startswith("sanvp 0.")
    assert sorted(line.split()[0] for line in lines[1:]) == ["compiler", "systemc"]


def test_ranks_that_miss_a_card_are_told_of_once():
    result = sanvp("run", "qsnet-16", "tofu_ping", "--np", 4)
    assert result.err.count("this machine's card is 'elan3', not 'tofu'") == 1
    assert "error: rank 0 on node 0 and 3 more ranks: utofu: this machine's card" in result.err


def test_a_small_negative_delay_is_no_negative_zero():
    assert not re.search(r"-0\.0*(\s|$)", done("run", "qsnet-16", "overlap", "--np", 2, "--", "--most", 256).out)


def described(app: str) -> list[dict]:
    """The options of an app, which may share its name with a pattern."""
    found = done("describe", app, "--json", "-").json
    return next(one for one in (found if isinstance(found, list) else [found]) if one["kind"] == "app")["options"]


def test_describe_and_list_show_the_options_that_the_programs_themselves_list():
    for app in done("list", "apps", "--json", "-").json["apps"]:
        assert [one["key"] for one in described(app["name"])] == app["options"]


def test_describe_knows_the_settings_of_libraries():
    one = done("describe", "mpi.alltoall", "--json", "-").json["parameters"]
    assert [(it["key"], it["default"]) for it in one] == [("mpi.alltoall", "auto")]
    assert one[0]["documentation"].startswith("algorithm: auto, linear, pairwise, bruck; by size")
    assert {it["key"] for it in done("describe", "mpi", "--json", "-").json["parameters"]} > {"mpi.bcast", "mpi.scan"}
    machine = done("describe", "qsnet-16").out
    for key in ("mpi.alltoall", "elan.barrier", "shmem.heap", "gm.window", "transport.eager", "tofu.order"):
        assert key in machine
        assert f"{key} = " in done("describe", key).out
    assert "sanvp describe mpi" in " ".join(done("run", "--help").out.split())
    assert "did you mean 'mpi.alltoall'?" in sanvp("describe", "mpi.altoall").err


@pytest.mark.parametrize(
    ("app", "machine"),
    [
        ("cg", "qsnet-16"),
        ("uniform", "qsnet-16"),
        ("collectives", "qsnet-16"),
        ("bulk", "qsnet-16"),
        ("tofu_ping", "tofu-36"),
        ("ping", "qsnet-16"),
        ("parix_ping", "gcel-64"),
        ("vcp_ping", "moc-2-1"),
    ],
)
def test_the_options_of_an_app_are_those_of_its_help(app, machine):
    told = described(app)
    shown = done("run", machine, app, "--np", 1, "--", "--help").out
    helped = {found[1]: found for found in re.finditer(r"^\[0\] --(\S+) +(.*) \(default (.*)\)$", shown, re.MULTILINE)}
    assert sorted(helped) == [one["key"] for one in told]
    for one in told:
        if one["key"] != "operation":  # of collectives, whose names its source puts together
            assert helped[one["key"]][2] == one["documentation"]
        assert one["default"] in ("", helped[one["key"]][3])
    assert f"--{told[0]['key']}" in done("describe", app).out
    assert f"--{told[0]['key']}" in done("list", "apps").out
