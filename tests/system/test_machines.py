"""Every machine that comes with the program."""

from __future__ import annotations

import pytest
from program import PROJECT, done, machines, sanvp

NAMES = machines()
# The machines that the project ships.
PROMISED = {
    *(f"qsnet-{nodes}" for nodes in (16, 32, 64, 1024)),
    *(f"myrinet-{switches}" for switches in (8, 16, 32, 64)),
    *(f"macrame-clos-{nodes}" for nodes in (64, 128, 256, 512, 1024)),
    *(f"macrame-grid-{nodes}" for nodes in (64, 256, 400, 1024)),
    *("macrame-torus-64", "moc-3-2", "moc-3-1", "moc-2-1", "gcel-64", "tofu-36", "tofu-768"),
}
# Hosts, switches and diameter in links, from the papers' own figures.
SIZES = {
    "qsnet-16": (16, 8, 4),
    "qsnet-32": (32, 32, 6),  # 8 + 8, and 16 at the top with half their links
    "qsnet-64": (64, 48, 6),  # n x 4^(n-1) switches, 2n links
    "qsnet-1024": (1024, 1280, 10),
    "myrinet-8": (32, 8, None),
    "myrinet-64": (256, 64, None),
    "macrame-clos-64": (64, 6, 4),  # 4 leaves, 2 centres
    "macrame-clos-256": (256, 24, 4),
    "macrame-grid-400": (400, 25, 10),  # 4 + 4 cables and the two of the hosts
    "moc-3-2": (64, 16, 8),  # corner to corner 8 (FACTS 4.2)
    "moc-3-1": (64, 32, None),
    "moc-2-1": (16, 4, 4),
    "gcel-64": (64, 64, 16),
    "tofu-36": (36, 36, None),
    "tofu-768": (768, 768, None),
    **{f"{cards}-dragonfly-72": (72, 36, None) for cards in ("qsnet", "myrinet", "tofu")},
}


def test_all_promised_machines_are_there():
    assert set(NAMES) >= PROMISED


def test_bases_are_no_machines():
    assert "qsnet" not in NAMES
    assert (PROJECT / "platform/machines/base/qsnet.ini").exists()


@pytest.mark.parametrize("name", NAMES)
def test_check_passes(name):
    report = done("check", name, "--json", "-").json
    assert report["verdict"] == "deadlock-free"
    assert report["pairs_unserved"] == 0
    hosts = report["hosts"]
    assert report["pairs"] == hosts * (hosts - 1)
    if name in SIZES:
        expected_hosts, switches, diameter = SIZES[name]
        assert (hosts, report["switches"]) == (expected_hosts, switches)
        assert diameter in (None, report["diameter"])


@pytest.mark.parametrize("name", NAMES)
def test_describe_gives_every_parameter_a_meaning_and_a_source(name):
    description = done("describe", name, "--json", "-").json
    assert description["name"] == name
    assert len(description["parameters"]) > 20
    for parameter in description["parameters"]:
        assert parameter["documentation"], parameter
        assert parameter["source"], parameter
        # Every value comes from a machine file or is the part's default.
        assert parameter["place"] == "default" or ".ini:" in parameter["place"]


@pytest.mark.parametrize("kind", ["parts", "patterns"])
def test_everything_listed_can_be_described(kind):
    for entry in done("list", kind, "--json", "-").json[kind]:
        assert entry["summary"]
        text = done("describe", entry["name"]).out
        assert f"{entry['name']} ({entry['kind']}): {entry['summary']}" in text


def test_a_seed_makes_a_myrinet_and_another_seed_another():
    def network(*arguments):
        return done("check", "myrinet-16", "--json", "-", *arguments).json["graph"]["links"]

    assert network("--seed", 1) == network("--seed", 1)
    assert network("--seed", 1) != network("--seed", 2)
    assert network("--seed", 2) == network("--seed", 1, "-s", "topology.seed=2")


def test_ten_seeds_of_the_largest_myrinet_are_free_from_deadlock():
    for seed in range(2, 12):
        assert done("check", "myrinet-32", "--seed", seed, "--json", "-").json["verdict"] == "deadlock-free"


def test_a_machine_of_ones_own_in_a_file(tmp_path):
    (tmp_path / "base.ini").write_text("[switch]\ntype = simple\n[nic]\ntype = plain\n[link]\nrate = 1GB/s\n")
    (tmp_path / "mine.ini").write_text(
        "include = base.ini\n[machine]\nsummary = mine\n[topology]\ntype = grid\nsizes = 3\n"
        "hosts_per_switch = 1\ncables = 1\n[routing]\ntype = dimension_order\n"
    )
    report = done("check", "mine.ini", "--json", "-", cwd=tmp_path).json
    assert (report["machine"], report["hosts"], report["diameter"]) == ("mine", 3, 4)


def test_a_copy_of_a_machine_elsewhere_finds_the_base_that_is_shipped(tmp_path):
    shipped = PROJECT / "platform" / "machines" / "myrinet-8.ini"
    (tmp_path / "copy.ini").write_text(shipped.read_text())
    (tmp_path / "mine.ini").write_text("include = macrame-grid-64.ini\n[topology]\nsizes = 3x2\n")
    assert done("check", "copy.ini", "--json", "-", cwd=tmp_path).json["hosts"] == 32
    assert done("check", "mine.ini", "--json", "-", cwd=tmp_path).json["hosts"] == 96


def test_a_file_in_a_machine_file_is_found_beside_it(tmp_path):
    (tmp_path / "two.txt").write_text("switches 1\nports 2\nhost 0 0 0\nhost 1 0 1\n")
    (tmp_path / "mine.ini").write_text(
        "[topology]\ntype = file\nfile = two.txt\n[routing]\ntype = ud\n[switch]\ntype = simple\n"
        "[nic]\ntype = plain\n[link]\nrate = 1GB/s\n"
    )
    assert done("check", tmp_path / "mine.ini", "--json", "-", cwd="/").json["hosts"] == 2


def test_a_failed_cable_of_a_group_does_not_cut_a_clos():
    # Links 0..63 are the hosts'; each leaf has 8 cables to each centre.
    report = done("check", "macrame-clos-64", "-s", "topology.failed_links=64,65", "--json", "-").json
    assert report["pairs_unserved"] == 0


def test_a_failed_cable_of_a_host_cuts_it_off():
    result = sanvp("check", "macrame-clos-64", "-s", "topology.failed_links=5", "--json", "-")
    assert result.status == 2
    assert result.json["pairs_unserved"] == 2 * 63
    assert "126 pairs of hosts are not served" in result.err


def test_exports_are_written_and_read_back(tmp_path):
    dot, graph, routes = (tmp_path / name for name in ("net.dot", "net.txt", "routes.txt"))
    first = done(
        *("check", "myrinet-8", "--dot", dot, "--write-topology", graph, "--write-routes", routes, "--json", "-")
    ).json
    again = done("check", "myrinet-8", "--topology", graph, "--routes", routes, "--json", "-").json
    assert dot.read_text().startswith("graph")
    for key in ("hosts", "switches", "links", "routes", "channel_dependencies", "mean_distance"):
        assert first.get(key) == again.get(key), key
