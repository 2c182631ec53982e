"""Observers change nothing: every result file of a run is the same to the byte with and without them."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from program import DEADLOCK, DONE, SANVP, UNTIL_REACHED, done, left_by, on_terminal

FLOOD = SANVP.rsplit("/", 1)[0] + "/sw/tests/mpi_flood.so"
MACHINES = ("qsnet-16", "myrinet-8", "macrame-clos-64", "moc-2-1", "gcel-64", "tofu-36")
NO_SERIES = re.compile(r"^note: -s traffic.series writes nothing without --out DIR\n", re.MULTILINE)
PATTERN = ("--packets", "150", "--warmup", "5us", "-s", "traffic.series=5us")


def expect_the_same(
    folder: Path, *arguments: object, status: int = DONE, more: tuple[tuple[str, ...], ...] = ()
) -> None:
    """With a timeline and progress, without results; and with each of `more`."""
    plain = left_by(folder / "plain", *arguments)
    assert plain["status"] == str(status), plain["err"]
    for i, observers in enumerate([("--trace", "trace", "--progress", "on"), *more]):
        observed = left_by(folder / str(i), *arguments, observers=observers)
        for name in plain.keys() | observed.keys():
            # What --profile and --spy tell of themselves.
            if name in ("profile.csv", "functions.csv", "spy.csv") or (name == "out" and "--profile" in observers):
                continue
            assert observed.get(name) == plain.get(name), (name, observers)
    unobserved = left_by(folder / "unobserved", *arguments, out=False)
    unobserved["err"] = NO_SERIES.sub("", unobserved["err"])
    assert unobserved == {name: plain[name] for name in unobserved}


def cables(folder: Path, *arguments: object) -> list[str]:
    """Of a machine, by name."""
    links = left_by(folder, *arguments)["links.csv"]
    return [row["channel"] for row in csv.DictReader(links.splitlines())]


@pytest.mark.parametrize("fidelity", ["worm", "flit"])
@pytest.mark.parametrize("machine", MACHINES)
def test_traffic_is_the_same_whatever_is_observed(machine, fidelity, tmp_path):
    arguments = ("traffic", machine, "uniform", "--fidelity", fidelity, *PATTERN, "--load", "0.2:0.8:0.6")
    expect_the_same(tmp_path, *arguments)


@pytest.mark.parametrize("machine", MACHINES)
def test_so_it_is_where_a_warm_up_is_detected_a_part_has_failed_or_time_is_up(machine, tmp_path):
    arguments = ("traffic", machine, "uniform", "--load", "0.3")
    few = ("--packets", "100")
    for i, more in enumerate(
        [few, (*few, "-s", "topology.failed_links=2", "--force"), ("--packets", "100000", "--until", "2us")]
    ):
        (tmp_path / str(i)).mkdir()
        expect_the_same(tmp_path / str(i), *arguments, *more, status=UNTIL_REACHED if i == 2 else DONE)


def test_so_it_is_for_a_pattern_that_ends_and_with_a_spy(tmp_path):
    for machine in MACHINES:
        (tmp_path / machine).mkdir()
        arguments = ("traffic", machine, "all-to-all", "--bytes", 64)
        spied = cables(tmp_path / f"{machine}-cables", *arguments)
        expect_the_same(tmp_path / machine, *arguments, more=(("--spy", spied[-1]), ("--packets-out", "/dev/null")))


def test_so_it_is_where_worms_wait_for_each_other_for_ever(tmp_path):
    pools = ("-s", "nic.pool=500B", "-s", "nic.full_pool=back-pressure")
    arguments = ("traffic", "myrinet-8", "uniform", "--bytes", "512", *pools)
    expect_the_same(tmp_path, *arguments, status=DEADLOCK)


@pytest.mark.parametrize("fidelity", ["worm", "flit"])
@pytest.mark.parametrize("machine", MACHINES)
def test_a_replay_is_the_same_whatever_is_observed(machine, fidelity, tmp_path):
    lines = [
        f"{100 * (i // 7)} {i % 8} {(3 * i + 1) % 8} {8 + 40 * (i % 4)}" for i in range(60) if i % 8 != (3 * i + 1) % 8
    ]
    packets = tmp_path / "packets"
    packets.write_text("\n".join(lines) + "\n")
    for name, until, status in [("all", "1s", DONE), ("part", "750ns", UNTIL_REACHED)]:
        (tmp_path / name).mkdir()
        arguments = ("replay", machine, "--traffic", packets, "--fidelity", fidelity, "--until", until)
        expect_the_same(tmp_path / name, *arguments, status=status)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_program_runs_the_same_whatever_is_observed(machine, tmp_path):
    profiles = (("--profile",), ("--profile", "--trace", "trace"))
    expect_the_same(tmp_path, "run", machine, "halo", "--np", 4, "--", "--cells", 50, "--exchanges", 2, more=profiles)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_program_hangs_the_same_whatever_is_observed(machine, tmp_path):
    arguments = ("run", machine, FLOOD, "--np", 2, "--", "both")
    expect_the_same(tmp_path, *arguments, status=DEADLOCK, more=(("--profile",),))


@pytest.mark.parametrize("fidelity", ["worm", "flit"])
@pytest.mark.parametrize("machine", MACHINES)
def test_the_measuring_window_opens_and_a_run_ends_at_the_instants_that_are_given(machine, fidelity, tmp_path):
    arguments = ("traffic", machine, "uniform", "--fidelity", fidelity, "--load", "0.2", "--until", "20.001us")
    left = left_by(tmp_path / "run", *arguments, "--warmup", "5us", observers=("--trace", "trace"))
    figures = json.loads(left["json"])
    assert left["status"] == str(UNTIL_REACHED)
    assert (figures["warm_up_ns"], figures["window_ns"], figures["sim_time_ns"]) == (5000, 15001, 20001)


def test_a_terminal_gets_the_same(tmp_path):
    arguments = ("traffic", "qsnet-16", "uniform", "--load", "0.2", *PATTERN)
    piped = done(*arguments, cwd=tmp_path).out
    status, shown = on_terminal(*arguments, cwd=tmp_path)
    assert status == DONE
    assert shown.replace("\r\n", "\n").replace("\r\x1b[K", "").endswith(piped)
