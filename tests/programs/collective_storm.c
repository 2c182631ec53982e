/* A storm of collective operations, drawn by all ranks alike from a seed: blocking ones and others, a dozen under way
 * at once, on communicators of all kinds, between two groups as well; with datatypes that differ at both ends, counts
 * that may be 0, blocks in any order with gaps, in place, operations of the program that do not commute; whose types,
 * operations and communicators are freed before they end. Every byte is looked at: of what comes, of what has been
 * sent, and of what lies between.
 *
 *   collective_storm [SEED [ROUNDS [OPERATIONS of a round [ELEMENTS of a block]]]]
 */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drawn_reductions.h"

enum { UNDER_WAY = 12, UNIT = 12 /* signatures, so that types of several of them fit */ };
enum kind {
  BARRIER,
  BCAST,
  GATHER,
  GATHERV,
  SCATTER,
  SCATTERV,
  ALLGATHER,
  ALLGATHERV,
  ALLTOALL,
  ALLTOALLV,
  ALLTOALLW,
  REDUCE,
  ALLREDUCE,
  REDUCE_SCATTER,
  REDUCE_SCATTER_BLOCK,
  SCAN,
  EXSCAN,
  KINDS
};

struct operation {
  int used, id, root, in_place, later; /* later: it does not block */
  enum kind kind;
  const struct room* room;
  struct map maps[2]; /* of what is sent, and received */
  struct area areas[2];
  int *counts[2], *offsets[2];
  struct map* each[2]; /* ALLTOALLW: for each rank */
  MPI_Datatype* types[2];
  MPI_Op op;
  int own_op;
  MPI_Request request;
};
static struct operation under_way[UNDER_WAY];
static int size, seed = 1, rounds = 2, operations = 40, most_elements = 40, round_now;
enum { OUT, IN };

static void finish(struct operation* o) {
  for (int way = OUT; way <= IN; ++way) {
    struct area* a = &o->areas[way];
    const long at = area_wrong(a);
    if (at >= 0) {
      fprintf(stderr,
              "collective_storm %d, round %d, rank %d: operation %d of kind %d%s%s%s, groups of %d and %d, root %d: of "
              "what is %s byte %ld is %d, not %d\n",
              seed, round_now, rank, o->id, o->kind, o->later ? ", nonblocking" : "", o->in_place ? ", in place" : "",
              o->own_op ? ", own operation" : "", o->room->side[0].count, o->room->side[1].count, o->root,
              way == IN ? "received" : "sent", at - a->base, a->memory[at], a->want[at]);
      MPI_Abort(MPI_COMM_WORLD, 9);
    }
    area_free(a);
    for (int i = 0; o->each[way] && i < MOST_RANKS; ++i) forget_map(&o->each[way][i]);
    forget_map(&o->maps[way]);
    free(o->each[way]), free(o->types[way]), free(o->counts[way]), free(o->offsets[way]);
  }
  if (o->own_op) MPI_Op_free(&o->op);
  o->used = 0;
}

/* What an operation under way holds itself. */
static void forget_early(struct operation* o) {
  for (int way = OUT; way <= IN; ++way) {
    for (int i = 0; o->each[way] && i < MOST_RANKS; ++i) forget_map(&o->each[way][i]);
    forget_map(&o->maps[way]);
  }
  if (o->own_op) MPI_Op_free(&o->op);
  o->own_op = 0;
}

/* Of the latest operation: a type that was freed early may be another one's by now, where MPI did not need it. */
static const struct map* reduced_map(MPI_Datatype type) {
  const struct operation* latest = NULL;
  for (int i = 0; i < UNDER_WAY; ++i) {
    const struct operation* o = &under_way[i];
    if (o->used && o->kind >= REDUCE && o->maps[IN].type == type && (!latest || o->id > latest->id)) latest = o;
  }
  return latest ? &latest->maps[IN] : NULL;
}

