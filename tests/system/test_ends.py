"""What is said of programs that have come to their end and left something out."""

from __future__ import annotations

import subprocess

import pytest
from binaries import needs_compilers
from compiled import CC, MACHINE, PROGRAM_FAILED, compile_program
from program import DEADLOCK, DONE, PROJECT, sanvp

START = "int r, n = 0; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &r);"
NOTE = "ended without MPI_Finalize, which other systems may call a failure; call it before the end"


@pytest.mark.parametrize(
    ("body", "note"),
    [
        ("if (r != 2) MPI_Finalize();", "note: rank 2 has " + NOTE),
        ("if (r % 2 == 0) exit(0); MPI_Finalize(); exit(0);", "note: ranks 0, 2 have " + NOTE),
        ("(void)n;", "note: ranks 0-3 have " + NOTE),
    ],
)
@pytest.mark.parametrize("machine", [MACHINE, "myrinet-8"])
def test_ranks_that_end_without_mpi_finalize_are_named_and_the_run_is_done(tmp_path, body, note, machine):
    # No rank may be left that waits for them in MPI_Finalize.
    result = sanvp("run", machine, compile_program(tmp_path, START + body), "--np", 4)
    if "MPI_Finalize" in body:
        assert result.status == DEADLOCK
    else:
        assert result.status == DONE, result.err
    assert note in result.err.splitlines()


def test_nothing_is_said_of_those_that_call_it_or_never_begin(tmp_path):
    result = sanvp("run", MACHINE, compile_program(tmp_path, START + "MPI_Finalize();"), "--np", 4)
    assert (result.status, result.err) == (DONE, "")
    result = sanvp("run", MACHINE, compile_program(tmp_path, "exit(0);"), "--np", 4)
    assert (result.status, result.err) == (DONE, "")


def test_messages_without_a_receive_are_counted_by_the_rank_they_were_sent_to(tmp_path):
    body = """
    char buffer[100 + MPI_BSEND_OVERHEAD];
    MPI_Buffer_attach(buffer, sizeof buffer);
    for (int i = 0; r == 3 && i < 3; ++i) MPI_Send(&n, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    if (r == 0) MPI_Recv(&n, 1, MPI_INT, 3, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (r == 2) MPI_Bsend(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Finalize();"""
    program = compile_program(tmp_path, START + body)
    result = sanvp("run", MACHINE, program, "--np", 4)
    assert result.status == DONE
    assert result.err == "note: 3 messages were sent and never received: 2 to rank 0, 1 to rank 1\n"
    result = sanvp("run", MACHINE, program, "--np", 4, "--job", f"{program} --np 4")
    assert result.err.startswith("note: job 0: 3 messages were sent")
    assert "\nnote: job 1: 3 messages were sent" in result.err


def test_received_messages_of_all_modes_do_not_count(tmp_path):
    storm = tmp_path / "storm"
    subprocess.run([CC, PROJECT / "tests/programs/storm.c", "-o", storm], check=True)
    result = sanvp("run", MACHINE, storm, "--np", 5, "--", 1, 2, 300)
    assert (result.status, result.err) == (DONE, "")


def test_messages_to_proc_null_and_cancelled_ones_do_not_count(tmp_path):
    body = """
    MPI_Request q;
    MPI_Sendrecv(&r, 1, MPI_INT, MPI_PROC_NULL, 0, &n, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&n, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(&n, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &q);
    MPI_Cancel(&q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Issend(&n, 1, MPI_INT, 1 - r, 7, MPI_COMM_WORLD, &q);
    MPI_Cancel(&q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    if (r == 1) MPI_Send(&n, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    MPI_Finalize();"""
    result = sanvp("run", MACHINE, compile_program(tmp_path, START + body), "--np", 2)
    assert result.err == "note: 1 message was sent and never received: 1 to rank 0\n"


@needs_compilers
@pytest.mark.parametrize(
    ("end", "status"),
    [
        ("MPI_Recv(&n, 1, MPI_INT, 1 - r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);", DEADLOCK),
        ("if (r == 1) exit(1); MPI_Barrier(MPI_COMM_WORLD);", PROGRAM_FAILED),
        ("if (r == 1) MPI_Abort(MPI_COMM_WORLD, 7); MPI_Barrier(MPI_COMM_WORLD);", PROGRAM_FAILED),
        ("if (r == 1) abort(); MPI_Barrier(MPI_COMM_WORLD);", PROGRAM_FAILED),
        ("MPI_Finalize();", DONE),
    ],
    ids=["deadlock", "exit", "MPI_Abort", "abort", "end"],
)
def test_what_a_program_of_risc_v_has_printed_is_shown_however_its_run_ends(tmp_path, end, status):
    body = START + f' printf("one\\ntw"); fflush(stdout); printf("o\\nthree"); {end}'
    program = compile_program(tmp_path, body, "--target", "riscv64")
    result = sanvp("run", MACHINE, program, "--np", 2)
    assert result.status == status
    assert sorted(result.out.splitlines()) == [f"[{r}] {word}" for r in range(2) for word in ("one", "three", "two")]
