/* Predefined datatypes, and queries of a type. */
#include <complex.h>
#include <limits.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "sw/mpi/base/attribute.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/type.h"
#include "sw/mpi/datatypes/datatype.h"
#include "sw/mpi/datatypes/type_map.h"

#define TYPE(object, text, c_type, type_kind) TYPE_AS(object, text, c_type, type_kind, MPI_EXTERNAL_SAME)
#define TYPE_AS(object, text, c_type, type_kind, form)                                                       \
  static struct mpi_part object##part = {                                                                    \
      .times = 1, .bytes = sizeof(c_type), .elements = 1, .element = sizeof(c_type), .external = form};      \
  static struct mpi_map object##map = {.references = 1,                                                      \
                                       .shape = {.bytes = sizeof(c_type),                                    \
                                                 .external_bytes = MPI_EXTERNAL_BYTES(sizeof(c_type), form), \
                                                 .elements = 1,                                              \
                                                 .runs = 1,                                                  \
                                                 .high = sizeof(c_type),                                     \
                                                 .element = sizeof(c_type),                                  \
                                                 .external = form,                                           \
                                                 .consecutive = 1,                                           \
                                                 .sorted = 1,                                                \
                                                 .disjoint = 1},                                             \
                                       .count = 1,                                                           \
                                       .parts = &object##part};                                              \
  struct MPI_datatype_ object = {.references = 1,                                                            \
                                 .bytes = sizeof(c_type),                                                    \
                                 .kind = type_kind,                                                          \
                                 .extent = sizeof(c_type),                                                   \
                                 .true_extent = sizeof(c_type),                                              \
                                 .dense = 1,                                                                 \
                                 .committed = 1,                                                             \
                                 .predefined = 1,                                                            \
                                 .align = alignof(c_type),                                                   \
                                 .map = &object##map,                                                        \
                                 .basic = &object,                                                           \
                                 .name = text}

TYPE(MPI_char_, "MPI_CHAR", char, MPI_KIND_I8);
TYPE(MPI_signed_char_, "MPI_SIGNED_CHAR", signed char, MPI_KIND_I8);
TYPE(MPI_unsigned_char_, "MPI_UNSIGNED_CHAR", unsigned char, MPI_KIND_U8);
TYPE(MPI_byte_, "MPI_BYTE", unsigned char, MPI_KIND_BYTE);
TYPE(MPI_packed_, "MPI_PACKED", unsigned char, MPI_KIND_BYTE);
TYPE(MPI_short_, "MPI_SHORT", short, MPI_KIND_I16);
TYPE(MPI_unsigned_short_, "MPI_UNSIGNED_SHORT", unsigned short, MPI_KIND_U16);
TYPE(MPI_int_, "MPI_INT", int, MPI_KIND_I32);
TYPE(MPI_unsigned_, "MPI_UNSIGNED", unsigned, MPI_KIND_U32);
TYPE_AS(MPI_long_, "MPI_LONG", long, MPI_KIND_I64, MPI_EXTERNAL_LONG);
TYPE_AS(MPI_unsigned_long_, "MPI_UNSIGNED_LONG", unsigned long, MPI_KIND_U64, MPI_EXTERNAL_UNSIGNED_LONG);
TYPE(MPI_long_long_, "MPI_LONG_LONG_INT", long long, MPI_KIND_I64);
TYPE(MPI_unsigned_long_long_, "MPI_UNSIGNED_LONG_LONG", unsigned long long, MPI_KIND_U64);
TYPE(MPI_float_, "MPI_FLOAT", float, MPI_KIND_FLOAT);
TYPE(MPI_double_, "MPI_DOUBLE", double, MPI_KIND_DOUBLE);
TYPE_AS(MPI_long_double_, "MPI_LONG_DOUBLE", long double, MPI_KIND_LONG_DOUBLE, MPI_EXTERNAL_LONG_DOUBLE);
TYPE_AS(MPI_wchar_, "MPI_WCHAR", wchar_t, MPI_KIND_I32, MPI_EXTERNAL_WCHAR);
TYPE(MPI_bool_, "MPI_C_BOOL", bool, MPI_KIND_BOOL);
TYPE(MPI_int8_, "MPI_INT8_T", int8_t, MPI_KIND_I8);
TYPE(MPI_uint8_, "MPI_UINT8_T", uint8_t, MPI_KIND_U8);
TYPE(MPI_int16_, "MPI_INT16_T", int16_t, MPI_KIND_I16);
TYPE(MPI_uint16_, "MPI_UINT16_T", uint16_t, MPI_KIND_U16);
TYPE(MPI_int32_, "MPI_INT32_T", int32_t, MPI_KIND_I32);
TYPE(MPI_uint32_, "MPI_UINT32_T", uint32_t, MPI_KIND_U32);
TYPE(MPI_int64_, "MPI_INT64_T", int64_t, MPI_KIND_I64);
TYPE(MPI_uint64_, "MPI_UINT64_T", uint64_t, MPI_KIND_U64);
TYPE(MPI_aint_, "MPI_AINT", MPI_Aint, MPI_KIND_I64);
TYPE(MPI_offset_, "MPI_OFFSET", MPI_Offset, MPI_KIND_I64);
TYPE(MPI_count_, "MPI_COUNT", MPI_Count, MPI_KIND_I64);
TYPE_AS(MPI_float_complex_, "MPI_C_COMPLEX", float _Complex, MPI_KIND_FLOAT_COMPLEX, MPI_EXTERNAL_COMPLEX);
TYPE_AS(MPI_double_complex_, "MPI_C_DOUBLE_COMPLEX", double _Complex, MPI_KIND_DOUBLE_COMPLEX, MPI_EXTERNAL_COMPLEX);
TYPE_AS(MPI_long_double_complex_, "MPI_C_LONG_DOUBLE_COMPLEX", long double _Complex, MPI_KIND_LONG_DOUBLE_COMPLEX,
        MPI_EXTERNAL_LONG_DOUBLE_COMPLEX);
