/* Layouts of datatypes against a model that keeps every basic element: random types within types, with MPI_LB and
 * MPI_UB among the members; vectors of very many blocks, which are stored as one; counts beyond an int; types by digits
 * and range. Each rank draws its own. */
#include "tests/images/mpi_check.h"

/* ---- the model: a type map, and the markers of bounds (MPI-1.3, 3.12.3) ---- */
enum { MOST = 4096, ROUNDS = 200, LEVELS = 3 };
struct map {
  MPI_Datatype type;
  int count, sizes[MOST];
  long offsets[MOST];
  int has_lower, has_upper;
  long lower, upper, align; /* the markers: the lowest, the highest */
};

static unsigned draw(unsigned below) {
  static unsigned state;
  if (state == 0) state = 12345u + 977u * (unsigned)rank;
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

static void add_marker(int* has, long* at, long value, int highest) {
  if (!*has || (highest ? value > *at : value < *at)) *at = value;
  *has = 1;
}

static long lower_of(const struct map* map) {
  long low = 0;
  if (map->has_lower) return map->lower;
  for (int i = 0; i < map->count; ++i)
    if (i == 0 || map->offsets[i] < low) low = map->offsets[i];
  return low;
}

static long data_end(const struct map* map) {
  long high = 0;
  for (int i = 0; i < map->count; ++i)
    if (i == 0 || map->offsets[i] + map->sizes[i] > high) high = map->offsets[i] + map->sizes[i];
  return high;
}

static long extent_of(const struct map* map) {
  if (map->has_upper) return map->upper - lower_of(map);
  const long extent = data_end(map) - lower_of(map), rest = (extent % map->align + map->align) % map->align;
  return rest ? extent + map->align - rest : extent;
}

/* Appends `copies` of `old`, one extent apart. */
static void append(struct map* to, const struct map* old, long at, int copies) {
  const long extent = extent_of(old);
  for (int k = 0; k < copies; ++k, at += extent) {
    for (int i = 0; i < old->count; ++i) {
      EXPECT(to->count < MOST);
      to->offsets[to->count] = at + old->offsets[i];
      to->sizes[to->count++] = old->sizes[i];
    }
    if (old->has_lower) add_marker(&to->has_lower, &to->lower, at + old->lower, 0);
    if (old->has_upper) add_marker(&to->has_upper, &to->upper, at + old->upper, 1);
  }
  if (copies > 0 && old->align > to->align) to->align = old->align;
}

static void basic(struct map* map) {
  static const int sizes[] = {1, 2, 4, 8};
  const MPI_Datatype types[] = {MPI_CHAR, MPI_SHORT, MPI_INT, MPI_DOUBLE};
  const unsigned which = draw(4);
  *map = (struct map){.type = types[which], .count = 1, .align = sizes[which]};
  map->sizes[0] = sizes[which];
}

/* Bounds as members: in the standard's words, of no extent themselves. */
static void structure(struct map* map, const struct map* a, const struct map* b) {
  const int marks = (int)draw(4);
  const int lengths[4] = {(int)draw(3), 1 + (int)draw(2), 1, 1};
  const MPI_Aint unit = a->align > b->align ? a->align : b->align; /* so that padding is the same in each order */
  const MPI_Aint offsets[4] = {unit * (MPI_Aint)draw(9), unit * (20 + (MPI_Aint)draw(9)),
                               unit * ((MPI_Aint)draw(20) - 15), unit * (30 + (MPI_Aint)draw(40))};
  MPI_Datatype types[4] = {a->type, b->type, marks & 1 ? MPI_LB : MPI_UB, MPI_UB};
  MPI_Aint places[4] = {offsets[0], offsets[1], marks & 1 ? offsets[2] : offsets[3], offsets[3]};
  *map = (struct map){.align = 1};
  append(map, a, offsets[0], lengths[0]);
  append(map, b, offsets[1], lengths[1]);
  if (marks & 1) add_marker(&map->has_lower, &map->lower, offsets[2], 0);
  if (marks & 2) add_marker(&map->has_upper, &map->upper, offsets[3], 1);
  MPI_Type_struct(2 + (marks & 1) + marks / 2, lengths, places, types, &map->type);
}

static void vector(struct map* map, const struct map* old) {
  const int count = 1 + (int)draw(3), length = 1 + (int)draw(2), stride = length + (int)draw(3);
  *map = (struct map){.align = 1};
  for (int i = 0; i < count; ++i) append(map, old, (long)i * stride * extent_of(old), length);
  MPI_Type_vector(count, length, stride, old->type, &map->type);
}

static void contiguous(struct map* map, const struct map* old) {
  const int count = 1 + (int)draw(3);
  *map = (struct map){.align = 1};
  append(map, old, 0, count);
  MPI_Type_contiguous(count, old->type, &map->type);
}

static void resized(struct map* map, const struct map* old) {
  *map = *old;
  map->has_lower = map->has_upper = 1;
  map->lower = (long)draw(9) * 8 - 32;
  map->upper = map->lower + (long)(1 + draw(9)) * 8;
  MPI_Type_create_resized(old->type, map->lower, map->upper - map->lower, &map->type);
}

static void next_level(struct map* map, const struct map* a, const struct map* b) {
  switch (draw(4)) {
    case 0:
      return structure(map, a, b);
    case 1:
      return vector(map, a);
    case 2:
      return contiguous(map, a);
    default:
      return resized(map, a);
  }
}

/* ---- what the library says of a type, and does with it ---- */
static void compare(const struct map* map) {
  MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0, old_lower = 0, old_upper = 0;
  int size = 0, bytes = 0, elements = -1;
  long low = 0;
  for (int i = 0; i < map->count; ++i) {
    bytes += map->sizes[i];
    if (i == 0 || map->offsets[i] < low) low = map->offsets[i];
  }
  MPI_Type_size(map->type, &size);
  MPI_Type_get_extent(map->type, &lower, &extent);
  MPI_Type_get_true_extent(map->type, &true_lower, &true_extent);
  MPI_Type_lb(map->type, &old_lower);
  MPI_Type_ub(map->type, &old_upper);
  EXPECT(size == bytes && true_lower == low && true_extent == data_end(map) - low);
  EXPECT(lower == lower_of(map) && extent == extent_of(map));
  EXPECT(old_lower == lower && old_upper == lower + extent);
  MPI_Status status;
  MPI_Count long_elements = -1;
  MPI_Status_set_elements(&status, map->type, map->count);
  MPI_Get_elements(&status, map->type, &elements);
  EXPECT(elements == map->count);
  MPI_Status_set_elements_x(&status, map->type, 3LL * map->count + map->count / 2);
  MPI_Get_elements_x(&status, map->type, &long_elements);
  EXPECT(long_elements == 3LL * map->count + map->count / 2);
}

/* Two elements of the type, packed by the model and by the library, and back. */
static void pack(const struct map* map) {
  enum { ROOM = 1 << 16, MIDDLE = ROOM / 2 };
  static char data[ROOM], packed[ROOM], expected[ROOM], back[ROOM];
  const long extent = extent_of(map);
  int used = 0, at = 0, position = 0;
  for (int i = 0; i < ROOM; ++i) data[i] = (char)(i * 7 + i / 256);
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < map->count; used += map->sizes[i++]) {
      const long place = MIDDLE + k * extent + map->offsets[i];
      if (place < 0 || place + 8 >= ROOM || used + 8 >= ROOM) return; /* too large for this check */
      memcpy(expected + used, data + place, (size_t)map->sizes[i]);
    }
  MPI_Datatype type = map->type;
  MPI_Type_commit(&type);
  EXPECT(MPI_Pack(data + MIDDLE, 2, type, packed, ROOM, &position, MPI_COMM_WORLD) == MPI_SUCCESS);
  EXPECT(position == used && memcmp(packed, expected, (size_t)used) == 0);
  memset(back, 0, sizeof back);
  EXPECT(MPI_Unpack(packed, used, &at, back + MIDDLE, 2, type, MPI_COMM_WORLD) == MPI_SUCCESS && at == used);
  at = position = 0;
  EXPECT(MPI_Pack(back + MIDDLE, 2, type, packed, ROOM, &position, MPI_COMM_WORLD) == MPI_SUCCESS);
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < map->count; ++i) {
      const long place = MIDDLE + k * extent + map->offsets[i];
      EXPECT(memcmp(back + place, data + place, (size_t)map->sizes[i]) == 0);
    }
}

