/* Collective operations drawn from a seed: operation, communicator, root, size, layout, in place or not, an operation
 * that commutes or one that does not; each rank computes by itself what must come out. Whatever algorithms are set, the
 * results are the same. Arguments: --seed N --rounds N --most ELEMENTS */
#include <stddef.h>

#include "sw/support/options.h"
#include "tests/images/mpi_check.h"

/* The map x -> a x + b. Maps in a row are a map; their order matters. */
struct map {
  uint32_t a, b;
};
/* Their elements, with what may be between them. */
struct spread {
  struct map map;
  uint32_t gap;
};
#define GAP 0xabababab

static uint32_t seed; /* the same in all ranks */

static uint32_t draw(uint32_t below) {
  seed = seed * 1664525u + 1013904223u;
  return (uint32_t)(((uint64_t)seed * below) >> 32);
}

static struct map map_of(int owner, size_t i, uint32_t round) {
  const uint32_t x = ((uint32_t)owner * 40503u + (uint32_t)i * 2654435u + round * 97u) * 2654435761u;
  return (struct map){x | 1u, x >> 7};
}

static struct map both(struct map first, struct map second, int commutes) {
  if (commutes) return (struct map){first.a + second.a, first.b + second.b};
  return (struct map){first.a * second.a, second.a * first.b + second.b};
}

/* inout = in, then inout. */
static void combine(const char* in, char* inout, int count, size_t stride, int commutes) {
  for (int i = 0; i < count; ++i, in += stride, inout += stride) {
    struct map first, second;
    memcpy(&first, in, sizeof first);
    memcpy(&second, inout, sizeof second);
    second = both(first, second, commutes);
    memcpy(inout, &second, sizeof second);
  }
}

static size_t stride_of(MPI_Datatype type) {
  MPI_Aint lower, extent;
  MPI_Type_get_extent(type, &lower, &extent);
  return (size_t)extent;
}

static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  combine(in, inout, *count, stride_of(*type), 1);
}

static void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
  combine(in, inout, *count, stride_of(*type), 0);
}

/* ---- a round ---- */
struct round {
  MPI_Comm comm;
  int self, size, root;
  int count; /* elements of a block or of the vector */
  int in_place, commutes;
  uint32_t salt;
  MPI_Datatype type;
  size_t stride;
  MPI_Op op;
  char *send, *receive; /* [size * count] elements */
};

static void set(const struct round* r, char* buffer, size_t at, struct map value) {
  memcpy(buffer + at * r->stride, &value, sizeof value);
}

static void fill_blocks(const struct round* r, char* buffer, size_t first, size_t count, int owner) {
  for (size_t i = 0; i < count; ++i) set(r, buffer, first + i, map_of(owner, first + i, r->salt));
}

/* Elements [first, first + count) of a buffer are those from `from` on of an owner. */
static void expect_of(const struct round* r, const char* buffer, size_t first, size_t count, int owner, size_t from) {
  for (size_t i = 0; i < count; ++i) {
    const struct map want = map_of(owner, from + i, r->salt);
    EXPECT(memcmp(buffer + (first + i) * r->stride, &want, sizeof want) == 0);
  }
}

/* Elements are the combination of those of the first `owners` ranks, from `from` on. */
static void expect_combined(const struct round* r, const char* buffer, size_t count, int owners, size_t from) {
  for (size_t i = 0; i < count; ++i) {
    struct map want = map_of(0, from + i, r->salt);
    for (int owner = 1; owner < owners; ++owner) want = both(want, map_of(owner, from + i, r->salt), r->commutes);
    EXPECT(memcmp(buffer + i * r->stride, &want, sizeof want) == 0);
  }
}

static void expect_gaps(const struct round* r) {
  if (r->stride == sizeof(struct map)) return;
  for (size_t i = 0; i < (size_t)r->size * (size_t)r->count; ++i)
    EXPECT(*(const uint32_t*)(r->receive + i * r->stride + offsetof(struct spread, gap)) == GAP);
}