/* C++'s: the same data by other names. */
TYPE(MPI_cxx_bool_, "MPI_CXX_BOOL", bool, MPI_KIND_BOOL);
TYPE_AS(MPI_cxx_float_complex_, "MPI_CXX_FLOAT_COMPLEX", float _Complex, MPI_KIND_FLOAT_COMPLEX, MPI_EXTERNAL_COMPLEX);
TYPE_AS(MPI_cxx_double_complex_, "MPI_CXX_DOUBLE_COMPLEX", double _Complex, MPI_KIND_DOUBLE_COMPLEX,
        MPI_EXTERNAL_COMPLEX);
TYPE_AS(MPI_cxx_long_double_complex_, "MPI_CXX_LONG_DOUBLE_COMPLEX", long double _Complex, MPI_KIND_LONG_DOUBLE_COMPLEX,
        MPI_EXTERNAL_LONG_DOUBLE_COMPLEX);

/* Fortran's, with the usual sizes. */
TYPE(MPI_f_integer_, "MPI_INTEGER", int, MPI_KIND_I32);
TYPE(MPI_f_real_, "MPI_REAL", float, MPI_KIND_FLOAT);
TYPE(MPI_f_double_precision_, "MPI_DOUBLE_PRECISION", double, MPI_KIND_DOUBLE);
TYPE_AS(MPI_f_complex_, "MPI_COMPLEX", float _Complex, MPI_KIND_FLOAT_COMPLEX, MPI_EXTERNAL_COMPLEX);
TYPE_AS(MPI_f_double_complex_, "MPI_DOUBLE_COMPLEX", double _Complex, MPI_KIND_DOUBLE_COMPLEX, MPI_EXTERNAL_COMPLEX);
TYPE(MPI_f_logical_, "MPI_LOGICAL", int, MPI_KIND_I32);
TYPE(MPI_f_character_, "MPI_CHARACTER", char, MPI_KIND_I8);
TYPE(MPI_f_integer1_, "MPI_INTEGER1", int8_t, MPI_KIND_I8);
TYPE(MPI_f_integer2_, "MPI_INTEGER2", int16_t, MPI_KIND_I16);
TYPE(MPI_f_integer4_, "MPI_INTEGER4", int32_t, MPI_KIND_I32);
TYPE(MPI_f_integer8_, "MPI_INTEGER8", int64_t, MPI_KIND_I64);
TYPE(MPI_f_real4_, "MPI_REAL4", float, MPI_KIND_FLOAT);
TYPE(MPI_f_real8_, "MPI_REAL8", double, MPI_KIND_DOUBLE);
TYPE_AS(MPI_f_complex8_, "MPI_COMPLEX8", float _Complex, MPI_KIND_FLOAT_COMPLEX, MPI_EXTERNAL_COMPLEX);
TYPE_AS(MPI_f_complex16_, "MPI_COMPLEX16", double _Complex, MPI_KIND_DOUBLE_COMPLEX, MPI_EXTERNAL_COMPLEX);

