"""In-transit buffers past saturation: where the proof against deadlock holds, where it ends, and what is told."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from program import DEADLOCK, UNTIL_REACHED, sanvp

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
    assert metrics["in_transit_pool_most_bytes"] < 512 << 10  # what the proof is for
    with (tmp_path / "series.csv").open() as file:
        accepted = [float(row["accepted_MBps"]) for row in csv.DictReader(file)]
    assert len(accepted) == 25
    assert min(accepted) > 0.9 * max(accepted)


def test_a_full_pool_that_holds_back_ends_the_run_with_the_circle_by_name() -> None:
    done = sanvp(*PAST_SATURATION, "--until", "625ms", "-s", "nic.pool=4KiB")
    assert done.status == DEADLOCK
    assert "waits for room in the in-transit pool of host" in done.err
    assert "deadlock" in done.out


def test_a_full_pool_that_drops_loses_packets_and_goes_on(tmp_path: Path) -> None:
    more = ("--until", "25ms", "-s", "nic.pool=4KiB", "-s", "nic.full_pool=drop", "--json", str(tmp_path / "json"))
    done = sanvp(*PAST_SATURATION, *more)
    assert done.status == UNTIL_REACHED, done.err
    metrics = json.loads((tmp_path / "json").read_text())
    assert 0 < metrics["lost_packets"] < 0.2 * metrics["packets"]
    assert metrics["in_transit_pool_most_bytes"] <= 4096


def test_a_packet_longer_than_the_pool_is_named() -> None:
    done = sanvp("traffic", "myrinet-8", "uniform", "--bytes", "512", "-s", "nic.pool=500B", "--progress", "off")
    assert done.status == DEADLOCK
    assert "never fits into the 500 of the in-transit pool" in done.err
