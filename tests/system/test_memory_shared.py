"""CPUs of a node and its cards share the memory of the node."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from binaries import wrapper
from program import done, sanvp

# Rank 0 sends to rank 1, beside which rank 2 reads memory.
BESIDE = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { BYTES = 1 << 20, WORDS = 1 << 18 };
__attribute__((noipa)) static double sum_of(const double* at, const double* end) {
  double sum = 0;
  for (; at != end; ++at) sum += *at;
  return sum;
}
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int messages = atoi(argv[1]), rounds = 8;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double *array = calloc(WORDS, 8), sum = sum_of(array, array + WORDS);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < messages && rank == 0; ++i) MPI_Send(array, BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  for (int i = 0; i < messages && rank == 1; ++i)
    MPI_Recv(array, BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < rounds && rank == 2; ++i) sum += sum_of(array, array + WORDS);
  const double seconds = MPI_Wtime() - begin;
  if (rank == 1) printf("received %g\\n", messages * (double)BYTES / seconds / 1e6);
  if (rank == 2) printf("read %g\\n", rounds * 8.0 * WORDS / seconds / 1e6 + 0 * sum);
  MPI_Finalize();
  return 0;
}
"""


def rates(program: Path, messages: int) -> dict[str, float]:
    """In MB/s. A miss alone takes less time than its line at the rate of memory."""
    out = done("run", "myrinet-8", program, "--np", 3, "--map", "0,1,1", "-s", "host.cpu.memory_latency=50ns",
               "--", messages).out  # fmt: skip
    return {what: float(rate) for what, rate in re.findall(r"(received|read) (\S+)", out)}


def test_what_a_card_moves_is_missing_to_a_cpu_of_its_node(tmp_path):
    (tmp_path / "beside.c").write_text(BESIDE)
    made = wrapper("sanvp-cc", "-O2", "beside.c", "-o", "beside", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    alone, beside = rates(tmp_path / "beside", 0), rates(tmp_path / "beside", 12)
    assert alone["read"] == pytest.approx(310 * 4 / 3, rel=0.06)  # STREAM counts three of four lines
    assert beside["received"] > 80
    assert beside["read"] == pytest.approx(310 * 4 / 3 - beside["received"], rel=0.1)


def triad(cpus: int, *arguments: object) -> float:
    options = ("--np", cpus, "--map", ",".join("0" * cpus), "--json", "-", *arguments)
    return sanvp("run", "qsnet-16", "stream", *options).json["triad_MBps"]


def test_cpus_of_a_node_share_its_memory_whatever_the_quantum(tmp_path):
    cpus = 4
    assert triad(1) == pytest.approx(1150, rel=0.06)  # host.cpu.memory_rate
    usual = triad(cpus)
    assert usual == pytest.approx(2750, rel=0.03)  # host.memory_rate
    for quantum in ("500ns", "8us"):
        assert triad(cpus, "-s", f"host.quantum={quantum}") == pytest.approx(usual, rel=0.04)
