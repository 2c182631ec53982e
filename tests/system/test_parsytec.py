"""The Mesh of Clos and the GCel with host software: programs check their own results, and times are worked out."""

from __future__ import annotations

import json
import re

import pytest
from binaries import needs_compilers, wrapper
from program import SANVP, sanvp

IMAGES = str(SANVP).rsplit("/", 1)[0] + "/sw/tests"


def passes(machine: str, program: str, *arguments: object, options: tuple[object, ...] = ()) -> str:
    """What it printed, when it ended well and found its results right."""
    result = sanvp("run", machine, program, *options, "--", *arguments)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out
    return result.out


def latencies(text: str) -> dict[int, float]:
    """Lines of a ping: bytes, microseconds."""
    rows = (line.split("]")[-1].split() for line in text.splitlines())
    return {int(row[0]): float(row[1]) for row in rows if len(row) == 3 and row[0].isdigit()}


@pytest.mark.parametrize("machine", ["moc-2-1", "moc-3-1", "moc-3-2"])
def test_every_byte_of_a_ping_through_the_vcps_arrives(machine):
    passes(machine, "vcp_ping", "--most", "4K", "--count", "2")


def test_messages_longer_than_the_vcp_takes_go_in_pieces():
    passes("moc-3-2", "vcp_ping", "--least", "65535", "--most", "140K", "--count", "1", options=("--np", 2))


def test_adaptive_layers_lose_no_byte_and_cost_reassembly():
    fixed = latencies(passes("moc-3-1", "vcp_ping", "--least", "1K", "--most", "1K"))
    options = ("-s", "routing.layer=adaptive")
    adaptive = latencies(passes("moc-3-1", "vcp_ping", "--least", "1K", "--most", "1K", options=options))
    assert adaptive[1024] == pytest.approx(fixed[1024] + 5, abs=0.01)  # nic.reassembly


def test_a_byte_more_costs_its_flit_time_and_its_way_over_the_bus():
    times = latencies(passes("moc-3-2", "vcp_ping", "--least", "64", "--most", "128", options=("--np", 2)))
    # 100 ns a flit (FACTS 4.1), whatever the set-ups.
    assert 64 * 0.1 <= times[128] - times[64] < 64 * 0.1 * 1.1


def test_without_set_ups_only_the_wire_and_the_host_are_left():
    options = ("--np", 2)
    whole = latencies(passes("moc-3-2", "vcp_ping", "--least", "0", "--most", "0", options=options))
    raw = latencies(
        passes("moc-3-2", "vcp_ping", "--least", "0", "--most", "0", options=(*options, "-s", "nic.raw=yes"))
    )
    # The receiver's part of the processor's set-up is over before the message comes.
    assert whole[0] - raw[0] == pytest.approx(50 + 10 + 10, abs=0.01)  # FACTS
    assert raw[0] < 3


@pytest.mark.parametrize("by", ["link", "node"])
def test_every_byte_of_a_ping_over_the_gcel_arrives(by):
    passes("gcel-64", "parix_ping", "--by", by, "--most", "1K", "--count", "2")


def test_a_gcels_message_takes_longer_by_the_hop():
    near, far = (
        latencies(
            passes("gcel-64", "parix_ping", "--least", "120", "--most", "120", options=("--map", nodes, "--np", 2))
        )
        for nodes in ("0,1", "0,63")
    )
    # 13 more hops (FACTS 5), each with 30 us of the router and 120 bytes of 575 ns.
    assert far[120] - near[120] == pytest.approx(13 * (30 + 120 / 1.74), rel=0.005)


def test_forwarding_steals_the_processor_that_forwards(tmp_path):
    metrics = tmp_path / "metrics.json"
    passes("gcel-64", "parix_stolen", "--count", "20", "--bytes", "1200", options=("--np", 3, "--json", metrics))
    stolen = json.loads(metrics.read_text())["stolen_us"]
    # 30 us for each of 20 messages of 10 packets (FACTS 5), and of their acknowledgements.
    assert stolen == pytest.approx(30 * 20 * (10 + 1), abs=0.01)


def test_a_library_says_for_which_machine_it_is():
    result = sanvp("run", "moc-2-1", "parix_ping", "--np", 2)
    assert result.status == 4
    assert "this machine's card is 'vcp', not 'transputer'" in result.err


@pytest.mark.parametrize(("pairs", "bits"), [("0-1", 11), ("0-1,1-0", 13)])
def test_acknowledgements_of_bytes_take_their_bits_of_the_reverse_link(pairs, bits):
    # FACTS 7.6: 20 Mbit/s; a byte is 11 bits, and where both ends send, 2 more for the other's.
    options = ("-s", "link.rate=1.818181818MB/s", "-s", "switch.acknowledge=100ns", "-s", "switch.routing=0ns")
    load = ("--list", pairs, "--load", "0.2", "--bytes", "120", "--packets", "2000")
    result = sanvp("traffic", "gcel-64", "pairs", *load, *options, "--json", "-")
    assert result.json["accepted_per_node_MBps"] == pytest.approx(20 / bits, rel=0.01)


@pytest.mark.parametrize("machine", ["moc-2-1", "gcel-64"])
@pytest.mark.parametrize("program", ["mpi_messages", "mpi_collectives", "shmem_rma", "shmem_atomics"])
def test_mpi_and_openshmem_run_on_messages_of_the_card(machine, program):
    passes(machine, f"{IMAGES}/{program}.so", options=("--np", 4))


def test_more_records_than_the_receivers_slots_hold_arrive_in_order():
    passes("moc-3-2", "collectives", options=("--np", 20))


