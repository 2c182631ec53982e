/* OpenSHMEM, collective calls: over all processes, and over active sets of every kind at once. */
#include <complex.h>

#include "tests/images/shmem_expect.h"

static int me, all;
static long sync_words[64]; /* other libraries need these: SHMEM_SYNC_VALUE before and after */

struct set {
  int start, log_stride, size, self;
};
#define SET set.start, set.log_stride, set.size

static struct set set_of(int start, int log_stride, int size) {
  const int stride = 1 << log_stride;
  const int in = me >= start && (me - start) % stride == 0 && (me - start) / stride < size;
  return (struct set){start, log_stride, size, in ? (me - start) / stride : -1};
}

static int pe_at(struct set set, int place) { return set.start + (place << set.log_stride); }

/* ---- broadcast ---- */
static void broadcasts(struct set set, size_t count) {
  unsigned char* source = shmem_align(64, count * 8 + 8);
  unsigned char* dest = shmem_malloc(count * 8 + 8);
  for (int root = 0; root < set.size; root += set.size / 3 + 1) {
    fill(source, count * 8, me);
    memset(dest, 0xee, count * 8 + 8);
    shmem_barrier_all();
    if (set.self >= 0) {
      shmem_broadcast64(dest, source, count, root, SET, sync_words);
      if (set.self == root)
        EXPECT(others(dest, count * 8, 0xee) == 0);
      else
        EXPECT(wrong(dest, count * 8, pe_at(set, root), 0) == 0);
    } else {
      EXPECT(others(dest, count * 8, 0xee) == 0);
    }
    EXPECT(others(dest + count * 8, 8, 0xee) == 0);
    shmem_barrier_all();
    memset(dest, 0xee, count * 8 + 8);
    shmem_barrier_all();
    if (set.self >= 0) shmem_broadcast32(dest, source, count, root, SET, sync_words);
    if (set.self >= 0 && set.self != root) EXPECT(wrong(dest, count * 4, pe_at(set, root), 0) == 0);
    EXPECT(others(dest + count * 4, count * 4, 0xee) == 0);
    shmem_barrier_all();
  }
  shmem_free(dest);
  shmem_free(source);
}

/* ---- collect: each contributes another number of elements, the first of an odd set none ---- */
static size_t brings(struct set set, int place) { return (size_t)(place * 3 + 1 + set.size) % 7; }

static void collects(struct set set) {
  enum { MOST = 7 };
  unsigned char* source = shmem_malloc(MOST * 8);
  unsigned char* dest = shmem_malloc((size_t)all * MOST * 8 + 8);
  const size_t room = (size_t)all * MOST * 8 + 8;
  for (size_t bytes = 4; bytes <= 8; bytes += 4) {
    fill(source, MOST * 8, me);
    memset(dest, 0xee, room);
    shmem_barrier_all();
    size_t at = 0;
    if (set.self >= 0) {
      (bytes == 4 ? shmem_collect32 : shmem_collect64)(dest, source, brings(set, set.self), SET, sync_words);
      for (int i = 0; i < set.size; at += brings(set, i++) * bytes)
        EXPECT(wrong(dest + at, brings(set, i) * bytes, pe_at(set, i), 0) == 0);
    }
    EXPECT(others(dest + at, room - at, 0xee) == 0);
    shmem_barrier_all();
    memset(dest, 0xee, room);
    shmem_barrier_all();
    at = 0;
    if (set.self >= 0) {
      (bytes == 4 ? shmem_fcollect32 : shmem_fcollect64)(dest, source, MOST, SET, sync_words);
      for (int i = 0; i < set.size; ++i, at += MOST * bytes)
        EXPECT(wrong(dest + at, MOST * bytes, pe_at(set, i), 0) == 0);
    }
    EXPECT(others(dest + at, room - at, 0xee) == 0);
    shmem_barrier_all();
  }
  shmem_free(dest);
  shmem_free(source);
}

