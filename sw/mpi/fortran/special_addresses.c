/* Addresses that stand for something else: variables of common blocks in mpif.h and the modules. */
#include "sw/mpi/fortran/fortran.h"

#define STATUS_WORDS (sizeof(MPI_Status) / sizeof(MPI_Fint))
/* Names of common blocks, as gfortran writes them; aligned as it aligns them, so that they are the same variable. */
#define COMMON __attribute__((aligned(32)))
/* NOLINTBEGIN(readability-identifier-naming) */
MPI_Fint mpi_fortran_bottom_[1] COMMON, mpi_fortran_in_place_[1] COMMON, mpi_fortran_unweighted_[1] COMMON,
    mpi_fortran_weights_empty_[1] COMMON, mpi_fortran_errcodes_ignore_[1] COMMON;
MPI_Fint mpi_fortran_status_ignore_[STATUS_WORDS] COMMON, mpi_fortran_statuses_ignore_[STATUS_WORDS] COMMON;
/* NOLINTEND(readability-identifier-naming) */

int sanvp_fortran_is_in_place(const void* at) { return at == mpi_fortran_in_place_; }

void* sanvp_fortran_buffer(void* at) {
  if (at == mpi_fortran_bottom_) return MPI_BOTTOM;
  return at == mpi_fortran_in_place_ ? MPI_IN_PLACE : at;
}

int* sanvp_fortran_weights(MPI_Fint* at) {
  if (at == mpi_fortran_unweighted_) return MPI_UNWEIGHTED;
  return at == mpi_fortran_weights_empty_ ? MPI_WEIGHTS_EMPTY : at;
}

MPI_Status* sanvp_fortran_status(const MPI_Fint* from, MPI_Status* place) {
  if (from == mpi_fortran_status_ignore_) return MPI_STATUS_IGNORE;
  MPI_Status_f2c(from, place);
  return place;
}

MPI_Status* sanvp_fortran_statuses(const MPI_Fint* from, int count) {
  if (from == mpi_fortran_statuses_ignore_ || count <= 0) return MPI_STATUSES_IGNORE;
  MPI_Status* made = malloc((size_t)count * sizeof *made);
  for (int i = 0; made && i < count; ++i) MPI_Status_f2c(from + (size_t)i * STATUS_WORDS, &made[i]);
  return made;
}

void sanvp_fortran_statuses_back(MPI_Fint* to, int count, MPI_Status* from) {
  for (int i = 0; from && i < count; ++i) MPI_Status_c2f(&from[i], to + (size_t)i * STATUS_WORDS);
  free(from);
}
