/* Reductions as test suites check them: every predefined operation with every type that it supports, against loops;
 * operations of the program on types with gaps, that do not commute; blocks of all kinds; reductions on one rank. */
#include <complex.h>
#include <float.h>
#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { COUNT = 7, MOST = 16 };
static int size;

/* Element i of rank r: small, so that products stay in range; includes 0. */
static int value(int r, int i) { return (r * 3 + i * 5) % 4; }

#define TRY(type, mpi_type, op, expression)                                                   \
  do {                                                                                        \
    type own[COUNT], got[COUNT], scanned[COUNT], before[COUNT];                               \
    for (int i = 0; i < COUNT; ++i) own[i] = (type)value(rank, i);                            \
    MPI_Allreduce(own, got, COUNT, mpi_type, op, MPI_COMM_WORLD);                             \
    MPI_Scan(own, scanned, COUNT, mpi_type, op, MPI_COMM_WORLD);                              \
    MPI_Exscan(own, before, COUNT, mpi_type, op, MPI_COMM_WORLD);                             \
    for (int i = 0; i < COUNT; ++i) {                                                         \
      type a = 0, mine = 0, earlier = 0;                                                      \
      for (int r = 0; r < size; ++r) {                                                        \
        const type b = (type)value(r, i);                                                     \
        if (r == rank) earlier = a;                                                           \
        a = (type)(r == 0 ? b : (expression));                                                \
        if (r == rank) mine = a;                                                              \
      }                                                                                       \
      if (got[i] == a && scanned[i] == mine && (rank == 0 || before[i] == earlier)) continue; \
      fprintf(stderr, "rank %d: %s of %s, element %d\n", rank, #op, #mpi_type, i);            \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                           \
    }                                                                                         \
  } while (0)

#define ORDERED(type, mpi_type)                \
  TRY(type, mpi_type, MPI_SUM, a + b);         \
  TRY(type, mpi_type, MPI_PROD, a* b);         \
  TRY(type, mpi_type, MPI_MAX, a > b ? a : b); \
  TRY(type, mpi_type, MPI_MIN, a < b ? a : b)
#define INTEGER(type, mpi_type)        \
  ORDERED(type, mpi_type);             \
  TRY(type, mpi_type, MPI_BAND, a& b); \
  TRY(type, mpi_type, MPI_BOR, a | b); \
  TRY(type, mpi_type, MPI_BXOR, a ^ b)

static void predefined(void) {
  INTEGER(int, MPI_INT);
  INTEGER(long, MPI_LONG);
  INTEGER(short, MPI_SHORT);
  INTEGER(unsigned short, MPI_UNSIGNED_SHORT);
  INTEGER(unsigned, MPI_UNSIGNED);
  INTEGER(unsigned long, MPI_UNSIGNED_LONG);
  INTEGER(long long, MPI_LONG_LONG_INT);
  INTEGER(unsigned long long, MPI_UNSIGNED_LONG_LONG);
  INTEGER(signed char, MPI_SIGNED_CHAR);
  INTEGER(unsigned char, MPI_UNSIGNED_CHAR);
  INTEGER(int8_t, MPI_INT8_T);
  INTEGER(uint16_t, MPI_UINT16_T);
  INTEGER(int32_t, MPI_INT32_T);
  INTEGER(uint64_t, MPI_UINT64_T);
  INTEGER(MPI_Aint, MPI_AINT);
  INTEGER(MPI_Offset, MPI_OFFSET);
  INTEGER(MPI_Count, MPI_COUNT);
  ORDERED(float, MPI_FLOAT);
  ORDERED(double, MPI_DOUBLE);
  ORDERED(long double, MPI_LONG_DOUBLE);
  TRY(float complex, MPI_C_FLOAT_COMPLEX, MPI_SUM, a + b);
  TRY(double complex, MPI_C_DOUBLE_COMPLEX, MPI_PROD, a* b);
  TRY(long double complex, MPI_C_LONG_DOUBLE_COMPLEX, MPI_SUM, a + b);
  TRY(unsigned char, MPI_BYTE, MPI_BXOR, a ^ b);
}

/* Logical operations return 0 or 1; on one rank, the input. */
static void logical(void) {
  int own[COUNT], all[COUNT], any[COUNT], odd[COUNT];
  bool own_bool[COUNT], all_bool[COUNT];
  for (int i = 0; i < COUNT; ++i) own[i] = value(rank, i), own_bool[i] = own[i] != 0;
  MPI_Allreduce(own, all, COUNT, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  MPI_Allreduce(own, any, COUNT, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
  MPI_Allreduce(own, odd, COUNT, MPI_INT, MPI_LXOR, MPI_COMM_WORLD);
  MPI_Allreduce(own_bool, all_bool, COUNT, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD);
  for (int i = 0; i < COUNT; ++i) {
    int true_ones = 0;
    for (int r = 0; r < size; ++r) true_ones += value(r, i) != 0;
    CHECK(!all[i] == (true_ones < size) && !any[i] == (true_ones == 0) && !odd[i] == (true_ones % 2 == 0));
    CHECK(all_bool[i] == (true_ones == size));
  }
}

/* ---- places: of equal values the lowest ---- */
#define PLACES(type, place_type, mpi_type)                                                                   \
  do {                                                                                                       \
    struct {                                                                                                 \
      type value;                                                                                            \
      place_type place;                                                                                      \
    } own[COUNT], most[COUNT], least[COUNT];                                                                 \
    for (int i = 0; i < COUNT; ++i) own[i].value = (type)value(rank, i), own[i].place = 100 * i + rank;      \
    MPI_Allreduce(own, most, COUNT, mpi_type, MPI_MAXLOC, MPI_COMM_WORLD);                                   \
    MPI_Reduce(own, least, COUNT, mpi_type, MPI_MINLOC, size / 2, MPI_COMM_WORLD);                           \
    for (int i = 0; i < COUNT; ++i) {                                                                        \
      int high = 0, low = 0;                                                                                 \
      for (int r = 1; r < size; ++r) {                                                                       \
        if (value(r, i) > value(high, i)) high = r;                                                          \
        if (value(r, i) < value(low, i)) low = r;                                                            \
      }                                                                                                      \
      CHECK(most[i].value == (type)value(high, i) && most[i].place == 100 * i + high);                       \
      CHECK(rank != size / 2 || (least[i].value == (type)value(low, i) && least[i].place == 100 * i + low)); \
    }                                                                                                        \
  } while (0)

static void places(void) {
  PLACES(int, int, MPI_2INT);
  PLACES(float, int, MPI_FLOAT_INT);
  PLACES(double, int, MPI_DOUBLE_INT);
  PLACES(long, int, MPI_LONG_INT);
  PLACES(short, int, MPI_SHORT_INT);
  PLACES(long double, int, MPI_LONG_DOUBLE_INT);
  PLACES(float, float, MPI_2REAL);
  PLACES(double, double, MPI_2DOUBLE_PRECISION);
}

/* ---- an operation of the program: x -> a x + b, composed in the order of ranks, on a type with gaps ---- */
enum { PRIME = 9973 };
struct map {
  int a, gap, b;
};
static int calls;
static void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
  MPI_Aint lower, extent;
  MPI_Type_get_extent(*type, &lower, &extent);
  if (extent != sizeof(struct map)) MPI_Abort(MPI_COMM_WORLD, 77);
  ++calls;
  const struct map* first = in;
  struct map* second = inout;
  for (int i = 0; i < *count; ++i) {
    second[i].b = (second[i].a * first[i].b + second[i].b) % PRIME;
    second[i].a = second[i].a * first[i].a % PRIME;
  }
}
static struct map map_of(int r, int i) { return (struct map){(r * 7 + i) % 11 + 1, -5, (r + 3 * i) % 13}; }
static struct map through(int last, int i) {
  struct map all = map_of(0, i);
  for (int r = 1; r <= last; ++r) {
    const struct map next = map_of(r, i);
    all.b = (next.a * all.b + next.b) % PRIME;
    all.a = next.a * all.a % PRIME;
  }
  return all;
}
#define SAME(x, y) CHECK((x).a == (y).a && (x).b == (y).b && (x).gap == -5)

static void own_operation(void) {
  MPI_Datatype type;
  MPI_Op op;
  int commutes, counts[64];
  struct map own[MOST * 8], got[MOST * 8];
  MPI_Request request;
  const int all = size * 2 < MOST * 8 ? size * 2 : MOST * 8;
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_INT, MPI_INT}, &type);
  MPI_Type_commit(&type);
  MPI_Op_create(compose, 0, &op);
  MPI_Op_commutative(op, &commutes);
  CHECK(!commutes);
  MPI_Op_commutative(MPI_MINLOC, &commutes);
  CHECK(commutes);
  for (int i = 0; i < MOST * 8; ++i) own[i] = map_of(rank, i), got[i].gap = -5;
  for (int root = 0; root < size; ++root) {
    MPI_Reduce(own, got, COUNT, type, op, root, MPI_COMM_WORLD);
    for (int i = 0; i < COUNT && rank == root; ++i) SAME(got[i], through(size - 1, i));
  }
  MPI_Iallreduce(own, got, COUNT, type, op, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < COUNT; ++i) SAME(got[i], through(size - 1, i));
  MPI_Scan(own, got, COUNT, type, op, MPI_COMM_WORLD);
  for (int i = 0; i < COUNT; ++i) SAME(got[i], through(rank, i));
  memcpy(got, own, sizeof got);
  MPI_Exscan(MPI_IN_PLACE, got, COUNT, type, op, MPI_COMM_WORLD);
  for (int i = 0; i < COUNT; ++i) SAME(got[i], rank == 0 ? own[i] : through(rank - 1, i));
  MPI_Reduce_scatter_block(own, got, all / size, type, op, MPI_COMM_WORLD);
  for (int i = 0; i < all / size; ++i) SAME(got[i], through(size - 1, rank * (all / size) + i));
  int before = 0, total = 0;
  for (int r = 0; r < size; ++r) {
    counts[r] = r % 3;
    if (r < rank) before += counts[r];
    total += counts[r];
  }
  memcpy(got, own, sizeof got);
  MPI_Reduce_scatter(MPI_IN_PLACE, got, counts, type, op, MPI_COMM_WORLD);
  for (int i = 0; i < counts[rank]; ++i) SAME(got[i], through(size - 1, before + i));
  memcpy(got, own, sizeof got);
  calls = 0;
  MPI_Reduce_local(own, got, COUNT, type, op); /* the same input twice */
  CHECK(calls >= 1);
  for (int i = 0; i < COUNT; ++i)
    CHECK(got[i].a == own[i].a * own[i].a % PRIME && got[i].b == (own[i].a * own[i].b + own[i].b) % PRIME);
  MPI_Op_free(&op);
  MPI_Type_free(&type);
}

