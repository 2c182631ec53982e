"""Cards on networks that their machines never had: MPI runs, and gives the right results."""

from __future__ import annotations

import pytest
from program import done, sanvp

DRAGONFLY = ["topology.type=dragonfly", "routing.type=dragonfly"]


def settings(*pairs: str) -> list[str]:
    return [word for pair in pairs for word in ("-s", pair)]


@pytest.mark.parametrize("paths", ["minimal", "valiant"])
def test_mpi_runs_on_a_dragonfly_of_72_elan3_cards(paths):
    network = settings(*DRAGONFLY, f"routing.paths={paths}", "switch.virtual_channels=3")
    assert done("check", "qsnet-64", *network, "--json", "-").json["verdict"] == "deadlock-free"
    outcome = done("run", "qsnet-64", *network, "allreduce", "--np", "72")
    assert "PASS" in outcome.out


@pytest.mark.parametrize(
    ("topology", "routing"),
    [
        (["topology.type=hyperx", "switch.ports=10"], "hyperx"),
        (["topology.type=torus", "topology.sizes=4x4", "topology.hosts_per_switch=1", "topology.cables=1"], "ud"),
        (["topology.type=clos", "switch.ports=32"], "clos_grouped"),
        (["topology.type=irregular"], "ud"),
        (["topology.type=fat_tree"], "ud"),
        (["topology.type=fat_tree", "routing.up=fixed"], "fat_tree_adaptive"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0].removeprefix("topology.type="),
)
def test_collective_operations_of_elan3_cards_are_right_on_any_network(topology, routing):
    outcome = done("run", "qsnet-16", *settings(*topology, f"routing.type={routing}"), "collectives", "--np", "16")
    assert "PASS" in outcome.out


def test_a_route_of_an_elan3_has_room_for_14_switches_with_more_than_8_ports():
    line = ["topology.type=grid", "topology.sizes=1x16", "topology.cables=4", "topology.hosts_per_switch=1"]
    outcome = sanvp("run", "qsnet-16", *settings(*line, "routing.type=dimension_order", "switch.ports=9"), "hello")
    assert outcome.status == 2
    assert "passes 15 switches, and an Elan3's passes at most 14" in outcome.err


def test_mpi_runs_on_a_dragonfly_of_tofu_cards():
    network = settings(*DRAGONFLY, "routing.paths=valiant", "switch.virtual_channels=3")
    assert "PASS" in done("run", "tofu-36", *network, "allreduce", "--np", "72").out


def test_mpi_runs_on_a_dragonfly_of_myrinet_cards_whose_switches_have_no_virtual_channels():
    network = settings("topology.type=dragonfly", "routing.type=ud")
    assert "PASS" in done("run", "myrinet-32", *network, "allreduce", "--np", "72").out


@pytest.mark.parametrize(
    "machine",
    ["qsnet-16", "myrinet-8", "macrame-torus-64", "moc-2-1", "gcel-64", "tofu-36"],
)
def test_routes_of_every_family_written_as_text_are_read_back_the_same(machine, tmp_path):
    topology, routes, again = (tmp_path / name for name in ("topology.txt", "routes.txt", "again.txt"))
    written = done("check", machine, "--write-topology", topology, "--write-routes", routes, "--json", "-").json
    files = ["--topology", topology, "--routes", routes]
    read = done("check", machine, *files, "--write-routes", again, "--json", "-").json
    assert again.read_text() == routes.read_text()
    for key in ("pairs", "routes", "channel_dependencies", "diameter", "verdict"):
        assert read[key] == written[key]


def test_run_and_traffic_take_a_network_of_text_files(tmp_path):
    topology, routes = tmp_path / "topology.txt", tmp_path / "routes.txt"
    network = settings(*DRAGONFLY, "switch.virtual_channels=2")
    done("check", "qsnet-64", *network, "--write-topology", topology, "--write-routes", routes)
    files = ["--topology", topology, "--routes", routes]
    assert "PASS" in done("run", "qsnet-64", *files, "allreduce", "--np", "12").out
    packets = ["uniform", "--load", "0.2", "--packets", "300", "--json", "-"]
    from_files, built = done("traffic", "qsnet-64", *files, *packets), done("traffic", "qsnet-64", *network, *packets)
    assert from_files.json["latency_ns"] == built.json["latency_ns"]
