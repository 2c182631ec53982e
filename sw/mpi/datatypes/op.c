/* Operations of reductions: the predefined ones for each kind of element, and the program's own. */
#include <complex.h>
#include <stdbool.h>
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/datatypes/op.h"

/* ---- which kinds an operation knows ---- */
#define INTEGERS(X, e) \
  X(I8, int8_t, e)     \
  X(U8, uint8_t, e)    \
  X(I16, int16_t, e) X(U16, uint16_t, e) X(I32, int32_t, e) X(U32, uint32_t, e) X(I64, int64_t, e) X(U64, uint64_t, e)
#define ORDERED(X, e) INTEGERS(X, e) X(FLOAT, float, e) X(DOUBLE, double, e) X(LONG_DOUBLE, long double, e)
#define NUMBERS(X, e)                 \
  ORDERED(X, e)                       \
  X(FLOAT_COMPLEX, float _Complex, e) \
  X(DOUBLE_COMPLEX, double _Complex, e) X(LONG_DOUBLE_COMPLEX, long double _Complex, e)
#define LOGICALS(X, e) INTEGERS(X, e) X(BOOL, bool, e)
#define BITS(X, e) INTEGERS(X, e) X(BYTE, uint8_t, e)

/* Returns whether the operation is defined for the kind. */
#define CASE(kind, type, expression)     \
  case MPI_KIND_##kind: {                \
    const type* a = in;                  \
    type* b = inout;                     \
    for (size_t i = 0; i < count; ++i) { \
      const type x = a[i], y = b[i];     \
      b[i] = (type)(expression);         \
    }                                    \
    return 1;                            \
  }

#define OPERATION(function, kinds, expression)                                         \
  static int function(const void* in, void* inout, size_t count, enum mpi_kind kind) { \
    switch (kind) { kinds(CASE, expression) default : return 0; }                      \
  }

/* ---- pairs of a value and a place: of equal values the lower place ---- */
struct float_int {
  float value;
  int place;
};
struct double_int {
  double value;
  int place;
};
struct long_int {
  long value;
  int place;
};
struct two_int {
  int value, place;
};
struct short_int {
  short value;
  int place;
};
struct long_double_int {
  long double value;
  int place;
};
struct two_float {
  float value, place;
};
struct two_double {
  double value, place;
};

/* clang-format off: it does not terminate here */
#define PAIRS(X, e)                             \
  X(FLOAT_INT, struct float_int, e)             \
  X(DOUBLE_INT, struct double_int, e)           \
  X(LONG_INT, struct long_int, e)               \
  X(2INT, struct two_int, e)                    \
  X(SHORT_INT, struct short_int, e)             \
  X(LONG_DOUBLE_INT, struct long_double_int, e) \
  X(2FLOAT, struct two_float, e)                \
  X(2DOUBLE, struct two_double, e)
/* clang-format on */

/* Member by member: the padding stays as it is. */
#define PAIR_CASE(kind, type, better)                                   \
  case MPI_KIND_##kind: {                                               \
    const type* a = in;                                                 \
    type* b = inout;                                                    \
    for (size_t i = 0; i < count; ++i) {                                \
      if (a[i].value better b[i].value) {                               \
        b[i].value = a[i].value;                                        \
        b[i].place = a[i].place;                                        \
      } else if (a[i].value == b[i].value && a[i].place < b[i].place) { \
        b[i].place = a[i].place;                                        \
      }                                                                 \
    }                                                                   \
    return 1;                                                           \
  }

#define PAIR_OPERATION(function, better)                                               \
  static int function(const void* in, void* inout, size_t count, enum mpi_kind kind) { \
    switch (kind) { PAIRS(PAIR_CASE, better) default : return 0; }                     \
  }

OPERATION(sum, NUMBERS, x + y)
OPERATION(product, NUMBERS, x* y)
OPERATION(maximum, ORDERED, x > y ? x : y)
OPERATION(minimum, ORDERED, x < y ? x : y)
OPERATION(logical_and, LOGICALS, x&& y)
OPERATION(logical_or, LOGICALS, x || y)
OPERATION(logical_xor, LOGICALS, !x != !y)
OPERATION(bit_and, BITS, x& y)
OPERATION(bit_or, BITS, x | y)
OPERATION(bit_xor, BITS, x ^ y)
PAIR_OPERATION(maximum_place, >)
PAIR_OPERATION(minimum_place, <)