/* Elements without data, any number of them. */
static void do_nothing(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)in, (void)inout, (void)count, (void)type;
}
static void empty_elements(void) {
  int counts[64], word = 7;
  MPI_Datatype type;
  MPI_Op op;
  for (int i = 0; i < size; ++i) counts[i] = 2;
  MPI_Type_contiguous(0, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Op_create(do_nothing, 1, &op);
  MPI_Allreduce(MPI_IN_PLACE, &word, 2, type, op, MPI_COMM_WORLD);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &word, &word, 2, type, op, 0, MPI_COMM_WORLD);
  MPI_Reduce_scatter(MPI_IN_PLACE, &word, counts, type, op, MPI_COMM_WORLD);
  CHECK(word == 7);
  MPI_Op_free(&op);
  MPI_Type_free(&type);
}

/* Long vectors, which are sent in parts; sums that are exact in any order. */
static void long_ones(void) {
  enum { LONG = 50000 };
  double *own = malloc(LONG * sizeof *own), *got = malloc(LONG * sizeof *got);
  int* counts = malloc(size * sizeof *counts);
  for (int i = 0; i < LONG; ++i) own[i] = rank * 0.5 + i;
  for (int way = 0; way < 3; ++way) {
    memset(got, 0, LONG * sizeof *got);
    if (way == 0) MPI_Allreduce(own, got, LONG, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (way == 1) MPI_Reduce(own, got, LONG, MPI_DOUBLE, MPI_SUM, size - 1, MPI_COMM_WORLD);
    if (way == 1) MPI_Bcast(got, LONG, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
    if (way == 2) {
      int first = 0;
      for (int r = 0; r < size; ++r) counts[r] = LONG / size + (r < LONG % size);
      for (int r = 0; r < rank; ++r) first += counts[r];
      MPI_Reduce_scatter(own, got, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      for (int i = 0; i < counts[rank]; ++i) CHECK(got[i] == size * (size - 1) / 4.0 + (double)size * (first + i));
      continue;
    }
    for (int i = 0; i < LONG; ++i) CHECK(got[i] == size * (size - 1) / 4.0 + (double)size * i);
  }
  free(own), free(got), free(counts);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  predefined();
  logical();
  places();
  own_operation();
  empty_elements();
  long_ones();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("PASS operations on %d ranks\n", size);
  return MPI_Finalize();
}