/* Where this rank stands in an operation with a root, and what it passes for it. */
struct standing {
  const struct group *self, *other; /* the members of this side; the other side of the exchange */
  int me, is_root, on_root_side, root, root_world;
};
static struct standing standing_of(const struct operation* o) {
  const struct room* m = o->room;
  const int mine = side_in(m), root_side = m->inter && o->root % 2;
  const int at = o->root / 2 % m->side[root_side].count;
  struct standing s = {.self = &m->side[mine], .other = &m->side[m->inter ? !mine : 0]};
  s.me = place_in(s.self, rank);
  s.on_root_side = !m->inter || mine == root_side;
  s.is_root = s.on_root_side && s.me == at;
  s.root = !m->inter || !s.on_root_side ? at : s.is_root ? MPI_ROOT : MPI_PROC_NULL;
  s.root_world = m->side[root_side].ranks[at];
  return s;
}

/* ---- reductions ---- */
/* How many elements each gets of a reduce_scatter: between two groups both hand out as many in all. */
static long share_out(const struct operation* o, const struct standing* s, unsigned key, int count, int* counts) {
  const int n = s->self->count, both = o->room->side[0].count * o->room->side[1].count;
  long all = 0;
  for (int i = 0; i < n; ++i) {
    counts[i] = count / 4;
    if (o->kind == REDUCE_SCATTER) counts[i] = (int)(word_of((int)key, i, 0, 0) % (unsigned)(count / 4 + 1));
    if (o->room->inter) counts[i] = count % 30 * both / n;
    all += counts[i];
  }
  if (o->kind == REDUCE_SCATTER && o->room->inter && n > 1)
    counts[0] -= counts[0] / 2, counts[n - 1] += counts[n - 1] / 2;
  return all;
}

/* The call for a kind, as it blocks or not. */
#define CALL(KIND, start, make, ...) \
  if (o->kind == KIND) o->later ? start(__VA_ARGS__, q) : make(__VA_ARGS__)
static void call_reduction(struct operation* o, const void* out, void* in, int count, MPI_Datatype type, int root) {
  const MPI_Comm c = o->room->comm;
  const int* counts = o->counts[IN];
  MPI_Request* q = &o->request;
  CALL(REDUCE, MPI_Ireduce, MPI_Reduce, out, in, count, type, o->op, root, c);
  CALL(ALLREDUCE, MPI_Iallreduce, MPI_Allreduce, out, in, count, type, o->op, c);
  CALL(REDUCE_SCATTER, MPI_Ireduce_scatter, MPI_Reduce_scatter, out, in, counts, type, o->op, c);
  CALL(REDUCE_SCATTER_BLOCK, MPI_Ireduce_scatter_block, MPI_Reduce_scatter_block, out, in, counts[0], type, o->op, c);
  CALL(SCAN, MPI_Iscan, MPI_Scan, out, in, count, type, o->op, c);
  CALL(EXSCAN, MPI_Iexscan, MPI_Exscan, out, in, count, type, o->op, c);
}

