"""What ranks did in their libraries: --profile, the profiling interface of MPI, and which rank waits for what."""

from __future__ import annotations

import csv
import json
import subprocess
from pathlib import Path

import pytest
from program import DEADLOCK, SANVP, done, sanvp

CC = Path(SANVP).with_name("sanvp-cc")

PING = """
#include <mpi.h>
int main(int argc, char** argv) {
  char bytes[400] = {0};
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 3; ++i)
    if (rank == 0)
      MPI_Send(bytes, 100, MPI_INT, 1, 7, MPI_COMM_WORLD);
    else
      MPI_Recv(bytes, 100, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""

WAITS = """
#include <mpi.h>
int main(int argc, char** argv) {
  int word;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Irecv(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return 0;
}
"""

ALL_RECEIVE = """
#include <mpi.h>
int main(int argc, char** argv) {
  int rank, word;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Recv(&word, 1, MPI_INT, 1 - rank, 40 + rank, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return 0;
}
"""

COUNTS_ITS_SENDS = """
#include <mpi.h>
#include <stdio.h>
static int sends;
int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  ++sends;
  return PMPI_Send(buffer, count, type, to, tag, comm);
}
int MPI_Finalize(void) {
  printf("sends %d\\n", sends);
  return PMPI_Finalize();
}
"""

PCONTROL = """
#include <mpi.h>
#include <stdio.h>
int MPI_Pcontrol(const int level, ...) {
  printf("level %d\\n", level);
  return PMPI_Pcontrol(level, "passed on");
}
"""

CALLS_PCONTROL = """
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Pcontrol(2, "anything", 3.0);
  MPI_Finalize();
  return 0;
}
"""

MOVES = """
#include <shmem.h>
static long dest[64], source[64], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE], sync[SHMEM_REDUCE_SYNC_SIZE];
static short narrow[3], narrow_work[3];
int main(void) {
  shmem_init();
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  shmem_long_sum_to_all(dest, source, 8, 0, 0, shmem_n_pes(), work, sync);
  shmem_short_max_to_all(narrow, narrow, 3, 0, 0, shmem_n_pes(), narrow_work, sync);
  shmem_long_p(dest, 1, next);
  shmem_char_g((const char*)source, next);
  shmem_int_atomic_fetch((const int*)source, next);
  shmem_long_atomic_compare_swap(dest, 1, 2, next);
  shmem_put32(dest, source, 5, next);
  shmem_long_put(dest, source, 6, next);
  shmem_putmem(dest, source, 7, next);
  shmem_calloc(5, 16);
  shmem_ptr(dest, next);
  shmem_finalize();
  return 0;
}
"""


@pytest.fixture(name="compiled")
def _compiled(tmp_path):
    def compiled(*sources: str) -> Path:
        files = [tmp_path / f"{i}.c" for i in range(len(sources))]
        for file, text in zip(files, sources, strict=True):
            file.write_text(text)
        program = tmp_path / "prog"
        subprocess.run([CC, "-Werror=implicit-function-declaration", *files, "-o", program], check=True)
        return program

    return compiled


def test_each_job_has_a_profile_of_its_own(compiled):
    ping = compiled(PING)
    alone = done("run", "qsnet-16", ping, "--np", 2, "--profile").out
    assert alone.startswith("call, all ranks")
    both = done("run", "qsnet-16", ping, "--np", 2, "--job", "hello --np 4", "--profile").out
    first, second = both.index(f"job 0 ({ping}):\ncall, all ranks"), both.index("job 1 (hello):\n")
    assert both[first:second].count("MPI_Recv") == 1
    assert "MPI_Recv" not in both[second:]
    assert both.count("operations, all ranks") == 2


def test_calls_are_counted_by_rank_with_their_bytes_and_times(compiled, tmp_path):
    result = done("run", "qsnet-16", compiled(PING), "--np", 2, "--profile", "--out", tmp_path / "r")
    assert "MPI_Recv" in result.out
    with (tmp_path / "r" / "profile.csv").open() as file:
        rows = {(row["rank"], row["call"]): row for row in csv.DictReader(file)}
    for key in (("0", "MPI_Send"), ("1", "MPI_Recv")):
        assert (rows[key]["count"], rows[key]["bytes"]) == ("3", "1200")
    assert ("1", "MPI_Send") not in rows
    receive = rows["1", "MPI_Recv"]
    assert 0 < float(receive["waiting_ns"]) < float(receive["time_ns"])
    assert float(receive["waiting_share"]) == pytest.approx(float(receive["waiting_ns"]) / float(receive["time_ns"]))


def test_profiling_takes_no_simulated_time(compiled):
    program = compiled(PING)
    times = [
        json.loads(done("run", "qsnet-16", program, "--np", 2, "--json", "-", *more).out)["sim_time_ns"]
        for more in ((), ("--profile",))
    ]
    assert times[0] == times[1]


def test_calls_are_slices_of_the_rank_above_those_of_the_card(compiled, tmp_path):
    trace = tmp_path / "t.json"
    done("run", "qsnet-16", compiled(PING), "--np", 2, "--trace", trace)
    names = [event.get("name") for event in json.loads(trace.read_text())["traceEvents"] if event.get("ph") == "X"]
    assert names.count("MPI_Send") == 3
    assert names.count("MPI_Recv") == 3


def test_a_tool_may_take_the_place_of_a_call_and_pass_it_on(compiled):
    result = done("run", "qsnet-16", compiled(PING, COUNTS_ITS_SENDS), "--np", 2)
    assert "[0] sends 3" in result.out
    assert "[1] sends 0" in result.out


def test_a_tool_may_take_the_place_of_the_call_that_is_meant_for_tools(compiled):
    assert "level" not in done("run", "qsnet-16", compiled(CALLS_PCONTROL), "--np", 1).out
    assert "[0] level 2" in done("run", "qsnet-16", compiled(CALLS_PCONTROL, PCONTROL), "--np", 1).out


def test_calls_of_openshmem_are_counted_with_the_bytes_that_they_move(compiled, tmp_path):
    done("run", "qsnet-16", compiled(MOVES), "--np", 2, "--profile", "--out", tmp_path / "r")
    with (tmp_path / "r" / "profile.csv").open() as file:
        moved = {row["call"]: int(row["bytes"]) for row in csv.DictReader(file) if row["rank"] == "0"}
    expected = {
        "shmem_long_sum_to_all": 64,
        "shmem_short_max_to_all": 6,
        "shmem_long_p": 8,
        "shmem_char_g": 1,
        "shmem_int_atomic_fetch": 4,
        "shmem_long_atomic_compare_swap": 8,
        "shmem_put32": 20,
        "shmem_long_put": 48,
        "shmem_putmem": 7,
        "shmem_calloc": 80,
        "shmem_ptr": 0,
    }
    assert {call: moved[call] for call in expected} == expected


def test_when_all_ranks_wait_for_ever_each_says_for_what(compiled):
    result = sanvp("run", "qsnet-16", compiled(ALL_RECEIVE), "--np", 2)
    assert result.status == DEADLOCK
    assert "rank 0 on node 0 waits in MPI_Recv (rank 1, tag 40, 4 bytes)" in result.err
    assert "rank 1 on node 1 waits in MPI_Recv (rank 0, tag 41, 4 bytes)" in result.err


def test_a_rank_that_waits_for_a_request_names_its_message(compiled):
    result = sanvp("run", "qsnet-16", compiled(WAITS), "--np", 1)
    assert result.status == DEADLOCK
    assert "rank 0 on node 0 waits in MPI_Wait (of MPI_Irecv, rank 0, tag 5, 4 bytes)" in result.err
