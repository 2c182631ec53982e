/* Datatypes as test suites check them: packing of every constructor against loops, bounds, elements of statuses,
 * "external32". */
#include <complex.h>
#include <limits.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int size;

/* ---- the memory that a type selects, against a list of indices of ints ---- */
enum { WORDS = 64, AT = 24 }; /* AT: position of element 0, for negative offsets */

static void picks(MPI_Datatype type, int count, const int* indices, int expected) {
  int from[WORDS], to[WORDS], packed[WORDS], position = 0, bytes, most;
  MPI_Status status;
  for (int i = 0; i < WORDS; ++i) from[i] = 1000 + i, to[i] = -1;
  MPI_Type_commit(&type);
  MPI_Type_size(type, &bytes);
  CHECK(bytes * count == expected * (int)sizeof(int));
  MPI_Pack_size(count, type, MPI_COMM_WORLD, &most);
  CHECK(most >= bytes * count && most <= (int)sizeof packed);
  MPI_Pack(from + AT, count, type, packed, sizeof packed, &position, MPI_COMM_WORLD);
  for (int i = 0; i < expected; ++i) CHECK(packed[i] == 1000 + AT + indices[i]);
  const int end = position;
  position = 0;
  MPI_Unpack(packed, end, &position, to + AT, count, type, MPI_COMM_WORLD);
  CHECK(position == end);
  for (int i = 0; i < expected; ++i) to[AT + indices[i]] -= 1000 + AT + indices[i] + 1;
  for (int i = 0; i < WORDS; ++i) CHECK(to[i] == -1); /* and no other bytes */
  /* The same through a message. */
  MPI_Sendrecv(from + AT, count, type, (rank + 1) % size, 4, to + AT, count, type, (rank + size - 1) % size, 4,
               MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, type, &most);
  CHECK(most == (bytes ? count : 0));
  MPI_Get_elements(&status, type, &most);
  CHECK(most == expected);
  for (int i = 0; i < expected; ++i) CHECK(to[AT + indices[i]] == 1000 + AT + indices[i]);
  MPI_Type_free(&type);
}

static void bounds_are(MPI_Datatype type, int lower, int extent, int true_lower, int true_extent) {
  MPI_Aint a, b;
  MPI_Count c, d;
  MPI_Type_get_extent(type, &a, &b);
  CHECK(a == 4 * lower && b == 4 * extent);
  MPI_Type_get_true_extent(type, &a, &b);
  CHECK(a == 4 * true_lower && b == 4 * true_extent);
  MPI_Type_get_extent_x(type, &c, &d);
  CHECK(c == 4 * lower && d == 4 * extent);
  MPI_Type_get_true_extent_x(type, &c, &d);
  CHECK(c == 4 * true_lower && d == 4 * true_extent);
  MPI_Type_ub(type, &a);
  CHECK(a == 4 * (lower + extent));
}

static void constructors(void) {
  MPI_Datatype type, inner, types[3] = {MPI_LB, MPI_INT, MPI_UB};
  const int lengths[] = {1, 3, 2}, offsets[] = {5, -4, 9}, ones[] = {1, 2, 1};
  const MPI_Aint bytes[] = {20, -16, 36}, marks[] = {-8, 4, 24};
  MPI_Type_vector(3, 2, -4, MPI_INT, &type);
  bounds_are(type, -8, 10, -8, 10);
  picks(type, 1, (int[]){0, 1, -4, -3, -8, -7}, 6);
  MPI_Type_create_hvector(2, 1, 12, MPI_INT, &type);
  picks(type, 2, (int[]){0, 3, 4, 7}, 4);
  MPI_Type_indexed(3, lengths, offsets, MPI_INT, &type);
  bounds_are(type, -4, 15, -4, 15);
  picks(type, 1, (int[]){5, -4, -3, -2, 9, 10}, 6);
  MPI_Type_create_hindexed(3, lengths, bytes, MPI_INT, &type);
  picks(type, 1, (int[]){5, -4, -3, -2, 9, 10}, 6);
  MPI_Type_create_indexed_block(3, 2, offsets, MPI_INT, &type);
  picks(type, 1, (int[]){5, 6, -4, -3, 9, 10}, 6);
  MPI_Type_create_hindexed_block(3, 2, bytes, MPI_INT, &type);
  picks(type, 1, (int[]){5, 6, -4, -3, 9, 10}, 6);
  MPI_Type_struct(3, (int*)ones, (MPI_Aint*)marks, types, &type);
  bounds_are(type, -2, 8, 1, 2);
  picks(type, 2, (int[]){1, 2, 9, 10}, 4);
  MPI_Type_contiguous(0, MPI_INT, &type);
  bounds_are(type, 0, 0, 0, 0);
  picks(type, 3, NULL, 0);
  /* Resized, and a type of that. */
  MPI_Type_vector(2, 1, 3, MPI_INT, &inner);
  MPI_Type_create_resized(inner, -4, 8, &type);
  bounds_are(type, -1, 2, 0, 4);
  MPI_Type_free(&inner);
  MPI_Type_contiguous(3, type, &inner);
  bounds_are(inner, -1, 6, 0, 8);
  MPI_Type_free(&type);
  picks(inner, 1, (int[]){0, 3, 2, 5, 4, 7}, 6);
  /* Of 4 rows of 5: 2 of 3 from (1, 2) on, in both orders. */
  const int sizes[] = {4, 5}, parts[] = {2, 3}, starts[] = {1, 2};
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type);
  bounds_are(type, 0, 20, 7, 8);
  picks(type, 1, (int[]){7, 8, 9, 12, 13, 14}, 6);
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_INT, &type);
  picks(type, 1, (int[]){9, 10, 13, 14, 17, 18}, 6);
  MPI_Type_dup(MPI_INT, &type);
  picks(type, 2, (int[]){0, 1}, 2);
}