@pytest.mark.parametrize("machine", ["moc-3-1", "gcel-64"])
@pytest.mark.parametrize("benchmark", ["ping-pong", "equal-dist", "unequal-dist", "all-to-all"])
def test_each_benchmarks_messages_are_those_that_were_sent(machine, benchmark):
    passes(machine, "trace_driven", "--benchmark", benchmark, "--messages", "1", "--bytes", "300")


def test_a_trace_takes_the_time_of_its_instructions(tmp_path):
    trace = tmp_path / "trace.txt"
    trace.write_text("# both compute, one sends\n0 compute 1ms\n1 compute 250us # less\n0 send 1 128\n1 receive 0\n")
    metrics = tmp_path / "metrics.json"
    passes("moc-3-2", "trace_driven", "--file", trace, options=("--np", 2, "--json", metrics))
    ping = latencies(passes("moc-3-2", "vcp_ping", "--least", "128", "--most", "128", options=("--np", 2)))
    # The receiver's set-up is over when the message comes; the sender's answer is on its way a few microseconds, and
    # the program's own instructions take some.
    run_us = json.loads(metrics.read_text())["run_us"]
    assert run_us == pytest.approx(1000 + ping[128] + 5, abs=3)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("0 snd 1 128", "trace.txt:1: 'snd' is not one of compute, send, receive"),
        ("0 compute 1ms\n9 receive 0", "trace.txt:2: '9' is no processor"),
        ("0 send 0 1", "'0' is the processor itself"),
        ("0 send 1", "'send' wants a number of bytes"),
        ("0 send 1 -5", "'-5' is no number of bytes"),
        ("0 compute 5", "'5' is no time such as 25us"),
        ("0 compute nanus", "'nanus' is no time"),
        ("0 receive 1 2", "'2' is one word too many"),
        ("0", "'0' is a processor without an instruction"),
        ("x" * 1000, "begins a line that is too long"),
        ("0 compute \x01\n", "'?' is no time"),
        ("\0\0\0", "is a line with a zero byte"),
    ],
)
def test_a_wrong_trace_is_an_error_with_its_line(tmp_path, text, complaint):
    trace = tmp_path / "trace.txt"
    trace.write_text(text)
    result = sanvp("run", "moc-2-1", "trace_driven", "--np", 2, "--", "--file", trace)
    assert result.status == 4
    assert complaint in result.err


def test_traces_that_do_not_fit_together_are_reported_with_the_ranks_that_wait(tmp_path):
    trace = tmp_path / "trace.txt"
    trace.write_text("0 send 1 128\n1 send 0 128\n")
    result = sanvp("run", "moc-2-1", "trace_driven", "--np", 2, "--", "--file", trace)
    assert result.status == 3
    assert "rank 0 on node 0 waits" in result.err


def test_a_run_that_fails_because_bits_were_wrong_says_so(tmp_path):
    # Neither the GCel nor its software sends again what is damaged (more of it in test_bit_errors.py).
    metrics = tmp_path / "metrics"
    # Of this seed the bits are in data; in a header they would leave a rank waiting, status 3.
    errors = ("-s", "link.bit_error_rate=1e-4", "--seed", 3, "--json", metrics)
    result = sanvp("run", "gcel-64", "allreduce", "--np", 4, *errors, "--", "--most", "1K")
    assert result.status == 4
    assert "had a bit error on its way" in result.err
    damaged = json.loads(metrics.read_text())["corrupt_packets"]
    assert damaged > 0
    assert f"of the packets 0 were lost (failed parts, full pools) and {damaged} damaged (bit errors)" in result.err


PARIX_RING = """
#include <stdio.h>
#include <sys/link.h>
#include <sys/root.h>
#include <sys/sys_rpc.h>

/* A token goes around: each processor adds its number, and the first waits for 10 ms in between. */
int main(void) {
  RootProc_t* root = GETROOT()->ProcRoot;
  int self = root->MyProcID, all = root->nProcs, error = 0, sum = 0;
  LinkCB_t *to = NULL, *from = NULL;
  if (self % 2 == 0) to = MakeLink((self + 1) % all, 1, &error);
  from = GetLink((self + all - 1) % all, 1, &error);
  if (self % 2 == 1) to = MakeLink((self + 1) % all, 1, &error);
  if (!to || !from || error) return 1;
  if (self == 0) {
    const unsigned begin = TimeNow();
    TimeWait(begin + CLOCK_TICK / 100);
    const unsigned waited = TimeNow() - begin;
    SendLink(to, &sum, sizeof sum);
    RecvLink(from, &sum, sizeof sum);
    printf("%d processors: %d, after %u ticks %d\\n", all, sum, waited, TimeAfter(TimeNow(), begin));
    return 0;
  }
  RecvLink(from, &sum, sizeof sum);
  sum += self;
  SendLink(to, &sum, sizeof sum);
  return 0;
}
"""


@pytest.mark.parametrize("target", [(), pytest.param(("--target", "riscv64"), marks=needs_compilers)])
def test_a_program_of_parix_finds_its_headers_and_its_clock(tmp_path, target):
    (tmp_path / "ring.c").write_text(PARIX_RING)
    made = wrapper("sanvp-cc", *target, "-Wall", "ring.c", "-o", "ring", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    result = sanvp("run", "gcel-64", tmp_path / "ring", "--np", 8)
    assert result.status == 0, result.err
    # A wait for 156 ticks ends a tick late where reading the clock, after it, meets the next one.
    assert re.fullmatch(r"\[0\] 8 processors: 28, after 15[67] ticks 1\n", result.out)
