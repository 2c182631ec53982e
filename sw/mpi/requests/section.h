/* Sections of arrays that are not contiguous, which Fortran 2008 passes as buffers. Symbols begin with sanvp_, as
 * sw/mpi/fortran calls them in programs. */
#ifndef SANVP_MPI_SECTION_H
#define SANVP_MPI_SECTION_H

#include <stddef.h>

#include "sw/mpi/mpi.h"

#define MPI_SECTION_DIMENSIONS_MOST 15 /* Fortran's */

struct mpi_section {
  char* base;
  size_t element; /* bytes of an element */
  int rank;
  struct {
    ptrdiff_t extent, apart; /* elements; bytes from one to the next */
  } dimensions[MPI_SECTION_DIMENSIONS_MOST];
};

/* A committed type of which one element, at the section's base, is `count` elements of a type that begin at the begin
 * of the section's elements, as if these followed each other in memory. To be released. */
int sanvp_mpi_section_type(const char* call, const struct mpi_section* section, size_t count, MPI_Datatype type,
                           MPI_Datatype* made);
void sanvp_mpi_section_release(MPI_Datatype made);

/* A section's elements in memory of their own. */
struct mpi_staged;
enum mpi_staging { MPI_STAGED_IN = 1, MPI_STAGED_OUT = 2 };
/* Copies them in. Null: no memory, or no valid section; this has been reported. */
struct mpi_staged* sanvp_mpi_stage(const char* call, const struct mpi_section* section, enum mpi_staging ways);
void* sanvp_mpi_staged_data(struct mpi_staged* staged);
/* Copies them back, if they are to be, and frees their memory. */
void sanvp_mpi_unstage(struct mpi_staged* staged);
/* That is up to the request: at its end; if it is persistent, both copies are made at each start and end. */
void sanvp_mpi_unstage_later(struct mpi_staged* staged, MPI_Request request);

/* For requests. */
void mpi_staged_in(struct mpi_staged* staged);
void mpi_staged_out(struct mpi_staged* staged);
void mpi_staged_free(struct mpi_staged* staged);

#endif
