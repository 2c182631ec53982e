"""What ranks did in their libraries: --profile, the profiling interface of MPI, and who waits for what."""

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


def test_when_all_ranks_wait_for_ever_each_says_for_what(compiled):
    result = sanvp("run", "qsnet-16", compiled(ALL_RECEIVE), "--np", 2)
    assert result.status == DEADLOCK
    assert "rank 0 on node 0 waits in MPI_Recv (rank 1, tag 40, 4 bytes)" in result.err
    assert "rank 1 on node 1 waits in MPI_Recv (rank 0, tag 41, 4 bytes)" in result.err


def test_who_waits_for_a_request_says_for_which_message(compiled):
    result = sanvp("run", "qsnet-16", compiled(WAITS), "--np", 1)
    assert result.status == DEADLOCK
    assert "rank 0 on node 0 waits in MPI_Wait (of MPI_Irecv, rank 0, tag 5, 4 bytes)" in result.err
