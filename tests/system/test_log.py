"""`--log`: lines about parts of a machine. They are those of the trace, and change nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from program import COST, done, sanvp
from trace_text import of_json

USER_MISTAKE = 2
SIX = ["qsnet-16", "myrinet-16", "macrame-clos-64", "moc-2-1", "gcel-64", "tofu-36"]
LINE = re.compile(r"^([\d.]+)(ps|ns|us|ms|s) (\S+?)\.(node_\S+|\S+): (.*)$")
PS = {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12}


def lines_of(text: str) -> list[tuple[int, str, str]]:
    """Time in ps, object and what it does, of each line."""
    found = []
    for line in text.splitlines():
        match = LINE.match(line)
        assert match, line
        found.append((round(float(match[1]) * PS[match[2]]), match[4], match[5]))
    return found


@pytest.mark.parametrize("machine", SIX)
def test_a_log_has_the_packets_of_the_trace_and_changes_nothing(tmp_path: Path, machine: str) -> None:
    command = ("run", machine, "allreduce", "--np", "4", "--json", "-")
    plain = done(*command).json
    log, trace = tmp_path / "log.txt", tmp_path / "trace.json"
    logged = done(*command, "--log", "node_*.nic=info", "--log-file", log, "--trace", trace).json
    assert {key: value for key, value in logged.items() if key not in COST} == {
        key: value for key, value in plain.items() if key not in COST
    }
    lines = lines_of(log.read_text())
    arrived = [what for _, _, what in lines if "has arrived" in what]
    assert len(arrived) == plain["packets"]
    sent = {int(what.split()[1]) for _, _, what in lines if "flits" in what}
    names = {slice_[3] for slice_ in of_json(trace.read_text()).slices}
    drawn = {int(name.split()[1]) for name in names if re.match(r"packet \d+ \(", name)}
    assert drawn <= sent


def test_debug_has_all_rows_of_the_trace_and_the_stores_to_registers(tmp_path: Path) -> None:
    log, trace = tmp_path / "log.txt", tmp_path / "trace.json"
    command = ("run", "qsnet-16", "ping", "--np", "2")
    done(*command, "--log", "qsnet-16.node_0=debug", "--log-file", log, "--trace", trace)
    lines = lines_of(log.read_text())
    slices = of_json(trace.read_text()).slices
    dma = [(begin, name) for (board, row), begin, _, name, _ in slices if (board, row) == ("host 0", "DMA")]
    logged = [(at, what.split(" for ")[0]) for at, path, what in lines if path == "node_0.nic.dma"]
    assert sorted(logged) == sorted(dma) != []
    stores = [begin for (board, _), begin, _, name, _ in slices if board == "node 0" and name == "store to PutDma"]
    takes_effect = [at for at, path, what in lines if path == "node_0.nic.registers" and what.startswith("PutDma")]
    assert len(takes_effect) == len(stores) > 0
    assert all(0 < effect - store < PS["us"] for store, effect in zip(stores, takes_effect, strict=True))


def test_the_last_fitting_wish_counts_and_lines_go_to_standard_error() -> None:
    err = done("run", "qsnet-16", "ping", "--np", "2", "--log", "node_?.nic=info", "--log", "node_0=off").err
    assert ".node_1.nic: packet" in err
    assert ".node_0.nic: packet" not in err


def arrivals(log: str) -> set[tuple[int, str]]:
    return {(at, path) for at, path, what in lines_of(log) if "has arrived" in what}


@pytest.mark.parametrize("machine", SIX)
def test_a_log_of_traffic_has_its_packets_at_their_times_and_changes_nothing(tmp_path: Path, machine: str) -> None:
    command = ("traffic", machine, "uniform", "--load", "0.1", "--packets", "200", "--json", "-")
    plain = done(*command, "--packets-out", tmp_path / "packets.txt").json
    logged = done(*command, "--log", "node_*.nic=info", "--log-file", tmp_path / "log.txt").json
    assert {key: value for key, value in logged.items() if key not in COST} == {
        key: value for key, value in plain.items() if key not in COST
    }
    packets = [line.split() for line in (tmp_path / "packets.txt").read_text().splitlines() if line[0].isdigit()]
    delivered = {(round(float(fields[7]) * 1000), f"node_{fields[3]}.nic") for fields in packets}
    assert len(delivered) >= 200
    assert delivered <= arrivals((tmp_path / "log.txt").read_text())


def test_a_log_of_a_replay_has_each_delivery(tmp_path: Path) -> None:
    (tmp_path / "packets.txt").write_text("0 0 3 64\n10 1 3 64\n500 2 0 128\n")
    log = tmp_path / "log.txt"
    command = ("replay", "qsnet-16", "--traffic", tmp_path / "packets.txt")
    printed = done(*command, "--log", "node_*=info", "--log-file", log).out
    rows = [line.split() for line in printed.splitlines() if line[0].isdigit()]
    assert {(round(float(row[7]) * 1000), f"node_{row[3]}.nic") for row in rows} == arrivals(log.read_text())
    debug = done(*command, "--log", "level_*=debug").err
    assert "level_0_switch_0.port_" in debug and "packet 0 (0 to 3) for " in debug


def test_what_has_no_log_or_no_such_object_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "one.goal").write_text("num_ranks 1\nrank 0 {\nl1: calc 5\n}\n")
    goal = sanvp("traffic", "qsnet-16", "goal", "--file", tmp_path / "one.goal", "--log", "node_0=info")
    assert (goal.status, "'goal' has no log" in goal.err) == (USER_MISTAKE, True), goal.err
    cpu = sanvp("traffic", "qsnet-16", "uniform", "--log", "node_0.cpu_0=info")
    assert (cpu.status, "this machine has no object 'node_0.cpu_0'" in cpu.err) == (USER_MISTAKE, True), cpu.err


@pytest.mark.parametrize(
    ("wish", "cause"),
    [
        ("node_16.nic=debug", "the nearest is 'node_1"),
        ("node_3.nik=debug", "the nearest is 'node_3.nic'"),
        ("nodes*=debug", "this machine has no object"),
        ("node_3=loud", "there is no level 'loud'"),
        ("node_3", "is no OBJECT=LEVEL"),
    ],
)
def test_unknown_objects_and_levels_are_errors(wish: str, cause: str) -> None:
    run = sanvp("run", "qsnet-16", "ping", "--np", "2", "--log", wish)
    assert (run.status, cause in run.err) == (USER_MISTAKE, True), run.err


def test_an_object_that_does_nothing_is_noted() -> None:
    err = done("run", "qsnet-16", "ping", "--np", "2", "--log", "node_9.nic=info").err
    assert "--log: node_9.nic has done nothing" in err
