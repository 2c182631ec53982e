/* Reductions: every predefined operation on every type that it supports, operations of the program that commute and
 * that do not, in place, with types with gaps, without data. Each rank computes the expected result by itself. */
#include <complex.h>
#include <stdbool.h>

#include "tests/images/collective_check.h"

/* ---- predefined operations ---- */
enum { ELEMENTS = 5 };

/* Small numbers of both signs, 0 among them. */
static int number(int rank, int i) { return (rank * 5 + i * 3) % 7 - (rank + i) % 3; }

#define TRY(mpi_type, type, op, expression)                          \
  do {                                                               \
    type own[ELEMENTS], got[ELEMENTS], want[ELEMENTS];               \
    for (int i = 0; i < ELEMENTS; ++i) {                             \
      own[i] = (type)number(world_rank, i);                          \
      want[i] = (type)number(0, i);                                  \
      for (int r = 1; r < world_ranks; ++r) {                        \
        const type x = want[i], y = (type)number(r, i);              \
        want[i] = (type)(expression);                                \
      }                                                              \
    }                                                                \
    on = #op " of " #mpi_type;                                       \
    MPI_Allreduce(own, got, ELEMENTS, mpi_type, op, MPI_COMM_WORLD); \
    for (int i = 0; i < ELEMENTS; ++i) EXPECT(got[i] == want[i]);    \
  } while (0)

#define TRY_NUMBER(mpi_type, type)     \
  TRY(mpi_type, type, MPI_SUM, x + y); \
  TRY(mpi_type, type, MPI_PROD, x* y)

#define TRY_ORDERED(mpi_type, type)            \
  TRY_NUMBER(mpi_type, type);                  \
  TRY(mpi_type, type, MPI_MAX, y > x ? y : x); \
  TRY(mpi_type, type, MPI_MIN, y < x ? y : x)

#define TRY_LOGICAL(mpi_type, type)                   \
  TRY(mpi_type, type, MPI_LAND, (x != 0) & (y != 0)); \
  TRY(mpi_type, type, MPI_LOR, (x != 0) | (y != 0));  \
  TRY(mpi_type, type, MPI_LXOR, (x != 0) ^ (y != 0))

#define TRY_BITS(mpi_type, type)       \
  TRY(mpi_type, type, MPI_BAND, x& y); \
  TRY(mpi_type, type, MPI_BOR, x | y); \
  TRY(mpi_type, type, MPI_BXOR, x ^ y)

#define TRY_INTEGER(mpi_type, type) \
  TRY_ORDERED(mpi_type, type);      \
  TRY_LOGICAL(mpi_type, type);      \
  TRY_BITS(mpi_type, type)

static void predefined(void) {
  TRY_INTEGER(MPI_SIGNED_CHAR, signed char);
  TRY_INTEGER(MPI_UNSIGNED_CHAR, unsigned char);
  TRY_INTEGER(MPI_SHORT, short);
  TRY_INTEGER(MPI_UNSIGNED_SHORT, unsigned short);
  TRY_INTEGER(MPI_INT, int);
  TRY_INTEGER(MPI_UNSIGNED, unsigned);
  TRY_INTEGER(MPI_LONG, long);
  TRY_INTEGER(MPI_UNSIGNED_LONG, unsigned long);
  TRY_INTEGER(MPI_LONG_LONG, long long);
  TRY_INTEGER(MPI_UNSIGNED_LONG_LONG, unsigned long long);
  TRY_INTEGER(MPI_INT8_T, int8_t);
  TRY_INTEGER(MPI_UINT16_T, uint16_t);
  TRY_INTEGER(MPI_INT32_T, int32_t);
  TRY_INTEGER(MPI_UINT64_T, uint64_t);
  TRY_INTEGER(MPI_AINT, MPI_Aint);
  TRY_ORDERED(MPI_FLOAT, float);
  TRY_ORDERED(MPI_DOUBLE, double);
  TRY_ORDERED(MPI_LONG_DOUBLE, long double);
  TRY_NUMBER(MPI_C_FLOAT_COMPLEX, float _Complex);
  TRY_NUMBER(MPI_C_DOUBLE_COMPLEX, double _Complex);
  TRY_LOGICAL(MPI_C_BOOL, bool);
  TRY_BITS(MPI_BYTE, unsigned char);
}

/* ---- the best value and its location; of equal values the lowest location ---- */
#define TRY_PLACE(mpi_type, value_type)                                                   \
  do {                                                                                    \
    struct {                                                                              \
      value_type value;                                                                   \
      int place;                                                                          \
    } own[ELEMENTS], most[ELEMENTS], least[ELEMENTS];                                     \
    memset(most, 0x5a, sizeof most);                                                      \
    memset(least, 0x5a, sizeof least);                                                    \
    on = "MPI_MAXLOC, MPI_MINLOC of " #mpi_type;                                          \
    for (int i = 0; i < ELEMENTS; ++i) {                                                  \
      own[i].value = (value_type)number(world_rank, i);                                   \
      own[i].place = world_rank + 10;                                                     \
    }                                                                                     \
    MPI_Allreduce(own, most, ELEMENTS, mpi_type, MPI_MAXLOC, MPI_COMM_WORLD);             \
    MPI_Allreduce(own, least, ELEMENTS, mpi_type, MPI_MINLOC, MPI_COMM_WORLD);            \
    for (int i = 0; i < ELEMENTS; ++i) {                                                  \
      int high = 0, low = 0;                                                              \
      for (int r = 1; r < world_ranks; ++r) {                                             \
        if (number(r, i) > number(high, i)) high = r;                                     \
        if (number(r, i) < number(low, i)) low = r;                                       \
      }                                                                                   \
      EXPECT(most[i].value == (value_type)number(high, i) && most[i].place == high + 10); \
      EXPECT(least[i].value == (value_type)number(low, i) && least[i].place == low + 10); \
    }                                                                                     \
  } while (0)