static void start_reduction(struct operation* o, unsigned state) {
  const struct standing s = standing_of(o);
  const struct room* m = o->room;
  const int count = next(&state, 4) == 0 ? 0 : (int)next(&state, next(&state, 5) ? 20 : (unsigned)most_elements * 10);
  const int scatters = o->kind == REDUCE_SCATTER || o->kind == REDUCE_SCATTER_BLOCK;
  long all = count, before = 0;
  int* counts = o->counts[IN] = calloc((size_t)s.self->count, sizeof *counts);
  if (scatters) all = share_out(o, &s, state, count, counts);
  for (int i = 0; i < s.me; ++i) before += counts[i];
  const struct reduction r = draw_reduction(&state, all, &o->op);
  o->own_op = r.own;
  o->maps[IN] = r.map;
  const int gives = !m->inter || o->kind != REDUCE || !s.on_root_side;
  const int gets = o->kind != REDUCE || s.is_root;
  const struct group alone = {1, {rank}}, *from = m->inter ? s.other : s.self;
  o->in_place = o->in_place && !m->inter && gets;
  long low = 0, high = 0;
  bounds_of(&r.map, 0, all, &low, &high);
  if (gives && !o->in_place) {
    o->areas[OUT] = area_of(low, high);
    put_result(&r, &o->areas[OUT], THERE, o->id, &alone, 0, 0, all);
    want_what_is_there(&o->areas[OUT]);
  }
  if (gets) {
    o->areas[IN] = area_of(low, high);
    if (o->in_place) put_result(&r, &o->areas[IN], THERE, o->id, &alone, 0, 0, all);
    want_what_is_there(&o->areas[IN]);
    const int last = o->kind == SCAN ? s.me : o->kind == EXSCAN ? s.me - 1 : from->count - 1;
    if (last >= 0) put_result(&r, &o->areas[IN], WANTED, o->id, from, last, before, scatters ? counts[s.me] : all);
  }
  static char nothing;
  const void* out = o->in_place ? MPI_IN_PLACE : gives ? area_start(&o->areas[OUT]) : &nothing;
  call_reduction(o, out, area_start(&o->areas[IN]), count, r.map.type, s.root);
}

/* ---- blocks ---- */
static void put_words(const struct area* a, enum where where, struct place p, int operation, int from, int to) {
  long i = 0;
  for (long n = p.first; n < p.first + p.count; ++n)
    for (int e = 0; e < p.map->count; ++e) {
      const uint64_t word = word_of(operation, from, to, i++), words[2] = {word, word};
      memcpy(element(side_of(a, where), &p, n, e), words, p.map->bytes[e]);
    }
}

static int has_counts(enum kind k) {
  return k == GATHERV || k == SCATTERV || k == ALLGATHERV || k == ALLTOALLV || k == ALLTOALLW;
}
static int is_all_to_all(enum kind k) { return k >= ALLTOALL && k <= ALLTOALLW; }
static int is_scatter(enum kind k) { return k == SCATTER || k == SCATTERV; }
static int is_gather(enum kind k) { return k == GATHER || k == GATHERV; }

/* The data of an operation, as all draw it. */
struct drawn {
  struct basic signature[3];
  int parts, even, most, key, zero;
};
static struct drawn draw_blocks(unsigned state) {
  struct drawn d = {.parts = 1 + (int)next(&state, 3)};
  for (int i = 0; i < d.parts; ++i) d.signature[i] = basic_of((int)next(&state, BASICS));
  d.key = (int)next(&state, 1 << 20);
  d.most = next(&state, 6) ? 4 : most_elements / 2;
  d.zero = next(&state, 10) == 0;
  d.even = d.zero ? 0 : (int)next(&state, (unsigned)d.most + 1) * UNIT;
  return d;
}
/* Signatures that go from one rank to another. In place both ways have as many. */
static int between(const struct operation* o, const struct drawn* d, int from, int to) {
  if (!has_counts(o->kind)) return d->even;
  if (d->zero) return 0;
  const int each = is_all_to_all(o->kind), swaps = o->in_place && each && from > to;
  const uint64_t word = word_of(d->key,
                                swaps                 ? to
                                : is_scatter(o->kind) ? 0
                                                      : from,
                                swaps                         ? from
                                : each || is_scatter(o->kind) ? to
                                                              : 0,
                                0);
  return word % 5 == 0 ? 0 : (int)(word / 5 % (unsigned)d->most) * UNIT;
}

