/* Buffers that are neither heap, globals nor stack: constants, thread-local data, mappings, memory that the C library
 * allocates. Each is sent from, and received into if it is writable, around a ring, in eager and in longer messages, by
 * MPI and by OpenSHMEM. */
#define _GNU_SOURCE
#include <mpi.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MOST 5000

static const char constants[MOST] = {[0] = 1, [MOST / 2] = 2, [MOST - 1] = 3};
static __thread char of_thread[MOST];
static char heard[MOST], symmetric[MOST];
static int rank, next, previous;

static void require(int is_so, const char* what, size_t bytes) {
  if (is_so) return;
  printf("FAIL: %s, %zu bytes\n", what, bytes);
  exit(1);
}

static void by_mpi(const char* what, const char* from, size_t bytes) {
  for (int synchronous = 0; synchronous <= 1; ++synchronous) {
    MPI_Request request;
    memset(heard, 7, sizeof heard);
    (synchronous ? MPI_Issend : MPI_Isend)(from, (int)bytes, MPI_CHAR, next, 1, MPI_COMM_WORLD, &request);
    MPI_Recv(heard, MOST, MPI_CHAR, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    require(memcmp(heard, from, bytes) == 0 && (bytes == MOST || heard[bytes] == 7), what, bytes);
  }
}

/* A receive writes no more than the message's length. */
static void into(const char* what, char* to, size_t bytes) {
  memset(to, 7, bytes);
  MPI_Request requests[2];
  MPI_Irecv(to, (int)bytes, MPI_CHAR, previous, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(constants, (int)bytes - 1, MPI_CHAR, next, 3, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  require(memcmp(to, constants, bytes - 1) == 0 && to[bytes - 1] == 7, what, bytes);
}

static void by_shmem(const char* what, const char* from, size_t bytes) {
  memset(symmetric, 7, sizeof symmetric);
  shmem_barrier_all();
  if (bytes % 2)
    shmem_putmem(symmetric, from, bytes, next);
  else
    shmem_putmem_nbi(symmetric, from, bytes, next);
  shmem_barrier_all();
  require(memcmp(symmetric, from, bytes) == 0 && (bytes == MOST || symmetric[bytes] == 7), what, bytes);
  shmem_barrier_all();
}

static void got_into(const char* what, char* to, size_t bytes) {
  memset(symmetric, rank + 1, sizeof symmetric);
  shmem_barrier_all();
  memset(to, 7, bytes);
  if (bytes % 2)
    shmem_getmem(to, symmetric, bytes - 1, next);
  else
    shmem_getmem_nbi(to, symmetric, bytes - 1, next);
  shmem_quiet();
  require(to[0] == next + 1 && to[bytes - 2] == next + 1 && to[bytes - 1] == 7, what, bytes);
  shmem_barrier_all();
}

static void try_all(const char* what, const char* from, char* to, size_t most) {
  const size_t sizes[] = {2, 17, 288, 289, 1000, 1025, MOST};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= most; ++i) {
    for (size_t at = 0; to && at < sizes[i]; ++at) to[at] = (char)(at * 3);
    by_mpi(what, from, sizes[i]);
    by_shmem(what, from, sizes[i]);
    if (!to) continue;
    into(what, to, sizes[i]);
    got_into(what, to, sizes[i]);
  }
}

int main(int argc, char** argv) {
  int count;
  MPI_Init(&argc, &argv);
  shmem_init();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  next = (rank + 1) % count;
  previous = (rank + count - 1) % count;
  char* mapped = mmap(NULL, MOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char* printed = NULL;
  size_t length = 0;
  FILE* stream = open_memstream(&printed, &length);
  fprintf(stream, "%0600d", 5);
  fclose(stream);
  try_all("constants", constants, NULL, MOST);
  try_all("a string", "a string of more than sixteen characters", NULL, 17);
  try_all("thread-local data", of_thread, of_thread, MOST);
  try_all("a mapping", mapped, mapped, MOST);
  try_all("what the C library allocates", printed, printed, length);
  try_all("arguments", argv[0], NULL, strlen(argv[0]));
  free(printed);
  MPI_Barrier(MPI_COMM_WORLD);
  puts("PASS");
  shmem_finalize();
  MPI_Finalize();
  return 0;
}