/* ---- alltoall ---- */
static void alltoalls(struct set set) {
  enum { COUNT = 3, DST = 2, SST = 3 };
  const size_t room = (size_t)all * COUNT * SST * 8;
  unsigned char* source = shmem_malloc(room);
  unsigned char* dest = shmem_malloc(room);
  for (size_t bytes = 4; bytes <= 8; bytes += 4) {
    fill(source, room, me);
    memset(dest, 0xee, room);
    shmem_barrier_all();
    size_t used = 0;
    if (set.self >= 0) {
      (bytes == 4 ? shmem_alltoall32 : shmem_alltoall64)(dest, source, COUNT, SET, sync_words);
      const size_t block = COUNT * bytes;
      used = (size_t)set.size * block;
      for (int i = 0; i < set.size; ++i)
        EXPECT(wrong(dest + (size_t)i * block, block, pe_at(set, i), (size_t)set.self * block) == 0);
    }
    EXPECT(others(dest + used, room - used, 0xee) == 0);
    shmem_barrier_all();
    memset(dest, 0xee, room);
    shmem_barrier_all();
    if (set.self >= 0) {
      (bytes == 4 ? shmem_alltoalls32 : shmem_alltoalls64)(dest, source, DST, SST, COUNT, SET, sync_words);
      for (int i = 0; i < set.size * COUNT; ++i) {
        const size_t from = (size_t)(set.self * COUNT + i % COUNT) * SST * bytes;
        const unsigned char* at = dest + (size_t)i * DST * bytes;
        EXPECT(wrong(at, bytes, pe_at(set, i / COUNT), from) == 0);
        EXPECT(others(at + bytes, (DST - 1) * bytes, 0xee) == 0);
      }
    }
    shmem_barrier_all();
  }
  shmem_free(dest);
  shmem_free(source);
}

/* ---- reductions: small integers, exact in every type ---- */
static long value(int pe, int i) { return (pe * 5 + i * 3) % 7 + 1; }

#define COMBINED(initial, expression)          \
  long want = initial;                         \
  for (int k = 0; k < set.size; ++k) {         \
    const long next = value(pe_at(set, k), i); \
    want = expression;                         \
  }

#define REDUCTION(name, type, operation, initial, expression)                                     \
  static void operation##_##name(struct set set, int count, int in_place) {                       \
    static type source[300], dest[300], work[300];                                                \
    for (int i = 0; i < 300; ++i) source[i] = (type)value(me, i), dest[i] = (type)99;             \
    shmem_barrier_all();                                                                          \
    type* to = in_place ? source : dest;                                                          \
    if (set.self >= 0) {                                                                          \
      shmem_##name##_##operation##_to_all(to, source, count, SET, work, sync_words);              \
      for (int i = 0; i < count; ++i) {                                                           \
        COMBINED(initial, expression)                                                             \
        EXPECT(to[i] == (type)want);                                                              \
      }                                                                                           \
    }                                                                                             \
    const int from = set.self >= 0 ? count : 0;                                                   \
    for (int i = from; i < 300; ++i) EXPECT(to[i] == (in_place ? (type)value(me, i) : (type)99)); \
    shmem_barrier_all();                                                                          \
  }
#define AND(name, type) REDUCTION(name, type, and, -1L, want& next)
#define OR(name, type) REDUCTION(name, type, or, 0L, want | next)
#define XOR(name, type) REDUCTION(name, type, xor, 0L, want ^ next)
#define MIN(name, type) REDUCTION(name, type, min, 100L, want < next ? want : next)
#define MAX(name, type) REDUCTION(name, type, max, -100L, want > next ? want : next)
#define SUM(name, type) REDUCTION(name, type, sum, 0L, want + next)
/* Ones and twos only, so that the product does not overflow: all but two members contribute 1. */
#define PROD(name, type)                                                                                 \
  static void prod_##name(struct set set, int count, int in_place) {                                     \
    static type source[300], dest[300], work[300];                                                       \
    for (int i = 0; i < 300; ++i) source[i] = (type)(set.self == i % set.size || set.self == 0 ? 3 : 1); \
    shmem_barrier_all();                                                                                 \
    type* to = in_place ? source : dest;                                                                 \
    if (set.self >= 0) {                                                                                 \
      shmem_##name##_prod_to_all(to, source, count, SET, work, sync_words);                              \
      for (int i = 0; i < count; ++i) EXPECT(to[i] == (type)(i % set.size == 0 ? 3 : 9));                \
    }                                                                                                    \
    shmem_barrier_all();                                                                                 \
  }
SHMEM_EACH_REDUCED_BITWISE(AND)
SHMEM_EACH_REDUCED_BITWISE(OR)
SHMEM_EACH_REDUCED_BITWISE(XOR)
SHMEM_EACH_REDUCED_ORDERED(MIN)
SHMEM_EACH_REDUCED_ORDERED(MAX)
SHMEM_EACH_REDUCED(SUM)
SHMEM_EACH_REDUCED(PROD)

