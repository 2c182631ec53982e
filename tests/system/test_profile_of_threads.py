"""What --profile, --trace and reports of waiting ranks say of programs with several threads in calls."""

from __future__ import annotations

import csv
import itertools
import json
import os
import re
from collections import defaultdict
from pathlib import Path

import pytest
from binaries import compile_text, needs_compilers, wrapper
from program import DEADLOCK, done, sanvp

pytestmark = needs_compilers

THREADS, ROUNDS = 4, 10
EXCHANGES = """
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
static void* work(void* tag) {
  const int one = 1;
  for (int i = 0, in; i < 10; ++i)
    MPI_Sendrecv(&one, 1, MPI_INT, 0, (int)(intptr_t)tag, &in, 1, MPI_INT, 0, (int)(intptr_t)tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  return NULL;
}
int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  pthread_t threads[4];
  for (intptr_t i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  MPI_Finalize();
  return 0;
}
"""

# The first thread waits in one call, and later the second in another: for ever.
TWO_WAITS = """
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>
static void* wait(void* unused) {
  long in;
  MPI_Request request;
  usleep(1000);
  MPI_Irecv(&in, 1, MPI_LONG, 0, 6, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return unused;
}
int main(int argc, char** argv) {
  int provided, in;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  pthread_t thread;
  pthread_create(&thread, NULL, wait, NULL);
  MPI_Recv(&in, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return 0;
}
"""

# As many threads as the argument says compute for the same time each; with 0 one thread tests as long as the first
# computes.
PARTS = """
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
static void* compute(void* unused) {
  for (volatile long i = 0; i < 2000000; ++i) continue;
  return unused;
}
static void* test(void* unused) {
  int flag = 0, in;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
  while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  return unused;
}
int main(int argc, char** argv) {
  int provided, out = 1;
  pthread_t threads[4];
  const int count = atoi(argv[1]);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  for (int i = 0; i < count; ++i) pthread_create(&threads[i], NULL, compute, NULL);
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  if (count == 0) {
    pthread_create(&threads[0], NULL, test, NULL);
    compute(NULL);
    MPI_Send(&out, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    pthread_join(threads[0], NULL);
  }
  MPI_Finalize();
  return 0;
}
"""
MACHINES = ["qsnet-16", "tofu-36", "myrinet-8"]


def compiled(folder: Path, name: str, source: str) -> Path:
    return compile_text(folder, name, source)


@pytest.fixture(scope="module")
def exchanges(tmp_path_factory) -> Path:
    return compiled(tmp_path_factory.mktemp("exchanges"), "exchanges", EXCHANGES)


@pytest.mark.parametrize("cpus", [1, 2, 6])
@pytest.mark.parametrize("machine", MACHINES)
def test_calls_of_all_threads_are_counted_and_wait_for_a_part_of_their_time(exchanges, tmp_path, machine, cpus):
    options = ("--np", 1, "-s", f"host.cpus={cpus}", "--profile", "--out", tmp_path / "out")
    done("run", machine, exchanges, *options)
    with (tmp_path / "out" / "profile.csv").open(encoding="utf-8") as file:
        rows = {row["call"]: row for row in csv.DictReader(file)}
    assert int(rows["MPI_Sendrecv"]["count"]) == THREADS * ROUNDS
    assert int(rows["MPI_Sendrecv"]["bytes"]) == THREADS * ROUNDS * 4
    assert all(0 <= float(row["waiting_ns"]) <= float(row["time_ns"]) for row in rows.values())


