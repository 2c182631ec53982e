/* A storm of one-sided operations, drawn by all PEs alike from a seed: puts and gets of all sizes, with strides,
 * blocking and not, to places of their own, others to a place once more behind a fence, flags behind data, atomic
 * operations of all PEs on few words, locks; what was put from is written over as soon as it may be. Every byte is
 * looked at.
 *
 *   pe_storm [SEED [ROUNDS [OPERATIONS of a round [KIBIBYTES of a round]]]]
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "draw.h"

enum { PUT, PUT_NBI, GET, GET_NBI, IPUT, IGET, TWICE, FLAGGED, COUNTED, ONE, KINDS };
enum { WORDS = 4, MOST_PES = 64, UNTOUCHED = 0xee, FAILED = 9 };

struct operation {
  int kind, by, at, count, offset; /* count words of 8 bytes, at a place `offset` of all PEs' memory */
  int stride;
  long* own;
};

static int me, npes, seed = 1, rounds = 3, operations = 300, kibibytes = 1024, round_now;
static struct operation* all;
static long *area, *readable, *flags; /* symmetric */
static long sums[WORDS], bits[WORDS], guarded[WORDS], locks[WORDS], chain = -1, tickets[MOST_PES], highest, here;

static long word_of(int id, int i) {
  unsigned long mixed = (unsigned long)i + 1000003ul * (unsigned long)(id + 100000 * round_now);
  mixed *= 0x9e3779b97f4a7c15ul;
  return (long)(mixed ^ mixed >> 29);
}

static void wrong(const struct operation* o, const char* what, long at, long is, long wanted) {
  fprintf(
      stderr,
      "pe_storm %d, round %d, PE %d: %s: operation %d kind %d by %d at %d count %d stride %d: %ld is %lx, not %lx\n",
      seed, round_now, me, what, o ? (int)(o - all) : -1, o ? o->kind : -1, o ? o->by : -1, o ? o->at : -1,
      o ? o->count : 0, o ? o->stride : 0, at, (unsigned long)is, (unsigned long)wanted);
  shmem_global_exit(FAILED);
}

static int draw_count(void) {
  static const int borders[] = {8, 16, 32, 36, 40, 64, 128, 256, 512, 1024, 2048, 4096, 8192};
  const int what = draw(20);
  if (what < 8) return 1 + draw(10);
  if (what < 14) return borders[draw((int)(sizeof borders / sizeof *borders))] - 2 + draw(5);
  if (what < 19) return 1 + draw(1000);
  return 1 + draw(25 * 1024);
}

static int is_strided(const struct operation* o) { return o->kind == IPUT || o->kind == IGET; }

static int draw_operations(void) {
  const int shape = draw(3), middle = draw(npes);
  int offset = 0;
  for (int i = 0; i < operations; ++i) {
    struct operation* o = &all[i];
    o->kind = draw(KINDS);
    o->by = draw(npes);
    o->at = shape == 1 ? middle : draw(npes);
    if (shape == 2 && draw(2)) o->by = middle;
    o->count = o->kind == ONE ? 1 : draw_count();
    o->stride = is_strided(o) ? 1 + draw(4) : 1;
    if (is_strided(o)) o->count = o->count % 200 + 1;
    if (offset + o->count * o->stride > kibibytes * 128 - operations) o->count = o->stride = 1;
    o->offset = offset;
    o->own = NULL;
    offset += o->count * o->stride;
  }
  return offset;
}

static void rest(void) {
  if (next(&own, 8)) return;
  const struct timespec time = {0, (long)next(&own, 1u << (8 + next(&own, 13)))};
  nanosleep(&time, NULL);
}

