/* A storm of one-sided operations, drawn from a seed, against a model that each rank computes from the same draws.
 * usage: window_storm SEED ROUNDS OPERATIONS (of each rank in a round)
 *
 * A round has one way of synchronising. In a round a block of words is written by one rank or by none: puts of a word
 * always write the same value, so any order of them gives the model's memory. Words to accumulate have one operation in
 * a round, one that commutes. Counters give each rank numbers that must form a chain without gaps or repetition. A
 * record is read and written under exclusive locks. Gets of blocks that none writes must give the model's words. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 24, BLOCK = 32, SUMS = 40, COUNTERS = 3, OPERATIONS_MOST = 512, RANKS_MOST = 64 };
enum way { FENCE, GROUPS, EXCLUSIVE, SHARED, ALL, REQUESTS, WAYS };
enum what { PUT, PUT_STRIDED, REPLACE, GET, GET_STRIDED, ADD_INT, ADD_LONG, ADD_DOUBLE, ADD_SHORT, COUNT, WHATS };

/* A rank's memory. */
struct memory {
  int32_t blocks[BLOCKS][BLOCK];
  int32_t ints[SUMS];
  int64_t longs[SUMS];
  double doubles[SUMS];
  int16_t shorts[SUMS];
  int64_t counters[COUNTERS];
  int64_t record[2];
};

struct operation {
  enum what what;
  int target, block, first, count;
  int64_t value;
};

static int rank, ranks;
static uint64_t seed;
static struct memory* models; /* [ranks] */
static struct memory* memory;
static MPI_Win window;
static MPI_Datatype every_second[BLOCK / 2 + 1]; /* by the count of words */

static void fail(const char* what, int64_t is, int64_t should) {
  printf("FAIL: rank %d: %s: %lld, not %lld\n", rank, what, (long long)is, (long long)should);
  fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* ---- draws: functions of their arguments ---- */
static uint64_t drawn(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  uint64_t x = seed;
  const uint64_t all[] = {a, b, c, d};
  for (int i = 0; i < 4; ++i) {
    x = (x ^ all[i]) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    x ^= x >> 32;
  }
  return x;
}

/* `ranks`: none. */
static int writer_of(int round, int target, int block) {
  return (int)(drawn(1, (uint64_t)round, (uint64_t)target, (uint64_t)block) % (uint64_t)(ranks + ranks / 2 + 1));
}

static int32_t word_of(int round, int target, int word) {
  return (int32_t)drawn(2, (uint64_t)round, (uint64_t)target, (uint64_t)word);
}

static struct operation operation_of(int round, int origin, int i) {
  const uint64_t x = drawn(3, (uint64_t)round, (uint64_t)origin, (uint64_t)i);
  const uint64_t y = drawn(4, (uint64_t)round, (uint64_t)origin, (uint64_t)i);
  struct operation o = {.what = (enum what)(x % WHATS), .target = (int)(x / WHATS % (uint64_t)ranks)};
  o.block = (int)(x / 1000 % BLOCKS);
  o.first = (int)(y % BLOCK);
  o.count = 1 + (int)(y / BLOCK % (uint64_t)(BLOCK - o.first));
  o.value = (int64_t)(y / 4096 % 100);
  if (o.what == PUT_STRIDED || o.what == GET_STRIDED) {
    o.first %= BLOCK / 2;
    o.count = 1 + o.count % (BLOCK / 4);
  }
  if (o.what >= ADD_INT && o.what <= ADD_SHORT) {
    o.first = (int)(y % SUMS);
    o.count = 1 + (int)(y / BLOCK % (uint64_t)(SUMS - o.first));
    if (o.count > 5 && x % 4 != 0) o.count = 1 + o.count % 5;
  }
  if (o.what == COUNT) o.first %= COUNTERS;
  return o;
}

static int is_put(const struct operation* o) { return o->what == PUT || o->what == PUT_STRIDED || o->what == REPLACE; }
static int is_get(const struct operation* o) { return o->what == GET || o->what == GET_STRIDED; }
static int stride_of(const struct operation* o) { return o->what == PUT_STRIDED || o->what == GET_STRIDED ? 2 : 1; }

static int is_done(const struct operation* o, int round, int origin) {
  const int writer = writer_of(round, o->target, o->block);
  return is_put(o) ? writer == origin : is_get(o) ? writer >= ranks : 1;
}

/* ---- the operations of accumulations, as numbers ---- */
static MPI_Op op_of(int round, enum what what) {
  static const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN, MPI_SUM, MPI_BXOR, MPI_BOR};
  return ops[drawn(5, (uint64_t)round, (uint64_t)what, 0) % (what == ADD_DOUBLE ? 4 : 6)];
}

