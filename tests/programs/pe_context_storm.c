/* A storm over contexts and teams, drawn by all PEs alike from a seed, against a model: puts with signals, puts, gets
 * and atomic operations, blocking and not, each on one of several contexts of one of several teams; a context's quiet
 * completes its own. When a signal is seen its data are there; in the end nothing is lost, doubled or elsewhere.
 *
 *   pe_context_storm [SEED [ROUNDS [OPERATIONS of a round]]]
 */
#include "draw.h"
#include "openshmem/pe_check.h"

enum { PUT, PUT_NBI, GET, GET_NBI, SIGNAL, SIGNAL_NBI, ADD, FETCH, FETCH_NBI, QUIET, KINDS };
enum { TEAMS = 4, CONTEXTS = 8, MOST_WORDS = 3000, COUNTERS = 4, MOST_PES = 64 };

struct operation {
  int kind, by, context, at, words, offset; /* `at`: of all PEs */
  int number;                               /* of its kind of signal, at the destination */
  long* own;
  long fetched;
};

static int seed = 1, rounds = 2, operations = 300, round_now;
static shmem_team_t teams[TEAMS];
static shmem_ctx_t contexts[CONTEXTS];
static struct operation* all;
static long *area, *readable;
static uint64_t* signals; /* [operations]: that of each */
static uint64_t shared_signal;
static long counters[COUNTERS];

static long word_of(int id, int i) {
  unsigned long mixed = (unsigned long)i + 1000003ul * (unsigned long)(id + 100000 * round_now);
  mixed *= 0x9e3779b97f4a7c15ul;
  return (long)(mixed ^ mixed >> 29);
}

static void make_teams(void) {
  teams[0] = SHMEM_TEAM_WORLD;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, npes - 1, -1, npes, NULL, 0, &teams[1]) == 0);
  CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, (npes + 1) / 2, NULL, 0, &teams[2], NULL, 0, &teams[3]) == 0);
  for (int c = 0; c < CONTEXTS; ++c) {
    const long options = c % 3 == 0 ? SHMEM_CTX_PRIVATE : c % 3 == 1 ? SHMEM_CTX_SERIALIZED : 0;
    CHECK(shmem_team_create_ctx(teams[c % TEAMS], options, &contexts[c]) == 0);
  }
}

/* Whether two PEs are in one team of this kind, by the definition of the split. */
static int together(int kind, int a, int b) {
  const int range = (npes + 1) / 2;
  return kind < 2 || (kind == 2 ? a / range == b / range : a % range == b % range);
}

static void draw_operations(void) {
  int offset = 0;
  for (int i = 0; i < operations; ++i) {
    struct operation* o = &all[i];
    *o = (struct operation){.kind = draw(KINDS), .by = draw(npes), .context = draw(CONTEXTS + 1) - 1};
    do o->at = draw(npes);
    while (o->context >= 0 && !together(o->context % TEAMS, o->by, o->at));
    const int size = draw(10);
    o->words = size < 5 ? 1 + draw(3) : size < 9 ? 1 + draw(100) : 1 + draw(MOST_WORDS);
    o->offset = offset;
    offset += o->words;
  }
}

/* On the default context the calls without a context are used. */
#define DO(call, of_default, of_context) (o->context < 0 ? shmem_##call of_default : shmem_ctx_##call of_context)

static void quiet(int context) {
  if (context < 0)
    shmem_quiet();
  else
    shmem_ctx_quiet(contexts[context]);
}

static void begin(int id) {
  struct operation* o = &all[id];
  const int words = o->words,
            in_team =
                o->context < 0 ? o->at : shmem_team_translate_pe(SHMEM_TEAM_WORLD, o->at, teams[o->context % TEAMS]);
  const shmem_ctx_t context = o->context < 0 ? SHMEM_CTX_DEFAULT : contexts[o->context];
  long *to = area + o->offset, *from = readable + o->offset, *own = malloc((size_t)words * sizeof *own);
  const int reads = o->kind == GET || o->kind == GET_NBI;
  o->own = own;
  for (int i = 0; i < words; ++i) own[i] = reads ? -1 : word_of(id, i);
  uint64_t* const signal = id % 3 ? &signals[id] : &shared_signal;
  const int operation = id % 3 ? SHMEM_SIGNAL_SET : SHMEM_SIGNAL_ADD;
  switch (o->kind) {
    case PUT:
      DO(long_put, (to, own, words, in_team), (context, to, own, words, in_team));
      break;
    case PUT_NBI:
      DO(long_put_nbi, (to, own, words, in_team), (context, to, own, words, in_team));
      break;
    case GET:
      DO(getmem, (own, from, words * sizeof *to, in_team), (context, own, from, words * sizeof *to, in_team));
      break;
    case GET_NBI:
      DO(get64_nbi, (own, from, words, in_team), (context, own, from, words, in_team));
      break;
    case SIGNAL:
      DO(long_put_signal, (to, own, words, signal, 1, operation, in_team),
         (context, to, own, words, signal, 1, operation, in_team));
      break;
    case SIGNAL_NBI:
      DO(put64_signal_nbi, (to, own, words, signal, 1, operation, in_team),
         (context, to, own, words, signal, 1, operation, in_team));
      break;
    case ADD:
      DO(long_atomic_add, (&counters[id % COUNTERS], id, in_team), (context, &counters[id % COUNTERS], id, in_team));
      break;
    case FETCH:
      o->fetched = DO(long_atomic_fetch_add, (&counters[id % COUNTERS], id, in_team),
                      (context, &counters[id % COUNTERS], id, in_team));
      break;
    case FETCH_NBI:
      o->fetched = -1;
      DO(long_atomic_fetch_add_nbi, (&o->fetched, &counters[id % COUNTERS], id, in_team),
         (context, &o->fetched, &counters[id % COUNTERS], id, in_team));
      break;
    case QUIET:
      quiet(o->context);
      break;
  }
  if (o->kind == PUT || o->kind == SIGNAL) memset(own, 0xee, (size_t)words * sizeof *own); /* it may be used again */
}

