"""The traffic programs of the QsNET machine: what they offer, what they count, and what a run keeps of it."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from program import done, sanvp

PAPERS_STREAM_MBPS = 335  # QsNET paper 5.1


def metrics(machine: str, program: str, *arguments: object, options: tuple[object, ...] = ()) -> dict:
    """The JSON of a run that ended well; it has checked its bytes."""
    return done("run", machine, program, *options, "--json", "-", "--", *arguments).json


def rows(file: Path) -> list[dict[str, str]]:
    """Of a CSV file."""
    with file.open() as lines:
        return list(csv.DictReader(lines))


def test_only_data_that_arrives_in_the_measured_time_counts():
    """One sender: its rate is the stream's, whatever the time that is cut out of it."""
    for times in (("--warmup", 300, "--measure", 1000), ("--warmup", 50, "--measure", 470)):
        found = metrics("qsnet-16", "hot_spot", "--bytes", "64K", *times, options=("--np", 2))
        assert found["accepted_MBps"] == pytest.approx(PAPERS_STREAM_MBPS, rel=0.02)


@pytest.mark.parametrize("law", ["fixed", "uniform", "exponential"])
def test_below_saturation_the_offered_load_is_accepted(law):
    # 20 ms of messages of 8 KiB, one every 200 us, from 16 ranks: 1600, so a sum deviates by 2.5 % or 3.5 %
    load = ("--bytes", "8K", "--gap", 200_000, "--warmup", 500, "--measure", 20_000, "--sizes", law, "--times", law)
    found = metrics("qsnet-16", "uniform", *load)
    assert found["offered_per_node_MBps"] == pytest.approx(8192 / 200)
    assert found["accepted_per_node_MBps"] == pytest.approx(8192 / 200, rel=0.01 if law == "fixed" else 0.1)


def test_a_gap_counts_from_the_end_of_a_message_if_asked_for():
    """One message at a time: each takes its own time and the gap, while a gap from its start has passed by its end."""

    def us(gap: int, *options: object) -> float:
        fixed = ("--bytes", "64K", "--times", "fixed", "--messages", 50)
        run = done("run", "qsnet-16", "uniform", "--np", 2, "--", *fixed, "--gap", gap, *options)
        return float(run.out.split(" bytes in ")[1].split()[0])

    assert us(200_000, "--gap-from", "end") - us(1000, "--gap-from", "end") == pytest.approx(50 * 199, abs=0.2)
    assert us(200_000) - us(1000) == pytest.approx(199, abs=0.2)  # of the first


def test_a_gap_from_the_end_wants_one_message_at_a_time():
    run = sanvp("run", "qsnet-16", "uniform", "--np", 2, "--", "--gap-from", "end", "--window", 2)
    assert "--gap-from end counts from the end of the one message under way: give --window 1" in run.err


def test_servers_of_their_own_serve_at_the_rate_of_a_stream():
    """8 clients and 8 servers: no two pairs share anything, once the least loaded link up is taken."""
    load = ("--bytes", "64K", "--read", 0, "--warmup", 300, "--measure", 500)
    own = metrics("qsnet-16", "multiple_hot_spots", "--access", "deterministic", *load)
    drawn = metrics("qsnet-16", "multiple_hot_spots", "--access", "random", *load)
    assert own["slowest_MBps"] == pytest.approx(PAPERS_STREAM_MBPS, rel=0.05)
    assert drawn["accepted_MBps"] < 0.8 * own["accepted_MBps"]


@pytest.mark.parametrize("access", ["random", "deterministic"])
def test_servers_that_ask_ask_each_other(access):
    """Two servers and a client: each has a server on another node."""
    load = ("--servers", 2, "--dedicated", "no", "--read", 0, "--bytes", "64K", "--warmup", 300, "--measure", 500)
    found = metrics("qsnet-16", "multiple_hot_spots", *load, "--access", access, options=("--map", "4,5,9", "--np", 3))
    assert found["slowest_MBps"] > 0


def test_a_second_job_takes_bandwidth_on_the_nodes_it_shares():
    """Both jobs write from node 0 to node 1, then from node 0 and from node 4."""
    load = "--bytes 64K --warmup 300 --measure 600"
    alone = metrics("qsnet-16", "hot_spot", *load.split(), options=("--map", "1,0", "--np", 2))["accepted_MBps"]
    for sender, loses in (("0", True), ("4", False)):
        job = ("--job", f"hot_spot --np 2 --map {'1' if loses else '5'},{sender} -- {load}")
        both = metrics("qsnet-16", "hot_spot", *load.split(), options=("--map", "1,0", "--np", 2, *job))
        rates = [job["metrics"]["accepted_MBps"]["value"] for job in both["jobs"]]
        assert sum(rates) == pytest.approx(alone if loses else 2 * alone, rel=0.03)
        assert rates[0] == pytest.approx(rates[1], rel=0.03)