_Static_assert(sizeof(long) == 8 && sizeof(wchar_t) == 4 && sizeof(MPI_Aint) == 8, "their kinds");

/* A value and its index: two elements, with C's padding. */
#define PAIR(object, text, c_type, type_kind) PAIR_AS(object, text, c_type, int, type_kind, MPI_EXTERNAL_SAME)
#define PAIR_AS(object, text, c_type, place_type, type_kind, form)                                                   \
  struct object##pair {                                                                                              \
    c_type value;                                                                                                    \
    place_type place;                                                                                                \
  };                                                                                                                 \
  enum {                                                                                                             \
    object##bytes = sizeof(c_type) + sizeof(place_type),                                                             \
    object##at = offsetof(struct object##pair, place),                                                               \
    object##end = object##at + sizeof(place_type)                                                                    \
  };                                                                                                                 \
  static struct mpi_part object##parts[2] = {                                                                        \
      {.times = 1, .bytes = sizeof(c_type), .elements = 1, .element = sizeof(c_type), .external = form},             \
      {.before = sizeof(c_type),                                                                                     \
       .offset = object##at,                                                                                         \
       .times = 1,                                                                                                   \
       .bytes = sizeof(place_type),                                                                                  \
       .elements = 1,                                                                                                \
       .element = sizeof(place_type)}};                                                                              \
  static struct mpi_map object##map = {                                                                              \
      .references = 1,                                                                                               \
      .shape = {.bytes = object##bytes,                                                                              \
                .external_bytes = MPI_EXTERNAL_BYTES(sizeof(c_type), form) + sizeof(place_type),                     \
                .elements = 2,                                                                                       \
                .runs = 2,                                                                                           \
                .high = object##end,                                                                                 \
                .last = object##at,                                                                                  \
                .element = sizeof(c_type) == sizeof(place_type) && (form) == MPI_EXTERNAL_SAME ? sizeof(c_type) : 0, \
                .consecutive = sizeof(c_type) == object##at,                                                         \
                .sorted = 1,                                                                                         \
                .disjoint = 1},                                                                                      \
      .count = 2,                                                                                                    \
      .parts = object##parts};                                                                                       \
  struct MPI_datatype_ object = {.references = 1,                                                                    \
                                 .bytes = object##bytes,                                                             \
                                 .kind = type_kind,                                                                  \
                                 .extent = sizeof(struct object##pair),                                              \
                                 .true_extent = object##end,                                                         \
                                 .dense = object##bytes == sizeof(struct object##pair),                              \
                                 .committed = 1,                                                                     \
                                 .predefined = 1,                                                                    \
                                 .align = alignof(struct object##pair),                                              \
                                 .map = &object##map,                                                                \
                                 .basic = &object,                                                                   \
                                 .name = text}

PAIR(MPI_float_int_, "MPI_FLOAT_INT", float, MPI_KIND_FLOAT_INT);
PAIR(MPI_double_int_, "MPI_DOUBLE_INT", double, MPI_KIND_DOUBLE_INT);
PAIR_AS(MPI_long_int_, "MPI_LONG_INT", long, int, MPI_KIND_LONG_INT, MPI_EXTERNAL_LONG);
PAIR(MPI_two_int_, "MPI_2INT", int, MPI_KIND_2INT);
PAIR(MPI_short_int_, "MPI_SHORT_INT", short, MPI_KIND_SHORT_INT);
PAIR(MPI_f_two_integer_, "MPI_2INTEGER", int, MPI_KIND_2INT);
PAIR_AS(MPI_long_double_int_, "MPI_LONG_DOUBLE_INT", long double, int, MPI_KIND_LONG_DOUBLE_INT,
        MPI_EXTERNAL_LONG_DOUBLE);
/* Fortran's pairs: two elements of one type. */
PAIR_AS(MPI_f_two_real_, "MPI_2REAL", float, float, MPI_KIND_2FLOAT, MPI_EXTERNAL_SAME);
PAIR_AS(MPI_f_two_double_precision_, "MPI_2DOUBLE_PRECISION", double, double, MPI_KIND_2DOUBLE, MPI_EXTERNAL_SAME);

/* Bounds of structures: no data. */
static struct mpi_map no_data = {.references = 1, .shape = {.consecutive = 1, .sorted = 1, .disjoint = 1}};
#define BOUND(object, text, which)                \
  struct MPI_datatype_ object = {.references = 1, \
                                 .dense = 1,      \
                                 .committed = 1,  \
                                 .predefined = 1, \
                                 .align = 1,      \
                                 .map = &no_data, \
                                 .name = text,    \
                                 .which = 1}
BOUND(MPI_lb_, "MPI_LB", sticky_lower);
BOUND(MPI_ub_, "MPI_UB", sticky_upper);

/* ---- MPI_Type_size ---- */
int MPI_Type_size(MPI_Datatype type, int* size) {
  MPI_TRY(mpi_check_lone_type("MPI_Type_size", type));
  MPI_TRY(mpi_check_result("MPI_Type_size", size));
  *size = type->bytes > INT_MAX ? MPI_UNDEFINED : (int)type->bytes;
  return MPI_SUCCESS;
}

int MPI_Type_size_x(MPI_Datatype type, MPI_Count* size) {
  MPI_TRY(mpi_check_lone_type("MPI_Type_size_x", type));
  MPI_TRY(mpi_check_result("MPI_Type_size_x", size));
  *size = type->bytes > INT64_MAX ? MPI_UNDEFINED : (MPI_Count)type->bytes;
  return MPI_SUCCESS;
}

static int bounds(const char* call, MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent) {
  MPI_TRY(mpi_check_lone_type(call, type));
  MPI_TRY(mpi_check_result(call, lower && extent ? lower : NULL));
  *lower = type->lower;
  *extent = type->extent;
  return MPI_SUCCESS;
}

/* ---- MPI_Type_get_extent, and its three older calls ---- */
int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent) {
  return bounds("MPI_Type_get_extent", type, lower, extent);
}

int MPI_Type_extent(MPI_Datatype type, MPI_Aint* extent) {
  MPI_Aint lower = 0;
  return bounds("MPI_Type_extent", type, &lower, extent);
}

int MPI_Type_lb(MPI_Datatype type, MPI_Aint* lower) {
  MPI_Aint extent = 0;
  return bounds("MPI_Type_lb", type, lower, &extent);
}

int MPI_Type_ub(MPI_Datatype type, MPI_Aint* upper) {
  MPI_Aint lower = 0;
  MPI_TRY(bounds("MPI_Type_ub", type, &lower, upper));
  *upper += lower;
  return MPI_SUCCESS;
}

/* ---- MPI_Type_get_true_extent ---- */
int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent) {
  MPI_TRY(bounds("MPI_Type_get_true_extent", type, lower, extent));
  *lower = type->true_lower;
  *extent = type->true_extent;
  return MPI_SUCCESS;
}