static void places(void) {
  TRY_PLACE(MPI_FLOAT_INT, float);
  TRY_PLACE(MPI_DOUBLE_INT, double);
  TRY_PLACE(MPI_LONG_INT, long);
  TRY_PLACE(MPI_2INT, int);
  TRY_PLACE(MPI_SHORT_INT, short);
  TRY_PLACE(MPI_LONG_DOUBLE_INT, long double);
}

/* ---- an operation that does not commute: 2 x 2 matrices, modulo 2^32. In memory with a gap after the first two ----
 */
struct matrix {
  unsigned a[2];
  unsigned gap;
  unsigned b[2];
};
#define GAP 0xfeedu

static struct matrix product(struct matrix x, struct matrix y) {
  return (struct matrix){{x.a[0] * y.a[0] + x.a[1] * y.b[0], x.a[0] * y.a[1] + x.a[1] * y.b[1]},
                         GAP,
                         {x.b[0] * y.a[0] + x.b[1] * y.b[0], x.b[0] * y.a[1] + x.b[1] * y.b[1]}};
}

static int same(struct matrix x, struct matrix y) { return memcmp(&x, &y, sizeof x) == 0; }

static struct matrix matrix_of(int rank, int i) {
  return (struct matrix){{(unsigned)rank + 1, (unsigned)i}, GAP, {3, (unsigned)(rank + i) % 5 + 1}};
}

/* The product of ranks [first, last]. */
static struct matrix product_of(int first, int last, int i) {
  struct matrix all = matrix_of(first, i);
  for (int r = first + 1; r <= last; ++r) all = product(all, matrix_of(r, i));
  return all;
}

static void multiply(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  const struct matrix* x = in;
  struct matrix* y = inout;
  for (int i = 0; i < *count; ++i) {
    const unsigned gap = y[i].gap;
    y[i] = product(x[i], y[i]);
    y[i].gap = gap;
  }
}

static void add_all(void* in, void* inout, int* count, MPI_Datatype* type) {
  EXPECT(*type == MPI_INT);
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((const int*)in)[i];
}

static MPI_Op multiplication, addition;
static MPI_Datatype matrix_type;

static void fill(struct matrix* matrices, int rank, int first, int count) {
  for (int i = 0; i < count; ++i) matrices[i] = matrix_of(rank, first + i);
}

static void clear(struct matrix* matrices, int count) {
  for (int i = 0; i < count; ++i) matrices[i] = (struct matrix){.gap = GAP};
}

static void in_order(MPI_Comm comm, int rank, int ranks) {
  enum { N = 3 };
  struct matrix own[N], got[N];
  fill(own, rank, 0, N);
  for (int root = 0; root<ranks; root += ranks> 4 ? ranks / 3 : 1) {
    clear(got, N);
    MPI_Reduce(own, rank == root ? got : NULL, N, matrix_type, multiplication, root, comm);
    for (int i = 0; i < N && rank == root; ++i) EXPECT(same(got[i], product_of(0, ranks - 1, i)));
  }
  clear(got, N);
  MPI_Allreduce(own, got, N, matrix_type, multiplication, comm);
  for (int i = 0; i < N; ++i) EXPECT(same(got[i], product_of(0, ranks - 1, i)));
  clear(got, N);
  MPI_Scan(own, got, N, matrix_type, multiplication, comm);
  for (int i = 0; i < N; ++i) EXPECT(same(got[i], product_of(0, rank, i)));
  clear(got, N);
  MPI_Exscan(own, got, N, matrix_type, multiplication, comm);
  for (int i = 0; i < N && rank > 0; ++i) EXPECT(same(got[i], product_of(0, rank - 1, i)));
  fill(got, rank, 0, N);
  MPI_Scan(MPI_IN_PLACE, got, N, matrix_type, multiplication, comm);
  for (int i = 0; i < N; ++i) EXPECT(same(got[i], product_of(0, rank, i)));
  struct matrix* many = malloc((size_t)(N * ranks) * sizeof *many);
  fill(many, rank, 0, N * ranks);
  clear(got, N);
  MPI_Reduce_scatter_block(many, got, N, matrix_type, multiplication, comm);
  for (int i = 0; i < N; ++i) EXPECT(same(got[i], product_of(0, ranks - 1, rank * N + i)));
  free(many);
}

