"""MPI begins in a constructor and ends in a destructor: of a C++ object, or of a C program, native or for RISC-V."""

from __future__ import annotations

from pathlib import Path

import pytest
from binaries import needs_compilers, wrapper
from program import done

CPP = """
#include <mpi.h>
#include <cstdio>
#include <iostream>
#include <vector>
struct World {
  int rank, ranks;
  std::vector<int> squares;
  World() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int own = rank * rank;
    squares.resize(ranks);
    MPI_Allgather(&own, 1, MPI_INT, squares.data(), 1, MPI_INT, MPI_COMM_WORLD);
  }
  ~World() {
    MPI_Finalize();
    std::puts("over");
  }
};
static World world;
int main(int argc, char** argv) {
  std::cout << world.rank << " of " << world.ranks << ": " << world.squares.back() << ", " << argv[argc - 1] << "\\n";
}
"""
C = """
#include <mpi.h>
#include <stdio.h>
static int rank, ranks, came;
static const char* last;
__attribute__((constructor)) static void begin(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  last = argv[argc - 1];
}
__attribute__((destructor)) static void end(void) {
  MPI_Finalize();
  puts("over");
}
int main(void) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int square = (ranks - 1) * (ranks - 1), to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  MPI_Sendrecv(&square, 1, MPI_INT, to, 0, &came, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("%d of %d: %d, %s\\n", rank, ranks, came, last);
  return 0;
}
"""


@needs_compilers
@pytest.mark.parametrize("target", [[], ["--target", "riscv64"]], ids=["native", "riscv"])
@pytest.mark.parametrize(
    ("tool", "suffix", "source"), [("sanvp-c++", "cpp", CPP), ("sanvp-cc", "c", C)], ids=["C++", "C"]
)
def test_mpi_may_begin_in_a_constructor_and_end_in_a_destructor(tmp_path: Path, target, tool, suffix, source):
    (tmp_path / f"p.{suffix}").write_text(source)
    made = wrapper(tool, *target, f"p.{suffix}", "-o", "program", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    for machine, *options in (("qsnet-16",), ("myrinet-8",), ("tofu-36", "--map", "0,0,1")):
        result = done("run", machine, tmp_path / "program", "--np", 3, *options, "--", "word")
        expected = [f"[{rank}] {text}" for rank in range(3) for text in (f"{rank} of 3: 4, word", "over")]
        assert sorted(result.out.splitlines()) == expected
        assert "without MPI_Finalize" not in result.err
