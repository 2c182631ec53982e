"""`sanvp run --check-mpi` on whole programs: right ones run as if they were not checked; calls by threads, of Fortran,
with handles of another kind, and epochs of many accesses are checked, too."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from binaries import needs_compilers, wrapper
from checked_mpi import MACHINE, check
from compiled import CC, PROGRAM_FAILED, compile_program
from program import DONE, PROJECT, USER_MISTAKE, by_name, sanvp

PROGRAMS = PROJECT / "tests" / "programs"
CONFLICT = ("error", "conflicting accesses")


@pytest.mark.parametrize(("machine", "app"), [("qsnet-16", "halo"), ("myrinet-8", "cg"), ("tofu-36", "fft")])
def test_a_right_program_gives_the_same_bytes_when_checked(machine: str, app: str, tmp_path: Path) -> None:
    for name, options in (("plain", ()), ("checked", ("--check-mpi",))):
        assert sanvp("run", machine, app, "--np", 8, "--out", tmp_path / name, *options).status == DONE
    for file in ("stats.csv", "ranks.csv", "congestion.csv"):
        assert (tmp_path / "plain" / file).read_bytes() == (tmp_path / "checked" / file).read_bytes()
    assert json.loads((tmp_path / "checked" / "mpi_check.json").read_text())["findings"] == []


@pytest.mark.parametrize("name", ["storm", "collective_storm", "cancel", "neighbors", "persistent", "two_groups"])
def test_programs_without_mistakes_give_no_error(name: str, tmp_path: Path) -> None:
    subprocess.run([CC, PROGRAMS / f"{name}.c", "-o", tmp_path / name], check=True)
    run = sanvp("run", "myrinet-8", tmp_path / name, "--np", 6, "--check-mpi")
    assert run.status == DONE, run.err


@pytest.mark.parametrize("machine", ["qsnet-16", "gcel-64"])
def test_the_measurement_of_windows_gives_no_error(machine: str) -> None:
    run = sanvp("run", machine, "rma", "--np", 2, "--check-mpi", "--", "--most", 512)
    assert run.status == DONE, run.err
    assert "PASS" in run.out


def test_a_program_for_riscv_must_be_linked_for_it(tmp_path: Path) -> None:
    subprocess.run([CC, "--target", "riscv64", PROGRAMS / "ring.c", "-o", tmp_path / "ring"], check=True)
    run = sanvp("run", MACHINE, tmp_path / "ring", "--np", 2, "--check-mpi")
    assert run.status == USER_MISTAKE
    assert "was not linked for it; link it by sanvp-cc --target riscv64 --check-mpi" in by_name(run.err)


THREAD = """
#include <pthread.h>
static void* call(void* none) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return none;
}
"""
THREADS = """
int level;
pthread_t thread;
MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &level);
pthread_create(&thread, NULL, call, NULL);
pthread_join(thread, NULL);
MPI_Finalize();
"""


def test_a_call_by_another_thread_needs_the_level(tmp_path: Path) -> None:
    options = ("--target", "riscv64", "--check-mpi", "-pthread")
    program = compile_program(tmp_path, THREADS, *options, before=THREAD)
    run, report = check(program, tmp_path / "wrong", ranks=1)
    assert run.status == PROGRAM_FAILED
    assert [finding["kind"] for finding in report["findings"]] == ["thread level"]
    run, report = check(program, tmp_path / "right", "multiple", ranks=1)
    assert (run.status, report["findings"]) == (DONE, [])


HANDLES = r"""
MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
int v = 1, n;
MPI_Datatype t;
MPI_Group g;
MPI_Request r;
MPI_Comm c;
MPI_Type_contiguous(1, MPI_INT, &t);
MPI_Comm_group(MPI_COMM_WORLD, &g);
MPI_Irecv(&v, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r);
MPI_Comm_dup(MPI_COMM_WORLD, &c);
#define CODE(call, class) if (((v = (call))) != (class)) printf("%s gave %d\n", #call, v)
CODE(MPI_Barrier((MPI_Comm)MPI_INT), MPI_ERR_COMM);
CODE(MPI_Barrier((MPI_Comm)t), MPI_ERR_COMM);
CODE(MPI_Barrier((MPI_Comm)g), MPI_ERR_COMM);
CODE(MPI_Comm_size((MPI_Comm)MPI_SUM, &n), MPI_ERR_COMM);
CODE(MPI_Send(&v, 1, MPI_INT, 0, 0, (MPI_Comm)(intptr_t)91), MPI_ERR_COMM);
CODE(MPI_Send(&v, 1, (MPI_Datatype)MPI_COMM_WORLD, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
CODE(MPI_Send(&v, 1, (MPI_Datatype)c, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
CODE(MPI_Type_size((MPI_Datatype)MPI_SUM, &n), MPI_ERR_TYPE);
CODE(MPI_Type_commit((MPI_Datatype*)&g), MPI_ERR_TYPE);
CODE(MPI_Allreduce(&v, &n, 1, MPI_INT, (MPI_Op)MPI_INT, MPI_COMM_WORLD), MPI_ERR_OP);
CODE(MPI_Allreduce(&v, &n, 1, MPI_INT, (MPI_Op)MPI_COMM_WORLD, MPI_COMM_WORLD), MPI_ERR_OP);
CODE(MPI_Group_size((MPI_Group)t, &n), MPI_ERR_GROUP);
CODE(MPI_Group_size((MPI_Group)MPI_COMM_WORLD, &n), MPI_ERR_GROUP);
CODE(MPI_Group_size((MPI_Group)r, &n), MPI_ERR_GROUP);
CODE(MPI_Wait((MPI_Request*)&t, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
CODE(MPI_Cancel((MPI_Request*)&g), MPI_ERR_REQUEST);
CODE(MPI_Comm_free((MPI_Comm*)&t), MPI_ERR_COMM);
CODE(MPI_Barrier(c), MPI_SUCCESS);
CODE(MPI_Group_size(g, &n), MPI_SUCCESS);
CODE(MPI_Group_size(MPI_GROUP_EMPTY, &n), MPI_SUCCESS);
CODE(MPI_Comm_size(MPI_COMM_SELF, &n), MPI_SUCCESS);
MPI_Type_free(&t);
MPI_Group_free(&g);
MPI_Wait(&r, MPI_STATUS_IGNORE);
MPI_Comm copy = c;
MPI_Comm_free(&c);
CODE(MPI_Comm_free(&copy), MPI_ERR_COMM);
if (argc > 1) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Bcast(&v, 1, (MPI_Datatype)MPI_COMM_WORLD, 0, MPI_COMM_WORLD);
}
printf("END\n");
MPI_Finalize();
"""


@pytest.mark.parametrize("options", [(), ("--target", "riscv64", "--check-mpi")])
def test_handles_of_another_kind_have_their_error_class(options: tuple[str, ...], tmp_path: Path) -> None:
    program = compile_program(tmp_path, "MPI_Init(&argc, &argv);" + HANDLES, *options, headers=("stdint.h",))
    run = sanvp("run", MACHINE, program, "--np", 1)
    assert run.out == "[0] END\n", run.err
    fatal = sanvp("run", MACHINE, program, "--np", 1, "--", "fatal")
    assert fatal.status == PROGRAM_FAILED
    assert "MPI_Bcast: the datatype is a communicator; pass a datatype (MPI_ERR_TYPE)" in fatal.err


MANY = """
  const int n = 30000;
  int rank, *memory, *own = calloc(n, sizeof *own);
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(n * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_fence(0, window);
  for (int i = 0; rank == 0 && i < n; ++i) {
    const int at = (int)((long)i * 7919 % n);
    ACCESS;
  }
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  free(own);
  MPI_Finalize();
"""
PUT = "MPI_Put(own + i, 1, MPI_INT, 1, at, 1, MPI_INT, window)"
TWICE_IN_MANY = "if (i == n - 1) MPI_Put(own + i, 1, MPI_INT, 1, 7919, 1, MPI_INT, window); else " + PUT
ADD = "MPI_Accumulate(own, 1, MPI_INT, 1, i % 10, 1, MPI_INT, MPI_SUM, window)"


@pytest.mark.parametrize(
    ("access", "kinds"),
    [(PUT, set()), (ADD, set()), (TWICE_IN_MANY, {CONFLICT})],
    ids=["puts", "sums", "one conflict"],
)
def test_an_epoch_of_many_accesses_is_checked_in_seconds(access: str, kinds: set, tmp_path: Path) -> None:
    """Comparing each with all took 40 s."""
    compile_program(tmp_path, MANY.replace("ACCESS", access), "-O2")
    before = os.times()
    run, report = check(tmp_path / "prog", tmp_path)
    after = os.times()
    assert {(one["severity"], one["kind"]) for one in report["findings"]} == kinds, run.err
    assert after.children_user - before.children_user < 10


FORTRAN = """
subroutine exchange(rank)
  {use}
  integer, intent(in) :: rank
  integer :: ierror
  real :: numbers(4)
  numbers = 1
  if (rank == 0) call MPI_Send(numbers, 4, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierror)
  if (rank == 1) call MPI_Recv(numbers, 4, MPI_REAL, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
end subroutine
subroutine add(from, into, length, kind)
  {use}
  integer :: length, from(length), into(length), rank, ierror
  {kind} :: kind
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  into = into + from
end subroutine
program checked
  {use}
  external :: add
  integer :: rank, ierror, total
  {comm} :: copy
  {op} :: operation
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call exchange(rank)
  call MPI_Op_create(add, .true., operation, ierror)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, operation, MPI_COMM_WORLD, ierror)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
  call MPI_Send(rank, -1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierror)
  call MPI_Finalize(ierror)
end program
"""
OF_MPIF = {"use": "include 'mpif.h'", "kind": "integer", "comm": "integer", "op": "integer"}
OF_MPI = OF_MPIF | {"use": "use mpi"}
OF_F08 = {"use": "use mpi_f08", "kind": "type(MPI_Datatype)", "comm": "type(MPI_Comm)", "op": "type(MPI_Op)"}


@needs_compilers
@pytest.mark.parametrize("words", [OF_MPIF, OF_MPI, OF_F08], ids=["mpif.h", "mpi", "mpi_f08"])
def test_calls_of_fortran_are_told_where_the_program_makes_them(words: dict[str, str], tmp_path: Path) -> None:
    source = FORTRAN.format(**words)
    (tmp_path / "prog.f90").write_text(source)
    made = wrapper("sanvp-fc", "--check-mpi", "prog.f90", "-o", "prog", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    _, report = check(tmp_path / "prog", tmp_path, ranks=2)
    lines = source.splitlines()
    places: dict[str, list] = {}
    for finding in report["findings"]:
        calls = [(call["call"], re.search(r":(\d+)", call["place"])[1]) for call in finding["calls"]]
        places.setdefault(finding["kind"], []).append(calls)

    def line(text: str) -> str:
        return str(1 + next(i for i, row in enumerate(lines) if text in row))

    sent, received = ("MPI_Send", line("MPI_Send(numbers")), ("MPI_Recv", line("MPI_Recv(numbers"))
    assert places["type mismatch"] == [[sent, received]]
    assert [calls[0] for calls in places["leak"]] == [
        ("MPI_Comm_dup", line("MPI_Comm_dup(")),
        ("MPI_Op_create", line("MPI_Op_create(")),
    ]
    assert places["call refused"] == [[("MPI_Send", line("MPI_Send(rank"))]]
    assert all("prog.f90:" in call["place"] for finding in report["findings"] for call in finding["calls"])