@pytest.mark.parametrize("cpus", [1, 2, 6])
@pytest.mark.parametrize("machine", MACHINES)
def test_slices_of_threads_nest_on_the_tracks_of_their_cpus(exchanges, tmp_path, machine, cpus):
    """A call whose thread gives its CPU to another thread has a slice for each of its turns."""
    done("run", machine, exchanges, "--np", 1, "-s", f"host.cpus={cpus}", "--trace", tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    slices = [event for event in events if event["ph"] == "X"]
    assert sum(event["name"] == "MPI_Sendrecv" for event in slices) >= THREADS * ROUNDS
    tracks = defaultdict(list)
    for event in slices:
        if event["name"] in ("MPI_Sendrecv", "compute"):
            tracks[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    for track in tracks.values():
        track.sort()
        assert all(after[0] >= before[1] - 1e-6 for before, after in itertools.pairwise(track))


def test_a_report_of_a_rank_does_not_mix_calls_of_its_threads(tmp_path):
    program = compiled(tmp_path, "waits", TWO_WAITS)
    result = sanvp("run", "qsnet-16", program, "--np", 2)
    assert result.status == DEADLOCK
    for rank in (0, 1):
        assert f"rank {rank} on node {rank} waits in MPI_Recv (rank 1, tag 5, 4 bytes) since" in result.err


def time_of(program: Path, threads: int, cpus: int) -> tuple[dict[str, float], float]:
    """How a rank has spent its time, and how long it has lived, in nanoseconds."""
    run = done("run", "qsnet-16", program, "--np", 1, "-s", f"host.cpus={cpus}", "--json", "-", "--", threads)
    return run.json["jobs"][0]["time"], run.json["sim_time_ns"] - run.json["boot_time_ns"]


@pytest.mark.parametrize(("threads", "cpus", "used"), [(0, 6, 2), (1, 6, 2), (3, 2, 2), (3, 3, 3), (3, 6, 4)])
def test_the_parts_of_a_rank_s_time_add_up_to_that_of_the_cpus_that_its_threads_have_used(
    tmp_path, threads, cpus, used
):
    program = compiled(tmp_path, "parts", PARTS)
    time, life = time_of(program, threads, cpus)
    assert 0.9 * used * life < sum(time.values()) <= used * life  # threads begin after MPI_Init
    one, two = (time_of(program, number, 6)[0]["computing_ns"] for number in (1, 2))
    of_a_thread = two - one
    if threads > 0:
        # Before main, libgcc of GCC 13 and newer looks through all tables for exceptions of a static program.
        assert of_a_thread == pytest.approx(one, rel=0.1)
        assert time["computing_ns"] == pytest.approx(one + (threads - 1) * of_a_thread, rel=0.01)
    else:
        assert time["library_ns"] > 0.05 * life
        assert one < time["computing_ns"] < 2 * life
    assert min(time.values()) >= 0


# An error handler that throws, which the program catches; then another thread's call, and a wait for ever.
THROWS = """
#include <mpi.h>
#include <cstdio>
#include <stdexcept>
#include <thread>
static void handle(MPI_Comm*, int*, ...) { throw std::runtime_error("of a handler"); }
int main(int argc, char** argv) {
  int provided, rank, one = 1, sum = 0, in, caught = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Errhandler_free(&handler);
  for (int i = 0; i < 3; ++i) try {
      MPI_Send(&one, 1, MPI_INT, 77, 0, MPI_COMM_WORLD);
    } catch (const std::exception&) {
      ++caught;
    }
  std::thread([&] { MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); }).join();
  std::printf("caught %d, sum %d\\n", caught, sum);
  std::fflush(stdout);
  if (argc > 1 && rank == 0) MPI_Recv(&in, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
"""


def test_a_call_whose_error_handler_throws_has_ended(tmp_path):
    (tmp_path / "throws.cpp").write_text(THROWS)
    for name, options in (("plain", ()), ("checked", ("--check-mpi",))):
        command = ("sanvp-c++", "--target", "riscv64", "-pthread", *options, "throws.cpp", "-o", name)
        assert wrapper(*command, cwd=tmp_path, **os.environ).returncode == 0
    run = done("run", "qsnet-16", tmp_path / "plain", "--np", 2, "--profile", "--until", "1s")
    assert run.out.count("caught 3, sum 2") == 2
    assert re.search(r"^MPI_Send +6 ", run.out + run.err, re.M)
    assert re.search(r"^MPI_Allreduce +2 ", run.out + run.err, re.M)
    hang = sanvp("run", "qsnet-16", tmp_path / "plain", "--np", 2, "--until", "1s", "--", "hang")
    assert "rank 0 on node 0 waits in MPI_Recv (rank 1, tag 9, 4 bytes)" in hang.err
    assert "rank 1 on node 1 waits in MPI_Finalize" in hang.err
    checked = done("run", "qsnet-16", tmp_path / "checked", "--np", 2, "--check-mpi", "--until", "1s")
    assert re.search(r"warning: call refused: ranks 0-1: MPI_Send in main\(\) at throws.cpp:\d+ ended", checked.err)


# The handler throws out of a wait that makes progress with a broadcast whose counts differ.
THROWS_UNDER_WAY = """
#include <mpi.h>
#include <cstdio>
#include <stdexcept>
static void handle(MPI_Comm*, int*, ...) { throw std::runtime_error("of a handler"); }
int main(int argc, char** argv) {
  int provided, rank, numbers[4] = {0}, caught = 0, one = 1, sum = 0;
  MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(copy, handler);
  MPI_Request request;
  try {
    MPI_Ibcast(numbers, rank == 0 ? 2 : 4, MPI_INT, 0, copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } catch (const std::exception&) {
    ++caught;
  }
  MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  std::printf("caught %d, sum %d\\n", caught, sum);
  MPI_Finalize();
}
"""


@pytest.mark.parametrize("level", [(), ("multiple",)])
@pytest.mark.parametrize("machine", ["qsnet-16", "tofu-36"])
def test_operations_under_way_go_on_after_an_error_handler_has_thrown(machine, level, tmp_path):
    (tmp_path / "throws.cpp").write_text(THROWS_UNDER_WAY)
    command = ("sanvp-c++", "--target", "riscv64", "throws.cpp", "-o", "throws")
    assert wrapper(*command, cwd=tmp_path, **os.environ).returncode == 0
    run = done("run", machine, tmp_path / "throws", "--np", 2, "--until", "1s", "--", *level)
    assert sorted(run.out.splitlines())[:2] == ["[0] caught 0, sum 2", "[1] caught 1, sum 2"]
