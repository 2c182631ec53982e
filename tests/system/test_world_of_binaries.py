"""What programs of RISC-V get from outside: standard input and the environment, by the same rules for every user."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from binaries import needs_compilers, wrapper
from program import SANVP

pytestmark = needs_compilers

READER = """
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int count, char** words) {
  char text[16] = "";
  MPI_Init(&count, &words);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    const int got = count > 1 ? (int)read(0, text, 10) : fgets(text, sizeof text, stdin) != NULL;
    printf("%d %s\\n", got, text);
  }
  return MPI_Finalize();
}
"""
NAMELIST = """
program reader
  use mpi
  integer :: size, ierror, rank
  namelist /input/ size
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  if (rank == 0) read(*, nml=input)
  call MPI_Bcast(size, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  print '(a, i0)', 'size ', size
  call MPI_Finalize(ierror)
end program
"""
IDLE = """
program idle
  use mpi
  integer :: ierror
  call MPI_Init(ierror)
  print '(e20.12)', MPI_Wtime()
  call MPI_Finalize(ierror)
end program
"""
ASKS = """
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static const char* text(const char* name) { return getenv(name) != NULL ? getenv(name) : "-"; }
int main(int count, char** words) {
  MPI_Init(&count, &words);
  printf("%s %s %s %d\\n", text("ONE"), text("TWO"), text("THREE"), omp_get_max_threads());
  return MPI_Finalize();
}
"""


def build(folder: Path, source: str, *options: str) -> Path:
    is_fortran = "program " in source
    name = "prog.f90" if is_fortran else "prog.c"
    (folder / name).write_text(source)
    target = [] if is_fortran else ["--target", "riscv64"]
    made = wrapper("sanvp-fc" if is_fortran else "sanvp-cc", *target, *options, name, "-o", "prog", cwd=folder)
    assert made.returncode == 0, made.stderr
    return folder / "prog"


def lines(program: Path, *options: str, before: str = "", ranks: int = 2, **variables: str) -> list[str]:
    """What a shell's command prints that begins with `before`."""
    command = f'{before} "$SANVP" run qsnet-16 "$PROG" --np {ranks} ' + " ".join(options)
    kept = {name: os.environ[name] for name in ("PATH", "ASAN_OPTIONS") if name in os.environ}
    names = {**kept, "SANVP": SANVP, "PROG": str(program), **variables}
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, env=names)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


@pytest.fixture(scope="module")
def reader(tmp_path_factory) -> Path:
    return build(tmp_path_factory.mktemp("reader"), READER)


@pytest.mark.parametrize(
    ("before", "got"),
    [("echo hello |", "1 hello"), ("< /dev/null", "0 "), ("< input", "1 from a file"), ("<&-", "0 ")],
)
def test_rank_0_reads_what_sanvp_run_is_given(reader, before, got, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "input").write_text("from a file\n")
    assert lines(reader, before=before)[0].rstrip() == f"[0] {got}".rstrip()


def test_how_a_pipe_is_written_does_not_show(reader):
    assert lines(reader, "-- some", before="(printf 01234; sleep 0.3; printf 56789abc) |") == ["[0] 10 0123456789"]


def test_a_namelist_is_read_from_standard_input(tmp_path):
    program = build(tmp_path, NAMELIST)
    assert lines(program, before="printf '&input\n size = 42 /\n' |") == ["[0] size 42", "[1] size 42"]


def test_times_depend_neither_on_input_nor_on_variables_that_a_program_does_not_read(tmp_path):
    program = build(tmp_path, IDLE)
    usual = lines(program, before="< /dev/null")
    many = {f"VARIABLE_{i}": "x" * 300 for i in range(200)}
    assert lines(program, before=f"< {program}") == usual
    assert lines(program, before="echo some |", OMP_NUM_THREADS="3", LANG="de_DE", **many) == usual


def test_of_the_environment_there_is_what_the_user_names_and_what_openmp_reads(tmp_path):
    program = build(tmp_path, ASKS, "-fopenmp")
    outside = {"ONE": "1", "TWO": "2"}
    assert lines(program, ranks=1, **outside) == ["[0] - - - 4"]  # the machine's CPUs
    named = ("-s", "host.environment=ONE,THREE=3,FOUR")
    assert lines(program, *named, **outside, OMP_NUM_THREADS="3") == [f"[{rank}] 1 - 3 3" for rank in range(2)]
    assert lines(program, "-s host.environment=OMP_NUM_THREADS=2", ranks=1, OMP_NUM_THREADS="3") == ["[0] - - - 2"]


def test_ctrl_c_ends_a_run_that_waits_for_input(reader):
    pipe = subprocess.PIPE
    command = [SANVP, "run", "qsnet-16", reader, "--np", "2"]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as run:
        time.sleep(1)  # it reads by then
        run.send_signal(signal.SIGINT)
        assert run.wait(timeout=10) == 130
