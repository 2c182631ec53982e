"""Macramé's machines with hosts: virtual channels, configuration of the switches, MPI through bit errors."""

from __future__ import annotations

import csv
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from program import DEADLOCK, SANVP, USER_MISTAKE, done, sanvp

PROGRAM_FAILED = 4
CHANNELS = Path(SANVP).with_name("sw") / "tests" / "ds_channels.so"
MACHINES = ("macrame-clos-64", "macrame-grid-64", "macrame-torus-64", "macrame-clos-128")


def ping(machine: str, *settings: object, arguments: tuple = (), np: int = 2) -> list[tuple[int, float, float]]:
    """Rows of ds_ping: bytes, latency in us, MB/s."""
    out = done("run", machine, "ds_ping", "--np", np, *settings, "--", *arguments).out
    assert "[0] PASS" in out
    rows = [line.split()[1:] for line in out.splitlines()[2:] if "PASS" not in line]
    return [(int(size), float(us), float(rate)) for size, us, rate in rows]


def counters(folder: Path) -> dict[str, int]:
    """Of all cards, added up."""
    sums: dict[str, int] = {}
    with (folder / "stats.csv").open() as file:
        for row in csv.DictReader(file):
            if row["path"].endswith(".ds_link"):
                sums[row["name"]] = sums.get(row["name"], 0) + int(row["value"])
    return sums


def test_a_trace_has_the_card(tmp_path):
    """As many slices as packets that were counted, and the link's silence after each parity error."""
    done(
        *("run", "macrame-clos-64", "ds_ping", "--np", 2, "-s", "link.bit_error_rate=2e-5", "--out", tmp_path / "run"),
        *("--trace", tmp_path / "trace.json", "--", "--least", 1024, "--most", 1024),
    )
    slices = Counter()
    boards, rows = {}, {}
    for event in json.loads((tmp_path / "trace.json").read_text())["traceEvents"]:
        if event["name"] == "process_name":
            boards[event["pid"]] = event["args"]["name"]
        elif event["name"] == "thread_name":
            rows[event["pid"], event["tid"]] = event["args"]["name"]
        elif event["ph"] == "X":
            slices[rows[event["pid"], event["tid"]], event["name"]] += 1
    count = counters(tmp_path / "run")
    assert "host 0" in boards.values()
    assert slices["VCP output", "packet"] == count["packets_out"]
    assert slices["VCP output", "acknowledgement"] == count["acknowledgements"]
    assert slices["VCP input", "packet"] + slices["VCP input", "acknowledgement"] == count["packets_in"]
    assert slices["DS link", "down"] == count["starts"]
    assert count["parity_errors"] > 0


@pytest.mark.parametrize("machine", MACHINES)
def test_virtual_channels_are_occams(machine):
    assert done("run", machine, CHANNELS, "--np", 3).out.count("PASS") == 3


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("length", "ChanIn: channel 0 from process 0: a message of 4 bytes came where 2 were wanted"),
        ("direction", "ds_output: channel 0 from process 1: it is the receiving end; take ds_channel_to"),
        ("number", "ds_channel: process 1, number 1000: the job has 3 processes and"),
        ("constant", "ds_output: channel 0 to process 1: its bytes are not this process's memory"),
        ("twice", "ds_input: channel 0 from process 1: its last input has not ended"),
    ],
)
def test_misuse_of_a_channel_is_an_error(what, message):
    result = sanvp("run", "macrame-clos-64", CHANNELS, "--np", 3, "--", what)
    assert result.status == PROGRAM_FAILED
    assert message in result.err


@pytest.mark.parametrize(("what", "call"), [("wait", "ChanIn"), ("unread", "ChanOut")])
def test_a_rank_that_waits_for_ever_is_reported_with_its_channel(what, call):
    result = sanvp("run", "macrame-clos-64", CHANNELS, "--np", 2, "--", what)
    assert result.status == DEADLOCK
    assert f"rank 0 on node 0 waits in {call} (rank 1, tag 0, 4 bytes)" in result.err


