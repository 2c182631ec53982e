"""MPI but for its collective operations: the standard's text call by call, mistakes, and what is not implemented."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from program import DEADLOCK, PROJECT, SANVP, sanvp

HOST_PROGRAM_FAILED = 4
CC = Path(SANVP).with_name("sanvp-cc")
IMAGES = Path(SANVP).parent / "sw" / "tests"
PROGRAMS = ("mpi_messages", "mpi_requests", "mpi_datatypes", "mpi_communicators", "mpi_topologies")
MISTAKES = {
    "before_init": ("MPI_Comm_size", "call MPI_Init first"),
    "type_before_init": ("MPI_Type_contiguous", "call MPI_Init first"),
    "no_rank": ("MPI_Send", "there is no rank 2; the communicator has ranks 0..1"),
    "bad_tag": ("MPI_Send", "the tag is -7; it must be 0 or more"),
    "bad_count": ("MPI_Irecv", "the count is -2; it must be 0 or more"),
    "null_buffer": ("MPI_Send", "the buffer is a null pointer"),
    "null_type": ("MPI_Send", "MPI_DATATYPE_NULL"),
    "null_comm": ("MPI_Barrier", "MPI_COMM_NULL"),
    "disconnect_null": ("MPI_Comm_disconnect", "MPI_COMM_NULL"),
    "disconnect_world": ("MPI_Comm_disconnect", "MPI_COMM_WORLD is predefined"),
    "truncated": ("MPI_Sendrecv", "has 8 bytes, the buffer 4; make the buffer larger"),
    "uncommitted": ("MPI_Send", "call MPI_Type_commit first"),
    "freed_type": ("MPI_Send", "the datatype has been freed"),
    "freed_comm": ("MPI_Send", "the communicator has been freed"),
    "freed_request": ("MPI_Wait", "the request is done or freed already"),
    "freed_group": ("MPI_Group_size", "the group has been freed"),
    "free_world": ("MPI_Comm_free", "MPI_COMM_WORLD is predefined"),
    "free_int": ("MPI_Type_free", "MPI_INT is predefined"),
    "no_buffer": ("MPI_Bsend", "attach a larger buffer with MPI_Buffer_attach"),
    "start_twice": ("MPI_Start", "is active already; wait for its end first"),
    "start_other": ("MPI_Start", "make it with MPI_Send_init or MPI_Recv_init"),
    "not_a_grid": ("MPI_Cart_shift", "make one with MPI_Cart_create"),
    "grid_too_large": ("MPI_Cart_create", "3 processes are asked for, the communicator has 2"),
    "no_key": ("MPI_Attr_put", "make it with MPI_Keyval_create"),
    "array_too_large": ("MPI_Type_create_subarray", "make the array smaller, or set host.memory"),
    "in_place_broadcast": ("MPI_Bcast", "MPI_IN_PLACE has no meaning for this argument"),
    "in_place_not_at_the_root": ("MPI_Gather", "MPI_IN_PLACE has no meaning for this argument, or not at this rank"),
    "in_place_result": ("MPI_Scan", "MPI_IN_PLACE has no meaning for this argument"),
    "in_place_send": ("MPI_Send", "MPI_IN_PLACE has no meaning for this argument"),
    "no_memory_group": ("MPI_Comm_group", "no memory for", "set host.memory (MPI error"),
    "no_memory_key": ("MPI_Comm_create_keyval", "no memory for", "set host.memory (MPI error"),
    "no_memory_handler": ("MPI_Comm_create_errhandler", "no memory for", "set host.memory (MPI error"),
    "no_memory_number": ("no memory for", "set host.memory (MPI error"),
    "no_memory_collective": ("MPI_Allreduce", "no memory for", "set host.memory (MPI error"),
    "no_memory_split": ("no memory for", "set host.memory (MPI error"),
    "never_complete": ("MPI_Waitany", "a process that waits cannot call MPI_Grequest_complete; call it before"),
    "init_twice": ("MPI_Init", "MPI is running already; call it once"),
    "after_the_end": ("MPI_Comm_rank", "MPI is not running"),
    "give_up": ("MPI_Abort", "code 3"),
}


def run(program: str, ranks: int, *arguments: str, options: tuple[str, ...] = ()):
    machine = "qsnet-16" if ranks <= 16 else "qsnet-64"
    return sanvp("run", machine, IMAGES / f"{program}.so", "--np", ranks, *options, "--", *arguments)


def passes(program: str, ranks: int, *arguments: str, options: tuple[str, ...] = ()) -> None:
    result = run(program, ranks, *arguments, options=options)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7, 8, 16])
@pytest.mark.parametrize("program", PROGRAMS)
def test_mpi_does_what_the_standard_says(program, ranks):
    passes(program, ranks)


@pytest.mark.parametrize("program", PROGRAMS)
def test_mpi_does_what_the_standard_says_on_64_ranks(program):
    passes(program, 64)


@pytest.mark.parametrize("program", PROGRAMS)
def test_mpi_does_what_the_standard_says_where_ranks_share_nodes(program):
    passes(program, 7, options=("--map", "0,0,0,1,1,2,0"))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_with_its_call_and_its_cure(mistake):
    result = run("mpi_mistakes", 2, mistake)
    assert result.status == HOST_PROGRAM_FAILED, result.err + result.out
    for words in MISTAKES[mistake]:
        assert words in result.err
    assert "PASS" not in result.out


def compiled(folder: Path, body: str) -> subprocess.CompletedProcess:
    source = folder / "prog.c"
    source.write_text(
        "#include <mpi.h>\n#include <stdio.h>\nint main(int argc, char** argv) {\n  MPI_Init(&argc, &argv);\n"
        f"{body}\n  MPI_Finalize();\n  return 0;\n}}\n"
    )
    return subprocess.run([CC, source, "-o", folder / "prog"], capture_output=True, text=True, check=False)


def test_a_call_that_is_not_implemented_is_an_error_of_the_linker_that_names_it(tmp_path):
    result = compiled(tmp_path, "  MPI_Win window;\n  MPI_Win_create(0, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);")
    assert result.returncode != 0
    assert "undefined reference to `MPI_Win_create'" in result.stderr


def test_a_receive_that_spins_in_mpi_test_sees_time_pass(tmp_path):
    # 1 MiB takes about 5 ms: some ten thousand tests.
    result = compiled(
        tmp_path,
        """
  static char bytes[1 << 20];
  int rank, flag = 0, tests = 0;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(bytes, 1 << 20, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Irecv(bytes, 1 << 20, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
    for (; !flag; ++tests) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    printf("tests %d\\n", tests);
  }""",
    )
    assert result.returncode == 0, result.stderr
    run_of_it = sanvp("run", "qsnet-16", tmp_path / "prog", "--np", 2)
    assert run_of_it.status == 0, run_of_it.err
    assert int(run_of_it.out.split()[-1]) > 100


def test_standard_sends_of_64_kib_to_each_other_wait_for_ever_and_that_is_told(tmp_path):
    result = compiled(
        tmp_path,
        """
  static char out[65536], in[65536];
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Ssend(out, 65536, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Recv(in, 65536, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);""",
    )
    assert result.returncode == 0, result.stderr
    run_of_it = sanvp("run", "qsnet-16", tmp_path / "prog", "--np", 2)
    assert run_of_it.status == DEADLOCK
    assert "MPI_Ssend" in run_of_it.err


def test_the_list_of_calls_is_that_of_the_library():
    script = PROJECT / "scripts" / "mpi_calls.py"
    listed = subprocess.run([script, Path(SANVP).parent], capture_output=True, text=True, check=True).stdout
    assert (PROJECT / "sw" / "mpi" / "CALLS.md").read_text() == listed