/* ---- a structure through MPI_BOTTOM, by addresses ---- */
struct particle {
  char name[3];
  double at[2];
  short kind;
};

static void structures(void) {
  struct particle out[4], in[4];
  MPI_Aint first, second, displacements[3];
  MPI_Datatype type, types[] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT}, absolute;
  const int lengths[] = {3, 2, 1};
  memset(in, 0, sizeof in);
  for (int i = 0; i < 4; ++i)
    out[i] = (struct particle){{'a', (char)('b' + i), 0}, {rank + i / 4.0, -i}, (short)(100 * rank + i)};
  MPI_Get_address(&out[0], &first);
  MPI_Get_address(&out[0].name, &displacements[0]);
  MPI_Get_address(&out[0].at, &displacements[1]);
  MPI_Get_address(&out[0].kind, &displacements[2]);
  for (int i = 0; i < 3; ++i) displacements[i] = MPI_Aint_diff(displacements[i], first);
  CHECK(displacements[1] == offsetof(struct particle, at));
  MPI_Type_create_struct(3, lengths, displacements, types, &type);
  MPI_Type_get_extent(type, &first, &second);
  CHECK(second == sizeof(struct particle));
  MPI_Type_commit(&type);
  MPI_Sendrecv(out, 4, type, (rank + 1) % size, 0, in, 4, type, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  const int left = (rank + size - 1) % size;
  for (int i = 0; i < 4; ++i)
    CHECK(in[i].name[1] == 'b' + i && in[i].at[0] == left + i / 4.0 && in[i].at[1] == -i &&
          in[i].kind == 100 * left + i);
  MPI_Get_address(&out[2], &displacements[0]);
  MPI_Get_address(&out[1], &displacements[1]);
  MPI_Type_create_hindexed(2, (int[]){1, 1}, displacements, type, &absolute);
  MPI_Type_commit(&absolute);
  MPI_Sendrecv(MPI_BOTTOM, 1, absolute, (rank + 1) % size, 1, in, 2, type, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(in[0].name[1] == 'd' && in[1].name[1] == 'c');
  MPI_Bcast(MPI_BOTTOM, 1, absolute, size - 1, MPI_COMM_WORLD);
  CHECK(out[2].kind == 100 * (size - 1) + 2 && out[0].kind == 100 * rank);
  MPI_Type_free(&type);
  MPI_Type_free(&absolute);
}

/* ---- elements of a message that ends within an element of the type ---- */
static void elements(void) {
  int out[7] = {1, 2, 3, 4, 5, 6, 7}, in[9], count;
  MPI_Count count_x;
  MPI_Status status;
  MPI_Datatype triple, mixed;
  MPI_Type_contiguous(3, MPI_INT, &triple);
  MPI_Type_commit(&triple);
  MPI_Sendrecv(out, 7, MPI_INT, (rank + 1) % size, 0, in, 3, triple, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
               &status);
  MPI_Get_count(&status, triple, &count);
  CHECK(count == MPI_UNDEFINED);
  MPI_Get_elements(&status, triple, &count);
  CHECK(count == 7);
  MPI_Get_elements_x(&status, triple, &count_x);
  CHECK(count_x == 7);
  MPI_Get_elements(&status, MPI_DOUBLE, &count);
  CHECK(count == MPI_UNDEFINED);
  MPI_Type_create_struct(2, (int[]){1, 2}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_DOUBLE, MPI_SHORT}, &mixed);
  MPI_Type_commit(&mixed);
  MPI_Status_set_elements(&status, mixed, 5); /* double, short, short, double, short */
  MPI_Get_elements(&status, mixed, &count);
  CHECK(count == 5);
  MPI_Get_count(&status, mixed, &count);
  CHECK(count == MPI_UNDEFINED);
  MPI_Status_set_elements_x(&status, mixed, 6);
  MPI_Get_count(&status, mixed, &count);
  CHECK(count == 2);
  MPI_Status_set_elements(&status, MPI_BYTE, 22);
  MPI_Get_count(&status, MPI_BYTE, &count);
  CHECK(count == 22);
  MPI_Type_free(&triple);
  MPI_Type_free(&mixed);
}

