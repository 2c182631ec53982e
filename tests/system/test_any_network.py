"""Cards on networks that their machines never had: MPI runs, and gives the right results."""

from __future__ import annotations

import re

import pytest
from program import USER_MISTAKE, done, sanvp

DRAGONFLY = ["topology.type=dragonfly", "routing.type=dragonfly"]
HYPERX = ["topology.type=hyperx", "switch.ports=10", "routing.type=hyperx"]
PATHS = ("minimal", "valiant", "adaptive")
VCS = "switch.virtual_channels=3"


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


@pytest.mark.parametrize("paths", ["valiant", "adaptive"])
def test_mpi_runs_on_a_dragonfly_of_tofu_cards(paths):
    network = settings(*DRAGONFLY, f"routing.paths={paths}", "switch.virtual_channels=3")
    assert "PASS" in done("run", "tofu-36", *network, "allreduce", "--np", "72").out


def test_mpi_runs_on_a_dragonfly_of_myrinet_cards_whose_switches_have_no_virtual_channels():
    network = settings("topology.type=dragonfly", "routing.type=ud")
    assert "PASS" in done("run", "myrinet-32", *network, "allreduce", "--np", "72").out


@pytest.mark.parametrize(
    ("machine", "changes"),
    [
        *((machine, []) for machine in ("qsnet-16", "myrinet-8", "macrame-torus-64", "moc-2-1", "gcel-64", "tofu-36")),
        ("qsnet-64", ["topology.up_links=4,2"]),
        *(("qsnet-64", [*DRAGONFLY, f"routing.paths={paths}", VCS]) for paths in PATHS),
        *(("qsnet-64", [*HYPERX, f"routing.paths={paths}", VCS]) for paths in PATHS),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value[-2:-1] or value),
)
def test_routes_of_every_family_written_as_text_are_read_back_the_same(machine, changes, tmp_path):
    changed = settings(*changes)
    topology, routes, again = (tmp_path / name for name in ("topology.txt", "routes.txt", "again.txt"))
    write = ["--write-topology", topology, "--write-routes", routes]
    written = done("check", machine, *changed, *write, "--json", "-").json
    files = [
        "--topology",
        topology,
        "--routes",
        routes,
        *settings(*(one for one in changes if one.startswith("switch."))),
    ]
    read = done("check", machine, *files, "--write-routes", again, "--json", "-").json
    assert again.read_text() == routes.read_text()
    for key in ("pairs", "routes", "channel_dependencies", "diameter", "verdict"):
        assert read[key] == written[key]


@pytest.mark.parametrize("paths", PATHS)
def test_traffic_on_routes_read_from_a_file_gives_the_same_bytes(paths, tmp_path):
    routes = tmp_path / "routes.txt"
    network = settings(*DRAGONFLY, f"routing.paths={paths}", VCS)
    done("check", "qsnet-64", *network, "--write-routes", routes)
    files = ["--routes", routes, *settings(DRAGONFLY[0], VCS)]
    for name, parts in (("built", network), ("read", files)):
        done("traffic", "qsnet-64", "uniform", "--load", "0.4", "--packets", "2000", *parts, "--out", tmp_path / name)
    for table in ("latency", "histogram", "links", "nodes", "stats"):
        assert (tmp_path / "built" / f"{table}.csv").read_bytes() == (tmp_path / "read" / f"{table}.csv").read_bytes()


def test_run_and_traffic_take_a_network_of_text_files(tmp_path):
    topology, routes = tmp_path / "topology.txt", tmp_path / "routes.txt"
    network = settings(*DRAGONFLY, "switch.virtual_channels=2")
    done("check", "qsnet-64", *network, "--write-topology", topology, "--write-routes", routes)
    files = ["--topology", topology, "--routes", routes]
    assert "PASS" in done("run", "qsnet-64", *files, "allreduce", "--np", "12").out
    packets = ["uniform", "--load", "0.2", "--packets", "300", "--json", "-"]
    from_files, built = done("traffic", "qsnet-64", *files, *packets), done("traffic", "qsnet-64", *network, *packets)
    assert from_files.json["latency_ns"] == built.json["latency_ns"]


