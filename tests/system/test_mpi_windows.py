"""MPI's windows: the standard's text call by call, on all kinds of machine; mistakes; nodes that die; what it costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from binaries import needs_compilers, wrapper
from program import PROJECT, SANVP, sanvp

HOST_PROGRAM_FAILED = 4
IMAGES = Path(SANVP).parent / "sw" / "tests"
MACHINES = ("qsnet-16", "myrinet-8", "tofu-36", "macrame-clos-64", "moc-2-1", "gcel-64")
MISTAKES = {
    "put_without_epoch": ("MPI_Put", "no epoch is open in which rank", "call MPI_Win_fence", "MPI_ERR_RMA_SYNC"),
    "put_after_the_last_fence": ("MPI_Put", "no epoch is open in which rank", "MPI_ERR_RMA_SYNC"),
    "put_to_another_than_locked": ("MPI_Put", "holds a lock, but none at rank", "MPI_ERR_RMA_SYNC"),
    "put_to_another_than_started": ("MPI_Put", "is not in the group of MPI_Win_start; add it", "MPI_ERR_RMA_SYNC"),
    "lock_twice": ("MPI_Win_lock", "holds a lock at rank", "unlock it first", "MPI_ERR_RMA_SYNC"),
    "lock_in_a_fence": ("MPI_Win_lock", "operations since the last MPI_Win_fence; end that epoch", "MPI_ERR_RMA_SYNC"),
    "lock_with_the_hint_no_locks": ("MPI_Win_lock", "made with the info no_locks=true; leave it out"),
    "unlock_without_lock": ("MPI_Win_unlock", "holds no lock of MPI_Win_lock at rank", "MPI_ERR_RMA_SYNC"),
    "unlock_all_without_lock": ("MPI_Win_unlock_all", "no epoch of MPI_Win_lock_all to end", "MPI_ERR_RMA_SYNC"),
    "flush_without_lock": ("MPI_Win_flush", "flush between MPI_Win_lock and MPI_Win_unlock", "MPI_ERR_RMA_SYNC"),
    "fence_in_a_lock": ("MPI_Win_fence", "holds a lock; unlock it first", "MPI_ERR_RMA_SYNC"),
    "start_twice": ("MPI_Win_start", "call MPI_Win_complete first", "MPI_ERR_RMA_SYNC"),
    "complete_without_start": ("MPI_Win_complete", "call MPI_Win_start first", "MPI_ERR_RMA_SYNC"),
    "wait_without_post": ("MPI_Win_wait", "call MPI_Win_post first", "MPI_ERR_RMA_SYNC"),
    "post_twice": ("MPI_Win_post", "call MPI_Win_wait first", "MPI_ERR_RMA_SYNC"),
    "request_in_a_fence": ("MPI_Rput", "needs an epoch of MPI_Win_lock or MPI_Win_lock_all", "MPI_ERR_RMA_SYNC"),
    "free_in_a_lock": ("MPI_Win_free", "an epoch is open; call MPI_Win_unlock first", "MPI_ERR_RMA_SYNC"),
    "no_precede_after_a_put": ("MPI_Win_fence", "leave MPI_MODE_NOPRECEDE out", "MPI_ERR_ASSERT"),
    "bad_kind_of_lock": ("MPI_Win_lock", "there is no kind of lock 99", "MPI_ERR_LOCKTYPE"),
    "bad_assertion": ("MPI_Win_lock", "locks take 0 or MPI_MODE_NOCHECK", "MPI_ERR_ASSERT"),
    "null_window": ("MPI_Win_fence", "the window is MPI_WIN_NULL", "MPI_ERR_WIN"),
    "freed_window": ("MPI_Win_fence", "the window has been freed", "MPI_ERR_WIN"),
    "null_base": ("MPI_Win_create", "the base is a null pointer", "MPI_ERR_BASE"),
    "bad_unit": ("MPI_Win_create", "the displacement unit is 0", "MPI_ERR_DISP"),
    "bad_size": ("MPI_Win_create", "the size is -4", "MPI_ERR_SIZE"),
    "shared_on_two_nodes": ("MPI_Win_allocate_shared", "split the communicator by MPI_COMM_TYPE_SHARED", "RMA_SHARED"),
    "attach_to_another_kind": ("MPI_Win_attach", "not one of MPI_Win_create_dynamic", "MPI_ERR_RMA_FLAVOR"),
    "query_of_another_kind": ("MPI_Win_shared_query", "not one of MPI_Win_allocate_shared", "MPI_ERR_RMA_FLAVOR"),
    "attach_twice": ("MPI_Win_attach", "is attached already; detach it first", "MPI_ERR_RMA_ATTACH"),
    "detach_what_is_not_attached": ("MPI_Win_detach", "pass the base of MPI_Win_attach", "MPI_ERR_RMA_ATTACH"),
    "put_to_what_is_not_attached": ("MPI_Win_unlock", "rank 1 went to memory that is not attached", "RMA_RANGE"),
    "get_from_what_is_not_attached": ("MPI_Get", "rank 1 went to memory that is not attached", "RMA_RANGE"),
    "get_from_own_memory_that_is_not_attached": ("MPI_Get", "4 bytes of this rank", "are not attached", "RMA_RANGE"),
    "accumulate_on_own_memory_that_is_not_attached": ("MPI_Accumulate", "8 bytes of this rank", "RMA_RANGE"),
    "no_rank": ("MPI_Put", "there is no rank 2; the window has ranks 0..1", "MPI_ERR_RANK"),
    "behind_the_end": ("MPI_Put", "bytes 16 to 19 are accessed; the window of rank", "has 16", "MPI_ERR_RMA_RANGE"),
    "before_the_beginning": ("MPI_Put", "the displacement is -1; it must be 0 or more", "MPI_ERR_DISP"),
    "vector_behind_the_end": ("MPI_Put", "bytes 0 to 19 are accessed", "MPI_ERR_RMA_RANGE"),
    "more_here_than_there": ("MPI_Put", "8 bytes here are for 4 bytes there", "MPI_ERR_TRUNCATE"),
    "operation_of_the_program": ("MPI_Accumulate", "cannot be used on a window; take a predefined one", "MPI_ERR_OP"),
    "bits_of_a_double": ("MPI_Accumulate", "MPI_BOR does not know the datatype MPI_DOUBLE", "MPI_ERR_OP"),
    "other_elements_there": ("MPI_Accumulate", "of another predefined datatype than the target's", "MPI_ERR_TYPE"),
    "derived_type_to_fetch": ("MPI_Fetch_and_op", "not predefined; use MPI_Get_accumulate", "MPI_ERR_TYPE"),
    "swap_of_doubles": ("MPI_Compare_and_swap", "it must be an integer, logical or byte", "MPI_ERR_TYPE"),
    "key_of_another_kind": ("MPI_Win_set_attr", "make it with MPI_Win_create_keyval", "MPI_ERR_KEYVAL"),
}


def passes(machine: str, ranks: int, *options: str) -> None:
    for image in ("mpi_windows", "mpi_window_objects"):
        result = sanvp("run", machine, IMAGES / f"{image}.so", "--np", ranks, *options)
        assert result.status == 0, result.err + result.out
        assert "PASS" in result.out


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 8])
@pytest.mark.parametrize("machine", MACHINES)
def test_windows_do_what_the_standard_says(machine, ranks):
    passes(machine, ranks)


def test_they_do_so_on_64_ranks():
    passes("qsnet-64", 64)


@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-8", "tofu-36"])
def test_they_do_so_where_ranks_share_nodes(machine):
    passes(machine, 7, "--map", "0,0,0,1,1,2,0")


@pytest.mark.parametrize(
    ("machine", "setting"),
    [
        ("qsnet-16", "transport.matching=host"),
        ("qsnet-16", "mpi.accumulate=cpu"),
        ("myrinet-8", "transport.direct=no"),
        ("tofu-36", "transport.direct=no"),
        ("tofu-36", "mpi.accumulate=cpu"),
        ("tofu-36", "transport.eager=100"),
    ],
)
def test_they_do_so_by_other_protocols(machine, setting):
    passes(machine, 5, "-s", setting)


@pytest.mark.parametrize(
    ("machine", "options"),
    [
        ("qsnet-16", ()),
        ("qsnet-16", ("-s", "transport.unexpected=32K")),
        ("qsnet-16", ("--map", "0,0,0,0,1,1,1,1")),
        ("myrinet-8", ()),
        ("moc-2-1", ("-s", "transport.unexpected=2K")),
        ("tofu-36", ()),
    ],
)
def test_requests_from_all_to_all_at_once_lose_nothing(machine, options):
    result = sanvp("run", machine, IMAGES / "mpi_window_flood.so", "--np", 8, *options)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out


@pytest.mark.parametrize("how", ["spin", "fetch", "get"])
@pytest.mark.parametrize("ranks", [2, 4, 8])
@pytest.mark.parametrize("machine", MACHINES)
def test_a_rank_whose_window_the_others_poll_goes_on_with_its_own_work(machine, ranks, how):
    result = sanvp("run", machine, IMAGES / "mpi_window_polls.so", "--np", ranks, "--until", "20s", "--", how)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out


@needs_compilers
def test_it_does_so_as_a_program_for_riscv(tmp_path):
    source = PROJECT / "tests" / "images" / "mpi_window_polls.c"
    made = wrapper("sanvp-cc", "--target", "riscv64", "-I", PROJECT, source, "-o", "polls", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    result = sanvp("run", "gcel-64", tmp_path / "polls", "--np", 4, "--until", "20s", "--", "spin")
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_with_a_window_is_an_error_with_its_call_and_its_cure(mistake):
    result = sanvp("run", "qsnet-16", IMAGES / "mpi_window_mistakes.so", "--np", 2, "--", mistake)
    assert result.status == HOST_PROGRAM_FAILED, result.err + result.out
    for words in MISTAKES[mistake]:
        assert words in result.err
    assert "PASS" not in result.out


def test_without_a_mistake_that_program_passes():
    result = sanvp("run", "qsnet-16", IMAGES / "mpi_window_mistakes.so", "--np", 2)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out


# ---- nodes that die ----
NODE, RANKS = 5, 6


@pytest.mark.parametrize("died", ["180ms", "199.5ms"])
@pytest.mark.parametrize("call", ["put", "get", "accumulate", "fetch", "rget", "lock", "fence"])
@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-8", "tofu-36", "gcel-64"])
def test_an_access_to_a_dead_rank_names_its_node_and_the_window_of_the_living_works_on(machine, call, died):
    program = IMAGES / "window_partner_dies.so"
    fault = ("--fault", f"{died} node {NODE} down")
    result = sanvp("run", machine, program, "--np", RANKS, *fault, "--", call, "return")
    told = f"node {NODE} does not answer: it has died, or no way leads to it"
    assert result.out.count(told) == RANKS - 1, result.out + result.err
    assert result.out.count("goes on") == RANKS - 1, result.out + result.err


def test_by_default_an_access_to_a_dead_rank_ends_the_job():
    fault = ("--fault", f"180ms node {NODE} down")
    result = sanvp("run", "qsnet-16", IMAGES / "window_partner_dies.so", "--np", RANKS, *fault, "--", "put")
    assert result.status == HOST_PROGRAM_FAILED
    assert f"node {NODE} does not answer: it has died, or no way leads to it (MPI_ERR_OTHER)" in result.err


# ---- costs ----
def metrics(machine: str, *options: str) -> dict:
    result = sanvp("run", machine, "rma", "--np", 2, "--json", "-", *options, "--", "--most", 8)
    assert result.status == 0, result.err + result.out
    return json.JSONDecoder().raw_decode(result.out[result.out.index("{") :])[0]


def test_a_put_on_qsnet_takes_little_more_than_the_dma_that_it_is():
    """2.4 us one way by Elan3lib (QsNET paper 4.1): a put adds a call, and a look at memory that finds it."""
    of_qsnet = metrics("qsnet-16")
    assert 2.0 < of_qsnet["arrival_us"] < 3.9
    assert of_qsnet["put_us"] < of_qsnet["message_us"]


@pytest.mark.parametrize("machine", ["qsnet-16", "tofu-36"])
def test_the_card_adds_to_words_unless_the_cpu_is_chosen(machine):
    by_card, by_cpu = metrics(machine), metrics(machine, "-s", "mpi.accumulate=cpu")
    assert by_card["fetch_and_add_us"] < by_cpu["fetch_and_add_us"]
    assert by_card["accumulate_us"] == pytest.approx(by_cpu["accumulate_us"], rel=0.1)  # of doubles: always the CPU


def test_ranks_of_a_node_access_allocated_windows_as_memory():
    assert metrics("qsnet-16", "--map", "0,0")["put_us"] < metrics("qsnet-16")["put_us"] / 2


def test_the_same_command_gives_the_same_times():
    runs = [sanvp("run", "tofu-36", "rma", "--np", 2, "--", "--most", "512").out for _ in range(2)]
    assert runs[0] == runs[1]
    assert "PASS" in runs[0]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_rma_passes_though_links_fail_and_the_last_byte_of_a_put_comes_first(seed: int) -> None:
    """The card sends again what was lost, behind what was not."""
    faults = ("-s", "fault.link_mtbf=100us", "-s", "fault.link_mttr=500ns", "--seed", seed)
    run = sanvp("run", "tofu-36", "rma", "--np", 2, *faults, "--", "--most", "32K")
    assert "PASS" in run.out, run.out
