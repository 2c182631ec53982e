"""A node that no way leads to: every call that waits for it ends with a message that names it."""

from __future__ import annotations

import json
import re

import pytest
from compiled import PROGRAM_FAILED
from program import SANVP, Result, done, sanvp

MACHINES = ("qsnet-16", "myrinet-8", "macrame-clos-64", "moc-3-2", "gcel-64", "tofu-36", "tofu-96")
PORTS = {"tofu-96": 4}  # hosts of the network for each node
# Their MPI_Init does not meet the others, so that it is the call itself that waits for the dead node.
INIT_ALONE = ("macrame-clos-64", "moc-3-2", "gcel-64")
IMAGES = SANVP.rsplit("/", 1)[0] + "/sw/tests"
MPI, SHMEM = f"{IMAGES}/partner_dead.so", f"{IMAGES}/pe_dead.so"
NODE, RANKS = 5, 6  # the last rank's


@pytest.fixture(scope="module")
def cut(tmp_path_factory):
    """The setting that cuts a node's cables."""
    folder = tmp_path_factory.mktemp("graphs")
    known: dict[str, str] = {}

    def setting(machine: str) -> str:
        if machine not in known:
            done("check", machine, "--json", folder / machine)
            links = json.loads((folder / machine).read_text())["graph"]["links"]
            hosts = range(NODE * PORTS.get(machine, 1), (NODE + 1) * PORTS.get(machine, 1))
            cables = [i for i, link in enumerate(links) if any(link[end].get("host") in hosts for end in "ab")]
            known[machine] = "topology.failed_links=" + ",".join(map(str, cables))
        return known[machine]

    return setting


def run(machine: str, program: object, cut, *arguments: object, options: tuple = ()) -> Result:
    return sanvp("run", machine, program, "--np", RANKS, "--force", "-s", cut(machine), *options, "--", *arguments)


@pytest.mark.parametrize("call", ("recv", "any", "wait", "barrier", "allreduce"))
@pytest.mark.parametrize("machine", MACHINES)
def test_a_call_of_mpi_that_waits_for_a_dead_node_names_it(machine, call, cut):
    result = run(machine, MPI, cut, call)
    assert result.status == PROGRAM_FAILED
    assert f"node {NODE}" in result.err
    assert "no way leads" in result.err


@pytest.mark.parametrize("call", ("get", "put", "until", "barrier"))
@pytest.mark.parametrize("machine", MACHINES)
def test_a_call_of_shmem_that_waits_for_a_dead_node_names_it(machine, call, cut):
    result = run(machine, SHMEM, cut, call)
    assert result.status == PROGRAM_FAILED
    assert f"node {NODE}" in result.err


@pytest.mark.parametrize(
    ("machine", "app"),
    [("moc-3-2", "vcp_ping"), ("gcel-64", "parix_ping"), ("macrame-clos-64", "ds_ping"), ("tofu-36", "tofu_ping")],
)
def test_a_native_call_that_waits_for_a_dead_node_names_it(machine, app, cut):
    result = sanvp("run", machine, app, "--np", RANKS, "--force", "-s", cut(machine))
    assert result.status == PROGRAM_FAILED
    assert f"node {NODE} does not answer" in result.err


@pytest.mark.parametrize("call", ("recv", "any", "wait", "barrier", "allreduce"))
@pytest.mark.parametrize("machine", INIT_ALONE)
def test_with_errors_returned_the_call_returns_and_the_living_ranks_continue(machine, call, cut):
    result = run(machine, MPI, cut, call, "return")
    assert f"class 1: node {NODE} does not answer: it has died, or no way leads to it" in result.out
    assert "goes on" in result.out
    assert "with code 3" in result.err  # MPI_Abort at its end


@pytest.mark.parametrize("machine", INIT_ALONE)
def test_the_message_names_call_and_node_and_comes_when_the_death_is_known(machine, cut):
    # The machine's monitoring takes fault.detect: the call itself began long before. Where the card reports what did
    # not reach a node, the rank that is cut off knows sooner: it leaves, and MPI_Finalize sends to all.
    late = run(machine, MPI, cut, "recv", options=("-s", "fault.detect=70ms"))
    if machine in ("moc-3-2", "gcel-64"):
        assert f"rank {NODE} on node {NODE}: MPI_Finalize: node 0 does not answer" in late.err
        assert not re.search(r"\(MPI_ERR_OTHER\).*, at 7", late.err)
    else:
        told = rf"MPI_Recv: node {NODE} does not answer: it has died, or no way leads to it \(MPI_ERR_OTHER\).*, at 7"
        assert re.search(told, late.err), late.err


def test_a_wait_that_a_library_does_not_end_lasts_for_its_patience(cut):
    # A native receive begins at some 0.1 ms, and ends 20 ms after the death was told, at 10 ms; or 100 ms after.
    for patience, at in (("20ms", "at 30"), ("100ms", "at 110")):
        options = ("-s", f"host.patience={patience}")
        result = sanvp(
            "run", "macrame-clos-64", "ds_ping", "--np", RANKS, "--force", "-s", cut("macrame-clos-64"), *options
        )
        assert at in result.err


def test_a_job_without_a_rank_on_the_dead_node_is_not_notified(cut):
    assert "PASS" in done("run", "moc-3-2", "halo", "--np", 4, "--map", "0,1,2,3", "-s", cut("moc-3-2")).out


def test_ranks_that_wait_for_the_living_alone_wait_on(cut):
    # Rank 0 hears of the death at 10 ms; the death does not end waits of other jobs, nor the run's own verdict.
    other = f"{MPI} --map 6,7,8,9 -- recv"
    result = sanvp(
        "run", "moc-3-2", "halo", "--np", 4, "--force", "-s", cut("moc-3-2"), "--job", other, "--until", "40ms"
    )
    assert f"node {NODE} does not answer" not in result.err


def test_all_nodes_of_a_dead_leaf_switch_are_dead_for_the_others():
    result = sanvp("run", "macrame-clos-64", "allreduce", "--np", 32, "--force", "-s", "topology.failed_switches=0")
    assert result.status == PROGRAM_FAILED
    assert "node 0 does not answer" in result.err
