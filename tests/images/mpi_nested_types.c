/* Datatypes of all constructors within each other, at random: bounds, packing in both representations, parts of
 * messages, accesses of windows and contents, against a model that keeps every basic element. Types of any number of
 * blocks take the same time and hardly any memory. */
#include "tests/images/mpi_type_again.h"

enum { MOST = 400, ROUNDS = 150, LEVELS = 4, ROOM = 1 << 15, MIDDLE = ROOM / 2, ELEMENTS = 2 };

/* ---- the model ---- */
struct map {
  MPI_Datatype type;
  int count; /* elements */
  long at[MOST];
  int bytes[MOST];
  int sticky; /* the program has set the bounds */
  long lower, upper, align;
};

static unsigned draw(unsigned below) {
  static unsigned state;
  if (state == 0) state = 4711u + 977u * (unsigned)rank;
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

static int between(int least, int most) { return least + (int)draw((unsigned)(most - least + 1)); }

static long extent_of(const struct map* map) { return map->upper - map->lower; }

/* A type under construction: where copies of others begin. */
struct copies {
  int count;
  const struct map* of[MOST];
  long at[MOST];
};

static void copy(struct copies* copies, const struct map* of, long at) {
  if (copies->count < MOST) copies->at[copies->count] = at, copies->of[copies->count] = of;
  ++copies->count;
}

static void copy_block(struct copies* copies, const struct map* of, long at, int length) {
  for (int i = 0; i < length; ++i) copy(copies, of, at + i * extent_of(of));
}

/* Whether the model has space for them. */
static int fits(const struct copies* copies) {
  int elements = 0;
  for (int i = 0; i < copies->count && copies->count <= MOST; ++i) elements += copies->of[i]->count;
  return copies->count <= MOST && elements <= MOST;
}

static void place(struct map* map, const struct copies* copies) {
  int any = 0, any_sticky = 0;
  *map = (struct map){.type = map->type, .align = 1};
  for (int i = 0; i < copies->count; ++i) any_sticky |= copies->of[i]->sticky;
  for (int i = 0; i < copies->count; ++i) {
    const struct map* of = copies->of[i];
    const long low = copies->at[i] + of->lower, high = copies->at[i] + of->upper;
    for (int e = 0; e < of->count; ++e) {
      map->at[map->count] = copies->at[i] + of->at[e];
      map->bytes[map->count++] = of->bytes[e];
    }
    if (of->align > map->align) map->align = of->align;
    if (any_sticky ? !of->sticky : of->count == 0) continue;
    if (!any || low < map->lower) map->lower = low;
    if (!any || high > map->upper) map->upper = high;
    any = 1;
  }
  map->sticky = any_sticky;
  if (!any_sticky) map->upper += (map->align - extent_of(map) % map->align) % map->align;
}

static void basic(struct map* map) {
  static const struct {
    MPI_Datatype type;
    int count, bytes[2], extent;
    long second;
  } all[] = {{MPI_CHAR, 1, {1}, 1, 0},     {MPI_SHORT, 1, {2}, 2, 0},          {MPI_INT, 1, {4}, 4, 0},
             {MPI_DOUBLE, 1, {8}, 8, 0},   {MPI_DOUBLE_INT, 2, {8, 4}, 16, 8}, {MPI_SHORT_INT, 2, {2, 4}, 8, 4},
             {MPI_LONG_LONG, 1, {8}, 8, 0}};
  const unsigned i = draw(sizeof all / sizeof *all);
  *map = (struct map){.type = all[i].type, .count = all[i].count, .at = {0, all[i].second}, .upper = all[i].extent};
  for (int e = 0; e < map->count; ++e) {
    map->bytes[e] = all[i].bytes[e];
    if (map->bytes[e] > map->align) map->align = map->bytes[e];
  }
}

/* ---- constructors: each draws its arguments, makes the type and says where its copies begin ---- */
static void contiguous(struct map* map, const struct map* a, struct copies* copies) {
  const int count = between(0, 4);
  copy_block(copies, a, 0, count);
  if (fits(copies)) MPI_Type_contiguous(count, a->type, &map->type);
}

static void vector(struct map* map, const struct map* a, struct copies* copies) {
  const int count = between(0, 4), length = between(0, 3), stride = between(-4, 4), in_bytes = (int)draw(2);
  const long apart = in_bytes ? between(-40, 40) : stride * extent_of(a);
  for (int i = 0; i < count; ++i) copy_block(copies, a, i * apart, length);
  if (!fits(copies)) return;
  if (in_bytes)
    MPI_Type_create_hvector(count, length, apart, a->type, &map->type);
  else
    MPI_Type_vector(count, length, stride, a->type, &map->type);
}

static void indexed(struct map* map, const struct map* a, struct copies* copies) {
  const int count = between(0, 5), same = (int)draw(2), in_bytes = (int)draw(2), each = between(0, 3);
  int lengths[5], places[5];
  MPI_Aint bytes[5];
  for (int i = 0; i < count; ++i) {
    lengths[i] = same ? each : between(0, 3);
    places[i] = between(-6, 6);
    bytes[i] = in_bytes ? between(-50, 50) : places[i] * extent_of(a);
    copy_block(copies, a, bytes[i], lengths[i]);
  }
  if (!fits(copies)) return;
  if (same && in_bytes)
    MPI_Type_create_hindexed_block(count, each, bytes, a->type, &map->type);
  else if (same)
    MPI_Type_create_indexed_block(count, each, places, a->type, &map->type);
  else if (in_bytes)
    MPI_Type_create_hindexed(count, lengths, bytes, a->type, &map->type);
  else
    MPI_Type_indexed(count, lengths, places, a->type, &map->type);
}

static void structure(struct map* map, const struct map* a, const struct map* b, struct copies* copies) {
  const int count = between(1, 4);
  int lengths[4];
  MPI_Aint bytes[4];
  MPI_Datatype types[4];
  for (int i = 0; i < count; ++i) {
    const struct map* of = draw(2) ? a : b;
    lengths[i] = between(0, 3);
    bytes[i] = between(-60, 60);
    types[i] = of->type;
    copy_block(copies, of, bytes[i], lengths[i]);
  }
  if (fits(copies)) MPI_Type_create_struct(count, lengths, bytes, types, &map->type);
}

/* Copies at those indices of an array that `has` tells, in the order of memory; its bounds are those of the array. */
static void pick(struct copies* copies, const struct map* a, int dimensions, const int* sizes, int order,
                 char has[3][16]) {
  int all = 1;
  for (int d = 0; d < dimensions; ++d) all *= sizes[d];
  for (int i = 0; i < all; ++i) {
    int rest = i, picked = 1;
    for (int n = 0; n < dimensions; ++n) {
      const int d = order == MPI_ORDER_C ? dimensions - 1 - n : n;
      picked &= has[d][rest % sizes[d]];
      rest /= sizes[d];
    }
    if (picked) copy(copies, a, i * extent_of(a));
  }
}

static void subarray(struct map* map, const struct map* a, struct copies* copies, long* extent) {
  const int dimensions = between(1, 3), order = draw(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
  int sizes[3], parts[3], starts[3];
  char has[3][16] = {{0}};
  *extent = extent_of(a);
  for (int d = 0; d < dimensions; ++d) {
    sizes[d] = between(1, 5);
    parts[d] = between(1, sizes[d]);
    starts[d] = between(0, sizes[d] - parts[d]);
    memset(has[d] + starts[d], 1, (size_t)parts[d]);
    *extent *= sizes[d];
  }
  pick(copies, a, dimensions, sizes, order, has);
  if (fits(copies)) MPI_Type_create_subarray(dimensions, sizes, parts, starts, order, a->type, &map->type);
}

static void darray(struct map* map, const struct map* a, struct copies* copies, long* extent) {
  enum { DIMENSIONS = 2 };
  const int order = draw(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
  int sizes[DIMENSIONS], kinds[DIMENSIONS], blocks[DIMENSIONS], grid[DIMENSIONS], own[DIMENSIONS];
  char has[3][16] = {{0}};
  *extent = extent_of(a);
  for (int d = 0; d < DIMENSIONS; ++d) {
    static const int known[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
    kinds[d] = known[draw(3)];
    sizes[d] = between(1, 11);
    grid[d] = kinds[d] == MPI_DISTRIBUTE_NONE ? 1 : between(1, 3);
    own[d] = between(0, grid[d] - 1);
    const int block_least = (sizes[d] + grid[d] - 1) / grid[d];
    blocks[d] = kinds[d] == MPI_DISTRIBUTE_CYCLIC ? between(1, 3) : block_least + between(0, 1);
    const int length = kinds[d] == MPI_DISTRIBUTE_NONE ? sizes[d] : blocks[d];
    for (int i = 0; i < sizes[d]; ++i) has[d][i] = i / length % grid[d] == own[d];
    *extent *= sizes[d];
  }
  pick(copies, a, DIMENSIONS, sizes, order, has);
  if (fits(copies))
    MPI_Type_create_darray(grid[0] * grid[1], own[0] * grid[1] + own[1], DIMENSIONS, sizes, kinds, blocks, grid, order,
                           a->type, &map->type);
}

/* A type of one or both of the others. Returns 0 if the model has no space for it. */
static int next_level(struct map* map, const struct map* a, const struct map* b) {
  static struct copies copies;
  long lower = 0, extent = 0;
  int bounds_set = 0;
  copies.count = 0;
  switch (draw(9)) {
    case 0:
      contiguous(map, a, &copies);
      break;
    case 1:
    case 2:
      vector(map, a, &copies);
      break;
    case 3:
    case 4:
      indexed(map, a, &copies);
      break;
    case 5:
      structure(map, a, b, &copies);
      break;
    case 6:
      subarray(map, a, &copies, &extent);
      bounds_set = 1;
      break;
    case 7:
      darray(map, a, &copies, &extent);
      bounds_set = 1;
      break;
    default:
      copy(&copies, a, 0);
      lower = between(-3, 3) * 8;
      extent = between(-2, 5) * 8;
      bounds_set = draw(3) > 0;
      if (bounds_set)
        MPI_Type_create_resized(a->type, lower, extent, &map->type);
      else
        MPI_Type_dup(a->type, &map->type);
  }
  if (!fits(&copies)) return 0;
  place(map, &copies);
  if (bounds_set) {
    map->sticky = 1;
    map->lower = lower;
    map->upper = lower + extent;
  }
  return 1;
}

/* ---- what the library says of a type ---- */
static void compare_bounds(const struct map* map) {
  MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;
  long low = 0, high = 0;
  int size = 0, bytes = 0;
  for (int i = 0; i < map->count; ++i) {
    bytes += map->bytes[i];
    if (i == 0 || map->at[i] < low) low = map->at[i];
    if (i == 0 || map->at[i] + map->bytes[i] > high) high = map->at[i] + map->bytes[i];
  }
  MPI_Type_size(map->type, &size);
  MPI_Type_get_extent(map->type, &lower, &extent);
  MPI_Type_get_true_extent(map->type, &true_lower, &true_extent);
  EXPECT(size == bytes && true_lower == low && true_extent == high - low);
  EXPECT(lower == map->lower && extent == extent_of(map));
}

static void compare_elements(const struct map* map) {
  MPI_Status status;
  int all = 0, elements = 0, got = 0, bytes = 0;
  if (map->count == 0) return;
  const int asked = between(0, 3 * map->count);
  for (int i = 0; i < asked; ++i) all += map->bytes[i % map->count];
  MPI_Status_set_elements(&status, map->type, asked);
  MPI_Get_elements(&status, map->type, &elements);
  MPI_Get_count(&status, MPI_BYTE, &got);
  MPI_Type_size(map->type, &bytes);
  EXPECT(elements == asked && got == all);
  EXPECT(count_of(&status, map->type) == (all % bytes == 0 ? all / bytes : MPI_UNDEFINED));
}

/* ---- what it does with data ---- */
static char data[ROOM], packed[ROOM], expected[ROOM], got[ROOM], memory[ROOM];

/* The places of the bytes of some elements of a type, in order. Returns their number; -1: too many, or too far away. */
static int bytes_of(const struct map* map, int* places) {
  int count = 0;
  for (int n = 0; n < ELEMENTS; ++n)
    for (int e = 0; e < map->count; ++e)
      for (int b = 0; b < map->bytes[e]; ++b) {
        const long at = MIDDLE + n * extent_of(map) + map->at[e] + b;
        if (at < 0 || at >= ROOM || count >= ROOM) return -1;
        places[count++] = (int)at;
      }
  return count;
}

static int has_any_twice(const int* places, int count) {
  static char seen[ROOM];
  memset(seen, 0, sizeof seen);
  for (int i = 0; i < count; ++i)
    if (seen[places[i]]++) return 1;
  return 0;
}

static void pack(const struct map* map, const int* places, int count) {
  int position = 0, at = 0;
  for (int i = 0; i < count; ++i) expected[i] = data[places[i]];
  MPI_Pack(data + MIDDLE, ELEMENTS, map->type, packed, ROOM, &position, MPI_COMM_SELF);
  EXPECT(position == count && memcmp(packed, expected, (size_t)count) == 0);
  memset(memory, 0, sizeof memory);
  memset(got, 0, sizeof got);
  for (int i = 0; i < count; ++i) memory[places[i]] = (char)(i * 3 + 1), packed[i] = (char)(i * 3 + 1);
  MPI_Unpack(packed, count, &at, got + MIDDLE, ELEMENTS, map->type, MPI_COMM_SELF);
  EXPECT(at == count && memcmp(memory, got, sizeof got) == 0);
}

/* The bytes of each element, reversed. */
static void pack_external(const struct map* map, const int* places, int count) {
  MPI_Aint position = 0, most = 0;
  for (int n = 0, i = 0; n < ELEMENTS; ++n)
    for (int e = 0; e < map->count; i += map->bytes[e++])
      for (int b = 0; b < map->bytes[e]; ++b) expected[i + b] = data[places[i + map->bytes[e] - 1 - b]];
  MPI_Pack_external_size("external32", ELEMENTS, map->type, &most);
  EXPECT(most == count);
  MPI_Pack_external("external32", data + MIDDLE, ELEMENTS, map->type, packed, ROOM, &position);
  EXPECT(position == count && memcmp(packed, expected, (size_t)count) == 0);
  position = 0;
  memset(got, 0, sizeof got);
  memset(memory, 0, sizeof memory);
  MPI_Unpack_external("external32", packed, count, &position, got + MIDDLE, ELEMENTS, map->type);
  for (int i = 0; i < count; ++i) memory[places[i]] = data[places[i]];
  EXPECT(position == count && memcmp(memory, got, sizeof got) == 0);
}

/* A message that is shorter than its receive. */
static void receive_part(const struct map* map, const int* places, int count) {
  const int part = between(0, count);
  if (has_any_twice(places, count)) return; /* the standard forbids it */
  memset(got, 0, sizeof got);
  memset(memory, 0, sizeof memory);
  for (int i = 0; i < part; ++i) memory[places[i]] = packed[i] = (char)(i * 5 + 1);
  MPI_Sendrecv(packed, part, MPI_BYTE, rank, 1, got + MIDDLE, ELEMENTS, map->type, rank, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  EXPECT(memcmp(memory, got, sizeof got) == 0);
}

/* This rank's own memory, by one-sided calls. */
static void access_window(const struct map* map, const int* places, int count, MPI_Win window) {
  memset(memory, 0, sizeof memory);
  memset(packed, 0, sizeof packed);
  memcpy(got, data, sizeof got);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
  MPI_Get(packed, count, MPI_BYTE, rank, MIDDLE, ELEMENTS, map->type, window);
  MPI_Win_unlock(rank, window);
  for (int i = 0; i < count; ++i) EXPECT(packed[i] == data[places[i]]);
  for (int i = 0; i < count; ++i) packed[i] = (char)(i * 7 + 1), memory[places[i]] = 1;
  if (has_any_twice(places, count)) return;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
  MPI_Put(packed, count, MPI_BYTE, rank, MIDDLE, ELEMENTS, map->type, window);
  MPI_Win_unlock(rank, window);
  for (int i = 0; i < count; ++i) EXPECT(got[places[i]] == packed[i]);
  for (int i = 0; i < ROOM; ++i) EXPECT(memory[i] || got[i] == data[i]);
}

static void contents(const struct map* map) {
  MPI_Datatype made = again(map->type);
  MPI_Aint lower[2], extent[2];
  int at[2] = {0, 0};
  MPI_Type_commit(&made);
  MPI_Type_get_extent(map->type, &lower[0], &extent[0]);
  MPI_Type_get_extent(made, &lower[1], &extent[1]);
  MPI_Pack(data + MIDDLE, ELEMENTS, map->type, packed, ROOM, &at[0], MPI_COMM_SELF);
  MPI_Pack(data + MIDDLE, ELEMENTS, made, expected, ROOM, &at[1], MPI_COMM_SELF);
  EXPECT(lower[0] == lower[1] && extent[0] == extent[1]);
  EXPECT(at[0] == at[1] && memcmp(packed, expected, (size_t)at[0]) == 0);
  MPI_Type_free(&made);
}

static int check(const struct map* map, MPI_Win window) {
  static int places[ROOM];
  MPI_Datatype type = map->type;
  compare_bounds(map);
  compare_elements(map);
  MPI_Type_commit(&type);
  const int count = bytes_of(map, places);
  if (count < 0) return 0;
  pack(map, places, count);
  pack_external(map, places, count);
  receive_part(map, places, count);
  access_window(map, places, count, window);
  contents(map);
  return 1;
}

static void random_types(void) {
  static struct map maps[LEVELS + 2];
  int checked = 0;
  MPI_Win window;
  MPI_Win_create(got, sizeof got, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  for (int i = 0; i < ROOM; ++i) data[i] = (char)(i * 7 + i / 253);
  for (int round = 0; round < ROUNDS; ++round) {
    basic(&maps[0]);
    basic(&maps[1]);
    int levels = 2;
    while (levels < LEVELS + 2 && next_level(&maps[levels], &maps[levels - 1], &maps[levels - 2])) ++levels;
    for (int i = 2; i < levels; ++i) checked += check(&maps[i], window);
    for (int i = 2; i < levels; ++i) MPI_Type_free(&maps[i].type);
  }
  MPI_Win_free(&window);
  EXPECT(checked > ROUNDS);
}

/* ---- a type is what the call says, not its blocks ---- */
enum { MANY = 1 << 30 };

static void sizes_of(MPI_Datatype type, MPI_Count bytes, MPI_Count extent) {
  MPI_Count its_bytes = 0, its_lower = -1, its_extent = 0;
  MPI_Type_commit(&type);
  MPI_Type_size_x(type, &its_bytes);
  MPI_Type_get_extent_x(type, &its_lower, &its_extent);
  EXPECT(its_bytes == bytes && its_lower == 0 && its_extent == extent);
  MPI_Type_get_true_extent_x(type, &its_lower, &its_extent);
  EXPECT(its_lower == 0 && its_extent == extent);
}

/* A vector, and types of it, each of `blocks` blocks. Returns the time that they take to make. */
static double make(int blocks) {
  MPI_Datatype vector, copy, wider, rows, plane;
  const double begin = MPI_Wtime();
  MPI_Type_vector(blocks, 1, 2, MPI_DOUBLE, &vector);
  MPI_Type_dup(vector, &copy);
  MPI_Type_create_resized(copy, 0, 16l * blocks, &wider);
  MPI_Type_contiguous(3, wider, &rows);
  MPI_Type_create_hvector(1000, 2, 64l * blocks, wider, &plane);
  MPI_Type_commit(&plane);
  const double took = MPI_Wtime() - begin;
  sizes_of(vector, 8ll * blocks, 16ll * blocks - 8);
  sizes_of(copy, 8ll * blocks, 16ll * blocks - 8);
  MPI_Count bytes = 0, lower = 0, extent = 0;
  MPI_Type_size_x(rows, &bytes);
  MPI_Type_get_extent_x(rows, &lower, &extent);
  EXPECT(bytes == 24ll * blocks && lower == 0 && extent == 48ll * blocks);
  MPI_Type_size_x(plane, &bytes);
  EXPECT(bytes == 16000ll * blocks);
  MPI_Type_free(&vector);
  MPI_Type_free(&copy);
  MPI_Type_free(&wider);
  MPI_Type_free(&rows);
  MPI_Type_free(&plane);
  return took;
}

static void any_number_of_blocks(void) {
  make(10);                         /* the first takes memory from the system */
  const double most = 2 * make(10); /* not the same time: where memory is decides which lines are in caches */
  EXPECT(make(65536) < most && make(65537) < most && make(1000000) < most && make(MANY) < most);
}

/* 40 levels of two copies each: 2^40 blocks. */
static void deep(void) {
  enum { DEPTH = 40 };
  MPI_Datatype type = MPI_CHAR, next;
  for (int i = 0; i < DEPTH; ++i) {
    MPI_Type_create_hvector(2, 1, 3l << i, type, &next);
    if (i > 0) MPI_Type_free(&type);
    type = next;
  }
  MPI_Count bytes = 0;
  MPI_Type_size_x(type, &bytes);
  EXPECT(bytes == 1ll << DEPTH);
  MPI_Status status;
  MPI_Count elements = 0;
  MPI_Status_set_elements_x(&status, type, (1ll << DEPTH) + 12345);
  MPI_Get_elements_x(&status, type, &elements);
  EXPECT(elements == (1ll << DEPTH) + 12345);
  MPI_Type_free(&type);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  random_types();
  any_number_of_blocks();
  deep();
  return finish();
}
