/* Mistakes in the use of MPI, each with its right twin: for `sanvp run --check-mpi`.
 *
 * usage: mistakes (right | wrong) CASE...     a case, or "all": those after which the program can go on */
#include "tests/mistakes/mistakes.h"

#include <stdio.h>
#include <string.h>

int rank, ranks, left, right, other;
MPI_Win window;
int memory[64];

static void make_those_named(const char* wanted, int wrong) {
  const struct mistake* const all[] = {types_of_messages, buffers, calls_with_errors,   leaks,
                                       collectives,       windows, hidden_by_buffering, endings};
  const int is_all = strcmp(wanted, "all") == 0;
  for (size_t file = 0; file < sizeof all / sizeof *all; ++file)
    for (const struct mistake* one = all[file]; one->name != NULL; ++one) {
      const int among_all = is_all && !(one->ends && wrong);
      if (!among_all && strcmp(wanted, one->name) != 0) continue;
      one->make(wrong);
      meet();
    }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(W, &rank);
  MPI_Comm_size(W, &ranks);
  right = (rank + 1) % ranks;
  left = (rank + ranks - 1) % ranks;
  other = rank ^ 1;
  MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, W, &window);
  const int wrong = argc > 1 && strcmp(argv[1], "wrong") == 0;
  for (int i = 2; i < argc; ++i) make_those_named(argv[i], wrong);
  MPI_Win_free(&window);
  MPI_Finalize();
  if (rank == 0) printf("END\n");
  return 0;
}