def test_one_channel_is_bound_by_its_acknowledgements_and_several_by_the_link():
    """A packet of 32 bytes, 2 of header and EOP is 3.44 us, and its acknowledgement comes back over the switch."""
    round_trip = 0.3 + 3.4 + 1.005 + 0.045 + 0.3 + 0.1 + 0.2 + 1.005 + 0.045 + 0.3  # us; tests/models/ds_link.cpp
    size = ("--least", "4096", "--count", "4")
    one = ping("macrame-clos-64", arguments=size)[-1][2]
    # A fetch of 32 bytes over the bus: four cycles of data and two of overhead at 25 MHz.
    assert one == pytest.approx(32 / (round_trip + 0.24), rel=0.01)
    four = ping("macrame-clos-64", arguments=(*size, "--channels", "4"))[-1][2]
    assert 32 / (3.44 * 1.03) < four < 32 / 3.44  # FCTs for the acknowledgements take a little
    # Without waiting for acknowledgements one channel fills the link, too; its packets have two headers then.
    eager = ping("macrame-clos-64", "-s", "nic.vcp.window=8", arguments=size)[-1][2]
    assert 32 / (3.64 * 1.03) < eager < 32 / 3.64


@pytest.mark.parametrize("routing", ["adaptive", "fixed", "universal"])
@pytest.mark.parametrize("machine", ["macrame-clos-64", "macrame-clos-128"])
def test_the_loaded_tables_lead_as_the_routing_says(machine, routing):
    """Each card compares its first packet to each node; all of them talk with all."""
    nodes = int(machine.rsplit("-", 1)[1])
    settings = ("-s", f"routing.up={routing}")
    out = done("run", machine, "alltoall", "--np", nodes, *settings, "--", "--most", "1", "--count", "1").out
    assert "PASS" in out


@pytest.mark.parametrize("cables", ["grouped", "fixed"])
def test_the_loaded_tables_of_a_grid_lead_as_the_routing_says(cables):
    settings = ("-s", f"routing.cables={cables}", "-s", "nic.header_deletion=always")
    out = done("run", "macrame-grid-64", "alltoall", *settings, "--", "--most", "1", "--count", "1").out
    assert "PASS" in out


def test_tables_that_lead_another_way_than_was_proved_are_refused():
    routing = ("-s", "routing.type=dimension_order", "-s", "routing.order=xy")
    result = sanvp("run", "macrame-grid-64", "ds_ping", *routing, "-s", "nic.configure=yes")
    assert result.status == USER_MISTAKE
    assert "the tables that node 0 loads lead from node" in result.err
    assert "nic.configure=no" in result.err
    for configure in ("no", "auto"):
        assert "PASS" in done("run", "macrame-grid-64", "ds_ping", *routing, "-s", f"nic.configure={configure}").out


def test_tables_are_loaded_where_they_are_those_of_the_routing():
    """Loading takes node 0 time before programs begin."""
    begun = {
        configure: done("run", "macrame-clos-64", "ds_ping", "-s", f"nic.configure={configure}", "--json", "-").json[
            "sim_time_ns"
        ]
        for configure in ("yes", "no", "auto")
    }
    assert begun["auto"] == begun["yes"] > begun["no"]


def test_a_program_gets_correct_results_despite_bit_errors(tmp_path):
    quiet = done("run", "macrame-clos-64", "cg", "--np", 16, "--out", tmp_path / "quiet").out
    noisy = done(
        "run", "macrame-clos-64", "cg", "--np", 16, "-s", "link.bit_error_rate=1e-6", "--out", tmp_path / "noisy"
    ).out
    checksum = [out.split("checksum ")[1].split()[0] for out in (quiet, noisy)]
    assert checksum[0] == checksum[1]
    before, after = counters(tmp_path / "quiet"), counters(tmp_path / "noisy")
    assert before["parity_errors"] == before["resent"] == before["lost"] == 0
    assert after["parity_errors"] > 2  # how many is chance
    assert after["starts"] == 64 + after["parity_errors"]
    assert after["resent"] > 0
    assert after["messages_in"] >= before["messages_in"] > 0


def test_more_ranks_than_virtual_links_and_more_links_than_headers_are_refused():
    few = sanvp("run", "macrame-clos-64", "ds_ping", "-s", "nic.virtual_links=8")
    assert few.status == PROGRAM_FAILED
    assert "give nic.virtual_links a larger number" in few.err
    many = sanvp("run", "macrame-clos-64", "ds_ping", "-s", "nic.virtual_links=1000", "-s", "nic.header_deletion=never")
    assert many.status == USER_MISTAKE
    assert "have more names than 2 bytes of header" in many.err


