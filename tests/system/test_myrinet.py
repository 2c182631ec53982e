"""Myrinet clusters with host software: GM, the mapper, MPI and shmem; and what in-transit packets and errors do."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from binaries import needs_compilers, wrapper
from program import DEADLOCK, PROJECT, SANVP, done, sanvp

HOST_PROGRAM_FAILED = 4
IMAGES = SANVP.rsplit("/", 1)[0] + "/sw/tests"
CALLS = f"{IMAGES}/gm_calls.so"
ROUTINGS = ("ud", "ud_mitb", "ud_itb", "ud_itb_ml", "ud_itb_n", "ud_itb_det")


def passes(machine: str, program: str, ranks: int, *options: object, arguments: tuple[object, ...] = ()) -> str:
    """What it printed, when it ended well and found its results right."""
    out = done("run", machine, program, "--np", ranks, *options, "--", *arguments).out
    assert "PASS" in out
    return out


def card_sums(folder: Path) -> dict[str, int]:
    """What all cards of a run have counted, by name."""
    sums: dict[str, int] = defaultdict(int)
    with (folder / "stats.csv").open() as file:
        for row in csv.DictReader(file):
            if row["path"].startswith("nic_"):
                sums[row["name"]] += int(row["value"])
    return sums


def kilobytes(machine: str, ranks: int) -> int:
    """The most memory that the simulator had, for a program of few messages."""
    command = [SANVP, "run", machine, "allreduce", "--np", str(ranks), "--", "--most", "64"]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    assert run.returncode == 0
    return used.ru_maxrss


@pytest.mark.skipif("asan" in SANVP, reason="AddressSanitizer needs memory of its own")
def test_a_rank_takes_little_memory_before_its_buffers_are_used():
    """61 tokens to send and 254 to receive, each with 4 KiB (sw/gm/README.md); 8 bytes for each line of its CPU's
    second-level cache (models/cpu/caches)."""
    lines = (512 << 10) / 32
    buffers, caches, ranks = (61 + 254) * 4, lines * 8 / 1024, 30
    each = (kilobytes("myrinet-32", 2 + ranks) - kilobytes("myrinet-32", 2)) / ranks
    assert caches < each < caches + 700 < buffers


@pytest.mark.parametrize("measure", ["latency", "one", "both"])
def test_every_byte_of_gm_messages_arrives(measure):
    arguments = ("--measure", measure, "--most", "16K", "--count", "3")
    passes("myrinet-32", "gm_ping", 8, arguments=arguments)


def test_both_fidelities_of_the_network_agree_on_gm():
    arguments = ("run", "myrinet-8", "gm_ping", "--np", 8, "--", "--most", "1K", "--count", "2")
    assert done(*arguments).out == done(*arguments[:2], "gm_ping", "--fidelity", "flit", *arguments[3:]).out


def test_gm_call_by_call():
    out = passes("myrinet-8", CALLS, 8, "-s", "gm.no_buffer=1000")
    assert out.count("20 of 20 datagrams") == 8


def test_programs_that_know_plain_events_alone_hand_all_others_to_gm_unknown():
    passes("myrinet-8", f"{IMAGES}/gm_clients.so", 8)


@needs_compilers
def test_programs_of_gm_s_time_run_on_risc_v(tmp_path):
    made = wrapper("sanvp-cc", "--target", "riscv64", PROJECT / "tests/images/gm_clients.c", "-o", "gm", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    passes("myrinet-8", str(tmp_path / "gm"), 3)


@pytest.mark.parametrize("version", ["GM_API_VERSION_1_1", "GM_API_VERSION_1_4", "GM_API_VERSION_2_0"])
def test_a_program_may_choose_gm_s_version(version, tmp_path):
    (tmp_path / "choice.cpp").write_text(f"""
