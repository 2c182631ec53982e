"""The shared pointer of a file is 0 whenever the file is opened, and no run leaves anything of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from binaries import needs_compilers, wrapper
from program import done, sanvp

# Two groups open the same file at once, then all ranks do, at its end. Each handle has a pointer of its own.
PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static MPI_File opened(MPI_Comm comm, int mode, const char* what) {
  MPI_File file;
  MPI_Offset at = -1;
  int self;
  MPI_Comm_rank(comm, &self);
  if (MPI_File_open(comm, "data", mode | MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != MPI_SUCCESS) abort();
  MPI_File_get_position_shared(file, &at);
  MPI_Barrier(comm);
  if (self == 0) printf("%s: %lld\n", what, (long long)at);
  MPI_File_write_shared(file, "12345678", 8, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_Barrier(comm);
  MPI_File_get_position_shared(file, &at);
  if (self == 0) printf("%s, then: %lld\n", what, (long long)at);
  return file;
}

int main(int argc, char** argv) {
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) MPI_File_delete("data", MPI_INFO_NULL);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_File one = opened(half, 0, rank % 2 ? "odd" : "even");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File all = opened(MPI_COMM_WORLD, MPI_MODE_APPEND, "all");
  const char* end = argc > 1 ? argv[1] : "";
  if (strcmp(end, "abort") == 0) abort();
  if (strcmp(end, "MPI_Abort") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
  if (strcmp(end, "deadlock") == 0) MPI_Recv(&rank, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_File_close(&all);
  MPI_File_close(&one);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
"""
RIGHT = {"even: 0", "even, then: 24", "odd: 0", "odd, then: 16", "all: 24", "all, then: 64"}


@needs_compilers
@pytest.mark.parametrize("target", [[], ["--target", "riscv64"]], ids=["native", "riscv"])
def test_it_is_0_after_a_run_that_failed_and_leaves_nothing_and_the_run_takes_the_same_time(
    tmp_path: Path, target: list[str]
):
    (tmp_path / "prog.c").write_text(PROGRAM)
    made = wrapper("sanvp-cc", *target, "-O2", "prog.c", "-o", "prog", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    (tmp_path / "data").touch()  # as each run leaves it
    command = ("run", "qsnet-16", "./prog", "--np", 5)
    first, ns = done(*command, cwd=tmp_path), done(*command, "--json", "-", cwd=tmp_path).json["sim_time_ns"]
    assert {line.split("] ")[1] for line in first.out.splitlines()} == RIGHT
    assert {path.name for path in tmp_path.iterdir()} - {"results"} == {"prog", "prog.c", "data"}
    for end in ("abort", "MPI_Abort", "deadlock"):
        failed = sanvp(*command, "--", end, cwd=tmp_path)
        assert failed.status != 0
        assert {path.name for path in tmp_path.iterdir()} - {"results"} == {"prog", "prog.c", "data"}
        assert done(*command, "--json", "-", cwd=tmp_path).json["sim_time_ns"] == ns
        assert sanvp(*command, "--", end, cwd=tmp_path).status == failed.status
        assert done(*command, cwd=tmp_path).out == first.out
