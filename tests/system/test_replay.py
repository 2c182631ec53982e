"""`sanvp replay`: formats, own networks and routes, deadlock, failures, results."""

from __future__ import annotations

import csv
import json

import pytest
from program import DEADLOCK, DONE, UNTIL_REACHED, USER_MISTAKE, deliveries, done, replay, sanvp

# Four switches in a ring, a host on each (port 0); port 1 goes on, port 2 comes from behind.
RING = (
    "switches 4\nports 3\n"
    + "".join(f"host {i} {i} 0\n" for i in range(4))
    + "".join(f"link {i} 1 {(i + 1) % 4} 2\n" for i in range(4))
)
# Two hops round the ring, all in the same direction: each waits for the next.
CIRCLE = "".join(f"route {i} {(i + 2) % 4} 0 1 1 0\n" for i in range(4))
# Hosts 0 and 1 on switches 0 and 1, which are joined directly and by way of switch 2.
TRIANGLE = "switches 3\nports 4\nhost 0 0 0\nhost 1 1 0\nlink 0 1 1 1\nlink 0 2 2 1\nlink 2 2 1 2\n"
TWO_WAYS = "route 0 1 3 1 0\nroute 0 1 8 2 2 0\n"


@pytest.fixture(name="ring")
def _ring(tmp_path):
    (tmp_path / "net.txt").write_text(RING)
    (tmp_path / "routes.txt").write_text(CIRCLE)
    return tmp_path


@pytest.fixture(name="triangle")
def _triangle(tmp_path):
    (tmp_path / "net.txt").write_text(TRIANGLE)
    (tmp_path / "routes.txt").write_text(TWO_WAYS)
    return tmp_path


FILES = ("--topology", "net.txt", "--routes", "routes.txt")


def test_lines_come_in_input_order_with_exact_times(tmp_path):
    rows = replay(tmp_path, "myrinet-8", "1000.125 0 1 1 # later\n\n0 2 3 10\n")
    alone = (24 + 2 * 8) * 6.25
    assert [(r.index, r.generated, r.source, r.destination, r.bytes) for r in rows] == [
        (0, 1000.125, 0, 1, 1),
        (1, 0, 2, 3, 10),
    ]
    assert rows[0].delivered == 1000.125 + alone
    assert rows[1].latency == alone + 9 * 6.25
    line = done("replay", "myrinet-8", "--traffic", tmp_path / "traffic.txt").out.splitlines()[0]
    assert line == "0 1000.125 0 1 1 2 1000.125 1250.125 250 0"  # no zeros behind, nothing cut off


def test_a_file_without_packets_gets_a_note(tmp_path):
    (tmp_path / "none.txt").write_text("# nothing yet\n")
    ran = done("replay", "myrinet-8", "--traffic", tmp_path / "none.txt")
    assert ran.out == ""
    assert f"note: {tmp_path / 'none.txt'} has no packets" in ran.err


def test_a_packet_takes_the_route_it_names(triangle):
    direct, detour = replay(triangle, "myrinet-8", "0 0 1 8 3\n5000 0 1 8 8\n", *FILES)
    assert (direct.route_id, detour.route_id) == (3, 8)
    assert detour.latency - direct.latency == (24 + 8) * 6.25


def test_a_packet_that_names_no_route_of_a_users_file_takes_the_lowest_id(triangle):
    # The machine's NIC would choose by what an id means in its own routing: 2 is UD_ITB.
    (triangle / "routes.txt").write_text("route 0 1 1 1 0\nroute 0 1 2 2 2 0\n")
    (packet,) = replay(triangle, "myrinet-8", "0 0 1 8\n", *FILES)
    assert packet.route_id == 1
    (packet,) = replay(triangle, "myrinet-8", "0 0 1 8\n", *FILES, "-s", "nic.routing=ud_itb")
    assert packet.route_id == 2


def test_a_failed_link_leaves_the_other_route(triangle):
    # Links in the order of the file: two of hosts, then 0-1.
    (packet,) = replay(triangle, "myrinet-8", "0 0 1 8\n", *FILES, "-s", "topology.failed_links=2")
    assert packet.route_id == 8


def test_a_packet_that_meets_only_failed_links_is_not_delivered(triangle):
    (triangle / "traffic.txt").write_text("0 0 1 8\n100 0 1 8\n")
    result = sanvp(
        *("replay", "myrinet-8", "--traffic", "traffic.txt", *FILES, "-s", "topology.failed_switches=1", "--json", "j"),
        cwd=triangle,
    )
    assert result.status == DONE, result.err
    assert [(r.injected, r.delivered, r.latency) for r in deliveries(result.out)] == [(0, -1, -1), (100, -1, -1)]
    summary = json.loads((triangle / "j").read_text())
    assert (summary["lost"], summary["delivered"], summary["verdict"]) == (2, 0, "packets lost")
    assert summary["latency_ns"] is None


