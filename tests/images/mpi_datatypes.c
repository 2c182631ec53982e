/* Datatypes of MPI: sizes and bounds computed by hand, and every byte that they select, sent and packed. */
#include "tests/images/mpi_check.h"

enum { ROOM = 4096 };
static unsigned char out[ROOM], in[ROOM];

static void expect_bounds(MPI_Datatype type, int size, MPI_Aint lower, MPI_Aint extent) {
  int its_size = -1;
  MPI_Aint its_lower = -1, its_extent = -1, upper = -1, old_extent = -1, old_lower = -1;
  MPI_Type_size(type, &its_size);
  MPI_Type_get_extent(type, &its_lower, &its_extent);
  MPI_Type_extent(type, &old_extent);
  MPI_Type_lb(type, &old_lower);
  MPI_Type_ub(type, &upper);
  EXPECT(its_size == size);
  EXPECT(its_lower == lower && old_lower == lower);
  EXPECT(its_extent == extent && old_extent == extent && upper == lower + extent);
}

/* `picked` are the offsets of the bytes of one element, in order; elements are `extent` apart. They are sent as the
 * type and received as bytes, vice versa, as the type by both, and packed. Other bytes do not change. */
static void expect_bytes(MPI_Datatype type, const int* picked, int bytes, int count, int extent, int origin) {
  unsigned char expected[ROOM], plain[ROOM];
  char touched[ROOM] = {0};
  MPI_Status status;
  MPI_Type_commit(&type);
  fill(out, ROOM, rank, 1);
  MPI_Sendrecv(out + origin, count, type, right, 1, plain, ROOM, MPI_BYTE, left, 1, MPI_COMM_WORLD, &status);
  EXPECT(count_of(&status, MPI_BYTE) == count * bytes && count_of(&status, type) == (bytes > 0 ? count : 0));
  memset(expected, 0x55, ROOM);
  for (int i = 0; i < count; ++i)
    for (int b = 0; b < bytes; ++b) {
      const int at = origin + i * extent + picked[b];
      EXPECT(plain[i * bytes + b] == byte_of(left, 1, (size_t)at));
      expected[at] = byte_of(left, 1, (size_t)at);
      touched[at] = 1;
    }
  memset(in, 0x55, ROOM);
  MPI_Sendrecv(plain, count * bytes, MPI_BYTE, rank, 2, in + origin, count, type, rank, 2, MPI_COMM_WORLD, &status);
  EXPECT(memcmp(in, expected, ROOM) == 0);
  memset(in, 0x55, ROOM);
  MPI_Sendrecv(out + origin, count, type, right, 3, in + origin, count, type, left, 3, MPI_COMM_WORLD, &status);
  EXPECT(memcmp(in, expected, ROOM) == 0);
  unsigned char packed[ROOM];
  int position = 4, room = 0;
  MPI_Pack_size(count, type, MPI_COMM_WORLD, &room);
  EXPECT(room >= count * bytes);
  MPI_Pack(out + origin, count, type, packed, ROOM, &position, MPI_COMM_WORLD);
  EXPECT(position == 4 + count * bytes);
  MPI_Sendrecv_replace(packed, position, MPI_PACKED, right, 4, left, 4, MPI_COMM_WORLD, &status);
  memset(in, 0x55, ROOM);
  position = 4;
  MPI_Unpack(packed, ROOM, &position, in + origin, count, type, MPI_COMM_WORLD);
  EXPECT(position == 4 + count * bytes && memcmp(in, expected, ROOM) == 0);
  fill(in, ROOM, rank, 1);
  MPI_Sendrecv_replace(in + origin, count, type, right, 5, left, 5, MPI_COMM_WORLD, &status);
  for (int i = 0; i < ROOM; ++i) EXPECT(in[i] == byte_of(touched[i] ? left : rank, 1, (size_t)i));
  MPI_Type_free(&type);
  EXPECT(type == MPI_DATATYPE_NULL);
}

/* Offsets of `words` integers whose byte offsets are given. */
static const int* integers(int* picked, const int* offsets, int words) {
  for (int w = 0; w < words; ++w)
    for (int b = 0; b < 4; ++b) picked[4 * w + b] = offsets[w] + b;
  return picked;
}