static void start(struct operation* o) {
  const int id = (int)(o - all), n = o->count;
  long* to = area + o->offset;
  o->own = malloc((size_t)n * sizeof *o->own);
  const int puts = o->kind != GET && o->kind != GET_NBI && o->kind != IGET;
  for (int i = 0; i < n; ++i) o->own[i] = puts ? word_of(id, i) : -1;
  if (o->kind == PUT) shmem_long_put(to, o->own, n, o->at);
  if (o->kind == PUT_NBI) shmem_putmem_nbi(to, o->own, (size_t)n * sizeof *to, o->at);
  if (o->kind == GET) shmem_getmem(o->own, readable + o->offset, (size_t)n * sizeof *to, o->at);
  if (o->kind == GET_NBI) shmem_long_get_nbi(o->own, readable + o->offset, n, o->at);
  if (o->kind == IPUT) shmem_long_iput(to, o->own, o->stride, 1, n, o->at);
  if (o->kind == IGET) shmem_long_iget(o->own, readable + o->offset, 1, o->stride, n, o->at);
  if (o->kind == ONE) shmem_long_p(to, o->own[0], o->at);
  if (o->kind == TWICE) { /* the second stays */
    for (int i = 0; i < n; ++i) o->own[i] = ~word_of(id, i);
    shmem_long_put(to, o->own, n, o->at);
    for (int i = 0; i < n; ++i) o->own[i] = word_of(id, i);
    shmem_fence();
    shmem_long_put_nbi(to, o->own, n, o->at);
  }
  if (o->kind == FLAGGED || o->kind == COUNTED) {
    if (o->kind == COUNTED)
      shmem_long_put_nbi(to, o->own, n, o->at);
    else
      shmem_long_put(to, o->own, n, o->at);
    shmem_fence();
    if (o->kind == FLAGGED)
      shmem_long_p(&flags[id], round_now + 1, o->at);
    else
      shmem_long_atomic_inc(&flags[id], o->at);
  }
  if (o->kind == PUT || o->kind == IPUT || o->kind == ONE || o->kind == FLAGGED) /* it is the program's again */
    memset(o->own, UNTOUCHED, (size_t)n * sizeof *o->own);
}

/* What all PEs do to few words of few PEs. */
static void atomics(int i) {
  const int word = draw(WORDS), at = draw(npes), pe = draw(npes), what = draw(8);
  if (pe != me) return;
  if (what == 0) shmem_long_atomic_add(&sums[word], i, at);
  if (what == 1) shmem_long_atomic_fetch_add(&sums[word], i, at);
  if (what == 2) shmem_int64_atomic_fetch_xor(&bits[word], word_of(i, 0), at);
  if (what == 3) shmem_int64_atomic_xor(&bits[word], word_of(i, 0), at);
  if (what == 4) {
    long was = shmem_long_g(&sums[word], at), found;
    while ((found = shmem_long_atomic_compare_swap(&sums[word], was, was + i, at)) != was) was = found;
  }
  if (what >= 5 && what < 7) {
    if (what == 5)
      shmem_set_lock(&locks[word]);
    else
      while (shmem_test_lock(&locks[word])) continue;
    const long was = shmem_long_g(&guarded[word], at);
    shmem_long_p(&guarded[word], was + i, at);
    shmem_quiet();
    shmem_clear_lock(&locks[word]);
  }
  if (what == 7) shmem_long_atomic_inc(&sums[word], at);
}

static void check_atomics(unsigned at_start) {
  long sum[WORDS] = {0}, bit[WORDS] = {0}, guard[WORDS] = {0};
  common = at_start;
  for (int i = 0; i < operations; ++i) {
    const int word = draw(WORDS), at = draw(npes), pe = draw(npes), what = draw(8);
    (void)pe;
    if (at != me) continue;
    if (what < 2 || what == 4) sum[word] += i;
    if (what == 2 || what == 3) bit[word] ^= word_of(i, 0);
    if (what == 5 || what == 6) guard[word] += i;
    if (what == 7) ++sum[word];
  }
  for (int w = 0; w < WORDS; ++w) {
    if (sums[w] != sum[w]) wrong(NULL, "sum", w, sums[w], sum[w]);
    if (bits[w] != bit[w]) wrong(NULL, "bits", w, bits[w], bit[w]);
    if (guarded[w] != guard[w]) wrong(NULL, "guarded by a lock", w, guarded[w], guard[w]);
    sums[w] = bits[w] = guarded[w] = 0;
  }
}

