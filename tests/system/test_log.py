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
