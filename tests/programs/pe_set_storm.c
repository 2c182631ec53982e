/* A storm of OpenSHMEM's collective calls, on active sets that are drawn by all alike from a seed: broadcasts,
 * collects, exchanges, reductions of every kind, barriers that complete puts; of few and many elements, from 0 on, by
 * processing elements that sleep. Every byte is looked at.
 *
 *   pe_set_storm [SEED [ROUNDS [CALLS of a round [ELEMENTS]]]]
 */
#include <complex.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "draw.h"

enum { UNTOUCHED = 0xee, FAILED = 9, ROOM = 600 * 1024, MOST_REDUCED = 4000, LONG_DOUBLE_BYTES = 10 };
static int me, npes, seed = 1, rounds = 3, calls = 50, most_elements = 60, round_now;
static long pSync[2][SHMEM_COLLECT_SYNC_SIZE + SHMEM_REDUCE_SYNC_SIZE + SHMEM_BCAST_SYNC_SIZE +
                     SHMEM_ALLTOALL_SYNC_SIZE + SHMEM_BARRIER_SYNC_SIZE];
static long double pWrk[MOST_REDUCED];
static char *sources, *dests, *wants;

struct set {
  int start, log_stride, size, self; /* self: -1 if this one is not a member */
};
static int pe_at(const struct set* set, int place) { return set->start + (place << set->log_stride); }

static uint64_t word_of(int id, int pe, long i) {
  uint64_t x = ((uint64_t)id << 40) + ((uint64_t)pe << 28) + (uint64_t)i;
  x *= 0x9e3779b97f4a7c15ull;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9ull;
  return x ^ x >> 32;
}
static void put_words(char* at, int id, int pe, long first, long count, int bytes) {
  for (long i = 0; i < count; ++i) {
    const uint64_t word = word_of(id, pe, first + i);
    memcpy(at + i * bytes, &word, (size_t)bytes);
  }
}

/* ---- reductions: exact, whatever their order ---- */
struct reduction {
  const char* name;
  int bytes;
  void (*fill)(int id, void* source, void* want, int count, const struct set* set);
  void (*call)(void* dest, void* source, int count, const struct set* set, long* sync);
};
#define REDUCE(name, type, operation, expression, below)                                                          \
  static void fill_##name##_##operation(int id, void* s, void* w, int count, const struct set* set) {             \
    type *source = s, *want = w;                                                                                  \
    for (int i = 0; i < count; ++i) {                                                                             \
      type x = (type)(word_of(id, pe_at(set, 0), i) % (below));                                                   \
      for (int q = 1; q < set->size; ++q) {                                                                       \
        const type y = (type)(word_of(id, pe_at(set, q), i) % (below));                                           \
        x = (type)(expression);                                                                                   \
      }                                                                                                           \
      source[i] = (type)(word_of(id, me, i) % (below));                                                           \
      want[i] = x;                                                                                                \
    }                                                                                                             \
  }                                                                                                               \
  static void call_##name##_##operation(void* dest, void* source, int count, const struct set* set, long* sync) { \
    shmem_##name##_##operation##_to_all(dest, source, count, set->start, set->log_stride, set->size,              \
                                        (type*)(void*)pWrk, sync);                                                \
  }
