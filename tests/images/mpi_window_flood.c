/* All ranks accumulate long vectors into the windows of all, and fetch them, at once: more requests than any rank has
 * receives, or its transport room, for. */
#include "tests/images/mpi_check.h"

enum { COUNT = 8192 };
static double own[COUNT], got[COUNT];

static int to(int i) { return (rank + i) % ranks; }

int main(int argc, char** argv) {
  begin(&argc, &argv);
  double* memory = NULL;
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_allocate(COUNT * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  for (int i = 0; i < COUNT; ++i) memory[i] = 0, own[i] = rank + i;
  MPI_Win_fence(0, window);
  for (int i = 0; i < ranks; ++i) MPI_Accumulate(own, COUNT, MPI_DOUBLE, to(i), 0, COUNT, MPI_DOUBLE, MPI_SUM, window);
  MPI_Win_fence(0, window);
  const double of_ranks = ranks * (ranks - 1) / 2.0; /* the sum of all ranks' numbers */
  for (int i = 0; i < COUNT; ++i) EXPECT(memory[i] == of_ranks + (double)ranks * i);
  MPI_Win_fence(0, window);
  for (int i = 0; i < ranks; ++i)
    MPI_Get_accumulate(NULL, 0, MPI_DOUBLE, got, COUNT, MPI_DOUBLE, to(i), 0, COUNT, MPI_DOUBLE, MPI_NO_OP, window);
  MPI_Win_fence(0, window);
  for (int i = 0; i < COUNT; ++i) EXPECT(got[i] == of_ranks + (double)ranks * i);
  MPI_Win_free(&window);
  return finish();
}
