/* Ranks that poll the window of rank 0, which has work of its own meanwhile: `spin` for a lock that
 * MPI_Compare_and_swap takes, rank 0 among them; for a flag, by MPI_Fetch_and_op (`fetch`) or MPI_Get (`get`). */
#include <string.h>

#include "tests/images/mpi_check.h"

enum { LOCK, COUNTER, TIMES = 4, MESSAGES = 50 };

static int replace(int value, int at, MPI_Win window) {
  MPI_Accumulate(&value, 1, MPI_INT, 0, at, 1, MPI_INT, MPI_REPLACE, window);
  return MPI_Win_flush(0, window);
}

static int get(int at, MPI_Win window) {
  int value = 0;
  MPI_Get(&value, 1, MPI_INT, 0, at, 1, MPI_INT, window);
  MPI_Win_flush(0, window);
  return value;
}

static int fetch(MPI_Win window) {
  int value = 0;
  MPI_Fetch_and_op(NULL, &value, MPI_INT, 0, LOCK, MPI_NO_OP, window);
  MPI_Win_flush(0, window);
  return value;
}

static int lock_is_taken(MPI_Win window) {
  const int free = 0, taken = 1;
  int before = 0;
  MPI_Compare_and_swap(&taken, &free, &before, MPI_INT, 0, LOCK, window);
  MPI_Win_flush(0, window);
  return before;
}

static void spin(MPI_Win window) {
  for (int i = 0; i < TIMES; ++i) {
    while (lock_is_taken(window)) continue;
    replace(get(COUNTER, window) + 1, COUNTER, window);
    replace(0, LOCK, window);
  }
}

static void set_flag(MPI_Win window) {
  for (int i = 0; i < MESSAGES; ++i) {
    int got = -1;
    MPI_Sendrecv(&i, 1, MPI_INT, 0, 0, &got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(got == i);
  }
  replace(1, LOCK, window);
}

static void poll_by(const char* how, MPI_Win window) {
  if (rank == 0)
    set_flag(window);
  else if (strcmp(how, "get") == 0)
    while (!get(LOCK, window)) continue;
  else
    while (!fetch(window)) continue;
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  int* memory = NULL;
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_allocate(rank == 0 ? 2 * sizeof *memory : 0, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  if (rank == 0) memory[LOCK] = memory[COUNTER] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  const int spins = strcmp(argv[1], "spin") == 0;
  if (spins)
    spin(window);
  else
    poll_by(argv[1], window);
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) EXPECT(memory[COUNTER] == (spins ? TIMES * ranks : 0));
  MPI_Win_free(&window);
  return finish();
}