/* ---- several pieces packed together, sent as MPI_PACKED, received piece by piece ---- */
static void packed_message(void) {
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  char buffer[200], text[8] = "", word[8] = "packet";
  int position = 0, number = 3 * rank, got = 0, count;
  double halves[2] = {rank + 0.5, -0.5}, got_halves[2];
  MPI_Status status;
  MPI_Pack(&number, 1, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
  MPI_Pack(halves, 2, MPI_DOUBLE, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
  MPI_Pack(word, 7, MPI_CHAR, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
  MPI_Sendrecv_replace(buffer, sizeof buffer, MPI_PACKED, right, 2, left, 2, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_PACKED, &count);
  CHECK(count == (int)sizeof buffer);
  position = 0;
  MPI_Unpack(buffer, sizeof buffer, &position, &got, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Unpack(buffer, sizeof buffer, &position, got_halves, 2, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Unpack(buffer, sizeof buffer, &position, text, 7, MPI_CHAR, MPI_COMM_WORLD);
  CHECK(got == 3 * left && got_halves[0] == left + 0.5 && strcmp(text, word) == 0);
}

/* ---- external32: the standard's bytes ---- */
static void external_is(const void* value, int count, MPI_Datatype type, const unsigned char* bytes, int length) {
  unsigned char packed[64], back[64];
  MPI_Aint position = 0, size_there;
  int native;
  MPI_Type_size(type, &native);
  MPI_Pack_external_size("external32", count, type, &size_there);
  CHECK(size_there == length);
  MPI_Pack_external("external32", value, count, type, packed, sizeof packed, &position);
  CHECK(position == length && memcmp(packed, bytes, length) == 0);
  position = 0;
  memset(back, 0x5a, sizeof back);
  MPI_Unpack_external("external32", packed, length, &position, back, count, type);
  CHECK(position == length);
  if (type == MPI_LONG_DOUBLE)
    CHECK(*(long double*)back == *(const long double*)value);
  else
    CHECK(memcmp(back, value, (size_t)count * native) == 0);
}

static void external(void) {
  const long double third = -1.5L;
  const double complex pair = 1.0 + 2.0 * I;
  const struct {
    double value;
    int place;
  } place = {1.0, 3};
  int class;
  MPI_Aint position = 0;
  MPI_Datatype mixed;
  external_is((int[]){1, -2}, 2, MPI_INT, (unsigned char[]){0, 0, 0, 1, 255, 255, 255, 254}, 8);
  external_is((long[]){-2}, 1, MPI_LONG, (unsigned char[]){255, 255, 255, 254}, 4);
  external_is((unsigned long[]){4000000000}, 1, MPI_UNSIGNED_LONG, (unsigned char[]){0xee, 0x6b, 0x28, 0}, 4);
  external_is((long long[]){-2}, 1, MPI_LONG_LONG, (unsigned char[]){255, 255, 255, 255, 255, 255, 255, 254}, 8);
  external_is((short[]){258}, 1, MPI_SHORT, (unsigned char[]){1, 2}, 2);
  external_is("xyz", 3, MPI_CHAR, (unsigned char[]){'x', 'y', 'z'}, 3);
  external_is((double[]){1.0}, 1, MPI_DOUBLE, (unsigned char[]){0x3f, 0xf0, 0, 0, 0, 0, 0, 0}, 8);
  external_is((float[]){-2.0f}, 1, MPI_FLOAT, (unsigned char[]){0xc0, 0, 0, 0}, 4);
  external_is((wchar_t[]){L'A'}, 1, MPI_WCHAR, (unsigned char[]){0, 'A'}, 2);
  external_is(&pair, 1, MPI_C_DOUBLE_COMPLEX,
              (unsigned char[]){0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0}, 16);
  external_is(&third, 1, MPI_LONG_DOUBLE, (unsigned char[]){0xbf, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
              16);
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}, &mixed);
  MPI_Type_commit(&mixed);
  external_is(&place, 1, mixed, (unsigned char[]){0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3}, 12);
  MPI_Type_free(&mixed);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  char small[3];
  MPI_Error_class(MPI_Pack_external("external32", &rank, 1, MPI_INT, small, 3, &position), &class);
  CHECK(class == MPI_ERR_TRUNCATE);
  MPI_Error_class(MPI_Pack_external("native", &rank, 1, MPI_INT, small, 3, &position), &class);
  CHECK(class == MPI_ERR_ARG);
  /* A value that does not fit into the bytes of the format is an error: the last one that fits, the first one that does
   * not. */
  const long good[] = {INT32_MIN, INT32_MAX}, below[] = {0, INT32_MIN - 1L};
  const unsigned long positive[] = {UINT32_MAX, UINT32_MAX + 1UL};
  const wchar_t letters[] = {0xffff, 0x10000};
  unsigned char packed[8];
  external_is(good, 2, MPI_LONG, (unsigned char[]){0x80, 0, 0, 0, 0x7f, 255, 255, 255}, 8);
  external_is(positive, 1, MPI_UNSIGNED_LONG, (unsigned char[]){255, 255, 255, 255}, 4);
  external_is(letters, 1, MPI_WCHAR, (unsigned char[]){255, 255}, 2);
  position = 0;
  MPI_Error_class(MPI_Pack_external("external32", below, 2, MPI_LONG, packed, 8, &position), &class);
  CHECK(class == MPI_ERR_CONVERSION && position == 0);
  MPI_Error_class(MPI_Pack_external("external32", positive, 2, MPI_UNSIGNED_LONG, packed, 8, &position), &class);
  CHECK(class == MPI_ERR_CONVERSION && position == 0);
  MPI_Error_class(MPI_Pack_external("external32", letters, 2, MPI_WCHAR, packed, 8, &position), &class);
  CHECK(class == MPI_ERR_CONVERSION && position == 0);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* ---- names, sizes, types by their size ---- */
static void names(void) {
  char name[MPI_MAX_OBJECT_NAME];
  int length, bytes;
  MPI_Count bytes_x;
  MPI_Datatype type, huge;
  MPI_Type_get_name(MPI_DOUBLE, name, &length);
  CHECK(strcmp(name, "MPI_DOUBLE") == 0 && length == 10);
  MPI_Type_get_name(MPI_CXX_BOOL, name, &length);
  CHECK(strcmp(name, "MPI_CXX_BOOL") == 0);
  MPI_Type_get_name(MPI_CXX_DOUBLE_COMPLEX, name, &length);
  CHECK(strcmp(name, "MPI_CXX_DOUBLE_COMPLEX") == 0);
  MPI_Type_contiguous(INT_MAX, MPI_INT, &type);
  MPI_Type_get_name(type, name, &length);
  CHECK(length == 0 && name[0] == '\0');
  MPI_Type_size(type, &bytes);
  MPI_Type_size_x(type, &bytes_x);
  CHECK(bytes == MPI_UNDEFINED && bytes_x == 4LL * INT_MAX);
  MPI_Pack_size(2, type, MPI_COMM_WORLD, &bytes);
  CHECK(bytes == MPI_UNDEFINED);
  MPI_Type_contiguous(1000, type, &huge);
  MPI_Type_size_x(huge, &bytes_x);
  CHECK(bytes_x == 4000LL * INT_MAX);
  MPI_Type_free(&type);
  MPI_Type_free(&huge);
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type);
  MPI_Type_size(type, &bytes);
  CHECK(bytes == 8);
  MPI_Type_match_size(MPI_TYPECLASS_REAL, sizeof(long double), &type);
  CHECK(type == MPI_LONG_DOUBLE);
  MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 2, &type);
  MPI_Type_size(type, &bytes);
  CHECK(bytes == 2);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  constructors();
  structures();
  elements();
  packed_message();
  external();
  names();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("PASS layouts on %d ranks\n", size);
  return MPI_Finalize();
}
