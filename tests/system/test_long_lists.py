"""Thousands of receives that are posted at once: the card's thread searches long lists, slowly, and is right."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from compiled import CC
from program import done

SOURCE = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  int rank, ranks, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int count = atoi(argv[1]), backwards = argc > 2;
  MPI_Request* requests = malloc(2 * count * sizeof *requests);
  int* in = malloc(count * sizeof *in);
  int* out = malloc(count * sizeof *out);
  for (int i = 0; i < count; ++i)
    MPI_Irecv(&in[i], 1, MPI_INT, (rank + ranks - 1) % ranks, i, MPI_COMM_WORLD, &requests[i]);
  for (int k = 0; k < count; ++k) {
    const int i = backwards ? count - 1 - k : k;
    out[i] = rank * count + i;
    MPI_Isend(&out[i], 1, MPI_INT, (rank + 1) % ranks, i, MPI_COMM_WORLD, &requests[count + k]);
  }
  MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < count; ++i) wrong += in[i] != (rank + ranks - 1) % ranks * count + i;
  printf("wrong: %d\\n", wrong);
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("posted")
    (folder / "posted.c").write_text(SOURCE)
    subprocess.run([CC, folder / "posted.c", "-O2", "-o", folder / "posted"], check=True)
    return folder / "posted"


@pytest.mark.parametrize(("ranks", "count"), [(2, 3300), (4, 3000)])
def test_receives_that_are_matched_from_the_last_to_the_first_all_end(program, ranks, count):
    """Each message passes all receives before its own; many come out of order, and the thread holds them back."""
    result = done("run", "qsnet-16", program, "--np", ranks, "--", count, "backwards")
    assert result.out.count("wrong: 0") == ranks


def test_so_they_do_in_order(program):
    assert done("run", "qsnet-16", program, "--np", 2, "--", 5000).out.count("wrong: 0") == 2