def test_a_missing_route_is_named(triangle):
    (triangle / "traffic.txt").write_text("0 0 1 8\n0 0 1 8 5\n")
    result = sanvp("replay", "myrinet-8", "--traffic", "traffic.txt", *FILES, cwd=triangle)
    assert result.status == USER_MISTAKE
    assert "traffic.txt: packet 1: there is no route 5 from host 0 to host 1" in result.err
    (triangle / "traffic.txt").write_text("0 1 0 8\n")
    result = sanvp("replay", "myrinet-8", "--traffic", "traffic.txt", *FILES, cwd=triangle)
    assert result.status == USER_MISTAKE
    assert "there is no route from host 1 to host 0" in result.err


def test_check_names_the_cycle_of_a_network_built_to_deadlock(ring):
    result = sanvp("check", "myrinet-8", *FILES, "--json", "-", cwd=ring)
    assert result.status == DEADLOCK
    assert result.json["verdict"] == "deadlock"
    assert len(result.json["cycle"]) == 4
    for i in range(4):
        assert f"switch {i} port 1" in result.err


def test_the_cycle_is_printed_once_a_hop_on_each_line(ring):
    result = sanvp("check", "myrinet-8", *FILES, cwd=ring)
    lines = (result.out + result.err).splitlines()
    for i in range(4):
        assert lines.count(f"  switch {i} port 1 -> switch {(i + 1) % 4} port 2") == 1


def test_a_replay_that_can_deadlock_is_refused_before_time_0(ring):
    (ring / "traffic.txt").write_text("".join(f"0 {i} {(i + 2) % 4} 1000\n" for i in range(4)))
    options = ("--traffic", "traffic.txt", "--out", "run", "--json", "-")
    result = sanvp("replay", "myrinet-8", *FILES, *options, cwd=ring)
    assert result.status == DEADLOCK
    assert result.err.startswith("error: deadlock: ")
    assert "  switch 0 port 1 -> switch 1 port 2\n" in result.err
    assert "--force" in result.err
    assert result.json["verdict"] == "deadlock"
    assert len(result.json["cycle"]) == 4
    assert not (ring / "run").exists()


def test_the_proof_of_a_replay_is_of_the_routes_that_its_packets_take(ring):
    # Three of the four routes leave the ring open.
    rows = replay(ring, "myrinet-8", "".join(f"0 {i} {(i + 2) % 4} 1000\n" for i in range(3)), *FILES)
    assert all(row.delivered > 0 for row in rows)


def test_a_replay_that_fails_says_so_in_its_manifest(triangle):
    (triangle / "traffic.txt").write_text("0 0 1 8 5\n")
    result = sanvp("replay", "myrinet-8", "--traffic", "traffic.txt", *FILES, "--out", "run", cwd=triangle)
    assert result.status == USER_MISTAKE
    manifest = json.loads((triangle / "run/manifest.json").read_text())
    assert manifest["status"] == "failed"
    assert "there is no route 5 from host 0 to host 1" in manifest["message"]


def test_a_replay_has_a_trace_window(tmp_path):
    (tmp_path / "traffic.txt").write_text("0 0 1 64\n5000 2 3 64\n")
    arguments = ("replay", "myrinet-8", "--traffic", "traffic.txt", "--trace", "trace.json")
    done(*arguments, "--trace-from", "4us", cwd=tmp_path)
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert {event["name"] for event in events if event["ph"] == "X"} == {"packet 1 (2 to 3)"}
    late = done(*arguments, "--trace-from", "1ms", cwd=tmp_path)
    assert "trace.json is empty: nothing passed from 1ms to the end; the run ended at 5." in late.err
    wrong = sanvp(*arguments, "--trace-from", "2us", "-s", "traffic.trace-until=1us", cwd=tmp_path)
    assert wrong.status == USER_MISTAKE
    assert "-s traffic.trace-until: the timeline ends before it begins" in wrong.err


