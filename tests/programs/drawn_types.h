/* Datatypes drawn from a seed, with their type maps: the bytes that each selects, by the definitions of the standard.
 * */
#ifndef PROGRAMS_DRAWN_TYPES_H
#define PROGRAMS_DRAWN_TYPES_H

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "draw.h"

enum { MOST_ELEMENTS = 48, MOST_SPREAD = 1 << 22 };
struct map {
  MPI_Datatype type;
  int owned;              /* the type must be freed */
  int count;              /* basic elements */
  long at[MOST_ELEMENTS]; /* offset of each, in bytes */
  unsigned char bytes[MOST_ELEMENTS];
  MPI_Aint lower, extent;
};

struct basic {
  MPI_Datatype type;
  int bytes;
};
enum { BASICS = 8, BYTES_BASIC = 7 };
static struct basic basic_of(int i) {
  const struct basic all[BASICS] = {{MPI_CHAR, 1},  {MPI_SHORT, 2},     {MPI_INT, 4},          {MPI_DOUBLE, 8},
                                    {MPI_FLOAT, 4}, {MPI_LONG_LONG, 8}, {MPI_LONG_DOUBLE, 16}, {MPI_BYTE, 1}};
  return all[i];
}

static int drawn_from(unsigned* state, int least, int most) {
  return least + (int)next(state, (unsigned)(most - least + 1));
}

static void replace(struct map* map, MPI_Datatype type) {
  if (map->owned) MPI_Type_free(&map->type);
  map->type = type;
  map->owned = 1;
  MPI_Type_get_extent(type, &map->lower, &map->extent);
}

/* `count` copies of the map at these offsets. */
static void repeat(struct map* map, int count, const long* offsets) {
  const struct map one = *map;
  map->count = 0;
  for (int i = 0; i < count; ++i)
    for (int e = 0; e < one.count; ++e) {
      map->at[map->count] = one.at[e] + offsets[i];
      map->bytes[map->count++] = one.bytes[e];
    }
}

/* Places of non-overlapping blocks in any order, so many of `unit` bytes apart. */
static void draw_places(unsigned* state, int count, const int* lengths, int* places) {
  int order[MOST_ELEMENTS], at = drawn_from(state, -3, 3);
  for (int i = 0; i < count; ++i) order[i] = i;
  for (int i = count - 1; i > 0; --i) {
    const int j = drawn_from(state, 0, i), was = order[i];
    if (next(state, 3)) order[i] = order[j], order[j] = was;
  }
  for (int i = 0; i < count; ++i) {
    places[order[i]] = at;
    at += lengths[order[i]] + (next(state, 2) ? 0 : drawn_from(state, 0, 3));
  }
}

/* Result of a constructor: copies of a map's type at these offsets. */
struct copies {
  MPI_Datatype made;
  int count;
  long offsets[MOST_ELEMENTS];
};
static void add_copies(struct copies* copies, long first, int count, long extent) {
  for (int i = 0; i < count; ++i) copies->offsets[copies->count++] = (first + i) * extent;
}

static void make_vector(unsigned* state, const struct map* map, int blocks, int length, struct copies* copies) {
  int stride = length + drawn_from(state, 0, 2);
  if (next(state, 4) == 0) stride = -stride;
  if (next(state, 2))
    MPI_Type_vector(blocks, length, stride, map->type, &copies->made);
  else
    MPI_Type_create_hvector(blocks, length, stride * map->extent, map->type, &copies->made);
  for (int b = 0; b < blocks; ++b) add_copies(copies, (long)b * stride, length, map->extent);
}

enum indexed { INDEXED, HINDEXED, STRUCT, INDEXED_BLOCK, HINDEXED_BLOCK, INDEXED_KINDS };
static void make_indexed(unsigned* state, const struct map* map, int blocks, int length, struct copies* copies) {
  const enum indexed kind = (enum indexed)next(state, INDEXED_KINDS);
  int lengths[MOST_ELEMENTS], places[MOST_ELEMENTS];
  MPI_Aint bytes[MOST_ELEMENTS];
  MPI_Datatype types[MOST_ELEMENTS];
  for (int b = 0; b < blocks; ++b) lengths[b] = kind >= INDEXED_BLOCK ? length : drawn_from(state, 0, length);
  draw_places(state, blocks, lengths, places);
  for (int b = 0; b < blocks; ++b) {
    bytes[b] = places[b] * map->extent;
    types[b] = map->type;
    add_copies(copies, places[b], lengths[b], map->extent);
  }
  if (kind == INDEXED) MPI_Type_indexed(blocks, lengths, places, map->type, &copies->made);
  if (kind == HINDEXED) MPI_Type_create_hindexed(blocks, lengths, bytes, map->type, &copies->made);
  if (kind == STRUCT) MPI_Type_create_struct(blocks, lengths, bytes, types, &copies->made);
  if (kind == INDEXED_BLOCK) MPI_Type_create_indexed_block(blocks, length, places, map->type, &copies->made);
  if (kind == HINDEXED_BLOCK) MPI_Type_create_hindexed_block(blocks, length, bytes, map->type, &copies->made);
}

