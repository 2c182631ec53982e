"""Signals reach threads of programs for RISC-V while these wait in MPI, as a real library's polling loop lets them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from binaries import compile_text, needs_compilers
from program import done, sanvp

pytestmark = needs_compilers

FAILED = 4
MACHINES = ["qsnet-16", "myrinet-8", "tofu-36", "macrame-clos-64"]
PROGRAM = """
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
enum { WAITING = 4 };
static int rank, ranks;
static volatile int signals;
static void count(int signal) { signals += signal > 0; }
static void* receive(void* unused) {
  int in;
  MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return unused;
}
static void* terminate(void* unused) {
  usleep(1000);
  if (rank == 1) kill(getpid(), SIGTERM);
  return unused;
}
static void tell(void) {
  pthread_t threads[WAITING];
  for (int i = 0; i < WAITING; ++i) pthread_create(&threads[i], NULL, receive, NULL);
  usleep(2000);
  for (int i = 0; i < WAITING; ++i) pthread_kill(threads[i], SIGUSR1);
  usleep(1000);
  const int before = signals;
  for (int i = 0; i < WAITING; ++i) MPI_Send(&i, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
  for (int i = 0; i < WAITING; ++i) pthread_join(threads[i], NULL);
  printf("handled %d in the wait, %d in all\\n", before, signals);
}
static void tick(void) {
  const struct itimerval each = {{0, 1000}, {0, 1000}};
  int out = 0;
  const double begin = MPI_Wtime();
  setitimer(ITIMER_REAL, &each, NULL);
  if (rank == 1) {
    while (MPI_Wtime() < begin + 0.05) continue;
    MPI_Ssend(&out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  } else {
    receive(NULL);
  }
  const int ticks = signals;
  const double span = MPI_Wtime() - begin;
  if (rank == 0) printf("%d ticks in %.6f s\\n", ticks, span);
}
int main(int argc, char** argv) {
  int provided;
  pthread_t thread;
  signal(SIGUSR1, count);
  const char* way = argv[1];
  if (strcmp(way, "watchdog")) signal(SIGALRM, count);
  if (!strcmp(way, "tick") || !strcmp(way, "watchdog")) MPI_Init(&argc, &argv);
  else MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!strcmp(way, "tell")) tell();
  if (!strcmp(way, "tick")) tick();
  if (!strcmp(way, "terminate")) pthread_create(&thread, NULL, terminate, NULL), receive(NULL);
  if (!strcmp(way, "watchdog")) alarm(rank == 0 ? 2 : 100), receive(NULL);
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("signals")
    return compile_text(folder, "signals", PROGRAM)


@pytest.mark.parametrize("cpus", [2, 8])
@pytest.mark.parametrize("machine", MACHINES)
def test_a_thread_that_waits_in_mpi_handles_its_signal_and_waits_on(program, machine, cpus):
    """With two CPUs most of the four threads wait without one."""
    run = done("run", machine, program, "--np", 2, "-s", f"host.cpus={cpus}", "--", "tell")
    assert sorted(run.out.splitlines()) == [f"[{rank}] handled 4 in the wait, 4 in all" for rank in (0, 1)]


@pytest.mark.parametrize("machine", MACHINES)
def test_a_timer_ticks_while_its_rank_waits_in_mpi(program, machine):
    run = done("run", machine, program, "--np", 2, "--", "tick")
    ticks, span = re.search(r"(\d+) ticks in (.*) s", run.out).groups()
    assert float(span) >= 0.05
    assert abs(int(ticks) - float(span) / 1e-3) <= 1  # a tick each millisecond


@pytest.mark.parametrize("machine", MACHINES)
def test_a_signal_that_ends_the_process_ends_it_while_all_its_threads_wait_in_mpi(program, machine):
    result = sanvp("run", machine, program, "--np", 2, "--", "terminate")
    assert result.status == FAILED
    assert re.search(r"error: rank 1 on node 1: SIGTERM at pc .* MPI_Recv\(\)", result.err)


@pytest.mark.parametrize("machine", MACHINES)
def test_alarm_ends_a_program_that_waits_for_ever(program, machine):
    result = sanvp("run", machine, program, "--np", 2, "--", "watchdog")
    assert result.status == FAILED
    seconds = re.search(r"error: rank 0 on node 0: SIGALRM at pc .* MPI_Recv\(\).*, at (2\.\d*)s", result.err)
    assert 2 <= float(seconds.group(1)) < 2.1  # the alarm is set within the first tenth of a second