/* ---- the operations ---- */
static void bcast(struct round* r) {
  if (r->self == r->root) fill_blocks(r, r->receive, 0, (size_t)r->count, r->root);
  MPI_Bcast(r->receive, r->count, r->type, r->root, r->comm);
  expect_of(r, r->receive, 0, (size_t)r->count, r->root, 0);
}

static void gather(struct round* r) {
  const size_t count = (size_t)r->count;
  const int in_place = r->in_place && r->self == r->root;
  for (size_t i = 0; i < count; ++i) {
    set(r, r->send, i, map_of(r->self, i, r->salt));
    if (in_place) set(r, r->receive, (size_t)r->self * count + i, map_of(r->self, i, r->salt));
  }
  MPI_Gather(in_place ? MPI_IN_PLACE : r->send, r->count, r->type, r->receive, r->count, r->type, r->root, r->comm);
  for (int i = 0; i < r->size && r->self == r->root; ++i) expect_of(r, r->receive, (size_t)i * count, count, i, 0);
}

static void scatter(struct round* r) {
  const size_t count = (size_t)r->count, own = (size_t)r->self * count;
  const int in_place = r->in_place && r->self == r->root;
  fill_blocks(r, r->send, 0, (size_t)r->size * count, r->root);
  MPI_Scatter(r->send, r->count, r->type, in_place ? MPI_IN_PLACE : r->receive, r->count, r->type, r->root, r->comm);
  if (!in_place) expect_of(r, r->receive, 0, count, r->root, own);
}

static void allgather(struct round* r) {
  const size_t count = (size_t)r->count;
  for (size_t i = 0; i < count; ++i)
    set(r, r->in_place ? r->receive : r->send, (r->in_place ? (size_t)r->self * count : 0) + i,
        map_of(r->self, i, r->salt));
  MPI_Allgather(r->in_place ? MPI_IN_PLACE : r->send, r->count, r->type, r->receive, r->count, r->type, r->comm);
  for (int i = 0; i < r->size; ++i) expect_of(r, r->receive, (size_t)i * count, count, i, 0);
}

static void alltoall(struct round* r) {
  const size_t count = (size_t)r->count;
  fill_blocks(r, r->in_place ? r->receive : r->send, 0, (size_t)r->size * count, r->self);
  MPI_Alltoall(r->in_place ? MPI_IN_PLACE : r->send, r->count, r->type, r->receive, r->count, r->type, r->comm);
  for (int i = 0; i < r->size; ++i) expect_of(r, r->receive, (size_t)i * count, count, i, (size_t)r->self * count);
}

static void reduce(struct round* r) {
  const int in_place = r->in_place && r->self == r->root;
  fill_blocks(r, in_place ? r->receive : r->send, 0, (size_t)r->count, r->self);
  MPI_Reduce(in_place ? MPI_IN_PLACE : r->send, r->receive, r->count, r->type, r->op, r->root, r->comm);
  if (r->self == r->root) expect_combined(r, r->receive, (size_t)r->count, r->size, 0);
  if (!in_place) expect_of(r, r->send, 0, (size_t)r->count, r->self, 0);
}

static void allreduce(struct round* r) {
  fill_blocks(r, r->in_place ? r->receive : r->send, 0, (size_t)r->count, r->self);
  MPI_Allreduce(r->in_place ? MPI_IN_PLACE : r->send, r->receive, r->count, r->type, r->op, r->comm);
  expect_combined(r, r->receive, (size_t)r->count, r->size, 0);
}

static void reduce_scatter(struct round* r) {
  const size_t count = (size_t)r->count;
  fill_blocks(r, r->in_place ? r->receive : r->send, 0, (size_t)r->size * count, r->self);
  MPI_Reduce_scatter_block(r->in_place ? MPI_IN_PLACE : r->send, r->receive, r->count, r->type, r->op, r->comm);
  expect_combined(r, r->receive, count, r->size, (size_t)r->self * count);
}