@pytest.mark.parametrize("up_links", ["4,2", "3,2", "1"])
def test_elan3_cards_run_on_slimmed_fat_trees(up_links):
    tree = settings(f"topology.up_links={up_links}")
    assert done("check", "qsnet-64", *tree, "--json", "-").json["verdict"] == "deadlock-free"
    sending = ["uniform", "--load", "0.1", "--packets", "2000", "--json", "-"]
    assert done("traffic", "qsnet-64", *tree, *sending).json["lost_packets"] == 0
    assert len(done("run", "qsnet-64", *tree, "hello").out.splitlines()) >= 64
    assert "PASS" in done("run", "qsnet-64", *tree, "allreduce").out


@pytest.mark.parametrize("up_links", ["2", "1"])
def test_hardware_broadcasts_and_barriers_of_elan3_cards_are_right_on_slimmed_fat_trees(up_links):
    assert "PASS" in done("run", "qsnet-16", *settings(f"topology.up_links={up_links}"), "collectives").out


def saturation(up_links: str) -> float:
    """The largest load, as a share of a link's rate, of uniform traffic of single packets that the network carries."""
    tree = settings(f"topology.up_links={up_links}")
    search = ["uniform", "--bytes", "320", "--packets", "10000", "--saturation", "--json", "-"]
    return done("traffic", "qsnet-64", *tree, *search).json["saturation"]["load"]


def test_a_tree_with_half_of_the_cables_above_its_leaves_saturates_at_about_half_of_the_full_ones_load():
    # 60 of the 63 others are not on a host's own leaf switch, 48 not in its quarter. Cables up per host: 2 of 4 above
    # the leaves, or 4 of 16 above the second level.
    full, half, quarter = saturation("full"), saturation("2,4"), saturation("2")
    assert half <= 2 / 4 * 63 / 60
    assert quarter <= 4 / 16 * 63 / 48
    assert 0.45 < half / full < 0.65
    assert 0.4 < quarter / half / (63 / 48) < 0.65


def test_a_list_of_cables_up_that_fits_no_tree_is_refused_with_a_cure():
    for up_links, cure in (("5", "give 1..4"), ("2,2,2", "one for all"), ("two", "up_links")):
        outcome = sanvp("check", "qsnet-64", *settings(f"topology.up_links={up_links}"))
        assert outcome.status == 2
        assert "topology.up_links" in outcome.err
        assert cure in outcome.err


LINK_MBPS = 400  # of qsnet-64
SIMPLE = settings("switch.type=simple", "switch.buffer=128", "switch.virtual_channels=3", "nic.type=plain")


def accepted(network: str, paths: str, load: float, *pattern: str, more: tuple[str, ...] = ()) -> float:
    """Accepted load per host, as a share of a link's rate."""
    parts = settings(*more, f"topology.type={network}", f"routing.type={network}", f"routing.paths={paths}")
    sending = ["--load", f"{load}", "--bytes", "64", "--packets", "20000", "--json", "-"]
    metrics = done("traffic", "qsnet-64", *pattern, *sending, *SIMPLE, *parts).json
    return metrics["accepted_per_node_MBps"] / LINK_MBPS


@pytest.mark.parametrize(
    ("network", "distance", "minimal_bound", "valiant_bound", "minimal_vcs"),
    [
        # 72 hosts, p = 2, a = 4, g = 9 groups. All a p hosts of a group send to the next group, over one cable. By way
        # of one of g - 2 others, a cable carries 1/(g-2) of a group's traffic on its way out and as much on its way in.
        ("dragonfly", 8, 1 / 8, 7 / (2 * 8), 2),
        # 4 x 4 switches of T = 4 hosts. All hosts of a switch send to the next in its row over one cable (the last to
        # another row, over two). By way of any switch, a cable is in 4 of 16 first halves of paths, and as many
        # second halves: 2 * 4/16 of a switch's traffic, as of uniform traffic.
        ("hyperx", 4, 1 / 4, 16 / (2 * 4 * 4), 1),
    ],
)
def test_adaptive_routing_follows_the_better_of_minimal_and_valiant(
    network, distance, minimal_bound, valiant_bound, minimal_vcs
):
    adversarial = ["pairs", "-s", f"pattern.distance={distance}"]
    minimal, valiant, adaptive = (accepted(network, paths, 0.9, *adversarial) for paths in PATHS)
    assert 0.9 * minimal_bound < minimal <= 1.01 * minimal_bound
    assert valiant <= 1.01 * valiant_bound
    assert adaptive > 0.95 * valiant
    assert adaptive > 1.3 * minimal
    by_valiant, by_queue = (accepted(network, paths, 0.7, "uniform") for paths in PATHS[1:])
    # The shortest paths of adaptive ones have the virtual channels that shortest paths need, and leave the others.
    by_minimal = accepted(network, "minimal", 0.7, "uniform", more=(f"switch.virtual_channels={minimal_vcs}",))
    assert by_queue > 0.95 * by_minimal
    assert by_queue > 1.2 * by_valiant


