/* Shared by the test programs of OpenSHMEM. */
#ifndef SANVP_TESTS_SHMEM_EXPECT_H
#define SANVP_TESTS_SHMEM_EXPECT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shmem.h>

static int failures;

#define EXPECT(condition)                                                               \
  do {                                                                                  \
    if (!(condition)) {                                                                 \
      if (++failures < 10) printf("FAIL: %s:%d: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                                   \
  } while (0)

/* Each process reports its own result; the first one that of all. */
static inline int finish(void) {
  static int all;
  static int own;
  static int work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
  static long sync[SHMEM_REDUCE_SYNC_SIZE];
  own = failures;
  const int self = shmem_my_pe();
  shmem_int_sum_to_all(&all, &own, 1, 0, 0, shmem_n_pes(), work, sync);
  if (self == 0) puts(all == 0 ? "PASS" : "FAIL");
  shmem_finalize();
  return all != 0;
}

/* Byte i of the data that process `pe` sends; neighbouring bytes differ. */
static inline unsigned char pattern(int pe, size_t i) { return (unsigned char)(pe * 61 + (int)i * 7 + 3); }

static inline void fill(void* memory, size_t bytes, int pe) {
  for (size_t i = 0; i < bytes; ++i) ((unsigned char*)memory)[i] = pattern(pe, i);
}

/* The number of bytes that differ from the pattern from `first` on. */
static inline size_t wrong(const void* memory, size_t bytes, int pe, size_t first) {
  size_t count = 0;
  for (size_t i = 0; i < bytes; ++i) count += ((const unsigned char*)memory)[i] != pattern(pe, first + i);
  return count;
}

/* The number of bytes that are not `value`. */
static inline size_t others(const void* memory, size_t bytes, unsigned char value) {
  size_t count = 0;
  for (size_t i = 0; i < bytes; ++i) count += ((const unsigned char*)memory)[i] != value;
  return count;
}

#endif