/* One block to or from each of the other side, in any order, with gaps; ALLTOALLW: of types of their own. */
static void place_blocks(struct operation* o, const struct drawn* d, const struct group* other, int way,
                         unsigned* state) {
  struct map* map = &o->maps[way];
  const int n = other->count;
  int *counts = o->counts[way], *offsets = o->offsets[way], order[MOST_RANKS], all = 0;
  long low = 0, high = 0;
  for (int p = 0; p < n; ++p) {
    const int peer = other->ranks[p];
    counts[p] = way == IN ? between(o, d, peer, rank) : between(o, d, rank, peer); /* signatures, so far */
    all += counts[p] + UNIT;
    order[p] = p;
  }
  for (int p = n - 1; has_counts(o->kind) && p > 0; --p) {
    const int q = drawn_from(state, 0, p), was = order[p];
    order[p] = order[q];
    order[q] = was;
  }
  if (o->kind == ALLTOALLW) {
    o->each[way] = calloc(MOST_RANKS, sizeof *o->each[way]);
    o->types[way] = calloc(MOST_RANKS, sizeof(MPI_Datatype));
  } else {
    keep_apart(map, d->signature, d->parts, all);
  }
  long at = 0;
  for (int i = 0; i < n; ++i) {
    const int p = order[i];
    if (o->kind == ALLTOALLW) {
      long from = 0, to = 0;
      map = &o->each[way][p];
      *map = draw_map(state, d->signature, d->parts, UNIT, all);
      o->types[way][p] = map->type;
      counts[p] /= map->count / d->parts;
      bounds_of(map, 0, counts[p], &from, &to);
      offsets[p] = (int)(at - (from & ~15L));
      at += ((to + 15) & ~15L) - (from & ~15L);
      high = at;
      continue;
    }
    counts[p] /= map->count / d->parts;
    offsets[p] = (int)at;
    bounds_of(map, at, counts[p], &low, &high);
    at += counts[p];
    if (has_counts(o->kind)) at += drawn_from(state, 0, UNIT / (map->count / d->parts)) / 2;
  }
  o->areas[way] = area_of(low, high);
}
static struct place place_of(const struct operation* o, int way, int p) {
  if (o->kind == ALLTOALLW) return (struct place){&o->each[way][p], o->offsets[way][p], 0, o->counts[way][p]};
  return (struct place){&o->maps[way], 0, o->offsets[way][p], o->counts[way][p]};
}

static void place_one(struct operation* o, const struct drawn* d, int way, int signatures) {
  struct map* map = &o->maps[way];
  long low = 0, high = 0;
  keep_apart(map, d->signature, d->parts, signatures + 1);
  o->counts[way][0] = signatures / (map->count / d->parts);
  bounds_of(map, 0, o->counts[way][0], &low, &high);
  o->areas[way] = area_of(low, high);
}

static void call_blocks(struct operation* o, int root) {
  const MPI_Comm c = o->room->comm;
  MPI_Request* q = &o->request;
  static char nothing;
  const int in_place_in = o->in_place && is_scatter(o->kind), in_place_out = o->in_place && !in_place_in;
  void *s = area_start(&o->areas[OUT]), *d = area_start(&o->areas[IN]);
  const int *sc = o->counts[OUT], *sf = o->offsets[OUT], *rc = o->counts[IN], *rf = o->offsets[IN];
  MPI_Datatype st = o->maps[OUT].type, rt = o->maps[IN].type;
  const MPI_Datatype *sw = o->types[OUT], *rw = o->types[IN];
  if (!s && !d) s = d = &nothing;
  if (o->kind == BCAST) {
    const int way = o->areas[OUT].memory ? OUT : IN;
    void* buffer = way == OUT ? s : d;
    CALL(BCAST, MPI_Ibcast, MPI_Bcast, buffer, o->counts[way][0], o->maps[way].type, root, c);
    return;
  }
  if (in_place_out) s = MPI_IN_PLACE, sc = sf = NULL, st = MPI_DATATYPE_NULL, sw = NULL;
  if (in_place_in) d = MPI_IN_PLACE, rt = MPI_DATATYPE_NULL;
  const int sn = in_place_out ? 0 : sc[0], rn = rc[0];
  CALL(GATHER, MPI_Igather, MPI_Gather, s, sn, st, d, rn, rt, root, c);
  CALL(GATHERV, MPI_Igatherv, MPI_Gatherv, s, sn, st, d, rc, rf, rt, root, c);
  CALL(SCATTER, MPI_Iscatter, MPI_Scatter, s, sn, st, d, rn, rt, root, c);
  CALL(SCATTERV, MPI_Iscatterv, MPI_Scatterv, s, sc, sf, st, d, rn, rt, root, c);
  CALL(ALLGATHER, MPI_Iallgather, MPI_Allgather, s, sn, st, d, rn, rt, c);
  CALL(ALLGATHERV, MPI_Iallgatherv, MPI_Allgatherv, s, sn, st, d, rc, rf, rt, c);
  CALL(ALLTOALL, MPI_Ialltoall, MPI_Alltoall, s, sn, st, d, rn, rt, c);
  CALL(ALLTOALLV, MPI_Ialltoallv, MPI_Alltoallv, s, sc, sf, st, d, rc, rf, rt, c);
  CALL(ALLTOALLW, MPI_Ialltoallw, MPI_Alltoallw, s, sc, sf, sw, d, rc, rf, rw, c);
}

