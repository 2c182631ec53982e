"""The Mesh of Clos and the GCel with host software: programs check their own results, and their times are worked out."""

from __future__ import annotations

import pytest
from program import sanvp


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
    assert whole[0] - raw[0] == pytest.approx(10 + 5 + 5, abs=0.01)
    assert raw[0] < 3
