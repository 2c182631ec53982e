"""Hosts with several ports: planes and rails, and the NIC's choice of one."""

from __future__ import annotations

from pathlib import Path

import pytest
from program import USER_MISTAKE, done, sanvp

MACHINE = """[topology]
{}
[switch]
type = simple
buffer = 64
[link]
rate = 1GB/s
delay = 5ns
[nic]
type = plain
most_payload = 100B
"""
TREE = "type = {}\nplane = fat_tree\nplanes = 4\narity = 4\nlevels = 2\n[routing]\ntype = fat_tree_adaptive"
PLANES = MACHINE.format(TREE.format("multi_plane"))
ONE_PLANE = MACHINE.format(TREE.format("fat_tree").replace("plane = fat_tree\nplanes = 4\n", ""))
RAILS = MACHINE.format("type = rail_tree\nhosts = nodes\n[routing]\ntype = ud")
HOPS = PLANES.replace("plane = fat_tree", "plane = slim_fly\nq = 3\nhosts_per_switch = 1").replace(
    "arity = 4\nlevels = 2\n", ""
).replace("fat_tree_adaptive", "minimal_hops").replace("buffer", "virtual_channels = 2\nbuffer")  # fmt: skip
CHOICES = ["ports-in-turn", "port-by-destination", "emptiest-port", "random-port"]
REMAP = ["fault.remap=yes", "fault.remap_detect=1us", "fault.remap_switch=0ns", "fault.remap_host=0ns"]
FIDELITIES = ["worm", "flit"]


@pytest.fixture
def machine(tmp_path: Path):
    def write(text: str) -> str:
        path = tmp_path / "m.ini"
        path.write_text(text)
        return str(path)

    return write


def setting(*pairs: str) -> list[str]:
    return [word for pair in pairs for word in ("-s", pair)]


def packets(path: str, tmp_path: Path, *words: str) -> list[list[str]]:
    out = tmp_path / "packets.txt"
    done("traffic", path, *words, "--packets-out", str(out))
    return [line.split() for line in out.read_text().splitlines() if not line.startswith("#")]


def flow(path: str, tmp_path: Path, size: int, *words: str) -> list[tuple[float, float]]:
    """When the packets of one message from host 0 to host 9 start and arrive, in ns."""
    flows = tmp_path / "flows.txt"
    flows.write_text(f"0us 0 9 {size}\n")
    lines = packets(path, tmp_path, "flows", "--file", str(flows), *words)
    return sorted((float(line[6]), float(line[7])) for line in lines)


@pytest.mark.parametrize("fidelity", FIDELITIES)
def test_a_message_of_four_packets_takes_as_long_on_four_planes_as_one_packet_on_one(machine, tmp_path, fidelity):
    [(_, arrival)] = flow(machine(ONE_PLANE), tmp_path, 100, "--fidelity", fidelity)
    path = machine(PLANES)
    assert flow(path, tmp_path, 400, "--fidelity", fidelity) == [(0, arrival)] * 4
    in_one = flow(path, tmp_path, 400, "--fidelity", fidelity, *setting("nic.port_choice=port-by-destination"))
    assert in_one == [(100 * i, arrival + 100 * i) for i in range(4)]


@pytest.mark.parametrize(("choice", "share"), [("ports-in-turn", 4), ("emptiest-port", 4), ("port-by-destination", 1)])
def test_a_pair_gets_the_rate_of_the_ports_that_its_packets_choose(machine, choice, share):
    words = ["neighbor", "--load", "0.95", "--bytes", "100", "--packets", "4000", "--json", "-"]
    result = done("traffic", machine(PLANES), *words, *setting(f"nic.port_choice={choice}")).json
    expected = min(0.95 * 4, share) * 1000
    assert result["accepted_per_node_MBps"] == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("text", [PLANES, RAILS, HOPS])
@pytest.mark.parametrize("choice", CHOICES)
def test_both_fidelities_choose_the_same_ports_and_deliver_at_the_same_times(machine, tmp_path, text, choice):
    path = machine(text)
    words = ["uniform", "--load", "0.6", "--bytes", "uniform:20:300", "--packets", "1500", "--warmup", "0ns"]
    both = [
        packets(path, tmp_path, *words, "--fidelity", fidelity, *setting(f"nic.port_choice={choice}"))
        for fidelity in FIDELITIES
    ]
    assert both[0] == both[1]
    assert len({line[5] for line in both[0]}) > 1  # routes of several ports


@pytest.mark.parametrize("text", [PLANES, RAILS, HOPS])
def test_check_proves_planes_and_rails(machine, text):
    result = done("check", machine(text))
    assert "verdict: deadlock-free" in result.out
    assert "not served 0" in result.out


@pytest.mark.parametrize("text", [PLANES, HOPS])
def test_pairs_leave_a_plane_in_which_a_cable_has_failed_and_keep_the_others(machine, tmp_path, text):
    path = machine(text)
    links = done("check", path, "--json", "-").json["graph"]["links"]
    cable = len(links) // 4  # the first of plane 1: that of host 0, or between switches
    cut = setting(f"topology.failed_links={cable}")
    checked = done("check", path, *cut)
    assert "1 failed link: pairs use the ports that still lead to each other" in checked.out
    assert "verdict: deadlock-free" in checked.out
    words = ["uniform", "--load", "0.3", "--bytes", "100", "--packets", "1500", "--json", "-"]
    result = done("traffic", path, *words, *cut).json
    assert (result["lost_packets"], result["undelivered_messages"]) == (0, 0)


def test_a_plane_whose_cable_fails_during_a_run_is_left_once_routes_are_new(machine):
    path = machine(PLANES.replace("fat_tree_adaptive", "ud"))
    links = done("check", path, "--json", "-").json["graph"]["links"]
    host = len(links) // 4  # host 0's in plane 1
    words = ["uniform", "--load", "0.2", "--bytes", "100", "--packets", "8000", "--warmup", "0ns", "--json", "-"]
    down = ["--fault", f"1us link {host} down"]
    lost = done("traffic", path, *words, *down).json["lost_packets"]
    remapped = done("traffic", path, *words, *down, *setting(*REMAP)).json
    assert remapped["lost_packets"] < lost / 2
    assert lost > 0


def test_draw_shows_planes(machine, tmp_path):
    out = tmp_path / "planes.html"
    done("draw", machine(PLANES), "-o", str(out))
    assert "plane 3" in out.read_text()


def test_cards_and_circuits_refuse_hosts_with_several_ports():
    network = setting("topology.type=multi_plane", "topology.planes=2", "topology.levels=2", "topology.arity=4")
    refused = sanvp("check", "qsnet-16", *network)
    assert refused.status == USER_MISTAKE
    assert "hosts have 2 ports, of which cards, circuits and in-transit buffers know one" in refused.err
    assert "-s nic.type=plain" in refused.err