static void start_blocks(struct operation* o, unsigned state) {
  const struct standing s = standing_of(o);
  const struct drawn d = draw_blocks(state);
  const int inter = o->room->inter, k = o->kind, rooted = k <= SCATTERV;
  int sends = 1, receives = 1;
  if (rooted && (k == BCAST || is_scatter(k))) {
    sends = s.is_root;
    receives = inter ? !s.on_root_side : k != BCAST || !s.is_root;
  } else if (rooted) {
    sends = inter ? !s.on_root_side : 1;
    receives = s.is_root;
  }
  o->in_place = o->in_place && !inter && k != BCAST && (!rooted || s.is_root);
  const int to_each = sends && (is_scatter(k) || is_all_to_all(k));
  const int from_each = receives && (is_gather(k) || k == ALLGATHER || k == ALLGATHERV || is_all_to_all(k));
  unsigned layouts = own + (unsigned)o->id * 131u; /* each has its own */
  for (int way = OUT; way <= IN; ++way) {
    const int in_place = o->in_place && (way == IN) == is_scatter(k);
    const int n = s.other->count > s.self->count ? s.other->count : s.self->count;
    o->counts[way] = calloc((size_t)n, sizeof(int));
    o->offsets[way] = calloc((size_t)n, sizeof(int));
    o->maps[way] = draw_map(&layouts, d.signature, d.parts, UNIT, 0);
    if (in_place || !(way == IN ? receives : sends)) continue;
    if (way == IN ? from_each : to_each)
      place_blocks(o, &d, s.other, way, &layouts);
    else
      place_one(o, &d, way, way == OUT ? between(o, &d, rank, rank) : between(o, &d, s.root_world, rank));
  }
  /* A word names its sender, and its receiver where that makes a difference. */
  const int differs = is_scatter(k) || is_all_to_all(k);
  const int from = o->in_place && !is_scatter(k) ? IN : OUT;
  for (int p = 0; sends && (from == IN || to_each) && p < s.other->count; ++p)
    if (differs || p == s.me)
      put_words(&o->areas[from], THERE, place_of(o, from, p), o->id, rank, differs ? s.other->ranks[p] + 1 : 0);
  if (sends && from == OUT && !to_each)
    put_words(&o->areas[OUT], THERE, (struct place){&o->maps[OUT], 0, 0, o->counts[OUT][0]}, o->id, rank, 0);
  for (int way = OUT; way <= IN; ++way) want_what_is_there(&o->areas[way]);
  for (int p = 0; from_each && p < s.other->count; ++p)
    put_words(&o->areas[IN], WANTED, place_of(o, IN, p), o->id, s.other->ranks[p], differs ? rank + 1 : 0);
  if (receives && !from_each && o->areas[IN].memory)
    put_words(&o->areas[IN], WANTED, (struct place){&o->maps[IN], 0, 0, o->counts[IN][0]}, o->id, s.root_world,
              differs ? rank + 1 : 0);
  call_blocks(o, s.root);
}