static void random_types(void) {
  static struct map maps[2 * LEVELS + 2];
  for (int round = 0; round < ROUNDS; ++round) {
    basic(&maps[0]);
    basic(&maps[1]);
    for (int level = 2; level < 2 * LEVELS; ++level) {
      next_level(&maps[level], &maps[level - 1], &maps[level - 2]);
      compare(&maps[level]);
      if (maps[level].count < 300) pack(&maps[level]);
    }
    for (int level = 2; level < 2 * LEVELS; ++level) {
      MPI_Datatype type = maps[level].type;
      MPI_Type_free(&type);
    }
  }
}

/* ---- very many blocks: what is stored does not grow with them, and 1 GiB of memory would not do ---- */
static void many_blocks(void) {
  enum { BLOCKS = 135000000 };
  MPI_Datatype vector, pairs;
  MPI_Count size = 0, lower = -1, extent = 0;
  int small = 0;
  EXPECT(MPI_Type_vector(BLOCKS, 1, 2, MPI_LONG_LONG, &vector) == MPI_SUCCESS);
  MPI_Type_size_x(vector, &size);
  MPI_Type_get_extent_x(vector, &lower, &extent);
  EXPECT(size == 8LL * BLOCKS && lower == 0 && extent == 16LL * BLOCKS - 8);
  EXPECT(MPI_Type_create_hvector(BLOCKS, 2, 24, MPI_SHORT_INT, &pairs) == MPI_SUCCESS); /* gaps within blocks */
  MPI_Type_size_x(pairs, &size);
  MPI_Type_get_true_extent_x(pairs, &lower, &extent);
  EXPECT(size == 12LL * BLOCKS && lower == 0 && extent == 24LL * (BLOCKS - 1) + 16);
  MPI_Type_size(pairs, &small);
  EXPECT(small == 12LL * BLOCKS || small == MPI_UNDEFINED); /* beyond an int there is no number */
  MPI_Type_size_x(vector, &size);
  MPI_Status status;
  MPI_Count elements = 0;
  int count = 0;
  MPI_Status_set_elements_x(&status, vector, 3LL * BLOCKS + 5);
  MPI_Get_elements_x(&status, vector, &elements);
  EXPECT(elements == 3LL * BLOCKS + 5);
  MPI_Get_elements(&status, vector, &count);
  EXPECT(count == 3LL * BLOCKS + 5); /* fits */
  MPI_Get_count(&status, vector, &count);
  EXPECT(count == MPI_UNDEFINED); /* not a whole number of vectors */
  MPI_Status_set_elements_x(&status, vector, 20LL * BLOCKS);
  MPI_Get_elements(&status, vector, &count);
  EXPECT(count == MPI_UNDEFINED); /* beyond an int */
  MPI_Get_count(&status, vector, &count);
  EXPECT(count == 20);
  MPI_Type_free(&vector);
  MPI_Type_free(&pairs);
}

