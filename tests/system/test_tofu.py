"""TOFU's hosts: uTofu between nodes, in numbers that follow from the card's and the network's parameters."""

from __future__ import annotations

import json

import pytest
from program import done, sanvp

HOST_PROGRAM_FAILED = 4
LINK = 5e9
SIX_D = ("tofu-768", "-s", "topology.x=2", "-s", "topology.y=1", "-s", "topology.z=1")  # two groups of twelve
PAYLOAD, HEADER = 1920, 96  # nic.packet


def ping(machine: tuple, *arguments: object, ranks: int = 2, settings: tuple = ()) -> dict:
    """What `tofu_ping` tells of its first rank."""
    run = done("run", machine[0], "tofu_ping", "--np", ranks, *machine[1:], *settings, "--json", "-", "--", *arguments)
    return json.loads(run.out)


def test_a_put_of_8_bytes_takes_what_its_steps_take():
    # store to the card 60 (bridge) and 2 bursts of its bus, order 260, 21 flits of 1 ns, two routers of 80 with cables of
    # 1, 20 and 1, receiving 260, a burst, and the notice; then 60 until a poll sees it: within some ns of the library
    latency = ping(SIX_D, "--bytes", 8)["latency_ns"]
    steps = 60 + 260 + 21 + 2 * 80 + 22 + 260 + 60
    assert steps < latency < steps + 100


def test_an_order_that_is_fetched_waits_for_main_memory():
    direct = ping(SIX_D)["latency_ns"]
    fetched = ping(SIX_D, settings=("-s", "tofu.order=memory"))["latency_ns"]
    assert 235 < fetched - direct < 250  # nic.memory.read_latency, and the transfer


@pytest.mark.parametrize("operation", ["put", "get"])
def test_a_long_message_has_the_rate_of_a_link_less_the_headers(operation):
    rate = ping(SIX_D, "--bytes", "1M", "--count", 8, "--operation", operation)["bandwidth_MBps"] * 1e6
    most = LINK * PAYLOAD / (PAYLOAD + HEADER)
    assert 0.98 * most < rate < most


@pytest.mark.parametrize("operation", ["put", "get", "atomic"])
@pytest.mark.parametrize("machine", [("tofu-36",), SIX_D])
def test_all_pairs_at_once_get_every_byte_right(machine, operation):
    ping(machine, "--operation", operation, "--bytes", 5001, "--tnis", 4, ranks=24)


def test_every_abc_point_leads_there_and_packets_drawn_at_random_make_whole_messages():
    for path in range(1, 13):
        ping(SIX_D, "--path", path, "--bytes", 4000, "--count", 2)
    ping(SIX_D, "--bytes", 40000, ranks=24, settings=("-s", "nic.routing=random"))


def test_two_processes_of_a_node_reach_each_other():
    ping(("tofu-36",), "--bytes", 10000, ranks=4, settings=("--map", "block"))


def test_the_library_asks_for_its_card():
    result = sanvp("run", "qsnet-16", "tofu_ping", "--np", 2)
    assert result.status == HOST_PROGRAM_FAILED
    assert "this machine's card is 'elan3', not 'tofu'" in result.err