@pytest.mark.parametrize(
    ("nodes", "options"),
    [
        ([0] * 7 + [1] * 6, ()),
        ([0, 1] * 3 + [5], ()),
        (
            [rank // 10 for rank in range(60)],
            ("-s", "host.memory=128MiB"),
        ),  # 600 virtual links, for which packets have two headers
        ([0, 0, 1], ("--job", "ping --np 2 --map 1,0")),
    ],
    ids=["7 and 6", "4 and 3 and 1", "6 times 10", "two jobs"],
)
def test_ranks_that_share_a_node_share_its_virtual_links(nodes, options):
    placed = ("--map", ",".join(str(node) for node in nodes), *options)
    out = done("run", "macrame-clos-64", "allreduce", *placed, "--", "--most", 64).out
    assert out.count("PASS") == 1 + ("--job" in options)


def test_ranks_for_which_no_virtual_links_are_left_are_refused():
    crowd = sanvp("run", "macrame-clos-64", "hello", "--np", 2100)
    assert crowd.status == USER_MISTAKE
    assert "start fewer ranks, or spread them over more nodes (--np, --map)" in crowd.err
    one = sanvp("run", "macrame-clos-64", "allreduce", "--map", "0,0,1,1", "-s", "nic.processes=1")
    assert one.status == PROGRAM_FAILED
    assert "this node has more processes than nic.processes says; give 0 (as many as there are)" in one.err


def test_runs_are_the_same_twice():
    command = ("run", "macrame-clos-64", "ds_ping", "--np", 8, "-s", "link.bit_error_rate=1e-5", "--", "--most", "256")
    assert done(*command).out == done(*command).out


@pytest.mark.parametrize(
    "parts", ["topology.failed_switches=4", "topology.failed_links=70,71"], ids=["a centre switch", "two cables"]
)
def test_a_group_of_cables_leaves_out_those_that_have_failed(parts):
    load = ("--bytes", 64, "--load", 0.1, "--packets", 2000)
    metrics = done("traffic", "macrame-clos-64", "uniform", *load, "-s", parts, "--json", "-").json
    assert (metrics["packets"], metrics["lost_packets"]) == (2000, 0)
    assert "PASS" in done("run", "macrame-clos-64", "allreduce", "-s", parts, "--", "--most", 4).out


def test_a_traffic_node_has_memory_for_8k_descriptors(tmp_path):
    """Macramé paper 3.1."""
    file = tmp_path / "descriptors.txt"
    file.write_text("0 1 4 10us\n" * 8192)
    command = ("traffic", "macrame-clos-64", "descriptors", "--file", file, "--packets", "100")
    done(*command)
    file.write_text("0 1 4 10us\n" * 8193)
    result = sanvp(*command)
    assert result.status == USER_MISTAKE
    assert "node 0 has memory for 8192 descriptors; give fewer, or a larger --memory" in result.err
    done(*command, "--memory", "8193")


def table(folder: Path, name: str) -> list[dict[str, str]]:
    """A table of results."""
    with (folder / name).open() as file:
        return list(csv.DictReader(file))


def test_a_timing_node_measures_the_latency_of_a_packet_alone(tmp_path):
    """FACTS 7.3: dispatch, 1 us and a cable for each of three switches, 66 tokens, EOP, the ends' 1.75 us."""
    done(
        *(
            "traffic",
            "macrame-clos-64",
            "pairs",
            "--list",
            "5-6",
            "--load",
            "0.001",
            "--bytes",
            "64",
            "--packets",
            "20",
        ),
        *(
            "--probe-interval",
            "100us",
            "--probe-source",
            0,
            "--probe-destination",
            63,
            "-s",
            "traffic.probe-bytes=64B",
            "--out",
            tmp_path,
        ),
    )
    latencies = {float(row["latency_ns"]) for row in table(tmp_path, "probes.csv")}
    assert latencies == {650 + 3 * 1005 + 66 * 100 + 45 + 1750}


@pytest.mark.parametrize("channel", ["host 0->leaf 0.0", "leaf 0.16->centre 0.0", "centre 0.0->leaf 0.16"])
def test_a_spy_node_taps_any_cable(tmp_path, channel):
    command = ("traffic", "macrame-clos-64", "uniform", "--load", "0.3", "--bytes", "64", "--packets", "2000")
    done(*command, "--spy", channel, "--out", tmp_path)
    sightings = table(tmp_path, "spy.csv")
    assert len(sightings) > 20
    headers = [float(row["header_ns"]) for row in sightings]
    assert headers == sorted(headers)
    for row, following in pairwise(sightings):
        assert float(following["header_ns"]) >= float(row["tail_ns"]) - 1e-6  # one packet at a time on a cable