def test_metrics_of_each_rank_are_in_its_row(tmp_path):
    load = ("--bytes", "16K", "--warmup", 300, "--measure", 2000)
    done("run", "qsnet-16", "hot_spot", "--np", 4, "--out", tmp_path / "out", "--", *load)
    of = {row["rank"]: row for row in rows(tmp_path / "out" / "ranks.csv")}
    assert of["0"]["rank_MBps"] == ""  # the spot itself sends nothing
    total = sum(float(of[rank]["rank_MBps"]) for rank in "123")
    assert total == pytest.approx(float(of["0"]["accepted_MBps"]), rel=1e-6)


def test_a_run_says_whether_its_traffic_had_settled_and_how_far_its_rate_may_be_off(tmp_path):
    load = ("--bytes", "8K", "--gap", 200_000, "--warmup", 1000, "--measure", 10_000)
    command = ("run", "qsnet-16", "uniform", "--json", tmp_path / "one.json", "--out", tmp_path / "out", "--", *load)
    text = done(*command).out.splitlines()[-1]
    told = json.loads((tmp_path / "one.json").read_text())
    assert told["settled"] is True
    assert told["warm_up_ns"] == pytest.approx(1e6, rel=0.05)
    assert told["window_ns"] == pytest.approx(1e7, rel=0.01)
    # 800 messages of one size at times drawn exponentially: a deviation of 1 / sqrt(800), and Student's t of 19 degrees
    expected = 2.093 * told["accepted_MBps"] / 800**0.5
    assert expected / 2 < told["accepted_half_width_MBps"] < 2 * expected
    assert told["jobs"][0]["settled"] is True
    rate = rf"{told['accepted_MBps']:.0f}\.\d \+- \d+\.\d MB/s"
    words = rf"settled: accepted {rate} in (9\.9\d+|10) ms, after (0\.99\d+|1) ms of warm-up"
    assert re.fullmatch(words, text), text
    stats = {row["name"]: float(row["value"]) for row in rows(tmp_path / "out" / "stats.csv") if row["path"] == "job 0"}
    assert (stats["settled"], stats["accepted_half_width"]) == (1, told["accepted_half_width_MBps"])


def test_a_run_that_counts_from_its_first_message_on_has_not_settled():
    """The first messages of all ranks find an empty network, and none is brought before it has taken its time."""
    load = ("--bytes", "64K", "--sizes", "uniform", "--measure", 4000)
    found = metrics("qsnet-16", "uniform", *load)
    assert (found["settled"], found["warm_up_ns"]) == (False, 0)


def test_a_window_for_one_message_has_no_confidence_interval():
    load = ("--bytes", "1M", "--window", 1, "--warmup", 2000, "--measure", 4000)
    result = done("run", "qsnet-16", "hot_spot", "--np", 2, "--", *load)
    assert "(too short a time for an interval) MB/s in 4 ms" in result.out
    assert metrics("qsnet-16", "hot_spot", *load, options=("--np", 2))["accepted_half_width_MBps"] is None


@pytest.mark.parametrize("seed", [2, 4])
def test_a_hot_spot_never_takes_more_than_its_link_carries_whatever_the_sizes(seed):
    """A packet of 320 bytes has 376 on the link between neighbours: 340.4 MB/s. Long messages must not end alone."""
    load = ("--bytes", "1M", "--sizes", "exponential", "--window", 1, "--warmup", 12_800, "--measure", 38_400)
    found = metrics("qsnet-64", "hot_spot", *load, options=("--np", 4, "--seed", seed))
    assert found["accepted_MBps"] == pytest.approx(400 * 320 / 376, rel=3e-4)


def test_a_run_that_measures_no_time_says_nothing_of_it():
    found = metrics("qsnet-16", "uniform", "--bytes", "4K", "--messages", 4)
    assert not {"settled", "warm_up_ns", "window_ns", "accepted_half_width_MBps"} & set(found)


def test_the_waits_of_a_run_are_in_its_congestion_matrix(tmp_path):
    load = ("--bytes", "16K", "--messages", 4)
    done("run", "qsnet-16", "hot_spot", "--out", tmp_path / "out", "--", *load)
    links = rows(tmp_path / "out" / "congestion.csv")
    assert len(links) == 48  # a 4-ary 2-tree: 16 links up from hosts, 16 up and 16 down
    waits = {(row["from"], row["to"]): float(row["wait_ns_total"]) for row in links}
    down_to = [sum(waits[f"level 1 switch {j}", f"level 0 switch {i}"] for j in range(4)) for i in range(4)]
    assert down_to[0] > 0
    assert max(down_to[1:]) < 1e-3 * down_to[0]  # only barriers go there
    done("run", "qsnet-16", "hot_spot", "--np", 2, "--out", tmp_path / "alone", "--", *load)
    assert sum(float(row["wait_ns_total"]) for row in rows(tmp_path / "alone" / "congestion.csv")) == 0