@pytest.mark.parametrize("fidelity", ["worm", "flit"])
def test_a_deadlock_stops_the_run_with_the_cycle_of_worms_and_the_results(ring, fidelity):
    # Long enough to fill the 80-byte buffers on the way and still hold the first channel.
    (ring / "traffic.txt").write_text("".join(f"0 {i} {(i + 2) % 4} 1000\n" for i in range(4)))
    result = sanvp(
        *("replay", "myrinet-8", *FILES, "--traffic", "traffic.txt", "--fidelity", fidelity, "--json", "j", "--force"),
        cwd=ring,
    )
    assert result.status == DEADLOCK
    rows = deliveries(result.out)
    assert [row.delivered for row in rows] == [-1] * 4
    assert [row.injected for row in rows] == [0] * 4
    assert "error: deadlock: packets can never move again:\n" in result.err
    for i in range(4):
        assert result.err.count(f"\n  packet {i} ({i} to {(i + 2) % 4}), which came by ") == 1
    assert json.loads((ring / "j").read_text())["verdict"] == "deadlock"


def test_until_stops_early_and_says_so(tmp_path):
    (tmp_path / "traffic.txt").write_text("0 0 1 10\n2000 0 1 10\n")
    result = sanvp("replay", "myrinet-8", "--traffic", tmp_path / "traffic.txt", "--until", "1us")
    assert result.status == UNTIL_REACHED
    assert [row.delivered for row in deliveries(result.out)] == [306.25, -1]
    # The end itself is still in.
    result = sanvp("replay", "myrinet-8", "--traffic", tmp_path / "traffic.txt", "--until", "2306.25ns")
    assert result.status == DONE
    result = sanvp("replay", "myrinet-8", "--traffic", tmp_path / "traffic.txt", "--until", "2306.249ns")
    assert result.status == UNTIL_REACHED


def test_bytes_may_count_payload_instead(tmp_path):
    wire = replay(tmp_path, "qsnet-64", "0 0 1 376\n")
    payload = replay(tmp_path, "qsnet-64", "0 0 1 320\n", "-s", "machine.replay_bytes=payload")
    assert payload[0].delivered == wire[0].delivered


def test_json_alone_on_standard_output(tmp_path):
    (tmp_path / "traffic.txt").write_text("0 0 1 1\n0 2 3 3\n")
    summary = done("replay", "myrinet-8", "--traffic", tmp_path / "traffic.txt", "--json", "-").json
    assert summary["packets"] == summary["delivered"] == 2
    assert summary["latency_ns"] == {"mean": 256.25, "p50": 250, "p95": 262.5, "p99": 262.5, "max": 262.5}
    assert summary["itbs_per_packet"] == 0


def test_a_run_leaves_its_folder(tmp_path):
    (tmp_path / "traffic.txt").write_text("0 0 1 64\n")
    out = done(
        *("replay", "myrinet-8", "--traffic", "traffic.txt", "--out", "run", "--trace", "trace.json", "--seed", 3),
        cwd=tmp_path,
    ).out
    manifest = json.loads((tmp_path / "run/manifest.json").read_text())
    assert (manifest["seed"], manifest["status"]) == (3, "done")
    assert manifest["versions"].keys() >= {"sanvp", "systemc", "compiler"}
    with (tmp_path / "run/deliveries.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert " ".join(row.values()) == out.strip()
    with (tmp_path / "run/stats.csv").open() as file:
        flits = [(r["path"], r["value"]) for r in csv.DictReader(file) if r["name"] == "flits"]
    assert flits == [("host 0->switch 0.0", "64"), ("switch 0.1->host 1", "64")]
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    slices = [event for event in events if event["ph"] == "X"]
    # 64 flits of 6.25 ns; the second channel is owned from the header's arrival 8 flit times later, its header starts
    # 24 after that.
    assert [(s["ts"], s["dur"]) for s in slices] == [(0, 0.4), (0.05, 0.55)]
    assert [s["args"]["header_start_ps"] for s in slices] == [0, 200_000]


def test_the_same_run_twice_leaves_the_same_results(tmp_path):
    packets = "".join(f"{7 * i} {i * 13 % 64} {(i * 29 + 1) % 64} {50 + i}\n" for i in range(300) if (i * 16 + 1) % 64)
    (tmp_path / "traffic.txt").write_text(packets)
    first, second = (done("replay", "qsnet-64", "--traffic", tmp_path / "traffic.txt").out for _ in range(2))
    assert first == second


@pytest.mark.parametrize("machine", ["myrinet-8", "moc-2-1", "gcel-64", "tofu-36", "qsnet-16", "macrame-clos-64"])
def test_both_fidelities_agree_under_load(tmp_path, machine):
    packets = [(i * 40, i * 7 % 16, (i * 5 + 3 + i // 16) % 16) for i in range(400)]
    rows = replay(tmp_path, machine, "".join(f"{t} {s} {d} 100\n" for t, s, d in packets if s != d))
    assert all(row.delivered > row.injected >= row.generated for row in rows)
