"""TOFU's hosts: uTofu between nodes, in numbers that follow from the card's and the network's parameters."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from binaries import needs_compilers, wrapper
from program import DEADLOCK, PROJECT, SANVP, USER_MISTAKE, done, sanvp

HOST_PROGRAM_FAILED = 4
IMAGES = Path(SANVP).parent / "sw" / "tests"
LINK = 5e9
SIX_D = ("tofu-768", "-s", "topology.x=2", "-s", "topology.y=1", "-s", "topology.z=1")  # two groups of twelve
PAYLOAD, HEADER = 1920, 96  # nic.packet


def ping(machine: tuple, *arguments: object, ranks: int = 2, settings: tuple = ()) -> dict:
    """What `tofu_ping` tells of its first rank."""
    run = done("run", machine[0], "tofu_ping", "--np", ranks, *machine[1:], *settings, "--json", "-", "--", *arguments)
    return json.loads(run.out)


@pytest.mark.skipif("asan" in SANVP, reason="AddressSanitizer needs memory of its own")
def test_nodes_without_ranks_take_little_memory(tmp_path):
    # 192 cards of four interfaces with their hosts and drivers; two of them run a program.
    with (tmp_path / "out").open("w") as out:
        run = subprocess.Popen([SANVP, "run", "tofu-768", "hello", "--np", "2"], stdout=out, stderr=out)
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = status
    assert status == 0
    assert used.ru_maxrss * 1024 < 150e6


def test_a_put_of_8_bytes_takes_the_sum_of_its_steps():
    # store to the card 60 (bridge) and 2 bursts of its bus, order 260, 21 flits of 1 ns, two routers of 80 with cables
    # of 1, 20 and 1, receiving 260, a burst, and the notice; then 60 until a poll sees it: some ns within the library
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


def hops(source: tuple, destination: tuple) -> int:
    """Cables between two points a, b, c of a group: pairs, a ring of three, pairs."""
    return sum(a != b for a, b in zip(source, destination, strict=True))


@pytest.mark.parametrize("point", range(12))
def test_the_abc_point_of_an_order_is_where_its_packets_go_first(point):
    via, here, there = (point // 6, point // 2 % 3, point % 2), (0, 0, 0), (0, 0, 1)
    further = hops(here, via) + hops(via, there) - hops(here, there)
    router = 1 + 20 + 80 + 1  # a cable, a router and a flit: test_zero_load.py
    latency = ping(SIX_D, "--path", point + 1)["latency_ns"] - ping(SIX_D)["latency_ns"]
    assert latency == pytest.approx(
        further * router, abs=router / 10
    )  # the hosts' clocks and buses have steps of their own


def test_four_interfaces_with_separate_ports_send_at_the_rate_of_the_bus():
    # From 000 to 001 by 001, 101, 011 and 021: no cable is used twice.
    one, two, four = (
        ping(("tofu-96",), "--bytes", "1M", "--count", 8, "--tnis", tnis, "--path", "2,8,4,6")["bandwidth_MBps"]
        for tnis in (1, 2, 4)
    )
    assert two == pytest.approx(2 * one, rel=0.02)
    assert 14000 < four < 15000  # host.pci: 15 GB/s; the links would carry 19


def test_interfaces_that_share_a_port_share_its_rate():
    one, four = (ping(SIX_D, "--bytes", "1M", "--count", 8, "--tnis", tnis)["bandwidth_MBps"] for tnis in (1, 4))
    assert four == pytest.approx(one, rel=0.01)


def test_two_processes_of_a_node_reach_each_other():
    ping(("tofu-36",), "--bytes", 10000, ranks=4, settings=("--map", "block"))


@pytest.mark.parametrize(
    "program",
    ["mpi_messages", "mpi_requests", "mpi_collectives", "mpi_reductions", "shmem_rma", "shmem_atomics", "shmem_order"],
)
@pytest.mark.parametrize("machine", [("tofu-36",), SIX_D])
def test_mpi_and_shmem_do_what_their_standards_say(machine, program):
    for options in (("--np", 7), ("--np", 6, "--map", "0,0,0,1,1,2")):
        run = done("run", machine[0], IMAGES / f"{program}.so", *machine[1:], *options)
        assert "PASS" in run.out


def test_all_nodes_of_tofu_768_run_a_program_of_mpi():
    assert "PASS" in done("run", "tofu-768", "halo", "--", "--exchanges", 1).out


def barrier_us(ranks: int, *settings: str) -> float:
    run = done("run", "tofu-36", "collectives", "--np", ranks, *settings, "--json", "-", "--", "--operation", "barrier")
    return run.json["time_us"]


def test_a_barrier_by_gates_beats_one_by_messages():
    for ranks in (2, 9, 36):
        assert barrier_us(ranks) < 0.5 * barrier_us(ranks, "-s", "mpi.barrier=dissemination")


def test_memory_stays_known_to_the_card_while_messages_from_it_are_under_way():
    assert "PASS" in done("run", "tofu-36", IMAGES / "mpi_many_pieces.so", "--np", 2).out


ALL_BUT_1 = ("--np", 23, "--map", "0,2-23")


@pytest.mark.parametrize("program", ["alltoall", "halo", "cg"])
def test_a_node_that_has_failed_is_detoured(program):
    assert "PASS" in done("run", *SIX_D, program, *ALL_BUT_1, "-s", "topology.failed_switches=1").out


def test_a_cable_that_has_failed_is_detoured():
    for cable in range(24, 84, 7):  # behind those of the hosts
        assert "PASS" in done("run", *SIX_D, "halo", "--np", 24, "-s", f"topology.failed_links={cable}").out


def test_without_a_choice_of_the_abc_point_pairs_would_not_be_served():
    fault = ("-s", "topology.failed_switches=1", "-s", "routing.type=dimension_order", "-s", "routing.detours=none")
    result = sanvp("run", *SIX_D, "alltoall", *ALL_BUT_1, *fault)
    assert result.status == USER_MISTAKE
    assert "pairs of hosts that the ranks run on are not served" in result.err
    result = sanvp("run", *SIX_D, "alltoall", *ALL_BUT_1, *fault, "--force")
    assert result.status in (DEADLOCK, HOST_PROGRAM_FAILED)
    assert "no working way leads there" in result.err or "no way leads to it" in result.err


def test_a_rank_on_a_failed_node_is_an_error():
    result = sanvp("run", *SIX_D, "halo", "--np", 24, "--force", "-s", "topology.failed_switches=1")
    assert result.status == HOST_PROGRAM_FAILED
    assert "node 1 does not answer: it has died, or no way leads to it, since 0ns" in result.err


def test_the_library_asks_for_its_card():
    result = sanvp("run", "qsnet-16", "tofu_ping", "--np", 2)
    assert result.status == HOST_PROGRAM_FAILED
    assert "this machine's card is 'elan3', not 'tofu'" in result.err


@pytest.mark.parametrize("settings", [(), ("-s", "tofu.order=memory")])
def test_strided_and_prepared_orders_do_what_single_ones_do(settings):
    assert "PASS" in done("run", "tofu-36", IMAGES / "tofu_clients.so", "--np", 5, *settings).out


@needs_compilers
def test_programs_of_utofu_run_on_risc_v(tmp_path):
    source = PROJECT / "tests/images/tofu_clients.c"
    made = wrapper("sanvp-cc", "--target", "riscv64", source, "-o", "tofu", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    assert "PASS" in done("run", "tofu-36", tmp_path / "tofu", "--np", 3).out
