/* Reductions drawn from a seed, and what they come to: predefined operations on every kind of element, operations of
 * the program on types with gaps. Values are small, so that nothing overflows and floating-point results are exact. */
#ifndef PROGRAMS_DRAWN_REDUCTIONS_H
#define PROGRAMS_DRAWN_REDUCTIONS_H

#include "drawn_comms.h"

enum { NUMBERS = 9, PAIRS = 6, OPERATIONS = 10 };
enum { LONG_DOUBLE_BYTES = 10 }; /* that have a value */
struct reduction {
  int own, ordered; /* an operation of the program, that does not commute */
  int element, op;
  struct map map; /* an element for the operation */
};

/* ---- operations of the program: on pairs of words, x -> a x + b one after the other, or sums ---- */
static const struct map* (*map_of_type)(MPI_Datatype type);
static void compose(const uint32_t* x, uint32_t* y, int ordered) {
  y[1] = ordered ? x[1] * y[0] + y[1] : x[1] ^ y[1];
  y[0] = ordered ? x[0] * y[0] : x[0] + y[0];
}
static void each_pair(void* in, void* inout, int count, MPI_Datatype type, int ordered) {
  const struct map* map = map_of_type(type);
  CHECK(map != NULL);
  const struct place elements = {map, 0, 0, count};
  for (long n = 0; n < count; ++n)
    for (int e = 0; e < map->count; e += 2) {
      uint32_t x[2], y[2];
      for (int half = 0; half < 2; ++half) {
        memcpy(&x[half], element(in, &elements, n, e + half), sizeof *x);
        memcpy(&y[half], element(inout, &elements, n, e + half), sizeof *y);
      }
      compose(x, y, ordered);
      for (int half = 0; half < 2; ++half) memcpy(element(inout, &elements, n, e + half), &y[half], sizeof *y);
    }
}
static void in_order(void* in, void* inout, int* count, MPI_Datatype* type) { each_pair(in, inout, *count, *type, 1); }
static void any_order(void* in, void* inout, int* count, MPI_Datatype* type) { each_pair(in, inout, *count, *type, 0); }

/* ---- predefined ones ---- */
#define NUMBER_TYPES(X)              \
  X(0, signed char, MPI_SIGNED_CHAR) \
  X(1, short, MPI_SHORT)             \
  X(2, int, MPI_INT)                 \
  X(3, long, MPI_LONG)               \
  X(4, unsigned, MPI_UNSIGNED)       \
  X(5, uint64_t, MPI_UINT64_T)       \
  X(6, float, MPI_FLOAT) X(7, double, MPI_DOUBLE) X(8, long double, MPI_LONG_DOUBLE)
#define PAIR_TYPES(X)           \
  X(9, int, MPI_2INT)           \
  X(10, double, MPI_DOUBLE_INT) \
  X(11, short, MPI_SHORT_INT)   \
  X(12, long, MPI_LONG_INT) X(13, float, MPI_FLOAT_INT) X(14, long double, MPI_LONG_DOUBLE_INT)

static MPI_Datatype type_of(int element) {
#define TYPE(number, c_type, mpi_type) \
  if (element == number) return mpi_type;
  NUMBER_TYPES(TYPE)
  PAIR_TYPES(TYPE)
#undef TYPE
  return MPI_DATATYPE_NULL;
}
static int bytes_of(int element) {
#define BYTES(number, c_type, mpi_type) \
  if (element == number) return (int)sizeof(c_type);
#define PAIR_BYTES(number, c_type, mpi_type) \
  if (element == number) {                   \
    struct pair {                            \
      c_type value;                          \
      int place;                             \
    };                                       \
    return (int)sizeof(struct pair);         \
  }
  NUMBER_TYPES(BYTES)
  PAIR_TYPES(PAIR_BYTES)
#undef BYTES
#undef PAIR_BYTES
  return 0;
}
/* The gaps stay as they are; those that a long double has are 0. */
static void write_element(int element, long value, int place, unsigned char* to) {
#define WRITE(number, c_type, mpi_type)                                              \
  if (element == number) {                                                           \
    const c_type written = (c_type)value;                                            \
    memset(to, 0, sizeof written);                                                   \
    memcpy(to, &written, sizeof written == 16 ? LONG_DOUBLE_BYTES : sizeof written); \
  }
#define WRITE_PAIR(number, c_type, mpi_type)                         \
  if (element == number) {                                           \
    struct pair {                                                    \
      c_type value;                                                  \
      int place;                                                     \
    };                                                               \
    WRITE(number, c_type, mpi_type)                                  \
    memcpy(to + offsetof(struct pair, place), &place, sizeof place); \
  }
  NUMBER_TYPES(WRITE) PAIR_TYPES(WRITE_PAIR)
#undef WRITE
#undef WRITE_PAIR
}