#define RUN_AND(name, type) and_##name(set, count, in_place);
#define RUN_OR(name, type) or_##name(set, count, in_place);
#define RUN_XOR(name, type) xor_##name(set, count, in_place);
#define RUN_MIN(name, type) min_##name(set, count, in_place);
#define RUN_MAX(name, type) max_##name(set, count, in_place);
#define RUN_SUM(name, type) sum_##name(set, count, in_place);
#define RUN_PROD(name, type) prod_##name(set, count, in_place);

static void every_reduction(struct set set, int count, int in_place) {
  SHMEM_EACH_REDUCED_BITWISE(RUN_AND)
  SHMEM_EACH_REDUCED_BITWISE(RUN_OR)
  SHMEM_EACH_REDUCED_BITWISE(RUN_XOR)
  SHMEM_EACH_REDUCED_ORDERED(RUN_MIN)
  SHMEM_EACH_REDUCED_ORDERED(RUN_MAX)
  SHMEM_EACH_REDUCED(RUN_SUM)
  SHMEM_EACH_REDUCED(RUN_PROD)
}

/* A sum of floats that depends on the order of its terms has the same bits everywhere. */
static void same_bits(void) {
  static double source, dest, work[1];
  enum { MOST = 1024 };
  static double everybodys[MOST];
  source = 1.0 / (me + 3);
  shmem_barrier_all();
  shmem_double_sum_to_all(&dest, &source, 1, 0, 0, all, work, sync_words);
  shmem_fcollect64(everybodys, &dest, 1, 0, 0, all, sync_words);
  for (int i = 1; i < all; ++i) EXPECT(memcmp(&everybodys[i], &everybodys[0], sizeof dest) == 0);
}

static void imaginary(void) {
  static float _Complex source, dest, work[1];
  source = (float)(me + 1) + 2.0F * (float)me * I;
  shmem_barrier_all();
  shmem_complexf_sum_to_all(&dest, &source, 1, 0, 0, all, work, sync_words);
  EXPECT(crealf(dest) == (float)all * (float)(all + 1) / 2 && cimagf(dest) == (float)(all * (all - 1)));
}

/* Two sets at a time, then all again: each has its own messages. */
static void interleaved(void) {
  static int source, dest, work[1];
  for (int round = 0; round < 5; ++round) {
    struct set set = set_of(me % 2, 1, (all + 1 - me % 2) / 2);
    source = me + round;
    shmem_barrier_all();
    shmem_int_sum_to_all(&dest, &source, 1, SET, work, sync_words);
    int want = 0;
    for (int i = 0; i < set.size; ++i) want += pe_at(set, i) + round;
    EXPECT(dest == want);
    shmem_barrier(SET, sync_words);
    set = set_of(0, 0, all);
    shmem_int_max_to_all(&dest, &source, 1, SET, work, sync_words);
    EXPECT(dest == all - 1 + round);
    shmem_sync(SET, sync_words);
  }
}

int main(int argc, char** argv) {
  shmem_init();
  me = shmem_my_pe();
  all = shmem_n_pes();
  const int few = argc > 1 && strcmp(argv[1], "few") == 0;
  const struct set whole = set_of(0, 0, all);
  const struct set evens = set_of(0, 1, (all + 1) / 2), last = set_of(all - 1, 3, 1);
  const struct set middle = set_of(all / 3, 0, all - all / 3),
                   fourths = set_of(all > 1, 2, (all + 2 - (all > 1)) / 4 + !(all > 2));
  const struct set sets[] = {whole, evens, last, middle, fourths};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; ++i) {
    if (few && i != 0 && i != 3) continue;
    broadcasts(sets[i], 5);
    broadcasts(sets[i], i == 0 ? 10000 : 300);
    collects(sets[i]);
    alltoalls(sets[i]);
    if (few && i != 0) continue;
    every_reduction(sets[i], 7, 0);
    if (!few) every_reduction(sets[i], 300, 1);
  }
  same_bits();
  imaginary();
  interleaved();
  for (int i = 0; i < 64; ++i) EXPECT(sync_words[i] == SHMEM_SYNC_VALUE);
  return finish();
}