static void predefined(void) {
  expect_bounds(MPI_CHAR, 1, 0, 1);
  expect_bounds(MPI_INT, 4, 0, 4);
  expect_bounds(MPI_LONG_LONG, 8, 0, 8);
  expect_bounds(MPI_LONG_DOUBLE, 16, 0, 16);
  expect_bounds(MPI_PACKED, 1, 0, 1);
  expect_bounds(MPI_2INT, 8, 0, 8);
  expect_bounds(MPI_FLOAT_INT, 8, 0, 8);
  expect_bounds(MPI_DOUBLE_INT, 12, 0, 16);
  expect_bounds(MPI_LONG_INT, 12, 0, 16);
  expect_bounds(MPI_SHORT_INT, 6, 0, 8);
  expect_bounds(MPI_LONG_DOUBLE_INT, 20, 0, 32);
  expect_bounds(MPI_C_DOUBLE_COMPLEX, 16, 0, 16);
}

/* Those of the standard's tables; a synonym has the name of its line there. */
static void names(void) {
#define NAMED(type) \
  { type, #type }
  static const struct {
    MPI_Datatype type;
    const char* name;
  } all[] = {NAMED(MPI_CHAR),
             NAMED(MPI_SIGNED_CHAR),
             NAMED(MPI_UNSIGNED_CHAR),
             NAMED(MPI_BYTE),
             NAMED(MPI_PACKED),
             NAMED(MPI_SHORT),
             NAMED(MPI_UNSIGNED_SHORT),
             NAMED(MPI_INT),
             NAMED(MPI_UNSIGNED),
             NAMED(MPI_LONG),
             NAMED(MPI_UNSIGNED_LONG),
             NAMED(MPI_LONG_LONG_INT),
             NAMED(MPI_UNSIGNED_LONG_LONG),
             NAMED(MPI_FLOAT),
             NAMED(MPI_DOUBLE),
             NAMED(MPI_LONG_DOUBLE),
             NAMED(MPI_WCHAR),
             NAMED(MPI_C_BOOL),
             NAMED(MPI_CXX_BOOL),
             NAMED(MPI_INT8_T),
             NAMED(MPI_UINT8_T),
             NAMED(MPI_INT16_T),
             NAMED(MPI_UINT16_T),
             NAMED(MPI_INT32_T),
             NAMED(MPI_UINT32_T),
             NAMED(MPI_INT64_T),
             NAMED(MPI_UINT64_T),
             NAMED(MPI_AINT),
             NAMED(MPI_OFFSET),
             NAMED(MPI_COUNT),
             NAMED(MPI_C_COMPLEX),
             NAMED(MPI_C_DOUBLE_COMPLEX),
             NAMED(MPI_C_LONG_DOUBLE_COMPLEX),
             NAMED(MPI_CXX_FLOAT_COMPLEX),
             NAMED(MPI_CXX_DOUBLE_COMPLEX),
             NAMED(MPI_CXX_LONG_DOUBLE_COMPLEX),
             NAMED(MPI_FLOAT_INT),
             NAMED(MPI_DOUBLE_INT),
             NAMED(MPI_LONG_INT),
             NAMED(MPI_2INT),
             NAMED(MPI_SHORT_INT),
             NAMED(MPI_LONG_DOUBLE_INT),
             NAMED(MPI_LB),
             NAMED(MPI_UB),
             NAMED(MPI_INTEGER),
             NAMED(MPI_REAL),
             NAMED(MPI_DOUBLE_PRECISION),
             NAMED(MPI_COMPLEX),
             NAMED(MPI_DOUBLE_COMPLEX),
             NAMED(MPI_LOGICAL),
             NAMED(MPI_CHARACTER),
             NAMED(MPI_INTEGER1),
             NAMED(MPI_INTEGER2),
             NAMED(MPI_INTEGER4),
             NAMED(MPI_INTEGER8),
             NAMED(MPI_REAL4),
             NAMED(MPI_REAL8),
             NAMED(MPI_2INTEGER),
             NAMED(MPI_2REAL),
             NAMED(MPI_2DOUBLE_PRECISION),
             NAMED(MPI_COMPLEX8),
             NAMED(MPI_COMPLEX16)};
#undef NAMED
  char name[MPI_MAX_OBJECT_NAME];
  int length = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    MPI_Type_get_name(all[i].type, name, &length);
    EXPECT(strcmp(name, all[i].name) == 0 && length == (int)strlen(name));
  }
  EXPECT(MPI_LONG_LONG == MPI_LONG_LONG_INT && MPI_C_FLOAT_COMPLEX == MPI_C_COMPLEX);
}