#include <gm.h>
int main() {{
  gm_port* port = nullptr;
  static_assert(GM_API_VERSION == {version}, "as the compiler was told");
  return gm_open(&port, 0, 4, "choice", GM_API_VERSION) != GM_SUCCESS;
}}
""")
    made = wrapper("sanvp-c++", f"-DGM_API_VERSION={version}", "choice.cpp", "-o", "choice", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    done("run", "myrinet-8", tmp_path / "choice", "--np", 2)
    too_new = wrapper("sanvp-c++", "-DGM_API_VERSION=0x300000", "choice.cpp", "-o", "choice", cwd=tmp_path)
    assert too_new.returncode != 0
    assert "GM_API_VERSION_1_0 to GM_API_VERSION_2_0_16" in too_new.stderr


@pytest.mark.parametrize("what", ["ring", "get"])
@pytest.mark.parametrize("rate", ["1e-6", "1e-5"])
def test_with_bit_errors_every_message_and_get_comes_once_and_in_order(what, rate, tmp_path):
    # At 1e-5 three of four packets of 4 KB are lost on their way.
    options = ("-s", f"link.bit_error_rate={rate}", "--out", tmp_path)
    passes("myrinet-8", CALLS, 8, *options, arguments=(what,))
    assert card_sums(tmp_path)["crc_errors"] > 0


def test_a_get_without_an_answer_fails():
    # Of packets of 4 KB one in 700 is whole behind two cables.
    options = ("-s", "link.bit_error_rate=1e-4", "-s", "gm.no_buffer=1000")
    passes("myrinet-8", CALLS, 8, *options, arguments=("impatient",))


def test_datagrams_that_the_wire_damages_are_lost_and_the_others_come():
    out = passes("myrinet-8", CALLS, 8, "-s", "link.bit_error_rate=1e-5", arguments=("datagrams",))
    came = [int(line.split()[1]) for line in out.splitlines() if line.endswith("of 20 datagrams")]
    # Half are of 124 bytes on the wire, half of 2024: over two cables 0.98 and 0.72 of them are whole.
    assert len(came) == 8
    assert 80 < sum(came) < 160


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        ("memory", ["GM port 4", "not in registered memory", "gm_dma_malloc"]),
        ("tokens", ["without a send token"]),
        ("node", ["node id 1000", "from 1 to 32"]),
    ],
)
def test_misuse_of_gm_ends_the_job_with_its_cure(mistake, words):
    result = sanvp("run", "myrinet-8", CALLS, "--np", 2, "--", mistake)
    assert result.status == HOST_PROGRAM_FAILED
    for word in words:
        assert word in result.err


@pytest.mark.parametrize("routing", ROUTINGS)
def test_each_route_selection_carries_mpi(routing, tmp_path):
    passes("myrinet-8", "allreduce", 32, "-s", f"nic.routing={routing}", "--out", tmp_path, arguments=("--most", "64"))
    in_transit = card_sums(tmp_path)["packets_in_transit"]
    assert in_transit == 0 if routing == "ud" else in_transit >= 0
    if routing == "ud_itb":
        assert in_transit > 0


@pytest.mark.parametrize(
    "program",
    [
        *("mpi_basics", "mpi_messages", "mpi_collectives", "mpi_communicators", "mpi_datatypes", "mpi_reductions"),
        *("mpi_requests", "mpi_topologies", "mpi_nonblocking_collectives", "mpi_groups"),
        *("shmem_atomics", "shmem_collectives", "shmem_order", "shmem_rma", "shmem_names"),
    ],
)
def test_suites_of_mpi_and_shmem_pass_on_gm(program):
    passes("myrinet-8", f"{IMAGES}/{program}.so", 9)


def test_mpi_survives_bit_errors():
    passes("myrinet-8", f"{IMAGES}/mpi_messages.so", 16, "-s", "link.bit_error_rate=1e-6")


# ---- in-transit packets ----


def test_detection_and_reprogramming_of_an_in_transit_packet_stand_in_the_trace(tmp_path):
    trace = tmp_path / "trace.json"
    done("run", "myrinet-8", "gm_ping", "--np", 32, "--trace", trace, "--", "--most", 0, "--count", 1)
    slices = [event for event in json.loads(trace.read_text())["traceEvents"] if event["ph"] == "X"]
    detected = {e["name"].split()[-1]: e for e in slices if e["name"].startswith("detect packet")}
    programmed = {e["name"].split()[-1]: e for e in slices if e["name"].startswith("reprogram for packet")}
    assert len(detected) > 0
    assert detected.keys() == programmed.keys()
    at_once = 0
    for packet, first in detected.items():
        then = programmed[packet]
        assert first["dur"] == pytest.approx(0.275)  # us: paper 4.1
        assert then["dur"] > 0.2 - 1e-6  # more where the LANai is busy
        assert then["ts"] == pytest.approx(first["ts"] + first["dur"])
        at_once += then["dur"] == pytest.approx(0.2)
    assert at_once > 0


def test_a_full_pool_that_drops_loses_no_message(tmp_path):
    options = ("-s", "nic.pool=4300B", "--out", tmp_path)
    passes("myrinet-16", CALLS, 64, *options, arguments=("ring",))
    assert card_sums(tmp_path)["packets_lost"] > 0


def test_a_full_pool_that_exerts_back_pressure_can_deadlock_and_the_cycle_is_named():
    arguments = ("--least", "8K", "--most", "8K", "--count", 2)
    options = ("-s", "nic.pool=4300B", "-s", "nic.full_pool=back-pressure")
    result = sanvp("run", "myrinet-8", "alltoall", "--np", 32, *options, "--", *arguments)
    assert result.status == DEADLOCK
    assert "deadlock: " in result.err
    assert "held by packet" in result.err


def test_a_node_that_routes_do_not_reach_is_named_by_gm_before_the_run_counts_as_hung():
    options = ("--fault", "1ns switch 0 down", "-s", "routing.type=ud", "-s", "nic.routing=first")
    result = sanvp("run", "myrinet-8", "allreduce", "--np", 32, *options)
    assert result.status == HOST_PROGRAM_FAILED
    assert re.search(r"GM: node \d+ does not answer: .*let the mapper look for ways", result.err)


def test_hosts_that_in_transit_packets_keep_busy_are_waited_for():
    # 64 pairs at once: an acknowledgement waits 30 ms where packets in transit go first, and is not given up.
    passes("myrinet-32", "gm_ping", 128)


def test_on_a_crowded_network_packets_that_only_wait_are_not_sent_again_and_again(tmp_path):
    # All to all, 1 KiB each: an acknowledgement takes 10 ms and more, five times gm.resend.
    arguments = ("--least", "1K", "--most", "1K", "--count", 1)
    passes("myrinet-32", "alltoall", 128, "--out", tmp_path, arguments=arguments)
    sums = card_sums(tmp_path)
    payload = 2 * 128 * 127 * 1024  # a call before the one that is timed
    assert sums["sdma_bytes"] < 2 * payload


def test_all_to_all_of_a_whole_machine_fills_pools_and_ends_all_the_same(tmp_path):
    arguments = ("--least", "4K", "--most", "4K", "--count", 1)
    passes("myrinet-32", "alltoall", 128, "--out", tmp_path, arguments=arguments)
    assert card_sums(tmp_path)["packets_lost"] > 0


# ---- the mapper ----


def test_the_mapper_finds_the_whole_network_and_its_routes_work():
    out = passes("myrinet-16", "gm_mapper", 16)
    assert "found 16 switches, 64 hosts, 32 links between switches; 64 tables loaded, 0 not confirmed" in out
    assert out.count("reached 15 of 15 ranks before, 15 after") == 16


def test_the_mapper_finds_ways_around_a_switch_that_died():
    # The map file has up*/down* routes made before the switch died, one a pair.
    options = ("--map", "8-31,4-7", "--fault", "1ns switch 0 down", "-s", "routing.type=ud")
    out = passes("myrinet-8", "gm_mapper", 28, *options, "-s", "nic.routing=first")
    assert "found 7 switches, 28 hosts, 12 links between switches" in out
    rows = [line for line in out.splitlines() if "reached" in line]
    assert any("reached 19 of 27 ranks before" in row for row in rows)
    assert all("27 after" in row for row in rows)
    assert len(rows) == 28


# ---- collective operations ----


def slowest_us(operation: str, algorithm: str, size: str) -> float:
    arguments = ("--operation", operation, "--least", size, "--most", size, "--count", 1)
    out = passes("myrinet-8", "collectives", 32, "-s", f"mpi.{operation}={algorithm}", arguments=arguments)
    return next(float(line.split()[-1]) for line in out.splitlines() if line.split()[1] == operation)


@pytest.mark.parametrize(
    ("operation", "size", "slow"), [("allgather", "16K", "recursive-doubling"), ("reduce", "4K", "binomial")]
)
def test_collective_operations_go_the_way_that_is_quick_with_gm(operation, size, slow):
    # The slow ones are those that are quick with Elan.
    assert slowest_us(operation, "auto", size) < 0.7 * slowest_us(operation, slow, size)


# ---- the host's share ----


def receive_times(machine: str) -> list[float]:
    """Of a receive behind 0 and 256 others."""
    out = passes(machine, "host_overhead", 2, arguments=("--depth", 256))
    return [float(line.split()[-1]) for line in out.splitlines() if line.split()[1:2] in (["0"], ["256"])]


def test_matching_takes_the_hosts_time_with_gm_and_the_cards_with_elan():
    gm, elan = receive_times("myrinet-8"), receive_times("qsnet-16")
    assert gm[1] > gm[0] + 1  # us
    assert elan[1] == pytest.approx(elan[0], abs=0.01)