/* ---- sums of vectors, short and long ---- */
static int sum_of(int ranks, int i) {
  int sum = 0;
  for (int r = 0; r < ranks; ++r) sum += value(r, 0, i);
  return sum;
}

static void sums(MPI_Comm comm, int rank, int ranks, int count, MPI_Op op) {
  const size_t bytes = (size_t)count * sizeof(int);
  int *own = malloc(bytes + 1), *got = malloc(bytes + 1);
  for (int i = 0; i < count; ++i) own[i] = value(rank, 0, i);
  for (int in_place = 0; in_place < 2; ++in_place) {
    const int root = count % ranks, is_root = rank == root;
    memcpy(got, own, bytes);
    MPI_Reduce(in_place && is_root ? MPI_IN_PLACE : own, is_root ? got : NULL, count, MPI_INT, op, root, comm);
    for (int i = 0; i < count && is_root; ++i) EXPECT(got[i] == sum_of(ranks, i));
    for (int i = 0; i < count; ++i) EXPECT(own[i] == value(rank, 0, i));
    memcpy(got, own, bytes);
    MPI_Allreduce(in_place ? MPI_IN_PLACE : own, got, count, MPI_INT, op, comm);
    for (int i = 0; i < count; ++i) EXPECT(got[i] == sum_of(ranks, i));
    memcpy(got, own, bytes);
    MPI_Exscan(in_place ? MPI_IN_PLACE : own, got, count, MPI_INT, op, comm);
    for (int i = 0; i < count && rank > 0; ++i) EXPECT(got[i] == sum_of(rank, i));
  }
  free(own);
  free(got);
}

/* Rank r gets r % 3 elements, or all get one, times `scale`. */
static void scattered_sums(MPI_Comm comm, int rank, int ranks, int scale, int even, MPI_Op op) {
  int *counts = malloc((size_t)ranks * sizeof *counts), all = 0, before = 0;
  for (int r = 0; r < ranks; ++r) {
    counts[r] = even ? scale : r % 3 * scale;
    if (r < rank) before += counts[r];
    all += counts[r];
  }
  int *own = malloc((size_t)(all + 1) * sizeof *own), *got = malloc((size_t)(2 * scale + 1) * sizeof *got);
  for (int in_place = 0; in_place < 2; ++in_place) {
    for (int i = 0; i < all; ++i) own[i] = value(rank, 0, i);
    int* const result = in_place ? own : got;
    MPI_Reduce_scatter(in_place ? MPI_IN_PLACE : own, result, counts, MPI_INT, op, comm);
    for (int i = 0; i < counts[rank]; ++i) EXPECT(result[i] == sum_of(ranks, before + i));
  }
  free(counts);
  free(own);
  free(got);
}

static void all_checks(MPI_Comm comm, int rank, int ranks) {
  in_order(comm, rank, ranks);
  for (int user = 0; user < (world_ranks > MANY_RANKS ? 1 : 2); ++user) {
    const MPI_Op op = user ? addition : MPI_SUM;
    sums(comm, rank, ranks, 0, op);
    sums(comm, rank, ranks, 1, op);
    sums(comm, rank, ranks, 701, op);
    for (int even = 0; even < 2; ++even) {
      scattered_sums(comm, rank, ranks, 1, even, op);
      scattered_sums(comm, rank, ranks, 57, even, op);
    }
  }
}

static void local(void) {
  int in[3] = {1, 2, 3}, inout[3] = {10, 20, 30};
  MPI_Reduce_local(in, inout, 3, MPI_INT, MPI_SUM);
  EXPECT(inout[0] == 11 && inout[1] == 22 && inout[2] == 33);
  struct matrix x = matrix_of(1, 2), y = matrix_of(2, 3);
  MPI_Reduce_local(&x, &y, 1, matrix_type, multiplication);
  EXPECT(same(y, product(matrix_of(1, 2), matrix_of(2, 3))));
  int commutes = -1;
  MPI_Op_commutative(multiplication, &commutes);
  EXPECT(commutes == 0);
  MPI_Op_commutative(MPI_MAX, &commutes);
  EXPECT(commutes == 1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
  MPI_Type_vector(2, 2, 3, MPI_UNSIGNED, &matrix_type);
  MPI_Type_commit(&matrix_type);
  MPI_Op_create(multiply, 0, &multiplication);
  MPI_Op_create(add_all, 1, &addition);
  if (argc > 1 && strcmp(argv[1], "wrong") == 0) {
    double x = 1, y;
    MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD);
  }
  if (argc > 1 && strcmp(argv[1], "counts") == 0) {
    int data[4] = {0};
    MPI_Bcast(data, world_rank == 0 ? 4 : 3, MPI_INT, 0, MPI_COMM_WORLD);
  }
  if (argc == 1 && world_ranks <= MANY_RANKS) predefined();
  if (argc == 1) places();
  local();
  on_each_communicator(all_checks);
  MPI_Op_free(&multiplication);
  MPI_Op_free(&addition);
  EXPECT(multiplication == MPI_OP_NULL);
  MPI_Type_free(&matrix_type);
  MPI_Finalize();
  if (world_rank == 0) printf("PASS\n");
  return 0;
}