/* MPI_REPLACE and MPI_NO_OP, for one-sided operations: inout becomes in; inout stays. Not for reductions. */
static int none(const void* in, void* inout, size_t count, enum mpi_kind kind) {
  (void)in;
  (void)inout;
  (void)count;
  (void)kind;
  return 0;
}

#define PREDEFINED(object, text, function) \
  struct MPI_op_ object = {.references = 1, .name = text, .apply = function, .commutes = 1}
PREDEFINED(MPI_sum_, "MPI_SUM", sum);
PREDEFINED(MPI_prod_, "MPI_PROD", product);
PREDEFINED(MPI_max_, "MPI_MAX", maximum);
PREDEFINED(MPI_min_, "MPI_MIN", minimum);
PREDEFINED(MPI_land_, "MPI_LAND", logical_and);
PREDEFINED(MPI_lor_, "MPI_LOR", logical_or);
PREDEFINED(MPI_lxor_, "MPI_LXOR", logical_xor);
PREDEFINED(MPI_band_, "MPI_BAND", bit_and);
PREDEFINED(MPI_bor_, "MPI_BOR", bit_or);
PREDEFINED(MPI_bxor_, "MPI_BXOR", bit_xor);
PREDEFINED(MPI_maxloc_, "MPI_MAXLOC", maximum_place);
PREDEFINED(MPI_minloc_, "MPI_MINLOC", minimum_place);
PREDEFINED(MPI_replace_, "MPI_REPLACE", none);
PREDEFINED(MPI_no_op_, "MPI_NO_OP", none);

/* ---- for reductions ---- */
static int check_handle(const char* call, MPI_Op op) {
  if (!op) return mpi_fail(call, MPI_ERR_OP, "the operation is MPI_OP_NULL");
  if (op->references == 0) return mpi_fail(call, MPI_ERR_OP, "the operation has been freed");
  return MPI_SUCCESS;
}

int mpi_check_op(const char* call, MPI_Op op, MPI_Datatype type) {
  MPI_TRY(check_handle(call, op));
  if (op->user || op->apply(NULL, NULL, 0, type->kind)) return MPI_SUCCESS;
  return mpi_fail(call, MPI_ERR_OP, "%s does not know the datatype %s; take another, or an operation of MPI_Op_create",
                  op->name, type->name);
}

void mpi_op_apply(MPI_Op op, const void* in, void* inout, size_t count, MPI_Datatype type) {
  if (!op->user) {
    op->apply(in, inout, count, type->kind);
    return;
  }
  int length = (int)count;
  op->user((void*)in, inout, &length, &type);
}

/* Freed operations stay in memory, so that their use is detected. */
void mpi_op_hold(MPI_Op op) { ++op->references; }

void mpi_op_release(MPI_Op op) { --op->references; }

/* ---- MPI_Op_create ---- */
int MPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* op) {
  MPI_TRY(mpi_check_running("MPI_Op_create"));
  MPI_TRY(mpi_check_result("MPI_Op_create", op));
  if (!function) return mpi_fail("MPI_Op_create", MPI_ERR_ARG, "the function is a null pointer");
  struct MPI_op_* created = mpi_memory(sizeof *created);
  *created = (struct MPI_op_){
      .references = 1, .name = "an operation of the program", .user = function, .commutes = commutes != 0};
  *op = created;
  return MPI_SUCCESS;
}

/* ---- MPI_Op_free ---- */
int MPI_Op_free(MPI_Op* op) {
  MPI_TRY(mpi_check_running("MPI_Op_free"));
  MPI_TRY(mpi_check_result("MPI_Op_free", op));
  MPI_TRY(check_handle("MPI_Op_free", *op));
  if (!(*op)->user) return mpi_fail("MPI_Op_free", MPI_ERR_OP, "%s is predefined and cannot be freed", (*op)->name);
  mpi_op_release(*op);
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}

/* ---- MPI_Op_commutative ---- */
int MPI_Op_commutative(MPI_Op op, int* commutes) {
  MPI_TRY(mpi_check_running("MPI_Op_commutative"));
  MPI_TRY(check_handle("MPI_Op_commutative", op));
  MPI_TRY(mpi_check_result("MPI_Op_commutative", commutes));
  *commutes = op->commutes;
  return MPI_SUCCESS;
}

/* ---- MPI_Reduce_local ---- */
int MPI_Reduce_local(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op) {
  static const char call[] = "MPI_Reduce_local";
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_data(call, in, count, type));
  MPI_TRY(mpi_check_data(call, inout, count, type));
  MPI_TRY(mpi_check_op(call, op, type));
  mpi_op_apply(op, in, inout, (size_t)count, type);
  return MPI_SUCCESS;
}