static void contiguous_and_vectors(void) {
  int picked[ROOM];
  MPI_Datatype type, inner;
  MPI_Type_contiguous(3, MPI_INT, &type);
  expect_bounds(type, 12, 0, 12);
  expect_bytes(type, integers(picked, (const int[]){0, 4, 8}, 3), 12, 5, 12, 0);
  MPI_Type_vector(2, 3, 4, MPI_INT, &type); /* 3.12.1: blocks of 3, 4 apart */
  expect_bounds(type, 24, 0, 28);
  expect_bytes(type, integers(picked, (const int[]){0, 4, 8, 16, 20, 24}, 6), 24, 3, 28, 0);
  MPI_Type_vector(3, 1, -2, MPI_INT, &type); /* backwards */
  expect_bounds(type, 12, -16, 20);
  expect_bytes(type, integers(picked, (const int[]){0, -8, -16}, 3), 12, 4, 20, 100);
  MPI_Type_hvector(3, 2, 20, MPI_INT, &type);
  expect_bounds(type, 24, 0, 48);
  expect_bytes(type, integers(picked, (const int[]){0, 4, 20, 24, 40, 44}, 6), 24, 2, 48, 8);
  MPI_Type_vector(2, 1, 2, MPI_INT, &inner); /* a vector of vectors: ints at 0, 8; extent 12 */
  MPI_Type_create_hvector(2, 2, 40, inner, &type);
  MPI_Type_free(&inner);
  expect_bounds(type, 32, 0, 64);
  expect_bytes(type, integers(picked, (const int[]){0, 8, 12, 20, 40, 48, 52, 60}, 8), 32, 2, 64, 0);
  MPI_Type_contiguous(0, MPI_INT, &type);
  expect_bounds(type, 0, 0, 0);
  expect_bytes(type, picked, 0, 3, 0, 0);
}

static void indexed(void) {
  int picked[ROOM];
  MPI_Datatype type;
  MPI_Type_indexed(3, (const int[]){2, 0, 1}, (const int[]){4, 100, 0}, MPI_INT, &type);
  expect_bounds(type, 12, 0, 24);
  expect_bytes(type, integers(picked, (const int[]){16, 20, 0}, 3), 12, 4, 24, 0);
  MPI_Type_hindexed(2, (const int[]){1, 2}, (const MPI_Aint[]){8, 20}, MPI_INT, &type);
  expect_bounds(type, 12, 8, 20);
  expect_bytes(type, integers(picked, (const int[]){8, 20, 24}, 3), 12, 3, 20, 0);
  MPI_Type_create_indexed_block(2, 2, (const int[]){3, 0}, MPI_INT, &type);
  expect_bounds(type, 16, 0, 20);
  expect_bytes(type, integers(picked, (const int[]){12, 16, 0, 4}, 4), 16, 2, 20, 0);
  MPI_Type_create_hindexed_block(2, 1, (const MPI_Aint[]){12, 4}, MPI_INT, &type);
  expect_bounds(type, 8, 4, 12);
  expect_bytes(type, integers(picked, (const int[]){12, 4}, 2), 8, 2, 12, 0);
}

struct mixed {
  char letter;
  double number;
  int word;
  char more[3];
};