static int64_t combined(MPI_Op op, int64_t a, int64_t b) {
  if (op == MPI_SUM) return a + b;
  if (op == MPI_MAX) return a > b ? a : b;
  if (op == MPI_MIN) return a < b ? a : b;
  return op == MPI_BXOR ? a ^ b : a | b;
}

static void model(int round, int origin, const struct operation* o) {
  struct memory* m = &models[o->target];
  const MPI_Op op = op_of(round, o->what);
  if (!is_done(o, round, origin)) return;
  for (int i = 0; i < o->count; ++i) {
    const int at = o->first + i * stride_of(o), number = o->first + i;
    if (is_put(o)) m->blocks[o->block][at] = word_of(round, o->target, o->block * BLOCK + at);
    if (o->what == ADD_INT) m->ints[number] = (int32_t)combined(op, m->ints[number], o->value + i);
    if (o->what == ADD_LONG) m->longs[number] = combined(op, m->longs[number], o->value + i);
    if (o->what == ADD_SHORT) m->shorts[number] = (int16_t)combined(op, m->shorts[number], o->value + i);
    if (o->what == ADD_DOUBLE) m->doubles[number] = (double)combined(op, (int64_t)m->doubles[number], o->value + i);
  }
  if (o->what == COUNT) m->counters[o->first] += o->value;
}

/* ---- the same for the library ---- */
static union {
  int32_t words[SUMS];
  int64_t longs[SUMS];
  double doubles[SUMS];
  int16_t shorts[SUMS];
  struct {
    int64_t old, increment;
  };
} buffers[OPERATIONS_MOST];
static MPI_Request requests[OPERATIONS_MOST];
static int request_count;

static void accumulate(struct operation o, int i, MPI_Op op, size_t offset, size_t width, MPI_Datatype type, int way) {
  const MPI_Aint at = (MPI_Aint)(offset + (size_t)o.first * width);
  if (way == REQUESTS)
    MPI_Raccumulate(&buffers[i], o.count, type, o.target, at, o.count, type, op, window, &requests[request_count++]);
  else
    MPI_Accumulate(&buffers[i], o.count, type, o.target, at, o.count, type, op, window);
}

static void begin_add(int round, struct operation o, int i, int way) {
  const MPI_Op op = op_of(round, o.what);
  for (int k = 0; k < o.count; ++k) {
    if (o.what == ADD_INT) buffers[i].words[k] = (int32_t)(o.value + k);
    if (o.what == ADD_LONG) buffers[i].longs[k] = o.value + k;
    if (o.what == ADD_DOUBLE) buffers[i].doubles[k] = (double)(o.value + k);
    if (o.what == ADD_SHORT) buffers[i].shorts[k] = (int16_t)(o.value + k);
  }
  if (o.what == ADD_INT) accumulate(o, i, op, offsetof(struct memory, ints), sizeof(int32_t), MPI_INT, way);
  if (o.what == ADD_LONG) accumulate(o, i, op, offsetof(struct memory, longs), sizeof(int64_t), MPI_INT64_T, way);
  if (o.what == ADD_DOUBLE) accumulate(o, i, op, offsetof(struct memory, doubles), sizeof(double), MPI_DOUBLE, way);
  if (o.what == ADD_SHORT) accumulate(o, i, op, offsetof(struct memory, shorts), sizeof(int16_t), MPI_SHORT, way);
}

static void begin_move(int round, struct operation o, int i, int way) {
  const MPI_Aint at = (MPI_Aint)((size_t)(o.block * BLOCK + o.first) * sizeof(int32_t));
  const int there = stride_of(&o) == 2 ? 1 : o.count;
  const MPI_Datatype type = stride_of(&o) == 2 ? every_second[o.count] : MPI_INT;
  int32_t* words = buffers[i].words;
  for (int k = 0; k < o.count && is_put(&o); ++k)
    words[k] = word_of(round, o.target, o.block * BLOCK + o.first + k * stride_of(&o));
  if (o.what == REPLACE)
    MPI_Accumulate(words, o.count, MPI_INT, o.target, at, there, type, MPI_REPLACE, window);
  else if (way == REQUESTS && is_put(&o))
    MPI_Rput(words, o.count, MPI_INT, o.target, at, there, type, window, &requests[request_count++]);
  else if (way == REQUESTS)
    MPI_Rget(words, o.count, MPI_INT, o.target, at, there, type, window, &requests[request_count++]);
  else if (is_put(&o))
    MPI_Put(words, o.count, MPI_INT, o.target, at, there, type, window);
  else
    MPI_Get(words, o.count, MPI_INT, o.target, at, there, type, window);
}

