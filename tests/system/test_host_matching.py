"""MPI and OpenSHMEM over a channel (sw/transport/messages), on QsNET, where the card would do it by itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from program import SANVP, USER_MISTAKE, sanvp

HOST_PROGRAM_FAILED = 4
IMAGES = Path(SANVP).parent / "sw" / "tests"
ON_THE_HOST = ("-s", "transport.matching=host")
MPI = (
    "mpi_messages",
    "mpi_requests",
    "mpi_datatypes",
    "mpi_communicators",
    "mpi_topologies",
    "mpi_collectives",
    "mpi_reductions",
    "mpi_nonblocking_collectives",
)
SHMEM = ("shmem_rma", "shmem_atomics", "shmem_collectives", "shmem_order", "shmem_heap", "shmem_names")
SMALL_HEAP = ("-s", "shmem.heap=1M")  # the heap's test fills it
SHARED_NODES = ("--map", "0,0,0,1,1,2,0")


def run(program: str, ranks: int, *options: str):
    machine = "qsnet-16" if ranks <= 16 else "qsnet-64"
    heap = SMALL_HEAP if program in SHMEM else ()
    return sanvp("run", machine, IMAGES / f"{program}.so", "--np", ranks, *ON_THE_HOST, *heap, *options)


def passes(program: str, ranks: int, *options: str) -> None:
    result = run(program, ranks, *options)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7, 8, 16])
@pytest.mark.parametrize("program", MPI + SHMEM)
def test_messages_matched_by_the_host_do_what_the_standards_say(program, ranks):
    passes(program, ranks)


@pytest.mark.parametrize("program", ["mpi_messages", "atomics"])
def test_they_do_so_among_64(program):
    passes(program, 64)


@pytest.mark.parametrize("program", MPI + SHMEM)
def test_they_do_so_where_processes_share_nodes(program):
    passes(program, 7, *SHARED_NODES)


@pytest.mark.parametrize("program", (*MPI, "shmem_rma", "shmem_order"))
def test_they_do_so_where_the_card_moves_nothing_but_records(program):
    passes(program, 7, "-s", "transport.direct=no")


@pytest.mark.parametrize(
    "settings",
    [
        ("transport.eager=0",),  # all messages wait for their receives
        ("transport.unexpected=0",),  # no receiver keeps any
        ("transport.unexpected=8K",),  # some: 1365 bytes of each of six senders
        ("transport.eager=1M", "transport.unexpected=64M"),  # in many records, before there is a receive
    ],
)
@pytest.mark.parametrize("program", ["mpi_messages", "mpi_requests"])
def test_they_do_so_for_any_limit_on_early_messages(program, settings):
    passes(program, 7, *(word for setting in settings for word in ("-s", setting)))


@pytest.mark.parametrize(
    "options", [(), ("-s", "transport.direct=no"), ("-s", "transport.unexpected=4K"), SHARED_NODES]
)
def test_nothing_is_lost_where_a_channel_has_no_room_and_wakes_for_no_reason(options):
    result = sanvp("run", "qsnet-16", IMAGES / "flaky_channel.so", "--np", 7, *options)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out


def test_matching_on_the_card_is_the_default_and_another_time():
    def latency(*options: str) -> float:
        arguments = ("--level", "mpi", "--least", "0", "--most", "0")
        result = sanvp("run", "qsnet-16", "ping", "--np", 2, "--json", "-", *options, "--", *arguments)
        assert result.status == 0, result.err
        return json.loads(result.out)["latency_us"]

    assert latency() == latency("-s", "transport.matching=card")
    # On the host a message of 0 bytes is read by the CPU, over the bus.
    assert latency() < latency(*ON_THE_HOST) < 2 * latency()


@pytest.mark.parametrize(
    ("setting", "status", "words"),
    [
        # Its values depend on the card, so the program's library finds the mistake.
        ("transport.matching=none", HOST_PROGRAM_FAILED, "with this machine's card, 'elan3', it is one of: card, host"),
        ("transport.eager=many", USER_MISTAKE, "transport.eager: 'many' is no number of bytes; write such as 4M"),
        ("transport.direct=perhaps", USER_MISTAKE, "transport.direct: 'perhaps' is not one of yes, no"),
    ],
)
def test_an_invalid_setting_is_an_error_with_its_cure(setting, status, words):
    result = run("mpi_messages", 2, "-s", setting)
    assert result.status == status
    assert words in result.err