static void check_written(int id) {
  const struct operation* o = &all[id];
  for (int i = 0; i < o->words; ++i)
    if (area[o->offset + i] != word_of(id, i)) {
      fprintf(stderr, "seed %d, round %d, PE %d: operation %d of kind %d by %d: word %d of %d is not there\n", seed,
              round_now, me, id, o->kind, o->by, i, o->words);
      shmem_global_exit(1);
    }
}

static int writes(const struct operation* o) {
  return o->kind == PUT || o->kind == PUT_NBI || o->kind == SIGNAL || o->kind == SIGNAL_NBI;
}

/* Looks at the signals that have come; returns how many are still missing. */
static int look_at_signals(int upto) {
  int missing = 0;
  for (int id = 0; id < upto; ++id) {
    const struct operation* o = &all[id];
    if (o->at != me || (o->kind != SIGNAL && o->kind != SIGNAL_NBI) || id % 3 == 0) continue;
    if (shmem_signal_fetch(&signals[id]) == 0)
      ++missing;
    else
      check_written(id);
  }
  return missing;
}

/* A context that has been quiet has its gets and fetches; and its puts are in place. */
static void check_context(int context) {
  quiet(context);
  for (int id = 0; id < operations; ++id) {
    struct operation* o = &all[id];
    if (o->by != me || o->context != context) continue;
    if (o->kind == GET || o->kind == GET_NBI)
      for (int i = 0; i < o->words; ++i) CHECK(o->own[i] == word_of(-1 - o->at, o->offset + i));
    if (o->kind == FETCH || o->kind == FETCH_NBI) CHECK(o->fetched >= 0);
    if (writes(o) && o->words < 4) /* read back, by the same context or another */
      for (int i = 0; i < o->words; ++i) CHECK(shmem_long_g(area + o->offset + i, o->at) == word_of(id, i));
  }
}

static void check_totals(void) {
  long sums[COUNTERS] = {0};
  uint64_t added = 0;
  for (int id = 0; id < operations; ++id) {
    const struct operation* o = &all[id];
    if (o->at != me) continue;
    if (o->kind == ADD || o->kind == FETCH || o->kind == FETCH_NBI) sums[id % COUNTERS] += id;
    if ((o->kind == SIGNAL || o->kind == SIGNAL_NBI) && id % 3 == 0) ++added;
    if (writes(o))
      check_written(id);
    else
      for (int i = 0; i < o->words; ++i) CHECK(area[o->offset + i] == -1);
  }
  for (int c = 0; c < COUNTERS; ++c) CHECK(counters[c] == sums[c]);
  CHECK(shared_signal == added);
}

static void one_round(void) {
  draw_operations();
  const int words = all[operations - 1].offset + all[operations - 1].words;
  memset(area, 0xff, (size_t)words * sizeof *area);
  memset(signals, 0, (size_t)operations * sizeof *signals);
  memset(counters, 0, sizeof counters);
  shared_signal = 0;
  for (int i = 0; i < words; ++i) readable[i] = word_of(-1 - me, i);
  shmem_barrier_all();
  for (int id = 0; id < operations; ++id) {
    if (all[id].by == me) begin(id);
    if (next(&own, 30) == 0) look_at_signals(id);
    if (next(&own, 50) == 0) quiet((int)next(&own, CONTEXTS + 1) - 1);
  }
  for (int c = -1; c < CONTEXTS; ++c) check_context(c);
  for (int id = 0; id < operations; ++id)
    if (all[id].at == me && (all[id].kind == SIGNAL || all[id].kind == SIGNAL_NBI) && id % 3) {
      CHECK(shmem_signal_wait_until(&signals[id], SHMEM_CMP_NE, 0) == 1);
      check_written(id);
    }
  CHECK(look_at_signals(operations) == 0);
  shmem_barrier_all();
  check_totals();
  for (int id = 0; id < operations; ++id) free(all[id].own);
  shmem_barrier_all();
}

int main(int argc, char** argv) {
  start();
  read_numbers(argc, argv, me, (int*[]){&seed, &rounds, &operations}, 3);
  all = calloc((size_t)operations, sizeof *all);
  area = shmem_malloc((size_t)operations * MOST_WORDS * sizeof *area);
  readable = shmem_malloc((size_t)operations * MOST_WORDS * sizeof *readable);
  signals = shmem_malloc_with_hints((size_t)operations * sizeof *signals, SHMEM_MALLOC_SIGNAL_REMOTE);
  CHECK(all && area && readable && signals);
  make_teams();
  for (round_now = 0; round_now < rounds; ++round_now) one_round();
  for (int c = 0; c < CONTEXTS; ++c) shmem_ctx_destroy(contexts[c]);
  for (int t = 1; t < TEAMS; ++t) shmem_team_destroy(teams[t]);
  return passed("context storm");
}