static void begin(int round, struct operation o, int i, int way) {
  buffers[i].increment = o.value;
  if (o.what == COUNT)
    MPI_Fetch_and_op(&buffers[i].increment, &buffers[i].old, MPI_INT64_T, o.target,
                     (MPI_Aint)(offsetof(struct memory, counters) + (size_t)o.first * sizeof(int64_t)), MPI_SUM,
                     window);
  else if (is_put(&o) || is_get(&o))
    begin_move(round, o, i, way);
  else
    begin_add(round, o, i, way);
}

/* ---- synchronisation ---- */
static void count_in_record(int target) {
  int64_t record[2];
  const MPI_Aint at = offsetof(struct memory, record);
  MPI_Get(record, 2, MPI_INT64_T, target, at, 2, MPI_INT64_T, window);
  MPI_Win_flush(target, window);
  if (record[0] != record[1]) fail("a record under an exclusive lock", record[1], record[0]);
  ++record[0];
  ++record[1];
  MPI_Put(&record[0], 1, MPI_INT64_T, target, at, 1, MPI_INT64_T, window);
  MPI_Put(&record[1], 1, MPI_INT64_T, target, at + 8, 1, MPI_INT64_T, window);
  MPI_Win_flush(target, window);
}

static void make_all(int round, int count, int way, int only) {
  for (int i = 0; i < count; ++i) {
    const struct operation o = operation_of(round, rank, i);
    if (!is_done(&o, round, rank) || (only >= 0 && o.target != only)) continue;
    begin(round, o, i, way);
    if ((way == SHARED || way == ALL) && drawn(6, (uint64_t)round, (uint64_t)rank, (uint64_t)i) % 5 == 0)
      MPI_Win_flush(o.target, window);
  }
}

static void with_locks(int round, int count, int way) {
  for (int k = 0; k < ranks; ++k) {
    const int target = (rank + k + round) % ranks;
    MPI_Win_lock(way == EXCLUSIVE ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, target, 0, window);
    make_all(round, count, way, target);
    if (way == EXCLUSIVE) count_in_record(target);
    MPI_Win_unlock(target, window);
  }
}

