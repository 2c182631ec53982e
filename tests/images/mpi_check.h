/* Shared by the test programs of MPI: rank and neighbours, and failures that say where and what. */
#ifndef SANVP_MPI_CHECK_H
#define SANVP_MPI_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"

static int rank, ranks, left, right; /* of MPI_COMM_WORLD; neighbours on a ring */

#define EXPECT(good) expect(good, #good, __func__, __LINE__)
static void expect(int good, const char* what, const char* where, int line) {
  if (good) return;
  char text[384];
  snprintf(text, sizeof text, "rank %d of %d, %s, line %d: not so: %s", rank, ranks, where, line, what);
  hal_abort(text);
}

static inline void begin(int* argc, char*** argv) {
  EXPECT(MPI_Init(argc, argv) == MPI_SUCCESS);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  right = (rank + 1) % ranks;
  left = (rank + ranks - 1) % ranks;
}

static inline int finish(void) {
  EXPECT(MPI_Finalize() == MPI_SUCCESS);
  if (rank == 0) printf("PASS\n");
  return 0;
}

/* Bytes that identify their owner and purpose. */
static inline unsigned char byte_of(int from, int what, size_t i) {
  return (unsigned char)(from * 37 + what * 11 + (int)(i * 7 + i / 251));
}

static inline void fill(void* buffer, size_t bytes, int from, int what) {
  for (size_t i = 0; i < bytes; ++i) ((unsigned char*)buffer)[i] = byte_of(from, what, i);
}

static inline int is_filled(const void* buffer, size_t bytes, int from, int what) {
  for (size_t i = 0; i < bytes; ++i)
    if (((const unsigned char*)buffer)[i] != byte_of(from, what, i)) return 0;
  return 1;
}

static inline int count_of(const MPI_Status* status, MPI_Datatype type) {
  int count = -1;
  MPI_Get_count(status, type, &count);
  return count;
}

#endif