static void structures(void) {
  int picked[] = {0, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22};
  MPI_Datatype type, outer;
  const int lengths[] = {1, 1, 1, 3};
  const MPI_Aint offsets[] = {offsetof(struct mixed, letter), offsetof(struct mixed, number),
                              offsetof(struct mixed, word), offsetof(struct mixed, more)};
  const MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT, MPI_CHAR};
  MPI_Type_struct(4, lengths, offsets, types, &type);
  expect_bounds(type, 16, 0, 24); /* rounded up to the alignment of a double: sizeof(struct mixed) */
  expect_bytes(type, picked, 16, 10, 24, 0);
  /* 3.12.3: MPI_LB at -3, MPI_UB at 6 around an int, and types derived from it. */
  MPI_Type_struct(3, (const int[]){1, 1, 1}, (const MPI_Aint[]){-3, 0, 6},
                  (const MPI_Datatype[]){MPI_LB, MPI_INT, MPI_UB}, &type);
  expect_bounds(type, 4, -3, 9);
  MPI_Type_contiguous(2, type, &outer);
  expect_bounds(outer, 8, -3, 18);
  MPI_Type_free(&type);
  expect_bytes(outer, (const int[]){0, 1, 2, 3, 9, 10, 11, 12}, 8, 3, 18, 50);
  MPI_Type_create_resized(MPI_INT, -4, 16, &type);
  expect_bounds(type, 4, -4, 16);
  MPI_Aint lower, extent;
  MPI_Type_get_true_extent(type, &lower, &extent);
  EXPECT(lower == 0 && extent == 4);
  expect_bytes(type, (const int[]){0, 1, 2, 3}, 4, 7, 16, 16);
  /* Pieces in another order and of other types: {int at 8, char at 1, short at 4}. */
  MPI_Type_create_struct(3, (const int[]){1, 1, 1}, (const MPI_Aint[]){8, 1, 4},
                         (const MPI_Datatype[]){MPI_INT, MPI_CHAR, MPI_SHORT}, &type);
  expect_bounds(type, 7, 1, 12); /* 1 to 12 is 11, rounded up to 4 */
  expect_bytes(type, (const int[]){8, 9, 10, 11, 1, 4, 5}, 7, 6, 12, 0);
  MPI_Type_dup(MPI_DOUBLE_INT, &type);
  expect_bounds(type, 12, 0, 16);
  expect_bytes(type, (const int[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 12, 3, 16, 0);
}

static void subarrays(void) {
  int picked[ROOM];
  MPI_Datatype type;
  const int sizes[] = {4, 5}, parts[] = {2, 3}, starts[] = {1, 1};
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type); /* rows 1, 2; columns 1, 2, 3 */
  expect_bounds(type, 24, 0, 80);
  expect_bytes(type, integers(picked, (const int[]){24, 28, 32, 44, 48, 52}, 6), 24, 2, 80, 0);
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_INT, &type); /* the first the fastest */
  expect_bytes(type, integers(picked, (const int[]){20, 24, 36, 40, 52, 56}, 6), 24, 2, 80, 0);
}

/* Absolute addresses, from MPI_BOTTOM. */
static void addresses(void) {
  static int first[3], second;
  MPI_Aint at[2];
  MPI_Datatype type;
  MPI_Address(&first[1], &at[0]);
  MPI_Get_address(&second, &at[1]);
  MPI_Type_hindexed(2, (const int[]){2, 1}, at, MPI_INT, &type);
  MPI_Type_commit(&type);
  first[0] = -1;
  first[1] = first[2] = -2;
  const int words[3] = {rank + 10, rank + 20, rank + 30};
  MPI_Sendrecv(words, 3, MPI_INT, right, 1, MPI_BOTTOM, 1, type, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT(first[0] == -1 && first[1] == left + 10 && first[2] == left + 20 && second == left + 30);
  MPI_Type_free(&type);
}

/* Part of an element: the count of whole types is undefined, the count of elements is not. */
static void counts(void) {
  MPI_Datatype type;
  MPI_Status status;
  int elements = -1, words[6] = {0};
  MPI_Type_vector(2, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  const int three[3] = {1, 2, 3};
  MPI_Sendrecv(three, 3, MPI_INT, right, 1, words, 2, type, left, 1, MPI_COMM_WORLD, &status);
  EXPECT(count_of(&status, type) == MPI_UNDEFINED && count_of(&status, MPI_INT) == 3);
  MPI_Get_elements(&status, type, &elements);
  EXPECT(elements == 3 && words[0] == 1 && words[1] == 0 && words[2] == 2 && words[3] == 3 && words[4] == 0);
  MPI_Type_free(&type);
}

/* A type that is freed while a message of it is in flight; large types with many pieces. */
static void under_way(void) {
  enum { ROWS = 300 };
  static int matrix[ROWS][ROWS], column[ROWS];
  MPI_Datatype type;
  MPI_Request requests[2];
  for (int i = 0; i < ROWS; ++i) matrix[i][7] = rank * 1000 + i;
  MPI_Type_vector(ROWS, 1, ROWS, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Irecv(column, ROWS, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&matrix[0][7], 1, type, right, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < ROWS; ++i) EXPECT(column[i] == left * 1000 + i);
  MPI_Irecv(&matrix[0][9], 1, type, left, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Type_free(&type);
  MPI_Type_contiguous(5, MPI_CHAR, &type); /* uses its slot */
  MPI_Send(column, ROWS, MPI_INT, right, 2, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  const int before = (left + ranks - 1) % ranks;
  for (int i = 0; i < ROWS; ++i) EXPECT(matrix[i][9] == before * 1000 + i && matrix[i][8] == 0);
  MPI_Type_free(&type);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  predefined();
  names();
  contiguous_and_vectors();
  indexed();
  structures();
  subarrays();
  addresses();
  counts();
  under_way();
  return finish();
}