/* ---- a round ---- */
static void rest(void) {
  if (next(&own, 3)) return;
  const struct timespec time = {0, (long)next(&own, 1u << (8 + next(&own, 12)))};
  nanosleep(&time, NULL);
}

static void complete(struct operation* o) {
  int flag = 0;
  if (next(&own, 2)) MPI_Wait(&o->request, MPI_STATUS_IGNORE);
  while (o->request != MPI_REQUEST_NULL && !flag) MPI_Test(&o->request, &flag, MPI_STATUS_IGNORE);
  finish(o);
}

/* Answers how many were under way. */
static int complete_some(void) {
  MPI_Request requests[UNDER_WAY];
  struct operation* owners[UNDER_WAY];
  int count = 0, done = 0, flag = 0, ended[UNDER_WAY];
  for (int i = 0; i < UNDER_WAY; ++i)
    if (under_way[i].used) requests[count] = under_way[i].request, owners[count++] = &under_way[i];
  if (count == 0) return 0;
  const int how = (int)next(&own, 4);
  if (how == 0) MPI_Waitany(count, requests, &ended[done++], MPI_STATUS_IGNORE);
  if (how == 1) MPI_Testany(count, requests, ended, &flag, MPI_STATUS_IGNORE), done = flag;
  if (how == 2) MPI_Waitsome(count, requests, &done, ended, MPI_STATUSES_IGNORE);
  if (how == 3) MPI_Testsome(count, requests, &done, ended, MPI_STATUSES_IGNORE);
  for (int i = 0; i < done; ++i) {
    CHECK(requests[ended[i]] == MPI_REQUEST_NULL);
    finish(owners[ended[i]]);
  }
  return count;
}

static struct operation* free_place(void) {
  for (int i = 0; i < UNDER_WAY; ++i)
    if (!under_way[i].used) return &under_way[i];
  struct operation* o = &under_way[next(&own, UNDER_WAY)];
  complete(o);
  return o;
}

static void one(int id) {
  const struct room* m = &rooms[draw(room_count)];
  const struct operation drawn = {.used = 1,
                                  .id = id,
                                  .room = m,
                                  .kind = (enum kind)draw(KINDS),
                                  .root = draw(1 << 16),
                                  .in_place = draw(3) == 0,
                                  .later = draw(3) != 0,
                                  .op = MPI_OP_NULL,
                                  .request = MPI_REQUEST_NULL};
  const unsigned state = (unsigned)draw(1 << 30);
  if (m->comm == MPI_COMM_NULL || (m->inter && drawn.kind >= SCAN)) return;
  struct operation* o = free_place();
  *o = drawn;
  if (o->kind == BARRIER)
    o->later ? MPI_Ibarrier(m->comm, &o->request) : MPI_Barrier(m->comm);
  else if (o->kind < REDUCE)
    start_blocks(o, state);
  else
    start_reduction(o, state);
  if (!o->later) finish(o);
  if (o->later && next(&own, 2)) forget_early(o);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  read_numbers(argc, argv, rank, (int*[]){&seed, &rounds, &operations, &most_elements}, 4);
  map_of_type = reduced_map;
  for (round_now = 0; round_now < rounds; ++round_now) {
    open_rooms(size);
    for (int i = 0; i < operations; ++i) {
      rest();
      if (next(&own, 3) == 0) complete_some();
      one(round_now * operations + i);
    }
    const int close_first = (int)next(&own, 2);
    if (close_first) close_rooms();
    while (complete_some()) continue;
    if (!close_first) close_rooms();
  }
  if (rank == 0) printf("PASS collective_storm %d on %d ranks\n", seed, size);
  return MPI_Finalize();
}
