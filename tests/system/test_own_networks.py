"""Networks of your own: what their switches, NICs and routings do by default, as measured from outside."""

from __future__ import annotations

import csv
import itertools

import pytest
from program import USER_MISTAKE, done, sanvp

DRAGONFLY = """[machine]
summary = a dragonfly of plain parts
[topology]
type = dragonfly
[routing]
type = dragonfly
[switch]
type = simple
buffer = 256
virtual_channels = 3
flow_through = 2ns
[link]
rate = 1GB/s
delay = 10ns
[link.host]
delay = 1ns
[link.global]
delay = 100ns
[nic]
type = plain
"""
PLAIN = DRAGONFLY.replace("[link.global]\ndelay = 100ns\n", "").replace(
    "type = dragonfly\n[routing]\ntype = dragonfly\n", "{}"
)
HYPERX = PLAIN.format("type = hyperx\nsizes = 4x4\n[routing]\ntype = hyperx\n")
TORUS = PLAIN.format("type = torus\nsizes = 4x4\nhosts_per_switch = 1\ncables = 1\n[routing]\ntype = dimension_order\n")
MESH = TORUS.replace("type = torus", "type = grid").replace("4x4", "8x8")
TREE = PLAIN.format("type = fat_tree\n[routing]\ntype = fat_tree_adaptive\n")


@pytest.fixture
def machine(tmp_path):
    def write(text: str) -> str:
        path = tmp_path / "m.ini"
        path.write_text(text)
        return str(path)

    return write


def traffic(
    path: str, load: float, *options: str, pattern: str = "uniform", packets: int = 4000, size: int = 8
) -> dict:
    arguments = ["--bytes", str(size), "--packets", str(packets), "--load", str(load), "--json", "-"]
    return done("traffic", path, pattern, *arguments, *options).json


def setting(*pairs: str) -> list[str]:
    return [word for pair in pairs for word in ("-s", pair)]


@pytest.mark.parametrize(("text", "load"), [(DRAGONFLY, 0.45), (HYPERX, 0.4), (TORUS, 0.5), (MESH, 0.5)])
def test_one_failed_cable_leaves_most_of_the_throughput_and_says_what_was_done(machine, text, load):
    path = machine(text)
    graph = done("check", path, "--json", "-").json["graph"]
    cable = len(graph["links"]) - 1  # between two switches: hosts are cabled first
    cut = setting(f"topology.failed_links={cable}")
    checked = done("check", path, *cut)
    assert "1 failed link: pairs whose paths have failed take up*/down* on virtual channel 0" in checked.out
    assert "verdict: deadlock-free" in checked.out
    whole = traffic(path, load)["accepted_MBps"]
    assert traffic(path, load, *cut)["accepted_MBps"] > 0.9 * whole
    everybody = setting("routing.detours=up-down")
    assert "every pair takes up*/down* on what works" in done("check", path, *cut, *everybody).out
    dropped = sanvp("check", path, *cut, *setting("routing.detours=none"))
    assert dropped.status == USER_MISTAKE
    assert "routes that cross a failed part are dropped" in dropped.out


def test_four_virtual_channels_relieve_injection_where_one_does_not(machine):
    path = machine(HYPERX.replace("buffer = 256", "buffer = 64"))
    one = traffic(path, 0.9, *setting("switch.virtual_channels=1"))["accepted_per_node_MBps"]
    four = traffic(path, 0.9, *setting("switch.virtual_channels=4"))["accepted_per_node_MBps"]
    lowest = setting("switch.virtual_channels=4", "nic.slots=1", "nic.vc_choice=lowest", "switch.vc_choice=lowest")
    assert four > 1.2 * one
    assert four > 1.2 * traffic(path, 0.9, *lowest)["accepted_per_node_MBps"]


@pytest.mark.parametrize("choice", ["first", "round-robin", "least", "emptiest", "idle-random"])
def test_no_choice_puts_two_packets_on_one_cable_while_others_are_idle(machine, choice):
    result = traffic(machine(TREE), 0.5, *setting("switch.virtual_channels=2", f"switch.choice={choice}"), size=16)
    assert result["verdict"] == "not saturated"
    assert result["latency_ns"]["mean"] < 150


def test_on_uniform_traffic_adaptive_paths_are_as_good_as_minimal_ones(machine):
    path = machine(DRAGONFLY)
    latency = {
        paths: traffic(path, 0.1, *setting(f"routing.paths={paths}"))["latency_ns"]["mean"]
        for paths in ("minimal", "adaptive")
    }
    assert latency["adaptive"] < 1.05 * latency["minimal"]


def test_a_pipelined_router_takes_as_long_for_a_packet_alone_and_carries_more(machine, tmp_path):
    path = machine(MESH)
    slow = setting("switch.routing=2ns", "switch.setup=1ns", "switch.virtual_channels=1")
    packets = tmp_path / "one.txt"
    packets.write_text("0 0 63 8\n")
    alone = [
        done("replay", path, "--traffic", str(packets), *slow, *setting(f"switch.pipelined={flag}")).out
        for flag in ("yes", "no")
    ]
    assert alone[0] == alone[1]
    accepted = [
        traffic(path, 0.9, *slow, *setting(f"switch.pipelined={flag}"), pattern="transpose")["accepted_MBps"]
        for flag in ("yes", "no")
    ]
    assert accepted[0] > 1.1 * accepted[1]


def test_no_link_is_used_more_than_all_the_time(machine, tmp_path):
    done(
        "traffic",
        machine(MESH),
        "transpose",
        "--load",
        "0.9",
        "--bytes",
        "8",
        "--packets",
        "3000",
        "--out",
        str(tmp_path / "r"),
    )
    with (tmp_path / "r" / "links.csv").open() as table:
        uses = [float(row["use"]) for row in csv.DictReader(table)]
    assert max(uses) <= 1
    assert max(uses) > 0.95