#define LISTED(name, type, operation, expression, below) \
  {#name " " #operation, sizeof(type), fill_##name##_##operation, call_##name##_##operation},
#define BITS(X, name, type) X(name, type, and, x& y, 251) X(name, type, or, x | y, 251) X(name, type, xor, x ^ y, 251)
#define ORDER(X, name, type) X(name, type, min, x < y ? x : y, 99) X(name, type, max, x > y ? x : y, 99)
#define ADDED(X, name, type) X(name, type, sum, x + y, 30) X(name, type, prod, x* y, 2)
#define INTEGERS(X, name, type) BITS(X, name, type) ORDER(X, name, type) ADDED(X, name, type)
#define REALS(X, name, type) ORDER(X, name, type) ADDED(X, name, type)
#define REDUCTIONS(X)              \
  INTEGERS(X, short, short)        \
  INTEGERS(X, int, int)            \
  INTEGERS(X, long, long)          \
  INTEGERS(X, longlong, long long) \
  REALS(X, float, float)           \
  REALS(X, double, double)         \
  REALS(X, longdouble, long double) ADDED(X, complexf, float _Complex) ADDED(X, complexd, double _Complex)
REDUCTIONS(REDUCE)
static const struct reduction reductions[] = {REDUCTIONS(LISTED)};
enum { REDUCTIONS = sizeof reductions / sizeof *reductions };

/* ---- a call ---- */
enum kind { BROADCAST, REDUCTION, COLLECT, FCOLLECT, ALLTOALL, ALLTOALLS, BARRIER, SYNC, KINDS };
struct call {
  int id, wide, count, root, reduction, to_stride, from_stride;
  enum kind kind;
  struct set set;
  char *source, *dest, *want;
};

static void check(const struct call* c, long bytes) {
  for (long i = 0; memcmp(c->dest, c->want, (size_t)bytes) && i < bytes; ++i)
    if (c->dest[i] != c->want[i]) {
      fprintf(
          stderr,
          "pe_set_storm %d, round %d, PE %d: call %d kind %d%s of %d elements, set %d %d %d: byte %ld is %d, not %d\n",
          seed, round_now, me, c->id, c->kind, c->kind == REDUCTION ? reductions[c->reduction].name : "", c->count,
          c->set.start, c->set.log_stride, c->set.size, i, c->dest[i], c->want[i]);
      shmem_global_exit(FAILED);
    }
}

#define SET s->start, s->log_stride, s->size, sync
static void collects(const struct call* c, long* sync) {
  const struct set* s = &c->set;
  const int bytes = c->wide ? 8 : 4;
  long at = 0, own_count = c->count;
  for (int q = 0; q < s->size; ++q) {
    long count = c->count;
    if (c->kind == COLLECT) count = (long)(word_of(c->id, pe_at(s, q), -1) % (uint64_t)(c->count + 1));
    if (q == s->self) own_count = count;
    put_words(c->want + at * bytes, c->id, pe_at(s, q), 0, count, bytes);
    at += count;
  }
  put_words(c->source, c->id, me, 0, own_count, bytes);
  if (c->kind == COLLECT)
    (c->wide ? shmem_collect64 : shmem_collect32)(c->dest, c->source, (size_t)own_count, SET);
  else
    (c->wide ? shmem_fcollect64 : shmem_fcollect32)(c->dest, c->source, (size_t)own_count, SET);
}

static void exchanges(const struct call* c, long* sync) {
  const struct set* s = &c->set;
  const int bytes = c->wide ? 8 : 4, strided = c->kind == ALLTOALLS;
  const long to = strided ? c->to_stride : 1, from = strided ? c->from_stride : 1, all = (long)c->count * s->size;
  for (long i = 0; i < all; ++i) {
    const int q = pe_at(s, (int)(i / c->count));
    put_words(c->source + i * from * bytes, c->id, me, i, 1, bytes);
    put_words(c->want + i * to * bytes, c->id, q, s->self * (long)c->count + i % c->count, 1, bytes);
  }
  if (strided)
    (c->wide ? shmem_alltoalls64 : shmem_alltoalls32)(c->dest, c->source, to, from, (size_t)c->count, SET);
  else
    (c->wide ? shmem_alltoall64 : shmem_alltoall32)(c->dest, c->source, (size_t)c->count, SET);
}

/* Data put before a barrier is there after it; before a sync, after a quiet. */
static void barriers(const struct call* c, long* sync) {
  const struct set* s = &c->set;
  const int to = pe_at(s, (s->self + 1) % s->size), from = pe_at(s, (s->self + s->size - 1) % s->size);
  const int of_all = s->size == npes && c->root % 2;
  put_words(c->source, c->id, me, 0, c->count, 8);
  put_words(c->want, c->id, from, 0, c->count, 8);
  if (c->kind == BARRIER) {
    (c->wide ? shmem_put64_nbi : shmem_put64)(c->dest, c->source, (size_t)c->count, to);
    of_all ? shmem_barrier_all() : shmem_barrier(SET);
    return;
  }
  for (int i = 0; i < c->count; ++i) shmem_long_p((long*)(void*)c->dest + i, (long)word_of(c->id, me, i), to);
  shmem_quiet();
  of_all ? shmem_sync_all() : shmem_sync(SET);
}

static void make(const struct call* c, long bytes) {
  const struct set* s = &c->set;
  long* sync = pSync[c->id % 2];
  if (c->kind == BROADCAST) {
    put_words(c->source, c->id, me, 0, c->count, c->wide ? 8 : 4);
    if (s->self != c->root) put_words(c->want, c->id, pe_at(s, c->root), 0, c->count, c->wide ? 8 : 4);
    (c->wide ? shmem_broadcast64 : shmem_broadcast32)(c->dest, c->source, (size_t)c->count, c->root, SET);
  } else if (c->kind == REDUCTION) {
    const struct reduction* r = &reductions[c->reduction];
    char* source = c->to_stride == 1 ? c->dest : c->source; /* in place */
    r->fill(c->id, source, c->want, c->count, s);
    r->call(c->dest, source, c->count, s, sync);
    for (int i = 0; strncmp(r->name, "longdouble", 10) == 0 && i < c->count; ++i) /* its gaps may have any value */
      memcpy(c->want + i * r->bytes + LONG_DOUBLE_BYTES, c->dest + i * r->bytes + LONG_DOUBLE_BYTES,
             (size_t)(r->bytes - LONG_DOUBLE_BYTES));
  } else if (c->kind == COLLECT || c->kind == FCOLLECT) {
    collects(c, sync);
  } else if (c->kind == ALLTOALL || c->kind == ALLTOALLS) {
    exchanges(c, sync);
  } else {
    barriers(c, sync);
  }
  check(c, bytes);
}

/* ---- a round ---- */
static struct set draw_set(void) {
  struct set set = {.start = draw(npes), .log_stride = draw(3)};
  while (set.log_stride > 0 && pe_at(&set, 1) >= npes) --set.log_stride;
  set.size = 1 + draw((npes - 1 - set.start) / (1 << set.log_stride) + 1);
  if (draw(3) == 0) set = (struct set){.size = npes};
  const int beyond = me - set.start, place = beyond >> set.log_stride;
  set.self = beyond >= 0 && pe_at(&set, place) == me && place < set.size ? place : -1;
  return set;
}

static void rest(void) {
  if (next(&own, 3)) return;
  const struct timespec time = {0, (long)next(&own, 1u << (8 + next(&own, 12)))};
  nanosleep(&time, NULL);
}

/* Each call has separate memory, because a member may already be in the next call. */
static void one_round(void) {
  long offset = 0;
  memset(sources, UNTOUCHED, ROOM);
  memset(dests, UNTOUCHED, ROOM);
  memset(wants, UNTOUCHED, ROOM);
  shmem_barrier_all();
  for (int i = 0; i < calls; ++i) {
    struct call c = {.id = round_now * calls + i, .kind = (enum kind)draw(KINDS)};
    c.wide = draw(2);
    c.count = draw(5) ? draw(10) : draw(most_elements * 8);
    c.set = draw_set();
    c.root = draw(c.set.size);
    c.reduction = draw(REDUCTIONS);
    c.to_stride = 1 + draw(3);
    c.from_stride = 1 + draw(3);
    if (c.count > MOST_REDUCED) c.count = MOST_REDUCED;
    const int each = c.kind == REDUCTION ? (int)sizeof(long double) : c.kind == ALLTOALLS ? 24 : 8;
    const long bytes = ((long)c.count * each * (c.kind == REDUCTION ? 1 : c.set.size) + 127) / 64 * 64;
    if (offset + bytes > ROOM) continue;
    c.source = sources + offset, c.dest = dests + offset, c.want = wants + offset;
    offset += bytes;
    rest();
    if (c.set.self >= 0) make(&c, bytes);
  }
  shmem_barrier_all();
  check(&(struct call){.id = -1, .dest = dests, .want = wants}, ROOM);
  shmem_barrier_all();
}

int main(int argc, char** argv) {
  shmem_init();
  me = shmem_my_pe();
  npes = shmem_n_pes();
  read_numbers(argc, argv, me, (int*[]){&seed, &rounds, &calls, &most_elements}, 4);
  sources = shmem_malloc(ROOM);
  dests = shmem_align(64, ROOM);
  wants = malloc(ROOM);
  if (!sources || !dests) shmem_global_exit(FAILED);
  for (round_now = 0; round_now < rounds; ++round_now) one_round();
  if (me == 0) printf("PASS pe_set_storm %d on %d PEs\n", seed, npes);
  shmem_finalize();
  return 0;
}