def test_adaptive_routes_are_refused_by_cards_that_name_every_port():
    parts = settings(*DRAGONFLY, "routing.paths=adaptive", "switch.virtual_channels=3")
    outcome = sanvp("run", "qsnet-64", *parts, "hello")
    assert outcome.status == 2
    assert "routing.paths" in outcome.err
    assert "choose routing.paths=minimal or valiant" in outcome.err


OWN_MACHINES = ["qsnet-64", "myrinet-16", "macrame-clos-64", "macrame-torus-64", "moc-3-2", "gcel-64", "tofu-96"]


@pytest.mark.parametrize("machine", OWN_MACHINES)
def test_check_says_that_host_software_runs_on_a_machine_of_its_own(machine):
    assert done("check", machine, "--json", "-").json["host_software"] == {"runs": True}
    assert "\nhost software: runs\n" in done("check", machine).out


LINE_OF_16 = [
    *("topology.type=grid", "topology.sizes=1x16", "topology.cables=4", "topology.hosts_per_switch=1"),
    *("routing.type=dimension_order", "switch.ports=9"),
]
TOO_LONG = (LINE_OF_16, "qsnet-16", "passes 15 switches, and an Elan3's passes at most 14 with more than 8 ports each")
VIRTUAL_CHANNELS = (
    [*DRAGONFLY, "switch.type=simple", "switch.virtual_channels=2"],
    "myrinet-8",
    "changes virtual channels to stay free from deadlock, and a LANai's route bytes name ports only",
)
NOT_THE_TABLES = (
    ["topology.type=torus", "routing.type=ud", "nic.configure=yes"],
    "macrame-clos-64",
    "another way than [routing], for which the proof was made",
)
HEADERS = (
    ["nic.virtual_links=1000", "nic.header_deletion=never"],
    "macrame-clos-64",
    "have more names than 2 bytes of header",
)


@pytest.mark.parametrize(
    ("network", "machine", "reason"),
    [TOO_LONG, VIRTUAL_CHANNELS, NOT_THE_TABLES, HEADERS],
    ids=["elan3", "lanai", "ds_link", "headers"],
)
def test_check_says_beforehand_why_host_software_does_not_run_and_run_says_the_same(network, machine, reason):
    checked = done("check", machine, *settings(*network), "--json", "-").json
    assert (checked["status"], checked["verdict"]) == ("done", "deadlock-free")
    assert checked["host_software"]["runs"] is False
    message = checked["host_software"]["message"]
    assert reason in message
    assert f"host software: does not run; {message}\n" in done("check", machine, *settings(*network)).out
    refused = sanvp("run", machine, "hello", *settings(*network))
    assert (refused.status, refused.out) == (USER_MISTAKE, "")
    assert refused.err == f"error: {message}\n"
    packets = ["uniform", "--load", "0.1", "--packets", "100", "--json", "-"]
    assert done("traffic", machine, *packets, *settings(*network)).json["packets"] == 100


def test_an_stc104_routes_by_itself_where_node_0_has_no_tables_for_the_network():
    network = settings("topology.type=torus", "topology.hosts_per_switch=1", "routing.type=ud")
    software = done("check", "macrame-clos-64", *network, "--json", "-").json["host_software"]
    assert software["runs"] is True
    assert "the switches route as [routing] says, by themselves (nic.configure = auto)" in software["note"]
    ran = done("run", "macrame-clos-64", *network, "allreduce", "--", "--most", "64")
    assert "PASS" in ran.out
    assert f"note: {software['note']}\n" in ran.err


def test_more_cables_than_a_transputer_has_links_are_refused_with_a_cure_that_helps():
    network = settings("topology.type=irregular", "topology.hosts_per_switch=2", "routing.type=ud")
    refused = sanvp("check", "gcel-64", *network)
    assert refused.status == USER_MISTAKE
    assert "cables, but 5 ports (switch.ports); give it fewer, or explore -s switch.ports=" in refused.err
    cure = refused.err.split("explore ")[1].split()
    assert "PASS" in done("run", "gcel-64", *network, *cure, "allreduce", "--", "--most", "64").out


