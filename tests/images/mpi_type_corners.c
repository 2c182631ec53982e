/* Derived types in all places: how a type was made is told, and what is made from that is the same; distributed arrays
 * cut a matrix into disjoint parts; packing in pieces; types with holes, negative and zero strides, overlapping
 * pieces that are only sent; in collective operations, in place, and with more elements than an int counts
 * (MPI-3.1, chapters 4 and 5). */
#include "tests/images/mpi_type_again.h"

enum { KINDS = 11, ROOM = 4096 };

static void make_all(MPI_Datatype* of) {
  const int lengths[3] = {2, 0, 3}, places[3] = {5, 1, 9}, sizes[2] = {6, 7}, parts[2] = {2, 3}, starts[2] = {3, 1};
  const MPI_Aint bytes[3] = {40, 8, 100}, members[3] = {0, 16, 56};
  MPI_Type_contiguous(5, MPI_SHORT, &of[0]);
  MPI_Type_vector(3, 2, -4, MPI_INT, &of[1]); /* downwards */
  MPI_Type_create_hvector(4, 1, 20, MPI_DOUBLE, &of[2]);
  MPI_Type_indexed(3, lengths, places, MPI_FLOAT, &of[3]);
  MPI_Type_create_hindexed(3, lengths, bytes, MPI_CHAR, &of[4]);
  MPI_Type_create_indexed_block(3, 2, places, of[0], &of[5]);
  MPI_Type_create_hindexed_block(3, 2, bytes, MPI_INT, &of[6]);
  const MPI_Datatype mixed[3] = {MPI_INT, of[2], MPI_CHAR};
  MPI_Type_create_struct(3, lengths, members, mixed, &of[7]);
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_SHORT, &of[8]);
  MPI_Type_create_resized(of[3], -4, 80, &of[9]);
  MPI_Type_dup(of[7], &of[10]);
}

static void contents(void) {
  static char memory[ROOM], packed[2][ROOM];
  MPI_Datatype all[KINDS];
  make_all(all);
  fill(memory, sizeof memory, rank, 3);
  for (int i = 0; i < KINDS; ++i) {
    MPI_Datatype made = again(all[i]);
    MPI_Aint lower[2], extent[2], true_lower[2], true_extent[2];
    int size[2], at[2] = {0, 0};
    MPI_Datatype both[2] = {all[i], made};
    for (int n = 0; n < 2; ++n) {
      MPI_Type_commit(&both[n]);
      MPI_Type_get_extent(both[n], &lower[n], &extent[n]);
      MPI_Type_get_true_extent(both[n], &true_lower[n], &true_extent[n]);
      MPI_Type_size(both[n], &size[n]);
      MPI_Pack(memory + ROOM / 2, 3, both[n], packed[n], ROOM, &at[n], MPI_COMM_SELF);
    }
    EXPECT(lower[0] == lower[1] && extent[0] == extent[1] && size[0] == size[1]);
    EXPECT(true_lower[0] == true_lower[1] && true_extent[0] == true_extent[1]);
    EXPECT(at[0] == at[1] && at[0] == 3 * size[0] && memcmp(packed[0], packed[1], (size_t)at[0]) == 0);
    MPI_Type_free(&made);
  }
  for (int i = 0; i < KINDS; ++i) MPI_Type_free(&all[i]);
}

/* Each element of a matrix belongs to just one process, in cyclic blocks of 2 x 3. */
static void distributed_arrays(void) {
  enum { ROWS = 11, COLUMNS = 13 };
  const int sizes[2] = {ROWS, COLUMNS}, kinds[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC}, blocks[2] = {2, 3};
  int grid[2] = {0, 0}, matrix[ROWS][COLUMNS], owner[ROWS][COLUMNS];
  MPI_Dims_create(ranks, 2, grid);
  memset(owner, 0xff, sizeof owner);
  for (int y = 0; y < ROWS; ++y)
    for (int x = 0; x < COLUMNS; ++x) matrix[y][x] = y * COLUMNS + x;
  for (int process = 0; process < ranks; ++process) {
    MPI_Datatype type;
    int size = 0, at = 0, mine[ROWS * COLUMNS];
    EXPECT(MPI_Type_create_darray(ranks, process, 2, sizes, kinds, blocks, grid, MPI_ORDER_C, MPI_INT, &type) ==
           MPI_SUCCESS);
    MPI_Type_commit(&type);
    MPI_Type_size(type, &size);
    MPI_Pack(matrix, 1, type, mine, sizeof mine, &at, MPI_COMM_SELF);
    EXPECT(at == size);
    for (int i = 0; i < size / (int)sizeof(int); ++i) {
      const int y = mine[i] / COLUMNS, x = mine[i] % COLUMNS;
      EXPECT(owner[y][x] == -1 && (i == 0 || mine[i] > mine[i - 1]));
      EXPECT(y / 2 % grid[0] == process / grid[1] && x / 3 % grid[1] == process % grid[1]);
      owner[y][x] = process;
    }
    MPI_Type_free(&type);
  }
  for (int y = 0; y < ROWS; ++y)
    for (int x = 0; x < COLUMNS; ++x) EXPECT(owner[y][x] >= 0);
}

