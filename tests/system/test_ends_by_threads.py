"""A thread of a program for RISC-V ends its rank, or the job, while the first thread waits in MPI."""

from __future__ import annotations

from pathlib import Path

import pytest
from binaries import compile_text, needs_compilers
from program import sanvp

pytestmark = needs_compilers

FAILED = 4
PROGRAM = """
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int rank;
static void* end(void* way) {
  usleep(1000);
  if (rank == 0) return way;
  if (!strcmp(way, "abort")) MPI_Abort(MPI_COMM_WORLD, 7);
  if (!strcmp(way, "exit")) exit(5);
  if (!strcmp(way, "crash")) *(volatile int*)8 = 1;
  return way;
}
int main(int argc, char** argv) {
  int provided, in;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pthread_create(&thread, NULL, end, argv[1]);
  MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return 0;
}
"""
SENTENCES = {
    "abort": "error: rank 1 on node 1: MPI_Abort was called with code 7; called by end() at ends.c:",
    "exit": "error: rank 1 on node 1: exited with status 5, at ",
    "crash": "error: rank 1 on node 1: SIGSEGV at pc ",
}


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("ends")
    return compile_text(folder, "ends", PROGRAM)


@pytest.mark.parametrize("cpus", [2, 4])
@pytest.mark.parametrize("way", SENTENCES)
@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-8", "gcel-64"])
def test_the_end_is_told_though_the_first_thread_has_waited_since_it_began(program, machine, way, cpus):
    result = sanvp("run", machine, program, "--np", 2, "-s", f"host.cpus={cpus}", "--", way)
    assert result.status == FAILED
    assert SENTENCES[way] in result.err
