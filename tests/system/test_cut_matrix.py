"""Single cuts of nine machines, all of qsnet-16's and twenty at random of each other one: every pair of hosts that
cables still join is served, nothing can deadlock, and four programs are right with 16 to 64 ranks. It takes some ten
minutes; what `test_single_cuts.py` has of it runs always."""

import pytest
from cuts import cuts, graph_of, require_right, require_served, some

pytestmark = pytest.mark.long

AT_RANDOM = (
    "qsnet-64",
    "myrinet-8",
    "myrinet-16",
    "myrinet-32",
    "macrame-clos-64",
    "macrame-torus-64",
    "tofu-36",
    "tofu-96",
)
CASES = [("qsnet-16", n) for n in range(20)] + [(machine, n) for machine in AT_RANDOM for n in range(20)]


def cut_number(machine: str, graph: dict, number: int) -> str:
    if machine != "qsnet-16":
        return some(machine, graph, 20)[number]
    every = cuts(graph)
    assert len(every) == 20  # 16 cables between its two levels, 4 switches of the upper one
    return every[number]


@pytest.mark.parametrize(("machine", "number"), CASES)
def test_a_cut_leaves_all_joined_pairs_served_and_programs_right(machine, number):
    graph = graph_of(machine)
    cut = cut_number(machine, graph, number)
    hosts = len(graph["hosts"])
    assert require_served(machine, graph, cut) == hosts * (hosts - 1)
    ranks = min(64, hosts)
    for program, *options in (
        ("allreduce", "--most", "256", "--count", "1"),
        ("halo",),
        ("alltoall", "--most", "256", "--count", "1"),
        ("barrier",) if machine.startswith("qsnet") else ("collectives", "--most", "64", "--count", "1"),
    ):
        require_right(machine, cut, program, ranks, *options)
