/* Shared by the programs of OpenSHMEM 1.5: a check that ends the job, and lists of types. */
#ifndef PE_CHECK_H
#define PE_CHECK_H

#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, npes;

#define CHECK(good) \
  ((good) ? (void)0 \
          : (fprintf(stderr, "PE %d, %s:%d: not so: %s\n", me, __FILE__, __LINE__, #good), shmem_global_exit(1)))

/* The tables of the standard, once more. */
#define AMO_BITWISE(M)             \
  M(uint, unsigned int)            \
  M(ulong, unsigned long)          \
  M(ulonglong, unsigned long long) \
  M(int32, int32_t) M(int64, int64_t) M(uint32, uint32_t) M(uint64, uint64_t)
#define AMO(M)           \
  M(int, int)            \
  M(long, long)          \
  M(longlong, long long) \
  M(size, size_t)        \
  M(ptrdiff, ptrdiff_t)  \
  AMO_BITWISE(M)
#define WAITED(M) M(short, short) M(ushort, unsigned short) AMO(M)
#define RMA(M)               \
  WAITED(M)                  \
  M(float, float)            \
  M(double, double)          \
  M(longdouble, long double) \
  M(char, char)              \
  M(schar, signed char)      \
  M(uchar, unsigned char) M(int8, int8_t) M(int16, int16_t) M(uint8, uint8_t) M(uint16, uint16_t)
#define SIZES(M) M(8, uint8_t) M(16, uint16_t) M(32, uint32_t) M(64, uint64_t) M(128, struct wide)

struct wide {
  uint64_t low, high;
};

static inline void start(void) {
  shmem_init();
  me = shmem_my_pe();
  npes = shmem_n_pes();
}

static int passed(const char* what) {
  shmem_barrier_all();
  if (me == 0) printf("PASS %s on %d PEs\n", what, npes);
  shmem_finalize();
  return 0;
}

#endif