def test_a_topology_of_the_command_line_drops_cable_classes_of_the_file_and_no_setting_of_its_own():
    """gcel-64 has [link.host], and an irregular network has one class, `link`."""
    network = settings("topology.type=irregular", "routing.type=ud", "switch.ports=8")
    assert done("check", "gcel-64", *network, "--json", "-").json["verdict"] == "deadlock-free"
    refused = sanvp("check", "gcel-64", *network, "-s", "link.host.rate=20MB/s")
    assert refused.status == USER_MISTAKE
    assert "no part of this machine reads 'link.host.rate'" in refused.err


@pytest.mark.parametrize("cards", ["qsnet", "myrinet", "tofu"])
def test_a_dragonfly_of_72_hosts_is_a_machine_of_its_own(cards):
    machine = f"{cards}-dragonfly-72"
    checked = done("check", machine, "--json", "-").json
    assert (checked["hosts"], checked["verdict"], checked["host_software"]) == (72, "deadlock-free", {"runs": True})
    assert "PASS" in done("run", machine, "allreduce", "--", "--most", "1024").out


@pytest.mark.parametrize("command", [("check",), ("traffic", "uniform"), ("run", "ping")])
def test_routes_through_hosts_are_refused_where_nics_have_no_in_transit_buffers(command):
    keys = settings("topology.type=irregular", "routing.type=ud_itb")
    outcome = sanvp(command[0], "tofu-36", *command[1:], *keys)
    assert outcome.status == 2
    assert "NICs of type tofu have no in-transit buffers" in outcome.err
    assert "nic.type=plain" in outcome.err
    assert sanvp("check", "myrinet-8", "-s", "routing.type=ud_itb").status == 0


@pytest.mark.parametrize("machine", ["qsnet-16", "macrame-clos-64", "moc-2-1", "gcel-64"])
def test_a_routing_that_does_not_fit_a_network_is_named_by_its_place_with_one_that_does(machine, tmp_path):
    ring = tmp_path / "ring.txt"
    links = "".join(f"link {i} 1 {(i + 1) % 4} 2\n" for i in range(4))
    ring.write_text("switches 4\nports 4\n" + "".join(f"host {i} {i} 0\n" for i in range(4)) + links)
    outcome = sanvp("check", machine, "--topology", ring)
    assert outcome.status == USER_MISTAKE
    assert re.match(r"error: \S+\.ini:\d+: routing \w+: the topology 'custom' ", outcome.err)
    assert outcome.err.endswith(", or give -s routing.type=ud, which routes any network\n")
    done("check", machine, "--topology", ring, "-s", "routing.type=ud")


def test_an_interval_routing_names_the_networks_that_have_labels():
    outcome = sanvp("check", "qsnet-16", "-s", "routing.type=interval")
    assert outcome.status == USER_MISTAKE
    cause = "routing interval: the topology 'fat_tree' has no interval labelling; use it on one of clos, grid, "
    assert outcome.err.startswith(f"error: -s routing.type: {cause}")


def test_a_setting_of_what_a_file_replaces_names_the_option(tmp_path):
    (tmp_path / "net.txt").write_text("switches 1\nports 2\nhost 0 0 0\nhost 1 0 1\n")
    (tmp_path / "routes.txt").write_text("route 0 1 0 1\nroute 1 0 0 0\n")
    files = ("--topology", "net.txt", "--routes", "routes.txt")
    done("check", "qsnet-16", *files, cwd=tmp_path)
    for setting, option in (("routing.type=ud", "--routes"), ("topology.arity=2", "--topology")):
        outcome = sanvp("check", "qsnet-16", *files, "-s", setting, cwd=tmp_path)
        assert outcome.status == USER_MISTAKE
        assert f"-s {setting.split('=')[0]}: {option} replaces the machine's " in outcome.err


@pytest.mark.parametrize("section", ["topology", "routing"])
def test_a_file_that_is_not_named_names_its_key(section, tmp_path):
    outcome = sanvp("check", "qsnet-16", "-s", f"{section}.type=file", cwd=tmp_path)
    assert outcome.status == USER_MISTAKE
    assert outcome.err.startswith(f"error: {section}.file: ")
    assert f"name the file with -s {section}.file=FILE" in outcome.err
