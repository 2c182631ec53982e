"""What --profile says of a program in Fortran: the calls that it makes, and none of the library's own."""

from __future__ import annotations

import csv

from binaries import needs_compilers, wrapper
from program import done

pytestmark = needs_compilers

SOURCE = """
program calls
  use mpi
  implicit none
  integer :: error, rank, type, op, in(4), out(4) = 1, requests(2), statuses(MPI_STATUS_SIZE, 2)
  external add
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Type_contiguous(2, MPI_INTEGER, type, error)
  call MPI_Type_commit(type, error)
  call MPI_Op_create(add, .true., op, error)
  call MPI_Allreduce(out, in, 4, MPI_INTEGER, op, MPI_COMM_WORLD, error)
  call MPI_Isend(out, 1, type, rank, 5, MPI_COMM_WORLD, requests(1), error)
  call MPI_Irecv(in, 1, type, rank, 5, MPI_COMM_WORLD, requests(2), error)
  call MPI_Waitall(2, requests, statuses, error)
  call MPI_Type_free(type, error)
  call MPI_Op_free(op, error)
  call MPI_Finalize(error)
end program
subroutine add(one, other, count, type)
  integer :: count, type, one(count), other(count)
  other = one + other
end subroutine
"""


def test_conversions_of_handles_are_no_calls_of_the_program(tmp_path):
    (tmp_path / "calls.f90").write_text(SOURCE)
    made = wrapper("sanvp-fc", "calls.f90", "-o", "calls", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    done("run", "qsnet-16", tmp_path / "calls", "--np", 2, "--profile", "--out", tmp_path / "out")
    with (tmp_path / "out" / "profile.csv").open(encoding="utf-8") as file:
        counts = {(int(row["rank"]), row["call"]): int(row["count"]) for row in csv.DictReader(file)}
    own = (
        "Init Comm_rank Type_contiguous Type_commit Op_create Allreduce Isend Irecv Waitall Type_free Op_free Finalize"
    )
    assert counts == {(rank, f"MPI_{call}"): 1 for rank in (0, 1) for call in own.split()}
