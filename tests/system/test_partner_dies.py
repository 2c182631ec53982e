"""A node that dies during a run: every call that waits for it names it, and with MPI_ERRORS_RETURN the others go on."""

from __future__ import annotations

import pytest
from compiled import PROGRAM_FAILED
from program import SANVP, Result, sanvp
from share import a_share

MACHINES = ("qsnet-16", "myrinet-8", "macrame-clos-64", "moc-3-2", "gcel-64", "tofu-36")
MPI_CALLS = (
    *("recv", "any", "send", "ssend", "irecv", "isend", "waitany", "waitall", "test", "probe", "sendrecv"),
    *("barrier", "bcast", "allreduce", "alltoall"),
)
SHMEM_CALLS = ("put", "small", "get", "atomic", "barrier")
NODE, RANKS = 5, 6  # the last rank's
# Two ranks on a node.
NEAR = [(machine, ("--map", "0,0,5")) for machine in ("qsnet-16", "myrinet-8", "tofu-36")]
# Programs make their call at 200 ms, and know of the death 10 ms after it (fault.detect).
INSTANTS = {"known": "180ms", "not yet known": "199.5ms", "during the call": "200.1ms"}
IMAGES = SANVP.rsplit("/", 1)[0] + "/sw/tests"


def run(machine: str, image: str, died: str, *arguments: str, options: tuple = ()) -> Result:
    fault = ("--fault", f"{died} node {NODE} down")
    program = f"{IMAGES}/{image}.so"
    return sanvp("run", machine, program, "--np", RANKS, *fault, *options, "--", *arguments)


def check_that_all_others_go_on(result: Result) -> None:
    others = RANKS - 1
    told = f"class 1: node {NODE} does not answer: it has died, or no way leads to it"
    assert result.out.count(told) == others, result.out + result.err
    assert result.out.count("goes on") == others, result.out + result.err


def check_that_the_living_go_on(result: Result) -> None:
    check_that_all_others_go_on(result)
    assert result.status == PROGRAM_FAILED  # a rank is missing
    assert f"rank {NODE} on node {NODE}: its node went down" in result.err
    assert "MPI_Abort" not in result.err


@pytest.mark.parametrize(("machine", "call", "died"), a_share(MACHINES, MPI_CALLS, INSTANTS.values()))
def test_with_errors_returned_each_call_names_the_node_and_the_living_go_on(machine, call, died):
    check_that_the_living_go_on(run(machine, "partner_dies", died, call, "return"))


@pytest.mark.parametrize(("machine", "call", "died"), a_share(MACHINES, MPI_CALLS, INSTANTS.values()))
def test_by_default_the_call_ends_the_job_and_names_the_node(machine, call, died):
    result = run(machine, "partner_dies", died, call)
    assert result.status == PROGRAM_FAILED
    assert f"node {NODE} does not answer: it has died, or no way leads to it (MPI_ERR_OTHER)" in result.err


@pytest.mark.parametrize(("machine", "call", "died"), a_share(MACHINES, SHMEM_CALLS, INSTANTS.values()))
def test_each_call_of_shmem_ends_the_job_and_names_the_node(machine, call, died):
    result = run(machine, "pe_dies", died, call)
    assert result.status == PROGRAM_FAILED
    assert f"node {NODE}" in result.err
    assert "does not answer" in result.err


@pytest.mark.parametrize(
    "options",
    [
        ("-s", "elan.barrier=software"),
        ("-s", "elan.broadcast=software"),
        ("-s", "transport.matching=host"),
        # Several ranks on a node: on neighbouring nodes, where the card does barriers and broadcasts, and on others.
        ("--map", "3,3,4,4,3,5"),
        ("--map", "0,0,1,1,2,5"),
    ],
    ids=lambda options: options[1],
)
@pytest.mark.parametrize("call", ["barrier", "bcast", "allreduce"])
def test_on_qsnet_the_living_go_on_in_software_with_host_matching_and_with_several_ranks_on_a_node(call, options):
    for died in INSTANTS.values():
        check_that_the_living_go_on(run("qsnet-16", "partner_dies", died, call, "return", options=options))


@pytest.mark.parametrize(("machine", "soon"), [("tofu-36", False), ("moc-3-2", True), ("gcel-64", True)])
def test_cards_that_find_out_tell_before_the_monitoring_does(machine, soon):
    # Where something sends again it goes on until the death is told.
    late = ("-s", "fault.detect=300ms")
    result = run(machine, "partner_dies", "199.5ms", "send", options=late)
    assert result.status == PROGRAM_FAILED
    assert f"node {NODE} does not answer" in result.err
    assert ("at 2" in result.err) == soon
    assert ("at 499.5" in result.err) != soon


@pytest.mark.parametrize("call", ["send", "ssend", "isend", "sendrecv"])
def test_an_elan3_that_hears_nothing_from_behind_a_cut_cable_tells_mpi_and_the_others_go_on(call):
    cut = ("--fault", f"199.5ms link {NODE} down", "--until", "1s")  # the rank behind it sleeps for longer
    program = f"{IMAGES}/partner_dies.so"
    check_that_all_others_go_on(sanvp("run", "qsnet-16", program, "--np", RANKS, *cut, "--", call, "return"))


@pytest.mark.parametrize("call", ["recv", "allreduce"])
def test_a_death_that_is_told_just_before_a_wait_begins_ends_it(call):
    # Between 200.003 and 200.006 ms the ranks look for deaths, and begin their waits. The death is told 1 us after it.
    for ns in range(200_003_000, 200_006_000, 250):
        fault = ("--fault", f"{ns}ns node {NODE} down", "-s", "fault.detect=1us", "--until", "1s")
        program = f"{IMAGES}/partner_dies.so"
        check_that_all_others_go_on(sanvp("run", "qsnet-16", program, "--np", RANKS, *fault, "--", call, "return"))


@pytest.mark.parametrize(("machine", "placed"), [*[(one, ("--np", 6)) for one in MACHINES], *NEAR])
def test_a_receive_that_a_death_has_ended_takes_no_message_that_comes_later(machine, placed):
    program = f"{IMAGES}/death_ends_receive.so"
    result = sanvp("run", machine, program, *placed, "--fault", f"200ms node {NODE} down", "--until", "2s")
    assert "[0] told: the first buffer has 0, the second 5" in result.out, result.err
