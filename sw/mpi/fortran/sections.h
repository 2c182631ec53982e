/* Buffers of mpi_f08, which come with descriptors of arrays (TS 29113): sections of arrays need not be contiguous. */
#ifndef SANVP_MPI_FORTRAN_SECTIONS_H
#define SANVP_MPI_FORTRAN_SECTIONS_H

#include <ISO_Fortran_binding.h>

#include "sw/mpi/fortran/fortran.h" /* before all that includes mpi.h */

#include "sw/mpi/requests/section.h"

/* A buffer with its count and datatype. That of a section is one element of a type of its own. */
struct sanvp_fortran_typed {
  void* buffer;
  int count;
  MPI_Datatype type;
  MPI_Datatype made; /* null: the buffer is contiguous */
  int error;
};
struct sanvp_fortran_typed sanvp_fortran_typed(const char* call, const CFI_cdesc_t* buffer, int count,
                                               MPI_Datatype type);
void sanvp_fortran_typed_end(const struct sanvp_fortran_typed* typed);

/* A buffer whose parts are many, or are reduced. That of a section is a copy. */
struct sanvp_fortran_copied {
  void* buffer;
  struct mpi_staged* copy; /* null: the buffer is contiguous */
  int error;
};
struct sanvp_fortran_copied sanvp_fortran_copied(const char* call, const CFI_cdesc_t* buffer, enum mpi_staging ways);
/* `request`: of the operation that uses the copy; MPI_REQUEST_NULL: it has ended, or has not begun. */
void sanvp_fortran_copied_end(const struct sanvp_fortran_copied* copied, MPI_Request request);

#endif
