/* The types of OpenSHMEM 1.5: each list calls M(name, type) for each of them, so that common code is written once. */
#ifndef SANVP_SHMEM_TYPES_H
#define SANVP_SHMEM_TYPES_H

/* C90 knows `inline` by this name alone. */
#define SHMEM_INLINE static __inline__

#define SHMEM_EACH_FLOATING(M) M(float, float) M(double, double)

/* Atomic operations with AND, OR and XOR. */
#define SHMEM_EACH_BITWISE(M)      \
  M(uint, unsigned int)            \
  M(ulong, unsigned long)          \
  M(ulonglong, unsigned long long) \
  M(int32, int32_t)                \
  M(int64, int64_t)                \
  M(uint32, uint32_t)              \
  M(uint64, uint64_t)

/* ... with addition and comparison. */
#define SHMEM_EACH_ATOMIC(M) \
  M(int, int)                \
  M(long, long)              \
  M(longlong, long long)     \
  M(size, size_t)            \
  M(ptrdiff, ptrdiff_t)      \
  SHMEM_EACH_BITWISE(M)

/* ... with fetch, set and swap. */
#define SHMEM_EACH_FETCHED(M) SHMEM_EACH_ATOMIC(M) SHMEM_EACH_FLOATING(M)

/* For waits and tests. */
#define SHMEM_EACH_WAITED(M) M(short, short) M(ushort, unsigned short) SHMEM_EACH_ATOMIC(M)

/* For put and get, and collective calls that move data. */
#define SHMEM_EACH_MOVED(M)  \
  SHMEM_EACH_FLOATING(M)     \
  SHMEM_EACH_WAITED(M)       \
  M(longdouble, long double) \
  M(char, char)              \
  M(schar, signed char)      \
  M(uchar, unsigned char)    \
  M(int8, int8_t)            \
  M(int16, int16_t)          \
  M(uint8, uint8_t)          \
  M(uint16, uint16_t)

/* Reduced in active sets with AND, OR, XOR; MIN, MAX as well; SUM, PROD as well. */
#define SHMEM_EACH_REDUCED_BITWISE(M) M(short, short) M(int, int) M(long, long) M(longlong, long long)
#define SHMEM_EACH_REDUCED_ORDERED(M) \
  SHMEM_EACH_REDUCED_BITWISE(M) M(float, float) M(double, double) M(longdouble, long double)
#define SHMEM_EACH_COMPLEX(M) M(complexf, float _Complex) M(complexd, double _Complex)
#define SHMEM_EACH_REDUCED(M) SHMEM_EACH_REDUCED_ORDERED(M) SHMEM_EACH_COMPLEX(M)

/* The same in teams. */
#define SHMEM_EACH_TEAM_BITWISE(M) \
  M(uchar, unsigned char)          \
  M(ushort, unsigned short)        \
  M(uint, unsigned int)            \
  M(ulong, unsigned long)          \
  M(ulonglong, unsigned long long) \
  M(int8, int8_t)                  \
  M(int16, int16_t)                \
  M(int32, int32_t)                \
  M(int64, int64_t)                \
  M(uint8, uint8_t)                \
  M(uint16, uint16_t)              \
  M(uint32, uint32_t)              \
  M(uint64, uint64_t)              \
  M(size, size_t)
#define SHMEM_EACH_TEAM_ORDERED(M) \
  M(char, char)                    \
  M(schar, signed char)            \
  M(ptrdiff, ptrdiff_t)            \
  SHMEM_EACH_REDUCED_ORDERED(M)    \
  SHMEM_EACH_TEAM_BITWISE(M)
#define SHMEM_EACH_TEAM_REDUCED(M) SHMEM_EACH_TEAM_ORDERED(M) SHMEM_EACH_COMPLEX(M)

/* Types with a size: M(bits, bytes). */
#define SHMEM_EACH_SIZE(M) M(8, 1) M(16, 2) M(32, 4) M(64, 8) M(128, 16)

/* ---- contexts and teams ---- */
typedef struct shmem_context* shmem_ctx_t;
typedef struct shmem_team* shmem_team_t;

/* Stands for the context parameter of a call. */
#define SHMEM_NO_CONTEXT
#define SHMEM_CONTEXT shmem_ctx_t context,

#endif
