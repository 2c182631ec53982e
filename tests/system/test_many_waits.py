"""Threads of programs for RISC-V that wait in calls, more than a process has cores."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from binaries import PROGRAMS, SOURCES, compile_one, compile_text, needs_compilers, wrapper
from program import done, sanvp
from share import a_share, every_other

pytestmark = needs_compilers

HANGS, RANKS = 3, 3
# Machine and CPUs of a node, which has two cores for a process at least. The program has eight threads.
PLACES = [("myrinet-8", 1), ("myrinet-8", 2), ("qsnet-16", 4), ("macrame-clos-64", 2), ("tofu-36", 2)]
RIGHT = PROGRAMS["many_waits"][3]


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    return compile_one(tmp_path_factory.mktemp("binaries"), "many_waits")


@pytest.fixture(scope="module")
def storm(tmp_path_factory) -> Path:
    return compile_one(tmp_path_factory.mktemp("storm"), "thread_storm")


def options(cpus: int) -> tuple:
    return "--np", RANKS, "-s", f"host.cpus={cpus}"


@pytest.mark.parametrize(("machine", "cpus"), PLACES)
def test_each_wait_needs_another_thread_and_gets_it(program, machine, cpus):
    assert RIGHT in done("run", machine, program, *options(cpus)).out


def test_so_it_does_while_a_thread_computes_that_waits_for_all_others(program):
    assert RIGHT in done("run", "qsnet-16", program, *options(4), "--", "computing").out


@pytest.mark.parametrize("cpus", [1, 2])
def test_so_it_does_where_ranks_share_nodes(program, cpus):
    assert RIGHT in done("run", "myrinet-8", program, "--map", "0,0,1,1", "-s", f"host.cpus={cpus}").out


@pytest.mark.parametrize(("machine", "cpus"), PLACES)
def test_a_run_in_which_no_thread_can_go_on_ends_with_a_report_of_the_ranks(program, machine, cpus):
    """Messages of thread 1 to thread 0 are never sent, so in the last round all threads wait or have ended."""
    result = sanvp("run", machine, program, *options(cpus), "--", "stuck")
    assert result.status == HANGS
    for rank in range(RANKS):
        assert f"rank {rank} on node {rank} waits in MPI_Recv" in result.err


def test_a_run_is_the_same_each_time(program):
    runs = [done("run", "myrinet-8", program, *options(2)) for _ in range(2)]
    assert (runs[0].out, runs[0].times) == (runs[1].out, runs[1].times)


@pytest.mark.parametrize(
    ("machine", "ranks", "seed"),
    a_share(["qsnet-16", "myrinet-8", "tofu-36", "macrame-clos-64", "moc-2-1", "gcel-64"], [2, 3], [1, 2, 3]),
)
def test_a_storm_of_operations_of_threads_leaves_right_contents(storm, machine, ranks, seed):
    run = done("run", machine, storm, "--np", ranks, "-s", f"host.cpus={1 + seed}", "--", seed)
    assert PROGRAMS["thread_storm"][3] in run.out


@pytest.mark.parametrize("machine", ["macrame-clos-64", "gcel-64"])
def test_messages_and_windows_of_four_threads_at_once_are_right_where_hosts_match(tmp_path, machine):
    program = compile_one(tmp_path, "all_threads")
    assert PROGRAMS["all_threads"][3] in done("run", machine, program, *options(4)).out


DIES = """
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
static int rank, ranks;
static void* receive(void* tag) {
  int value = 0;
  const int error = MPI_Recv(&value, 1, MPI_INT, ranks - 1, (int)(intptr_t)tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("thread %d of rank %d: %s\\n", (int)(intptr_t)tag, rank, error ? "told" : "received");
  return NULL;
}
int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc > 1) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  pthread_t threads[6];
  for (int i = 0; i < 6; ++i) pthread_create(&threads[i], NULL, receive, (void*)(intptr_t)i);
  for (int i = 0; i < 6; ++i) pthread_join(threads[i], NULL);
  return 0;
}
"""


@pytest.fixture(scope="module")
def dies(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("dies")
    return compile_text(folder, "dies", DIES)


@pytest.fixture(scope="module")
def deaths(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("deaths")
    made = wrapper("sanvp-cc", "--target", "riscv64", "-pthread", SOURCES / "many_deaths.c", "-o", "deaths", cwd=folder)
    assert made.returncode == 0, made.stderr
    return folder / "deaths"


@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-8", "tofu-36", "macrame-clos-64"])
def test_each_parked_thread_is_told_of_a_death(dies, machine):
    result = sanvp("run", machine, dies, *options(2), "--fault", "50ms node 2 down", "--", "return")
    told = {f"[{rank}] thread {tag} of rank {rank}: told" for rank in (0, 1) for tag in range(6)}
    assert set(result.out.splitlines()) == told


def test_by_default_the_death_ends_the_job(dies):
    result = sanvp("run", "qsnet-16", dies, *options(2), "--fault", "50ms node 2 down")
    assert "MPI_Recv: node 2 does not answer" in result.err


@pytest.mark.parametrize(
    ("machine", "cpus"), every_other(["qsnet-16", "myrinet-8", "tofu-36", "macrame-clos-64"], [1, 4, 9])
)
def test_threads_that_wait_for_a_dead_rank_are_told_and_others_wait_on(deaths, machine, cpus):
    fault = ("--fault", "50ms node 2 down", "--until", "200ms")
    result = sanvp("run", machine, deaths, *options(cpus), *fault)
    told = {f"[{rank}] thread {number}: told" for rank in (0, 1) for number in range(7)}
    assert set(result.out.splitlines()) == told | {f"[{rank}] thread 7: received" for rank in (0, 1)}


@pytest.mark.parametrize(("machine", "cpus"), [("qsnet-16", 4), ("myrinet-8", 8), ("tofu-36", 1)])
def test_cards_reach_the_stacks_of_threads_that_come_and_go(tmp_path, machine, cpus):
    program = compile_one(tmp_path, "come_and_go")
    assert PROGRAMS["come_and_go"][3] in done("run", machine, program, *options(cpus)).out


def test_what_a_thread_computes_is_not_accounted_to_another_that_waits_in_a_call(tmp_path):
    # How often it computes while the other lives depends on the other's time alone, whatever CPUs are idle.
    program = compile_one(tmp_path, "own_time")
    runs = [done("run", "qsnet-16", program, "--np", 1, "-s", f"host.cpus={n}").out for n in (2, 3, 4, 5)]
    found = [re.search(r"measured (\d+) times, from (.*) to (.*) ns", run).groups() for run in runs]
    assert len({times for times, _, _ in found}) == 1
    assert {shortest == longest for _, shortest, longest in found} == {True}


def test_a_trace_of_several_threads_has_no_slice_that_ends_before_it_begins(tmp_path):
    program, trace = compile_one(tmp_path, "multiple"), tmp_path / "trace.json"
    done("run", "qsnet-16", program, "--np", 4, "--trace", trace)
    events = json.loads(trace.read_text())["traceEvents"]
    assert min(event["dur"] for event in events if event["ph"] == "X") >= 0
    assert {event["name"] for event in events} >= {"compute", "MPI_Allreduce"}


FIRST_THREAD = """
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int rank;
static void* receive(void* unused) {
  int value = 0;
  usleep(100);
  MPI_Recv(&value, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return unused;
}
int main(int argc, char** argv) {
  int provided, one = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pthread_t thread;
  pthread_create(&thread, NULL, receive, NULL);
  usleep(5000);
  MPI_Send(&one, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD);
  pthread_join(thread, NULL);
  if (rank == 0) puts("both have received");
  MPI_Finalize();
  return 0;
}
"""


def test_the_first_thread_gets_its_core_back_from_one_that_waits(tmp_path):
    compile_text(tmp_path, "first", FIRST_THREAD)
    result = done("run", "qsnet-16", tmp_path / "first", "--np", 2, "-s", "host.cpus=2")
    assert "both have received" in result.out


# In each round the first thread wakes a little later than before, some time while the other computes on its core, or
# begins to wait.
AT_ALL_TIMES = """
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
enum { ROUNDS = 600, FIRST_NS = 50000, STEP_NS = 37 };
static void* receive(void* unused) {
  for (int i = 0, in; i < ROUNDS; ++i) {
    usleep(50);
    for (volatile int j = 0; j < 3000; ++j) continue;
    MPI_Recv(&in, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&in, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
  }
  return unused;
}
int main(int argc, char** argv) {
  int provided, in;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  pthread_t thread;
  pthread_create(&thread, NULL, receive, NULL);
  for (int i = 0; i < ROUNDS; ++i) {
    const struct timespec span = {0, FIRST_NS + i * STEP_NS};
    nanosleep(&span, NULL);
    MPI_Send(&i, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  pthread_join(thread, NULL);
  printf("the last of all: %d\\n", in);
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-8", "tofu-36", "gcel-64"])
def test_the_first_thread_gets_its_core_whenever_it_wakes(tmp_path, machine):
    compile_text(tmp_path, "times", AT_ALL_TIMES)
    result = done("run", machine, tmp_path / "times", "--np", 1, "-s", "host.cpus=2")
    assert "the last of all: 599" in result.out


OF_A_FILE = """
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#define THREADS 4
#define RECORDS 32
static MPI_File file;
static int seen[RECORDS];
static char block[4 << 20];
static void* write_a_block(void* unused) {
  MPI_File_write_at(file, 0, block, sizeof block, MPI_BYTE, MPI_STATUS_IGNORE);
  return unused;
}
static void* read_records(void* unused) {
  for (int got = 1, record = 0; got > 0;) {
    MPI_Status status;
    MPI_File_read_shared(file, &record, 1, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &got);
    if (got > 0) __atomic_fetch_add(&seen[record], 1, __ATOMIC_RELAXED);
  }
  return unused;
}
static void in_threads(int count, void* (*work)(void*)) {
  pthread_t threads[THREADS];
  for (int i = 0; i < count; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}
int main(int argc, char** argv) {
  const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
  int provided, rank, records[RECORDS], all[RECORDS], wrong = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < RECORDS; ++i) records[i] = i;
  if (MPI_File_open(MPI_COMM_WORLD, argv[1], mode, MPI_INFO_NULL, &file)) return 1;
  if (atoi(argv[2])) {
    if (rank == 0) MPI_File_write_at(file, 0, records, RECORDS, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    in_threads(THREADS, read_records);
    MPI_Reduce(seen, all, RECORDS, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < RECORDS; ++i) wrong += all[i] != 1;
  } else {
    in_threads(1, write_a_block);
  }
  MPI_File_close(&file);
  if (rank == 0) printf("wrong records: %d\\n", wrong);
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("shared", [0, 1])
@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-8"])
def test_a_run_goes_on_while_only_a_thread_behind_the_first_waits_for_a_disk(tmp_path, machine, shared):
    """A block takes 210 ms of the disk, far more than the 50 ms after which ranks that all wait count as hanging."""
    compile_text(tmp_path, "files", OF_A_FILE)
    ranks = ["--np", 4, "--map", "0,0,0,0"] if shared else ["--np", 1]
    disk = ["-s", "host.disk.type=disk", "-s", "host.cpus=4"]
    result = done("run", machine, tmp_path / "files", *ranks, *disk, "--", "data", shared, cwd=tmp_path)
    assert "wrong records: 0" in result.out
