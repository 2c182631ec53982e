"""Accesses that skip through memory wait for it in counted programs as in binaries: walks down the columns of a matrix,
gathers, lists."""

from __future__ import annotations

from pathlib import Path

import pytest
from binaries import needs_compilers, wrapper
from program import sanvp

pytestmark = needs_compilers
WALKS = """
#include <stdio.h>
#include <stdlib.h>
#define WALK __attribute__((noipa)) static double
WALK by_rows(const double* matrix, const int* at, long rows, long columns) {
  double sum = 0;
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < columns; ++j) sum += matrix[i * columns + j];
  return sum;
}
WALK by_columns(const double* matrix, const int* at, long rows, long columns) {
  double sum = 0;
  for (long j = 0; j < columns; ++j)
    for (long i = 0; i < rows; ++i) sum += matrix[i * columns + j];
  return sum;
}
WALK gather(const double* matrix, const int* at, long rows, long columns) {
  double sum = 0;
  for (long i = 0; i < rows * columns; ++i) sum += matrix[at[i]];
  return sum;
}
WALK list(const double* matrix, const int* at, long rows, long columns) {
  int place = 0;
  for (long i = 0; i < rows * columns; ++i) place = at[place];
  return place;
}
int main(int argc, char** argv) {
  const long rows = atol(argv[2]), columns = atol(argv[3]), rounds = atol(argv[4]), all = rows * columns;
  double* matrix = calloc(all, sizeof *matrix);
  int* at = calloc(all, sizeof *at);
  const char walk = argv[1][0];
  unsigned state = 1;
  if (walk == 'g' || walk == 'l')
    for (long i = 0; i < all; ++i) at[i] = (int)i;
  if (walk == 'g' || walk == 'l') /* Sattolo's shuffle: one cycle through all */
    for (long i = all - 1; i > 0; --i) {
      state = state * 1664525u + 1013904223u;
      const long other = (long)((state >> 4) % (unsigned)i);
      const int kept = at[i];
      at[i] = at[other];
      at[other] = kept;
    }
  double (*const way)(const double*, const int*, long, long) =
      walk == 'r' ? by_rows : walk == 'c' ? by_columns : walk == 'g' ? gather : list;
  double sum = 0;
  for (long round = 0; round < rounds; ++round) sum += way(matrix, at, rows, columns);
  printf("sum %g\\n", sum);
  return 0;
}
"""
MACHINE = "myrinet-8"  # caches of 16 and 512 KiB, lines of 32 bytes
WAITS = {"counted": (), "sampled": (), "followed": ("-s", "host.cpu.caches=on")}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("strides")
    (folder / "walks.c").write_text(WALKS)
    for name, target in (("counted", ()), ("sampled", ("--target", "riscv64"))):
        made = wrapper("sanvp-cc", *target, "-O2", "-fno-unroll-loops", "walks.c", "-o", name, cwd=folder)
        assert (made.returncode, made.stdout, made.stderr) == (0, "", "")
    return {"counted": folder / "counted", "sampled": folder / "sampled", "followed": folder / "sampled"}


def ns_of_an_element(program: Path, walk: str, rows: int, columns: int, *arguments: object) -> float:
    """In a round when there have been others."""
    few, many = 1, 3
    times = [
        sanvp("run", MACHINE, program, "--np", 1, "--json", "-", *arguments, "--", walk, rows, columns, rounds).json[
            "sim_time_ns"
        ]
        for rounds in (few, many)
    ]
    return (times[1] - times[0]) / (many - few) / rows / columns


@pytest.mark.parametrize(
    ("walk", "rows", "columns"),
    [
        ("rows", 1000, 301),
        ("columns", 1000, 301),  # the lines of a column outgrow the first level
        ("columns", 301, 1000),
        ("columns", 1024, 256),  # by half a page
        ("gather", 1000, 301),  # from 2.4 MB
        ("gather", 100, 301),  # from the second level
        ("list", 1000, 301),
    ],
)
def test_the_three_ways_agree_for_walks_that_skip(programs, walk, rows, columns):
    counted, sampled, followed = (ns_of_an_element(programs[way], walk, rows, columns, *WAITS[way]) for way in WAITS)
    assert sampled == pytest.approx(followed, rel=0.2)
    assert counted == pytest.approx(followed, rel=0.2)


def test_a_walk_down_columns_waits_for_a_line_with_each_element(programs):
    """4 elements share a line of 32 bytes: where a row is one line long, none of a column's are left."""
    rows, columns = 32768, 4  # a column is as long as memory: 1 MiB, of which the second level has half
    by_rows = ns_of_an_element(programs["counted"], "rows", rows, columns)
    by_columns = ns_of_an_element(programs["counted"], "columns", rows, columns)
    assert by_columns > 2.5 * by_rows