enum { SUM, PRODUCT, MAXIMUM, MINIMUM, L_AND, L_OR, L_XOR, B_AND, B_OR, B_XOR, MAX_PLACE, MIN_PLACE };
static MPI_Op op_of(int op) {
  const MPI_Op all[] = {MPI_SUM,  MPI_PROD, MPI_MAX, MPI_MIN,  MPI_LAND,   MPI_LOR,
                        MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
  return all[op];
}
static long number_of(const struct reduction* r, int id, int of_rank, long place) {
  const uint64_t word = word_of(id, of_rank, 77, place);
  if (r->op == PRODUCT) return word % 8 == 0 ? 2 : 1;
  if (r->op >= L_AND && r->op <= L_XOR) return (long)(word % 3);
  return (long)(word % 13) - (r->op == SUM ? 6 : 0);
}
static long combined(long x, long y, int op) {
  if (op == SUM) return x + y;
  if (op == PRODUCT) return x * y;
  if (op == MAXIMUM) return x > y ? x : y;
  if (op == MINIMUM) return x < y ? x : y;
  if (op == L_AND) return x && y;
  if (op == L_OR) return x || y;
  if (op == L_XOR) return !x != !y;
  return op == B_AND ? x & y : op == B_OR ? x | y : x ^ y;
}

/* ---- results: of elements [skip, skip + count) of the first `last + 1` of a group ---- */
static void own_result(const struct reduction* r, int id, const struct group* g, int last, long word, uint32_t* y) {
  for (int q = 0; q <= last; ++q) {
    uint32_t x[2] = {(uint32_t)word_of(id, g->ranks[q], 99, word), (uint32_t)word_of(id, g->ranks[q], 99, word + 1)};
    const uint32_t before[2] = {y[0], y[1]};
    if (q > 0) compose(before, x, r->ordered);
    y[0] = x[0], y[1] = x[1];
  }
}
static void result(const struct reduction* r, int id, const struct group* g, int last, long place, unsigned char* to) {
  long value = 0;
  int at = 0;
  for (int q = 0; q <= last; ++q) {
    const long x = number_of(r, id, g->ranks[q], place);
    const int there = (int)(word_of(id, g->ranks[q], 78, place) % 5);
    const int better = q == 0 || (r->op == MAX_PLACE ? x > value : x < value);
    if (r->op < MAX_PLACE)
      value = q == 0 ? x : combined(value, x, r->op);
    else if (better || (x == value && there < at))
      value = x, at = there;
  }
  write_element(r->element, value, at, to);
}
static void put_bytes(const struct area* a, enum where where, struct place p, const unsigned char* from) {
  for (long n = p.first; n < p.first + p.count; ++n)
    for (int e = 0; e < p.map->count; ++e) {
      memcpy(element(side_of(a, where), &p, n, e), from, p.map->bytes[e]);
      from += p.map->bytes[e];
    }
}

static void put_result(const struct reduction* r, const struct area* a, enum where where, int id, const struct group* g,
                       int last, long skip, long count) {
  if (!r->own) {
    for (long i = 0; i < count; ++i) result(r, id, g, last, skip + i, side_of(a, where) + i * bytes_of(r->element));
    return;
  }
  const long words = count * r->map.count;
  uint32_t* all = calloc((size_t)words + 2, sizeof *all);
  for (long i = 0; i < words; i += 2) own_result(r, id, g, last, skip * r->map.count + i, &all[i]);
  put_bytes(a, where, (struct place){&r->map, 0, 0, count}, (const unsigned char*)all);
  free(all);
}

/* All draw alike from the state. */
static struct reduction draw_reduction(unsigned* state, long count, MPI_Op* op) {
  struct reduction r = {.own = next(state, 3) == 0, .ordered = (int)next(state, 2)};
  r.element = (int)next(state, NUMBERS + PAIRS);
  r.op = r.element >= NUMBERS ? MAX_PLACE + (int)next(state, 2) : (int)next(state, r.element >= 6 ? 4 : OPERATIONS);
  if (r.own) {
    const struct basic pair[2] = {{MPI_UNSIGNED, 4}, {MPI_UNSIGNED, 4}};
    r.map = draw_map(state, pair, 2, 0, (int)count + 1);
    MPI_Op_create(r.ordered ? in_order : any_order, !r.ordered, op);
    return r;
  }
  *op = op_of(r.op);
  r.map = (struct map){.type = type_of(r.element), .count = 1, .extent = bytes_of(r.element)};
  r.map.bytes[0] = (unsigned char)r.map.extent;
  return r;
}

#endif
