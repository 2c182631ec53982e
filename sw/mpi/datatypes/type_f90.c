/* Datatypes by Fortran's selected_real_kind and selected_int_kind (MPI-3.1, 17.1.9): the smallest that has as many
 * decimal digits and as large a range. They are predefined: the same arguments give the same handle, and it is never
 * freed. */
#include <float.h>
#include <stdlib.h>

#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/base/type.h"
#include "sw/mpi/datatypes/type_contents.h"

/* A kind of number: decimal digits and decimal range, as Fortran's PRECISION and RANGE return them. */
struct kind {
  int digits, range;
  MPI_Datatype real, complex;
};

static int least(int a, int b) { return a < b ? a : b; }

static const struct kind* real_kind(int digits, int range) {
  static struct kind kinds[] = {{.real = &MPI_f_real_, .complex = &MPI_f_complex_},
                                {.real = &MPI_f_double_precision_, .complex = &MPI_f_double_complex_},
                                {.real = &MPI_long_double_, .complex = &MPI_long_double_complex_}};
  kinds[0].digits = FLT_DIG, kinds[0].range = least(FLT_MAX_10_EXP, -FLT_MIN_10_EXP);
  kinds[1].digits = DBL_DIG, kinds[1].range = least(DBL_MAX_10_EXP, -DBL_MIN_10_EXP);
  kinds[2].digits = LDBL_DIG, kinds[2].range = least(LDBL_MAX_10_EXP, -LDBL_MIN_10_EXP);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if ((digits == MPI_UNDEFINED || digits <= kinds[i].digits) && (range == MPI_UNDEFINED || range <= kinds[i].range))
      return &kinds[i];
  return NULL;
}

static MPI_Datatype integer_of(int range) {
  static const struct {
    int range;
    MPI_Datatype type;
  } kinds[] = {{2, &MPI_f_integer1_}, {4, &MPI_f_integer2_}, {9, &MPI_f_integer4_}, {18, &MPI_f_integer8_}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (range <= kinds[i].range) return kinds[i].type;
  return NULL;
}

/* ---- those that exist ---- */
struct known {
  struct known* next;
  int combiner, digits, range;
  MPI_Datatype type;
};

static struct known** all(void) {
  static struct known* list;
  return &list;
}

static MPI_Datatype find(int combiner, int digits, int range) {
  for (const struct known* at = *all(); at; at = at->next)
    if (at->combiner == combiner && at->digits == digits && at->range == range) return at->type;
  return NULL;
}

static int make(const char* call, int combiner, int digits, int range, MPI_Datatype like, MPI_Datatype* made) {
  *made = find(combiner, digits, range);
  if (*made) return MPI_SUCCESS;
  const struct mpi_piece whole = mpi_whole(like);
  MPI_TRY(mpi_type_new(call, 1, &whole, made));
  struct MPI_datatype_* type = *made;
  mpi_contents_begin(type, combiner);
  if (combiner != MPI_COMBINER_F90_INTEGER) mpi_contents_integers(type, 1, &digits);
  mpi_contents_integers(type, 1, &range);
  MPI_TRY(mpi_contents_end(call, made));
  type->kind = like->kind;
  type->basic = type;
  type->committed = type->predefined = 1;
  struct known* known = mpi_memory(sizeof *known);
  *known = (struct known){*all(), combiner, digits, range, type};
  *all() = known;
  return MPI_SUCCESS;
}

/* ---- MPI_Type_create_f90_real, MPI_Type_create_f90_complex, MPI_Type_create_f90_integer ---- */
static int real(const char* call, int combiner, int digits, int range, MPI_Datatype* made) {
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, made));
  if (digits == MPI_UNDEFINED && range == MPI_UNDEFINED)
    return mpi_fail(call, MPI_ERR_ARG, "digits and range are both MPI_UNDEFINED; give one");
  const struct kind* kind = real_kind(digits, range);
  if (!kind)
    return mpi_fail(call, MPI_ERR_ARG, "no number has %d digits and a range of %d; there are %d digits, range %d",
                    digits, range, LDBL_DIG, least(LDBL_MAX_10_EXP, -LDBL_MIN_10_EXP));
  return make(call, combiner, digits, range, combiner == MPI_COMBINER_F90_REAL ? kind->real : kind->complex, made);
}

int MPI_Type_create_f90_real(int digits, int range, MPI_Datatype* made) {
  return real("MPI_Type_create_f90_real", MPI_COMBINER_F90_REAL, digits, range, made);
}

int MPI_Type_create_f90_complex(int digits, int range, MPI_Datatype* made) {
  return real("MPI_Type_create_f90_complex", MPI_COMBINER_F90_COMPLEX, digits, range, made);
}

int MPI_Type_create_f90_integer(int range, MPI_Datatype* made) {
  static const char call[] = "MPI_Type_create_f90_integer";
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, made));
  const MPI_Datatype like = integer_of(range);
  if (!like) return mpi_fail(call, MPI_ERR_ARG, "no integer has a range of %d; 18 is the largest", range);
  return make(call, MPI_COMBINER_F90_INTEGER, 0, range, like, made);
}