static void make_subarray(unsigned* state, const struct map* map, int rows, int length, struct copies* copies) {
  const int more_rows = drawn_from(state, 0, 2), more = drawn_from(state, 0, 2);
  const int first_row = drawn_from(state, 0, more_rows), first = drawn_from(state, 0, more);
  const int fortran = (int)next(state, 2); /* the first dimension is the fastest */
  int sizes[2], parts[2], starts[2];
  sizes[fortran] = rows + more_rows, sizes[!fortran] = length + more;
  parts[fortran] = rows, parts[!fortran] = length;
  starts[fortran] = first_row, starts[!fortran] = first;
  MPI_Type_create_subarray(2, sizes, parts, starts, fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, map->type,
                           &copies->made);
  for (int r = 0; r < rows; ++r)
    add_copies(copies, (long)(first_row + r) * (length + more) + first, length, map->extent);
}

/* Applies one more constructor to the map's type. */
static void wrap(unsigned* state, struct map* map) {
  const int room = MOST_ELEMENTS / (map->count > 0 ? map->count : 1);
  const int blocks = drawn_from(state, 1, room < 4 ? room : 4);
  const int length = drawn_from(state, 1, room / blocks < 3 ? room / blocks : 3), kind = (int)next(state, 12);
  struct copies copies = {MPI_DATATYPE_NULL, 0, {0}};
  if (kind < 2) {
    MPI_Type_contiguous(blocks, map->type, &copies.made);
    add_copies(&copies, 0, blocks, map->extent);
  } else if (kind < 4) {
    make_vector(state, map, blocks, length, &copies);
  } else if (kind < 9) {
    make_indexed(state, map, blocks, length, &copies);
  } else if (kind < 10) {
    make_subarray(state, map, blocks, length, &copies);
  } else {
    const MPI_Aint lower = map->lower + 8 * drawn_from(state, -1, 1),
                   extent = map->extent + 8 * drawn_from(state, -1, 2);
    if (kind < 11)
      MPI_Type_dup(map->type, &copies.made);
    else
      MPI_Type_create_resized(map->type, lower, extent, &copies.made);
    add_copies(&copies, 0, 1, 0);
  }
  repeat(map, copies.count, copies.offsets);
  replace(map, copies.made);
}

/* Whether so many consecutive elements contain no byte twice and need no more memory than storms have. */
static int is_sparse(const struct map* map, int count) {
  long low = 0, high = 0;
  for (int n = 0; n < count; ++n)
    for (int e = 0; e < map->count; ++e) {
      const long at = map->at[e] + n * map->extent;
      if (at < low) low = at;
      if (at + map->bytes[e] > high) high = at + map->bytes[e];
    }
  if (high - low > MOST_SPREAD) return 0;
  char* seen = calloc((size_t)(high - low) + 1, 1);
  int sparse = 1;
  for (int n = 0; n < count && sparse; ++n)
    for (int e = 0; e < map->count; ++e)
      for (long at = map->at[e] + n * map->extent, end = at + map->bytes[e]; at < end; ++at)
        if (seen[at - low]++) sparse = 0;
  free(seen);
  return sparse;
}

static struct map plain_map(const struct basic* basics, int count) {
  struct map map = {.count = count};
  MPI_Aint bytes[MOST_ELEMENTS];
  int lengths[MOST_ELEMENTS];
  MPI_Datatype types[MOST_ELEMENTS], made;
  long at = 0;
  for (int i = 0; i < count; ++i) {
    map.at[i] = bytes[i] = at;
    map.bytes[i] = (unsigned char)basics[i].bytes;
    lengths[i] = 1;
    types[i] = basics[i].type;
    at += basics[i].bytes;
  }
  if (count == 1) {
    map.type = basics->type;
    map.extent = basics->bytes;
    return map;
  }
  MPI_Type_create_struct(count, lengths, bytes, types, &made);
  replace(&map, made);
  return map;
}

/* Uses the plain type if so many elements of the other would overlap. */
static void keep_apart(struct map* map, const struct basic* basics, int count, int elements) {
  if (is_sparse(map, elements)) return;
  if (map->owned) MPI_Type_free(&map->type);
  *map = plain_map(basics, count);
  if (map->owned) MPI_Type_commit(&map->type);
}

/* A type whose signature is that of `basics`, repeated a whole number of times. No two of so many elements overlap; if
 * no such number exists, `signatures` signatures in all do not overlap, and they are a whole number of elements. */
static struct map draw_map(unsigned* state, const struct basic* basics, int count, int signatures, int elements) {
  struct map map = plain_map(basics, count);
  const int depth = drawn_from(state, 0, 3);
  for (int i = 0; i < depth; ++i) {
    struct map wider = map;
    wider.owned = 0;
    wrap(state, &wider);
    const int times = wider.count / count;
    if (times == 0 || signatures % times != 0 || !is_sparse(&wider, elements + signatures / times + 1)) {
      MPI_Type_free(&wider.type);
      continue;
    }
    if (map.owned) MPI_Type_free(&map.type);
    map = wider;
  }
  if (map.owned) MPI_Type_commit(&map.type);
  return map;
}

static void forget_map(struct map* map) {
  MPI_Datatype type = map->type; /* operations in flight still use this handle */
  if (map->owned) MPI_Type_free(&type);
  map->owned = 0;
}

/* Extends the range of bytes that so many elements take, from the first on. */
static void bounds_of(const struct map* map, long first, long count, long* low, long* high) {
  for (int end = 0; end < 2; ++end)
    for (int e = 0; e < map->count && count > 0; ++e) {
      const long at = map->at[e] + (end ? first + count - 1 : first) * map->extent;
      if (at < *low) *low = at;
      if (at + map->bytes[e] > *high) *high = at + map->bytes[e];
    }
}

#endif