/* Each ticket is given once; each value swapped in comes out once. */
static void tickets_for_all(void) {
  const long ticket = shmem_long_atomic_fetch_inc(&highest, npes - 1);
  shmem_long_atomic_inc(&tickets[ticket % npes], 0);
  const long before = shmem_long_atomic_swap(&chain, me, 0);
  if (before >= 0) shmem_long_atomic_add(&here, before + 1, 0);
  shmem_barrier_all();
  if (me == npes - 1 && highest != npes) wrong(NULL, "highest ticket", 0, highest, npes);
  for (int p = 0; me == 0 && p < npes; ++p)
    if (tickets[p] != 1) wrong(NULL, "ticket", p, tickets[p], 1);
  if (me == 0 && here + chain + 1 != npes * (npes + 1L) / 2) wrong(NULL, "swapped", 0, here, chain);
  highest = here = 0;
  chain = -1;
  memset(tickets, 0, sizeof tickets);
}

static void check(const struct operation* o) {
  const int id = (int)(o - all), reads = o->kind == GET || o->kind == GET_NBI || o->kind == IGET;
  for (int i = 0; reads && o->by == me && i < o->count; ++i) {
    const long wanted = word_of(-1 - o->at, o->offset + i * o->stride);
    if (o->own[i] != wanted) wrong(o, "read", i, o->own[i], wanted);
  }
  for (int i = 0; o->at == me && i < o->count * o->stride; ++i) {
    const int written = !reads && i % o->stride == 0;
    const long wanted = written ? word_of(id, i / o->stride) : -1, is = area[o->offset + i];
    if (is != wanted) wrong(o, "written", i, is, wanted);
  }
}

static void one_round(void) {
  const int words = draw_operations();
  memset(area, 0xff, ((size_t)words + 8) * sizeof *area);
  memset(flags, 0, (size_t)operations * sizeof *flags);
  for (int i = 0; i < words; ++i) readable[i] = word_of(-1 - me, i);
  shmem_barrier_all();
  const unsigned at_start = common;
  int waited = 0;
  for (int i = 0; i < operations; ++i) {
    atomics(i);
    if (all[i].by == me) start(&all[i]);
    rest();
    if (next(&own, 40) == 0) shmem_quiet();
  }
  for (; waited < operations; ++waited) {
    const struct operation* o = &all[waited];
    if (o->at != me || (o->kind != FLAGGED && o->kind != COUNTED)) continue;
    shmem_long_wait_until(&flags[waited], SHMEM_CMP_NE, 0);
    check(o);
  }
  shmem_quiet();
  shmem_barrier_all();
  for (int i = 0; i < operations; ++i) check(&all[i]), free(all[i].by == me ? all[i].own : NULL);
  check_atomics(at_start);
  shmem_barrier_all();
  tickets_for_all();
}

int main(int argc, char** argv) {
  shmem_init();
  me = shmem_my_pe();
  npes = shmem_n_pes();
  read_numbers(argc, argv, me, (int*[]){&seed, &rounds, &operations, &kibibytes}, 4);
  all = calloc((size_t)operations, sizeof *all);
  area = shmem_malloc((size_t)kibibytes * 1024 + 1024);
  readable = shmem_malloc((size_t)kibibytes * 1024 + 1024);
  flags = shmem_malloc((size_t)operations * sizeof *flags);
  if (!area || !readable || !flags) wrong(NULL, "no memory", 0, 0, 0);
  for (round_now = 0; round_now < rounds; ++round_now) one_round();
  shmem_barrier_all();
  if (me == 0) printf("PASS pe_storm %d on %d PEs\n", seed, npes);
  shmem_finalize();
  return 0;
}