def test_check_tells_the_length_of_detours_from_that_of_shortest_paths(machine):
    report = done("check", machine(DRAGONFLY), *setting("routing.paths=adaptive")).out
    assert "distance: diameter 5 links" in report
    assert "detours, which a switch takes by its queues: diameter 7 links" in report


def test_a_buffer_below_bandwidth_times_delay_is_said(machine):
    path = machine(DRAGONFLY.replace("buffer = 256", "buffer = 64"))
    said = "a buffer of 64 flits is less than the 103 that a cable of class global carries until a credit is back"
    assert said in done("check", path).out
    assert said in done("traffic", path, "uniform", "--packets", "100", "--load", "0.1").err
    assert said not in done("check", machine(DRAGONFLY)).out


@pytest.mark.parametrize(
    ("text", "settings", "needed"),
    [
        (DRAGONFLY, ["routing.paths=valiant", "switch.virtual_channels=2"], 3),
        (TORUS, ["switch.virtual_channels=1"], 2),
        (TORUS, ["routing.type=minimal_adaptive", "switch.virtual_channels=2"], 3),
        (HYPERX, ["routing.paths=adaptive", "switch.virtual_channels=1"], 2),
    ],
)
def test_too_few_virtual_channels_are_refused_by_every_command_with_the_number_needed(machine, text, settings, needed):
    path = machine(text)
    for command in (["check", path], ["traffic", path, "uniform"], ["describe", path], ["run", path, "hello"]):
        refused = sanvp(*command, *setting(*settings))
        assert (refused.status, refused.out) == (USER_MISTAKE, "")
        assert f"the routing needs {needed} virtual channels" in refused.err
        assert f"-s switch.virtual_channels={needed}" in refused.err


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        (PLAIN.format("type = slim_fly\n[routing]\ntype = minimal_hops\n"), 2),
        (DRAGONFLY.replace("[routing]\ntype = dragonfly", "[routing]\ntype = dragonfly_adaptive"), 4),
    ],
)
def test_each_virtual_channel_more_than_a_relation_needs_carries_as_much_or_more(machine, text, needed):
    path = machine(text.replace("buffer = 256", "buffer = 32"))
    accepted = [
        traffic(path, 1, *setting(f"switch.virtual_channels={count}"), packets=6000)["accepted_MBps"]
        for count in range(needed, 2 * needed + 1)
    ]
    assert all(more > 0.98 * fewer for fewer, more in itertools.pairwise(accepted))
    assert accepted[-1] > 1.1 * accepted[0]


def test_a_card_refuses_a_routing_that_leaves_the_way_to_the_switches():
    network = setting("topology.type=grid", "topology.sizes=2x4", "topology.hosts_per_switch=1", "topology.cables=1",
                      "routing.type=odd_even")  # fmt: skip
    refused = sanvp("run", "qsnet-16", "hello", *network)
    assert refused.status == USER_MISTAKE
    assert "each switch decides (routing.type), and a packet of card elan3 needs a route" in refused.err
    assert done("traffic", "qsnet-16", "uniform", "--packets", "200", *network).status == 0


def test_a_matrix_a_list_of_flows_a_distribution_of_lengths_and_an_incast_are_traffic(machine, tmp_path):
    path = machine(MESH)
    weights = tmp_path / "weights.txt"
    weights.write_text("0 1 3\n0 2 1\n5 7 1\n")
    out = tmp_path / "r"
    done("traffic", path, "matrix", "--file", str(weights), "--packets", "4000", "--load", "0.2", "--out", str(out))
    with (out / "nodes.csv").open() as table:
        received = {int(row["node"]): float(row["received_MBps"]) for row in csv.DictReader(table)}
    assert received[1] / received[2] == pytest.approx(3, rel=0.1)
    assert received[7] == pytest.approx(received[1] + received[2], rel=0.1)

    flows = tmp_path / "flows.txt"
    flows.write_text("1us 0 9 100\n0ns 0 9 50\n2us 3 4 10\n")
    assert done("traffic", path, "flows", "--file", str(flows), "--json", "-").json["messages"] == 3

    lengths = tmp_path / "lengths.txt"
    lengths.write_text("10 0.5\n1000 0.5\n1010 1\n")
    drawn = done(
        "traffic", path, "uniform", "--bytes", f"cdf:{lengths}", "--packets", "4000", "--load", "0.2", "--json", "-"
    ).json
    assert drawn["offered_MBps"] > 0

    incast = done("traffic", path, "incast", "--fan-in", "8", "--rounds", "3", "--bytes", "100", "--json", "-").json
    assert incast["messages"] == 24
    assert incast["latency_ns"]["max"] > 8 * 100  # the last of eight waits for all others

    steady = traffic(path, 0.3)["latency_ns"]["mean"]
    assert traffic(path, 0.3, "--arrivals", "on-off")["latency_ns"]["mean"] > 1.2 * steady


def test_a_rate_that_whole_picoseconds_do_not_hold_is_refused_with_one_and_with_flits_that_do(machine):
    path = machine(HYPERX)
    rate = setting("link.rate=450GB/s")  # 2.22 ps a byte; 32 bytes take 71.1
    refused = sanvp("traffic", path, "uniform", *rate)
    assert refused.status == USER_MISTAKE
    assert "takes 2.22 ps; in whole picoseconds, the link would run at 500000MB/s" in refused.err
    assert "give 500000MB/s, or larger flits, as -s switch.flit_bytes=32" in refused.err
    done("check", path, *rate, *setting("switch.flit_bytes=32"))
    done("check", path, *setting("link.rate=500000MB/s"))