/* Packed in pieces of several types, unpacked as a whole and the other way round. */
static void packing(void) {
  int values[4] = {1, 2, 3, rank}, size = 0, more = 0, at = 0;
  double number = 0.5;
  char bytes[128];
  MPI_Pack_size(4, MPI_INT, MPI_COMM_WORLD, &size);
  MPI_Pack_size(1, MPI_DOUBLE, MPI_COMM_WORLD, &more);
  EXPECT(size >= 16 && more >= 8);
  MPI_Pack(values, 1, MPI_INT, bytes, sizeof bytes, &at, MPI_COMM_WORLD);
  MPI_Pack(values + 1, 3, MPI_INT, bytes, sizeof bytes, &at, MPI_COMM_WORLD);
  MPI_Pack(&number, 1, MPI_DOUBLE, bytes, sizeof bytes, &at, MPI_COMM_WORLD);
  char in[128];
  MPI_Status status;
  MPI_Sendrecv(bytes, at, MPI_PACKED, right, 1, in, sizeof in, MPI_PACKED, left, 1, MPI_COMM_WORLD, &status);
  EXPECT(count_of(&status, MPI_PACKED) == at);
  int got[4], position = 0;
  double its = 0;
  MPI_Unpack(in, at, &position, got, 4, MPI_INT, MPI_COMM_WORLD);
  MPI_Unpack(in, at, &position, &its, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  EXPECT(got[0] == 1 && got[2] == 3 && got[3] == left && its == 0.5 && position == at);
  int one = 0; /* what is packed may be received as it is, and what is sent as it is may be unpacked */
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 2, in, sizeof in, MPI_PACKED, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  position = 0;
  MPI_Unpack(in, sizeof(int), &position, &one, 1, MPI_INT, MPI_COMM_WORLD);
  EXPECT(one == left);
}

/* The same words several times: only a sender may have such a type. */
static void overlapping(void) {
  MPI_Datatype repeated;
  int value[2] = {rank, rank + 1}, in[6];
  MPI_Type_vector(3, 2, 0, MPI_INT, &repeated);
  MPI_Type_commit(&repeated);
  MPI_Sendrecv(value, 1, repeated, right, 3, in, 6, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 6; ++i) EXPECT(in[i] == left + i % 2);
  MPI_Type_free(&repeated);
}

/* A matrix is transposed on its way: rows are sent, columns received. */
static void in_collectives(void) {
  const size_t n = (size_t)ranks;
  int* matrix = malloc(sizeof *matrix * n * n);
  int* result = malloc(sizeof *result * n * n);
  MPI_Datatype column, spaced;
  MPI_Type_vector(ranks, 1, ranks, MPI_INT, &column);
  MPI_Type_create_resized(column, 0, sizeof(int), &spaced); /* the next column begins a word further */
  MPI_Type_commit(&spaced);
  for (size_t i = 0; i < n; ++i) matrix[i] = rank * 1000 + (int)i;
  EXPECT(MPI_Allgather(matrix, ranks, MPI_INT, result, 1, spaced, MPI_COMM_WORLD) == MPI_SUCCESS);
  for (size_t y = 0; y < n; ++y)
    for (size_t x = 0; x < n; ++x) EXPECT(result[y * n + x] == (int)(x * 1000 + y));
  /* In place: each has its own column already. */
  for (size_t i = 0; i < n * n; ++i) result[i] = i % n == (size_t)rank ? rank * 1000 + (int)(i / n) : -1;
  EXPECT(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, result, 1, spaced, MPI_COMM_WORLD) == MPI_SUCCESS);
  for (size_t y = 0; y < n; ++y)
    for (size_t x = 0; x < n; ++x) EXPECT(result[y * n + x] == (int)(x * 1000 + y));
  for (size_t i = 0; i < n * n; ++i) result[i] = rank * 100 + (int)(i % n);
  EXPECT(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, result, 1, spaced, MPI_COMM_WORLD) == MPI_SUCCESS);
  for (size_t i = 0; i < n * n; ++i) EXPECT(result[i] == (int)(i % n) * 100 + rank);
  MPI_Bcast(result, ranks, spaced, ranks - 1, MPI_COMM_WORLD);
  for (size_t i = 0; i < n * n; ++i) EXPECT(result[i] == (int)(i % n) * 100 + ranks - 1);
  MPI_Type_free(&column);
  MPI_Type_free(&spaced);
  free(matrix);
  free(result);
}