static void scan(struct round* r) {
  fill_blocks(r, r->in_place ? r->receive : r->send, 0, (size_t)r->count, r->self);
  MPI_Scan(r->in_place ? MPI_IN_PLACE : r->send, r->receive, r->count, r->type, r->op, r->comm);
  expect_combined(r, r->receive, (size_t)r->count, r->self + 1, 0);
}

static void barrier(struct round* r) { MPI_Barrier(r->comm); }

static void (*const operations[])(struct round* r) = {
    bcast,     gather,         scatter, allgather, alltoall, reduce,
    allreduce, reduce_scatter, scan,    barrier,   bcast}; /* twice: roots follow one another */
#define OPERATIONS (sizeof operations / sizeof *operations)

/* Small sizes as often as large ones. */
static int size_up_to(uint32_t most) {
  uint32_t bound = 1;
  while (bound < most && draw(4) != 0) bound *= 4;
  return (int)draw((bound < most ? bound : most) + 1);
}

static void play(MPI_Comm comm, uint32_t most, MPI_Datatype types[2], MPI_Op ops[2]) {
  struct round r = {.comm = comm, .salt = draw(1u << 30)};
  const uint32_t operation = draw(OPERATIONS), late = draw(1u << 20);
  const int spread = draw(3) == 0;
  r.commutes = draw(3) != 0;
  r.in_place = draw(2) == 0;
  r.type = types[spread];
  r.op = ops[r.commutes];
  r.stride = spread ? sizeof(struct spread) : sizeof(struct map);
  r.count = size_up_to(most);
  const uint32_t root = draw(1u << 20);
  if (comm == MPI_COMM_NULL) return;
  MPI_Comm_rank(comm, &r.self);
  MPI_Comm_size(comm, &r.size);
  r.root = (int)(root % (uint32_t)r.size);
  const size_t bytes = (size_t)r.size * (size_t)r.count * r.stride + 1;
  r.send = malloc(bytes);
  r.receive = malloc(bytes);
  memset(r.receive, 0xab, bytes);
  memset(r.send, 0xab, bytes);
  hal_compute_ps((uint64_t)(late * (uint32_t)(rank + 1) % 64) * 1000000); /* up to 64 us */
  operations[operation](&r);
  expect_gaps(&r);
  free(r.send);
  free(r.receive);
}

static MPI_Comm part(void) {
  const uint32_t key = draw(1u << 20), one_in = 1 + draw(4), odd = draw(2);
  const int out = one_in > 1 && (uint32_t)rank % one_in == 0;
  MPI_Comm made;
  MPI_Comm_split(MPI_COMM_WORLD, out ? MPI_UNDEFINED : 0, odd ? -rank : (int)((uint32_t)rank * key % 64), &made);
  return made;
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  seed = (uint32_t)options_size(&options, "seed", "1", "of the draw");
  const unsigned rounds = (unsigned)options_size(&options, "rounds", "60", "operations");
  const uint32_t most = (uint32_t)options_size(&options, "most", "4K", "elements of 8 bytes in a block or vector");
  options_check(&options);
  begin(&argc, &argv);
  MPI_Datatype types[2];
  MPI_Type_contiguous(2, MPI_UINT32_T, &types[0]);
  MPI_Type_create_resized(types[0], 0, sizeof(struct spread), &types[1]);
  MPI_Type_commit(&types[0]);
  MPI_Type_commit(&types[1]);
  MPI_Op ops[2];
  MPI_Op_create(compose, 0, &ops[0]);
  MPI_Op_create(add, 1, &ops[1]);
  MPI_Comm comm = part();
  for (unsigned i = 0; i < rounds; ++i) {
    if (i % 16 == 15) {
      if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
      comm = part();
    }
    play(draw(2) ? comm : MPI_COMM_WORLD, most, types, ops);
  }
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  for (int i = 0; i < 2; ++i) {
    MPI_Op_free(&ops[i]);
    MPI_Type_free(&types[i]);
  }
  return finish();
}
