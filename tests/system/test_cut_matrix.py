"""Single cuts of nine machines, all of the two smallest and twenty at random of each other one: every pair of hosts
that cables still join is served, nothing can deadlock, and four programs are right with 16 to 64 ranks. It takes some
ten minutes; what `test_single_cuts.py` has of it runs always."""

import pytest
from cuts import cuts, graph_of, require_right, require_served, some

pytestmark = pytest.mark.long

ALL = {"qsnet-16": 20, "myrinet-8": 16}  # single cuts that there are
AT_RANDOM = ("qsnet-64", "myrinet-16", "myrinet-32", "macrame-clos-64", "macrame-torus-64", "tofu-36", "tofu-96")
CASES = [(machine, n) for machine, count in ALL.items() for n in range(count)]
CASES += [(machine, n) for machine in AT_RANDOM for n in range(20)]


def cut_number(machine: str, graph: dict, number: int) -> str:
    if machine not in ALL:
        return some(machine, graph, 20)[number]
    every = cuts(graph)
    assert len(every) == ALL[machine]
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
