"""Machines of which one cable between switches, or one switch that no host hangs on, has failed: every pair of hosts is
served, nothing can deadlock, and programs are right. On small machines all such cuts, on others some at random."""

import random

import pytest
from program import USER_MISTAKE, done, sanvp

APPS = ("allreduce", "halo", "alltoall")
FAST = ("qsnet-64", "myrinet-8", "myrinet-16", "tofu-36", "tofu-96")  # to simulate


def refused(*arguments: object) -> str:
    """What is said where the user is told that it cannot be."""
    result = sanvp(*arguments)
    assert result.status == USER_MISTAKE
    return result.err


def cuts(machine: str) -> tuple[list[str], int]:
    """Settings, one for each single cut, and the machine's hosts."""
    graph = done("check", machine, "--json", "-").json["graph"]
    settings, with_hosts = [], set()
    for number, link in enumerate(graph["links"]):
        ends = (link["a"], link["b"])
        if any("host" in end for end in ends):
            with_hosts |= {end["switch"] for end in ends if "switch" in end}
        else:
            settings.append(f"topology.failed_links={number}")
    settings += [f"topology.failed_switches={n}" for n in range(len(graph["switches"])) if n not in with_hosts]
    return settings, len(graph["hosts"])


def some(machine: str, count: int) -> list[str]:
    return random.Random(machine).sample(cuts(machine)[0], count)


def require_right(machine: str, cut: str, apps: tuple[str, ...], ranks: int) -> None:
    assert "verdict: deadlock-free" in done("check", machine, "-s", cut).out
    for app in apps:
        assert "PASS" in done("run", machine, app, "--np", ranks, "-s", cut).out


def test_every_cut_of_a_small_fat_tree_leaves_all_pairs_served_and_programs_right():
    settings, _ = cuts("qsnet-16")
    assert len(settings) == 16 + 4  # cables between the two levels, switches of the upper one
    for cut in settings:
        require_right("qsnet-16", cut, ("halo", "barrier"), 16)


@pytest.mark.parametrize(
    "machine", ["qsnet-64", "myrinet-8", "myrinet-16", "macrame-clos-64", "macrame-torus-64", "tofu-36", "tofu-96"]
)
def test_cuts_at_random_leave_all_pairs_served_and_programs_right(machine):
    _, hosts = cuts(machine)
    for cut in some(machine, 2):
        require_right(machine, cut, APPS, min(hosts, 32 if machine in FAST else 8))


@pytest.mark.parametrize("machine", ["myrinet-8", "macrame-torus-64", "tofu-36"])
def test_every_cut_leaves_all_pairs_served(machine):
    for cut in cuts(machine)[0]:
        assert "verdict: deadlock-free" in done("check", machine, "-s", cut).out


@pytest.mark.parametrize(
    ("machine", "settings"),
    [
        ("macrame-clos-512", ("topology.failed_links=600,700,720",)),
        ("macrame-clos-1024", ("topology.failed_links=1100,1300",)),
        ("macrame-grid-256", ("topology.failed_links=300,301,302,303",)),
        ("macrame-clos-64", ("topology.failed_links=105", "routing.up=fixed")),
        ("macrame-clos-64", ("topology.failed_switches=5", "routing.up=universal")),
    ],
)
def test_the_tables_that_software_loads_around_failures_are_those_that_were_proved(machine, settings):
    # The card refuses tables that lead another way than [routing], which the proof was made for.
    options = [word for setting in settings for word in ("-s", setting)]
    assert "PASS" in done("run", machine, "halo", "--map", "0,20,40,60", *options).out


@pytest.mark.parametrize("machine", ["gcel-64", "moc-3-2"])
def test_a_machine_without_detours_refuses_a_run_before_time_0_and_names_pairs(machine):
    cut = cuts(machine)[0][0]
    for command in (("check", machine), ("run", machine, "hello", "--np", 64)):
        message = refused(*command, "-s", cut)
        assert "not served" in message
        assert " to host " in message


def test_a_run_needs_ways_between_its_own_nodes_alone():
    settings, _ = cuts("gcel-64")
    alone = ("run", "gcel-64", "hello", "-s", settings[0])  # the first cable is between nodes 0 and 1, or 0 and 8
    assert "pairs of hosts that the ranks run on are not served" in refused(*alone, "--map", "0,1,8")
    assert "hello from rank 1" in done(*alone, "--map", "62,63").out
    assert "warning: " in done(*alone, "--map", "0,9,1,8", "--force").err


def barrier_us(*options: str) -> float:
    out = done("run", "qsnet-16", "barrier", "--np", 16, *options).out
    assert "PASS" in out
    return float(out.split("time_us ")[1].split()[0])


def test_collectives_of_qsnet_take_another_root_or_where_none_reaches_all_leaves_go_by_software():
    whole = barrier_us()
    assert barrier_us("-s", "topology.failed_switches=4") == whole  # another root is as good
    # Leaf i loses its cable up to root 4 + i: no root is left that leads to all of them.
    links = done("check", "qsnet-16", "--json", "-").json["graph"]["links"]
    between = {
        tuple(sorted((link["a"].get("switch", -1), link["b"].get("switch", -1)))): i for i, link in enumerate(links)
    }
    cut = "topology.failed_links=" + ",".join(str(between[leaf, 4 + leaf]) for leaf in range(4))
    assert barrier_us("-s", cut) > 1.5 * whole
    for app in ("broadcast", "allreduce", "collectives"):
        assert "PASS" in done("run", "qsnet-16", app, "--np", 16, "-s", cut).out
