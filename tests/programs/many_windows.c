/* More windows than a card knows pieces of memory, each on pages of its own: small puts, puts of a page, and large
 * messages at once. When they have been freed, the
 * card does puts to a window as before. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"

enum { BYTES = 8192, MESSAGES = 12, MESSAGE_BYTES = 100000 };
static int size, right, left;

struct one {
  MPI_Win window;
  char* memory;
};

static struct one made(int allocated) {
  struct one one;
  if (allocated) {
    MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &one.memory, &one.window);
  } else {
    one.memory = malloc(BYTES);
    MPI_Win_create(one.memory, BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &one.window);
  }
  memset(one.memory, 0, BYTES);
  MPI_Win_fence(0, one.window);
  return one;
}

static void freed(struct one* one, int allocated) {
  MPI_Win_free(&one->window);
  if (!allocated) free(one->memory);
}

static char mark(int from, int i) { return (char)(1 + (3 * from + 5 * i) % 120); }

/* Large messages are under way while the puts begin and end. */
static void use_all(struct one* all, int count) {
  char *out = malloc((size_t)MESSAGES * MESSAGE_BYTES), *in = malloc((size_t)MESSAGES * MESSAGE_BYTES), *page;
  MPI_Request requests[2 * MESSAGES];
  page = malloc(BYTES / 2);
  for (int i = 0; i < MESSAGES; ++i) {
    char *to = out + (size_t)i * MESSAGE_BYTES, *from = in + (size_t)i * MESSAGE_BYTES;
    memset(to, mark(rank, i), MESSAGE_BYTES);
    MPI_Irecv(from, MESSAGE_BYTES, MPI_CHAR, left, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Isend(to, MESSAGE_BYTES, MPI_CHAR, right, i, MPI_COMM_WORLD, &requests[MESSAGES + i]);
  }
  memset(page, mark(rank, 7), BYTES / 2);
  for (int i = 0; i < count; ++i) {
    const char small = mark(rank, i);
    MPI_Put(&small, 1, MPI_CHAR, right, i % 100, 1, MPI_CHAR, all[i].window);
    if (i % 16 == 0) MPI_Put(page, BYTES / 2, MPI_CHAR, right, BYTES / 2, BYTES / 2, MPI_CHAR, all[i].window);
    MPI_Win_fence(0, all[i].window);
    CHECK(all[i].memory[i % 100] == mark(left, i));
    CHECK(i % 16 != 0 || all[i].memory[BYTES - 1] == mark(left, 7));
  }
  MPI_Waitall(2 * MESSAGES, requests, MPI_STATUSES_IGNORE);
  for (size_t i = 0; i < (size_t)MESSAGES * MESSAGE_BYTES; ++i) CHECK(in[i] == mark(left, (int)(i / MESSAGE_BYTES)));
  free(page);
  free(in);
  free(out);
}

/* Whether a put ends while the CPU of its target does nothing for it: those of the first half of the ranks. The memory
 * is none that has been in a window. */
static int is_by_card(void) {
  enum { APART = 65536 };
  static char fresh[4][APART];
  static int used;
  const struct timespec rest = {.tv_nsec = 500000000};
  struct one one = {.memory = fresh[used++] + APART / 2};
  const int half = size / 2, target = rank + half;
  int is = 1;
  MPI_Win_create(one.memory, BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &one.window);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank >= half) {
    nanosleep(&rest, NULL);
  } else {
    const double begin = MPI_Wtime();
    MPI_Win_lock(MPI_LOCK_SHARED, target, MPI_MODE_NOCHECK, one.window);
    MPI_Put(one.memory, BYTES, MPI_CHAR, target, 0, BYTES, MPI_CHAR, one.window);
    MPI_Win_unlock(target, one.window);
    is = MPI_Wtime() - begin < 0.1;
  }
  MPI_Win_free(&one.window);
  return is;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  const int count = argc > 1 ? atoi(argv[1]) : 80;
  struct one* all = malloc((size_t)count * sizeof *all);
  for (int allocated = 0; allocated < 2; ++allocated) {
    const int before = is_by_card();
    for (int i = 0; i < count; ++i) all[i] = made(allocated);
    use_all(all, count);
    for (int i = 0; i < count; ++i) freed(&all[i], allocated);
    CHECK(is_by_card() == before);
  }
  free(all);
  if (rank == 0) puts("PASS");
  MPI_Finalize();
  return 0;
}