/* A part of such a type's data travels: only as much as the message has. */
static void part_of_many(void) {
  enum { BLOCKS = 135000000, HERE = 1000 };
  MPI_Datatype vector;
  MPI_Status status;
  static int out[HERE], in[2 * HERE];
  MPI_Type_vector(BLOCKS, 1, 2, MPI_INT, &vector);
  MPI_Type_commit(&vector);
  for (int i = 0; i < HERE; ++i) out[i] = 1000 * rank + i;
  memset(in, -1, sizeof in);
  int at = 0;
  char packed[sizeof out];
  EXPECT(MPI_Pack(out, HERE, MPI_INT, packed, sizeof packed, &at, MPI_COMM_WORLD) == MPI_SUCCESS);
  MPI_Datatype some;
  MPI_Type_vector(HERE, 1, 2, MPI_INT, &some);
  MPI_Type_commit(&some);
  EXPECT(MPI_Sendrecv(out, HERE, MPI_INT, right, 1, in, 1, some, left, 1, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
  for (int i = 0; i < 2 * HERE; ++i) EXPECT(in[i] == (i % 2 ? -1 : 1000 * left + i / 2));
  int elements = 0;
  MPI_Get_elements(&status, vector, &elements);
  EXPECT(elements == HERE);
  MPI_Type_free(&some);
  MPI_Type_free(&vector);
}

/* ---- Fortran's types by digits and range ---- */
static void by_digits(void) {
  static const struct {
    int digits, range, bytes;
  } reals[] = {{6, 30, 4}, {6, MPI_UNDEFINED, 4}, {7, 30, 8}, {6, 200, 8}, {15, 307, 8}, {16, 307, 16}};
  static const int integers[][2] = {{2, 1}, {3, 2}, {4, 2}, {5, 4}, {9, 4}, {10, 8}, {18, 8}};
  MPI_Datatype type, again;
  int size = 0, counts[3], combiner = -1, arguments[2];
  for (size_t i = 0; i < sizeof reals / sizeof *reals; ++i) {
    EXPECT(MPI_Type_create_f90_real(reals[i].digits, reals[i].range, &type) == MPI_SUCCESS);
    EXPECT(MPI_Type_create_f90_real(reals[i].digits, reals[i].range, &again) == MPI_SUCCESS && again == type);
    MPI_Type_size(type, &size);
    EXPECT(size == reals[i].bytes);
    MPI_Type_get_envelope(type, &counts[0], &counts[1], &counts[2], &combiner);
    EXPECT(combiner == MPI_COMBINER_F90_REAL && counts[0] == 2 && counts[1] == 0 && counts[2] == 0);
    MPI_Type_get_contents(type, 2, 0, 0, arguments, NULL, NULL);
    EXPECT(arguments[0] == reals[i].digits && arguments[1] == reals[i].range);
    EXPECT(MPI_Type_create_f90_complex(reals[i].digits, reals[i].range, &again) == MPI_SUCCESS && again != type);
    MPI_Type_size(again, &size);
    EXPECT(size == 2 * reals[i].bytes);
  }
  for (size_t i = 0; i < sizeof integers / sizeof *integers; ++i) {
    EXPECT(MPI_Type_create_f90_integer(integers[i][0], &type) == MPI_SUCCESS);
    MPI_Type_size(type, &size);
    EXPECT(size == integers[i][1]);
    MPI_Type_get_envelope(type, &counts[0], &counts[1], &counts[2], &combiner);
    EXPECT(combiner == MPI_COMBINER_F90_INTEGER && counts[0] == 1);
  }
  /* They are as good as the predefined ones: committed, reduced, matched with them, and not freed. */
  double own = rank + 0.5, sum = 0;
  MPI_Type_create_f90_real(15, 300, &type);
  EXPECT(MPI_Allreduce(&own, &sum, 1, type, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS);
  EXPECT(sum == ranks * (ranks - 1) / 2 + 0.5 * ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  EXPECT(MPI_Type_free(&type) == MPI_ERR_TYPE);
  EXPECT(MPI_Type_create_f90_real(MPI_UNDEFINED, MPI_UNDEFINED, &type) == MPI_ERR_ARG);
  EXPECT(MPI_Type_create_f90_real(90, 30, &type) == MPI_ERR_ARG);
  EXPECT(MPI_Type_create_f90_integer(19, &type) == MPI_ERR_ARG);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  random_types();
  many_blocks();
  part_of_many();
  by_digits();
  return finish();
}