static void make_round(int round, int count, int way) {
  MPI_Group all;
  request_count = 0;
  if (way == FENCE) {
    MPI_Win_fence(0, window);
    make_all(round, count, way, -1);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  } else if (way == GROUPS) {
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Win_post(all, 0, window);
    MPI_Win_start(all, 0, window);
    make_all(round, count, way, -1);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    MPI_Group_free(&all);
  } else if (way == EXCLUSIVE || way == SHARED) {
    with_locks(round, count, way);
  } else {
    MPI_Win_lock_all(0, window);
    make_all(round, count, way, -1);
    if (way == REQUESTS) MPI_Waitall(request_count, requests, MPI_STATUSES_IGNORE);
    MPI_Win_unlock_all(window);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- checks ---- */
static void check_gets(int round, int count) {
  for (int i = 0; i < count; ++i) {
    const struct operation o = operation_of(round, rank, i);
    if (!is_get(&o) || !is_done(&o, round, rank)) continue;
    for (int k = 0; k < o.count; ++k) {
      const int32_t should = models[o.target].blocks[o.block][o.first + k * stride_of(&o)];
      if (buffers[i].words[k] != should) fail("a word that a get fetched", buffers[i].words[k], should);
    }
  }
}

/* A counter's old values and increments: sorted, each begins where the one before has ended. */
static int by_old_value(const void* a, const void* b) {
  const int64_t *x = a, *y = b;
  if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
  return x[1] < y[1] ? -1 : x[1] > y[1]; /* increments of 0 first */
}

static void check_chain(int64_t at, int64_t end, int64_t (*links)[2], int count) {
  qsort(links, (size_t)count, sizeof *links, by_old_value);
  for (int i = 0; i < count; ++i) {
    if (links[i][0] != at) fail("what a counter's operation fetched", links[i][0], at);
    at += links[i][1];
  }
  if (at != end) fail("a counter at the end", end, at);
}

static void check_counters(int round, int count, const struct memory* before) {
  static int64_t own[OPERATIONS_MOST];
  int64_t* all = malloc((size_t)ranks * (size_t)count * sizeof *all);
  int64_t(*links)[2] = malloc((size_t)ranks * (size_t)count * sizeof *links);
  for (int i = 0; i < count; ++i) own[i] = buffers[i].old;
  MPI_Allgather(own, count, MPI_INT64_T, all, count, MPI_INT64_T, MPI_COMM_WORLD);
  for (int counter = 0; counter < COUNTERS; ++counter) {
    int used = 0;
    for (int origin = 0; origin < ranks; ++origin)
      for (int i = 0; i < count; ++i) {
        const struct operation o = operation_of(round, origin, i);
        if (o.what != COUNT || o.target != rank || o.first != counter) continue;
        links[used][0] = all[origin * count + i];
        links[used++][1] = o.value;
      }
    check_chain(before->counters[counter], models[rank].counters[counter], links, used);
  }
  free(all);
  free(links);
}

static void check_memory(void) {
  const struct memory* m = &models[rank];
  for (int i = 0; i < BLOCKS * BLOCK; ++i)
    if ((&memory->blocks[0][0])[i] != (&m->blocks[0][0])[i])
      fail("a word of the window", (&memory->blocks[0][0])[i], (&m->blocks[0][0])[i]);
  for (int i = 0; i < SUMS; ++i) {
    if (memory->ints[i] != m->ints[i]) fail("an accumulated int", memory->ints[i], m->ints[i]);
    if (memory->longs[i] != m->longs[i]) fail("an accumulated long", memory->longs[i], m->longs[i]);
    if (memory->shorts[i] != m->shorts[i]) fail("an accumulated short", memory->shorts[i], m->shorts[i]);
    if (memory->doubles[i] != m->doubles[i])
      fail("an accumulated double", (int64_t)memory->doubles[i], (int64_t)m->doubles[i]);
  }
  for (int i = 0; i < COUNTERS; ++i)
    if (memory->counters[i] != m->counters[i]) fail("a counter", memory->counters[i], m->counters[i]);
  if (memory->record[0] != m->record[0] || memory->record[1] != m->record[0])
    fail("a record", memory->record[1], m->record[0]);
}

static void play(int round, int count) {
  const int way = (int)(drawn(7, (uint64_t)round, 0, 0) % WAYS);
  const struct memory before = models[rank];
  for (int i = 0; i < count; ++i) buffers[i].old = 0;
  make_round(round, count, way);
  check_gets(round, count); /* of words that this round does not change */
  for (int origin = 0; origin < ranks; ++origin)
    for (int i = 0; i < count; ++i) {
      const struct operation o = operation_of(round, origin, i);
      model(round, origin, &o);
    }
  for (int target = 0; target < ranks && way == EXCLUSIVE; ++target) models[target].record[0] += ranks;
  check_memory();
  check_counters(round, count, &before);
}

/* In one of three kinds of windows. */
static void open_window(int kind) {
  if (kind == 0) {
    memory = malloc(sizeof *memory);
    MPI_Win_create(memory, sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  } else if (kind == 1) {
    MPI_Win_allocate(sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  } else {
    static struct memory global;
    memory = &global;
    MPI_Win_create(memory, sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  }
  memset(memory, 0, sizeof *memory);
  memset(models, 0, (size_t)ranks * sizeof *models);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  const int rounds = argc > 2 ? atoi(argv[2]) : 4, asked = argc > 3 ? atoi(argv[3]) : 30;
  const int count = asked < OPERATIONS_MOST ? asked : OPERATIONS_MOST;
  models = calloc((size_t)ranks, sizeof *models);
  for (int n = 1; n <= BLOCK / 2; ++n) {
    MPI_Type_vector(n, 1, 2, MPI_INT, &every_second[n]);
    MPI_Type_commit(&every_second[n]);
  }
  for (int round = 0; round < rounds; ++round) {
    if (round % 6 == 0) open_window((int)((seed + (uint64_t)round / 6) % 3));
    play(round, count);
    if (round % 6 == 5 || round == rounds - 1) MPI_Win_free(&window);
  }
  if (rank == 0) printf("PASS\n");
  MPI_Finalize();
  return 0;
}
