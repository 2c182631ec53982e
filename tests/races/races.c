/* Races of one-sided communication, each with its right twin: for `sanvp run --check-mpi`.
 *
 * usage: races (right | wrong) [CASE...]     without cases: all */
#include "tests/races/races.h"

#include <stdio.h>
#include <string.h>

int rank;
MPI_Win window;
int* memory;
int own[16];
volatile int sink;

static int is_named(const char* name, int argc, char** argv) {
  for (int i = 2; i < argc; ++i)
    if (strcmp(argv[i], name) == 0) return 1;
  return argc <= 2;
}

int main(int argc, char** argv) {
  const struct race* const all[] = {remote_races, local_races, orders};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(W, &rank);
  MPI_Win_allocate(64 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, W, &memory, &window);
  const int wrong = argc > 1 && strcmp(argv[1], "wrong") == 0;
  for (size_t file = 0; file < sizeof all / sizeof *all; ++file)
    for (const struct race* one = all[file]; one->name != NULL; ++one) {
      if (!is_named(one->name, argc, argv)) continue;
      meet();
      memset(memory, 0, 64 * sizeof *memory);
      memset(own, 0, sizeof own);
      own[0] = rank + 1;
      meet();
      one->make(wrong);
      meet();
      if (rank == 0 && !wrong) printf("%s\n", one->name);
    }
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