/* ---- MPI_Type_get_extent_x, MPI_Type_get_true_extent_x ---- */
int MPI_Type_get_extent_x(MPI_Datatype type, MPI_Count* lower, MPI_Count* extent) {
  MPI_Aint from = 0, bytes = 0;
  MPI_TRY(bounds("MPI_Type_get_extent_x", type, &from, &bytes));
  MPI_TRY(mpi_check_result("MPI_Type_get_extent_x", lower && extent ? lower : NULL));
  *lower = from;
  *extent = bytes;
  return MPI_SUCCESS;
}

int MPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count* lower, MPI_Count* extent) {
  MPI_TRY(mpi_check_lone_type("MPI_Type_get_true_extent_x", type));
  MPI_TRY(mpi_check_result("MPI_Type_get_true_extent_x", lower && extent ? lower : NULL));
  *lower = type->true_lower;
  *extent = type->true_extent;
  return MPI_SUCCESS;
}

/* ---- MPI_Type_match_size: a predefined type of a class and a size ---- */
int MPI_Type_match_size(int type_class, int size, MPI_Datatype* type) {
  static const struct {
    int type_class;
    MPI_Datatype type;
  } known[] = {{MPI_TYPECLASS_INTEGER, MPI_INTEGER1},  {MPI_TYPECLASS_INTEGER, MPI_INTEGER2},
               {MPI_TYPECLASS_INTEGER, MPI_INTEGER4},  {MPI_TYPECLASS_INTEGER, MPI_INTEGER8},
               {MPI_TYPECLASS_REAL, MPI_REAL4},        {MPI_TYPECLASS_REAL, MPI_REAL8},
               {MPI_TYPECLASS_REAL, MPI_LONG_DOUBLE},  {MPI_TYPECLASS_COMPLEX, MPI_COMPLEX8},
               {MPI_TYPECLASS_COMPLEX, MPI_COMPLEX16}, {MPI_TYPECLASS_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX}};
  MPI_TRY(mpi_check_running("MPI_Type_match_size"));
  MPI_TRY(mpi_check_result("MPI_Type_match_size", type));
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (known[i].type_class == type_class && known[i].type->bytes == (size_t)size) {
      *type = known[i].type;
      return MPI_SUCCESS;
    }
  return mpi_fail("MPI_Type_match_size", MPI_ERR_ARG, "there is no type of %d bytes in class %d", size, type_class);
}

