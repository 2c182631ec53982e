"""In-transit buffers past saturation: what the proof against deadlock says, and that traffic ends as it says."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from program import DEADLOCK, DONE, UNTIL_REACHED, sanvp

# A network of 16 switches, a fifth above what it accepts.
PAST_SATURATION = [
    "traffic",
    "myrinet-16",
    "uniform",
    "--bytes",
    "512",
    "--load",
    "0.22",
    "--seed",
    "3",
    "--packets",
    "1000000000",
    "--warmup",
    "0ns",
    "--progress",
    "off",
]


def test_past_saturation_nothing_stops_in_100_million_cycles(tmp_path: Path) -> None:
    # A cycle is 6.25 ns.
    load = [
        "traffic",
        "myrinet-8",
        "uniform",
        "--bytes",
        "512",
        "--load",
        "0.4",
        "--packets",
        "1000000000",
        "--warmup",
        "0ns",
        "--until",
        "625ms",
    ]
    results = ("-s", "traffic.series=25ms", "--out", tmp_path, "--json", tmp_path / "json", "--progress", "off")
    done = sanvp(*load, *results)
    assert done.status == UNTIL_REACHED, done.err
    metrics = json.loads((tmp_path / "json").read_text())
    assert metrics["accepted_MBps"] < 0.9 * metrics["offered_MBps"]
    assert metrics["itbs_per_packet"] > 0.05
    assert metrics["in_transit_pool_most_bytes"] < 512 << 10
    with (tmp_path / "series.csv").open() as file:
        accepted = [float(row["accepted_MBps"]) for row in csv.DictReader(file)]
    assert len(accepted) == 25
    assert min(accepted) > 0.9 * max(accepted)


# Past saturation, packets of 4 KiB can fill pools of 512 KiB. A network for each seed.
LONG = [("myrinet-8", 0.8), ("myrinet-16", 0.4), ("myrinet-32", 0.2)]


@pytest.mark.parametrize("machine,load", LONG)
@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize("share", [0.5, 0.75, 1])
def test_what_check_calls_deadlock_free_does_not_deadlock(
    tmp_path: Path, machine: str, load: float, seed: int, share: float
) -> None:
    network = (machine, "--seed", seed)
    checked = sanvp("check", *network, "--progress", "off", "--json", tmp_path / "check")
    assert checked.status == DONE
    assert json.loads((tmp_path / "check").read_text())["verdict"] == "deadlock-free"
    sent = ("--bytes", 4096, "--load", load * share, "--progress", "off")
    done = sanvp("traffic", machine, "uniform", *sent, "--seed", seed, "--json", tmp_path / "traffic")
    assert done.status == DONE, done.err
    metrics = json.loads((tmp_path / "traffic").read_text())
    assert metrics["lost_packets"] == 0
    assert metrics["in_transit_spilled_packets"] == 0 or metrics["in_transit_pool_most_bytes"] > 512 << 10


def test_packets_that_full_pools_spill_to_hosts_are_counted(tmp_path: Path) -> None:
    done = sanvp(*PAST_SATURATION, "--until", "25ms", "-s", "nic.pool=4KiB", "--json", tmp_path / "json")
    assert done.status == UNTIL_REACHED, done.err
    metrics = json.loads((tmp_path / "json").read_text())
    assert metrics["in_transit_spilled_packets"] > 0
    assert f"{metrics['in_transit_spilled_packets']} packets in transit sent on to hosts' memory" in done.out


def test_pools_that_hold_back_are_a_condition_of_the_proof(tmp_path: Path) -> None:
    holds_back = ("-s", "nic.full_pool=back-pressure", "--progress", "off")
    checked = sanvp("check", "myrinet-32", *holds_back, "--json", tmp_path / "check")
    assert checked.status == DONE
    report = json.loads((tmp_path / "check").read_text())
    assert report["verdict"] == "deadlock-free while pools have room"
    assert report["cycle"] == []
    assert len(report["pool_cycle"]) > 2
    assert "verdict: deadlock-free while pools have room" in checked.out
    for text in (checked.out, report["in_transit_pools"]):
        assert "524288 bytes" in text
        assert "waits in the network" in text
    # The other commands name the condition, and go on: what they run may keep it.
    done = sanvp("traffic", "myrinet-8", "uniform", "--load", 0.05, "--packets", 500, *holds_back)
    assert done.status == DONE
    assert "note: deadlock-free while pools have room" in done.err


@pytest.mark.parametrize("policy,fate", [("drop", "is lost"), ("host-memory", "goes on to its host's memory")])
def test_check_says_what_happens_to_packets_that_do_not_fit_into_a_pool(policy: str, fate: str) -> None:
    checked = sanvp("check", "myrinet-8", "-s", f"nic.full_pool={policy}", "--progress", "off")
    assert "verdict: deadlock-free\n" in checked.out
    assert fate in checked.out


def test_a_full_pool_that_holds_back_ends_the_run_with_the_circle_by_name() -> None:
    more = ("-s", "nic.pool=4KiB", "-s", "nic.full_pool=back-pressure")
    done = sanvp(*PAST_SATURATION, "--until", "625ms", *more)
    assert done.status == DEADLOCK
    assert "waits for room in the in-transit pool of host" in done.err
    assert "deadlock" in done.out


def test_a_full_pool_that_drops_packets_loses_them_and_continues(tmp_path: Path) -> None:
    more = ("--until", "25ms", "-s", "nic.pool=4KiB", "-s", "nic.full_pool=drop", "--json", str(tmp_path / "json"))
    done = sanvp(*PAST_SATURATION, *more)
    assert done.status == UNTIL_REACHED, done.err
    metrics = json.loads((tmp_path / "json").read_text())
    assert 0 < metrics["lost_packets"] < 0.2 * metrics["packets"]
    assert metrics["in_transit_pool_most_bytes"] <= 4096


def test_a_packet_longer_than_the_pool_is_named() -> None:
    small = ("-s", "nic.pool=500B", "-s", "nic.full_pool=back-pressure", "--progress", "off")
    done = sanvp("traffic", "myrinet-8", "uniform", "--bytes", "512", *small)
    assert done.status == DEADLOCK
    assert "never fits into the 500 of the in-transit pool" in done.err