/* 3 * 2^30 bytes by counts that an int holds; nothing is stored or sent for them. */
static void large_counts(void) {
  MPI_Datatype block, huge;
  MPI_Count size = 0, lower = 0, extent = 0;
  int small = 0;
  MPI_Type_contiguous(1 << 30, MPI_CHAR, &block);
  MPI_Type_vector(3, 1, 2, block, &huge);
  EXPECT(MPI_Type_size_x(huge, &size) == MPI_SUCCESS && size == (MPI_Count)3 << 30);
  MPI_Type_size(huge, &small);
  EXPECT(small == MPI_UNDEFINED);
  EXPECT(MPI_Type_get_extent_x(huge, &lower, &extent) == MPI_SUCCESS && lower == 0 && extent == (MPI_Count)5 << 30);
  EXPECT(MPI_Type_get_true_extent_x(huge, &lower, &extent) == MPI_SUCCESS && extent == (MPI_Count)5 << 30);
  MPI_Type_commit(&huge);
  EXPECT(MPI_Send(NULL, 0, huge, right, 5, MPI_COMM_WORLD) == MPI_SUCCESS);
  MPI_Status status;
  EXPECT(MPI_Recv(NULL, 0, huge, left, 5, MPI_COMM_WORLD, &status) == MPI_SUCCESS && count_of(&status, huge) == 0);
  MPI_Type_free(&huge);
  MPI_Type_free(&block);
}

/* 2^60 bytes, then `times` of them by each constructor. */
static void expect_size(MPI_Datatype large, int times, MPI_Count bytes) {
  MPI_Datatype made[4];
  MPI_Type_contiguous(times, large, &made[0]);
  MPI_Type_vector(times, 1, 1, large, &made[1]);
  MPI_Type_create_struct(2, (int[]){times - 1, 1}, (MPI_Aint[]){0, 0}, (MPI_Datatype[]){large, large}, &made[2]);
  MPI_Type_dup(made[0], &made[3]);
  for (int i = 0; i < 4; ++i) {
    int size = 0, packed = 0;
    MPI_Count size_x = 0;
    EXPECT(MPI_Type_size(made[i], &size) == MPI_SUCCESS && size == MPI_UNDEFINED);
    EXPECT(MPI_Type_size_x(made[i], &size_x) == MPI_SUCCESS && size_x == bytes);
    EXPECT(MPI_Pack_size(16, made[i], MPI_COMM_WORLD, &packed) == MPI_SUCCESS && packed == MPI_UNDEFINED);
    MPI_Type_free(&made[i]);
  }
}

/* MPI-3.1, 4.1.5: a size that its type does not hold is MPI_UNDEFINED. */
static void sizes_beyond_all_memory(void) {
  MPI_Datatype gigabyte, large;
  MPI_Type_contiguous(1 << 30, MPI_BYTE, &gigabyte);
  MPI_Type_contiguous(1 << 30, gigabyte, &large);
  expect_size(large, 7, (MPI_Count)7 << 60);
  expect_size(large, 8, MPI_UNDEFINED);  /* 2^63 bytes */
  expect_size(large, 16, MPI_UNDEFINED); /* 2^64 */
  expect_size(large, 17, MPI_UNDEFINED);
  MPI_Type_free(&large);
  MPI_Type_free(&gigabyte);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  contents();
  distributed_arrays();
  packing();
  overlapping();
  in_collectives();
  large_counts();
  sizes_beyond_all_memory();
  return finish();
}