/* ---- MPI_Type_commit ---- */
int MPI_Type_commit(MPI_Datatype* type) {
  MPI_TRY(mpi_check_result("MPI_Type_commit", type));
  MPI_TRY(mpi_check_lone_type("MPI_Type_commit", *type));
  (*type)->committed = 1;
  return MPI_SUCCESS;
}

/* ---- MPI_Type_free: operations under way with it keep it ---- */
int MPI_Type_free(MPI_Datatype* type) {
  MPI_TRY(mpi_check_result("MPI_Type_free", type));
  MPI_TRY(mpi_check_lone_type("MPI_Type_free", *type));
  if ((*type)->predefined)
    return mpi_fail("MPI_Type_free", MPI_ERR_TYPE, "%s is predefined; free only what you made", (*type)->name);
  if ((*type)->references == 1) MPI_TRY(mpi_attributes_delete("MPI_Type_free", mpi_owner_type(*type)));
  mpi_type_release(*type);
  *type = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

/* ---- names ---- */
int MPI_Type_set_name(MPI_Datatype type, const char* name) {
  MPI_TRY(mpi_check_lone_type("MPI_Type_set_name", type));
  MPI_TRY(mpi_check_result("MPI_Type_set_name", name));
  strncpy(type->name, name, sizeof type->name - 1);
  return MPI_SUCCESS;
}

int MPI_Type_get_name(MPI_Datatype type, char* name, int* length) {
  MPI_TRY(mpi_check_lone_type("MPI_Type_get_name", type));
  MPI_TRY(mpi_check_result("MPI_Type_get_name", name && length ? name : NULL));
  memcpy(name, type->name, sizeof type->name);
  *length = (int)strlen(name);
  return MPI_SUCCESS;
}

/* ---- MPI_Get_address, MPI_Address ---- */
int MPI_Get_address(const void* location, MPI_Aint* address) {
  MPI_TRY(mpi_check_result("MPI_Get_address", address));
  *address = (MPI_Aint)location;
  return MPI_SUCCESS;
}

int MPI_Address(const void* location, MPI_Aint* address) {
  MPI_TRY(mpi_check_result("MPI_Address", address));
  *address = (MPI_Aint)location;
  return MPI_SUCCESS;
}

/* ---- MPI_Aint_add, MPI_Aint_diff ---- */
MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint distance) { return base + distance; }

MPI_Aint MPI_Aint_diff(MPI_Aint address1, MPI_Aint address2) { return address1 - address2; }
