/* Fortran's arguments, as C has them. For the bindings that scripts/fortran generates, and the other files here.
 * Symbols begin with sanvp_, as a program is linked with these files as they are. */
#ifndef SANVP_MPI_FORTRAN_H
#define SANVP_MPI_FORTRAN_H

#include <stdlib.h>

#ifdef SANVP_MPI_H
#error "include this before mpi.h"
#endif
/* Conversions of handles here are no calls of the program: profiles and tools do not see them. */
#define MPI_Comm_c2f PMPI_Comm_c2f
#define MPI_Comm_f2c PMPI_Comm_f2c
#define MPI_Group_c2f PMPI_Group_c2f
#define MPI_Group_f2c PMPI_Group_f2c
#define MPI_Type_c2f PMPI_Type_c2f
#define MPI_Type_f2c PMPI_Type_f2c
#define MPI_Op_c2f PMPI_Op_c2f
#define MPI_Op_f2c PMPI_Op_f2c
#define MPI_Request_c2f PMPI_Request_c2f
#define MPI_Request_f2c PMPI_Request_f2c
#define MPI_Errhandler_c2f PMPI_Errhandler_c2f
#define MPI_Errhandler_f2c PMPI_Errhandler_f2c
#define MPI_Status_c2f PMPI_Status_c2f
#define MPI_Status_f2c PMPI_Status_f2c
#define MPI_Message_c2f PMPI_Message_c2f
#define MPI_Message_f2c PMPI_Message_f2c
#define MPI_Info_c2f PMPI_Info_c2f
#define MPI_Info_f2c PMPI_Info_f2c
#define MPI_Win_c2f PMPI_Win_c2f
#define MPI_Win_f2c PMPI_Win_f2c
#define MPI_File_c2f PMPI_File_c2f
#define MPI_File_f2c PMPI_File_f2c
#include "sw/mpi/mpi.h"

/* Makes `name` of `pname`, unless the program defines it: the profiling interface. */
#define SANVP_FORTRAN_CALL(name) \
  extern __typeof(p##name) name __attribute__((weak, alias(SANVP_FORTRAN_QUOTED(p##name))));
#define SANVP_FORTRAN_QUOTED(name) #name

/* ---- addresses that Fortran has as variables: special_addresses.c ---- */
void* sanvp_fortran_buffer(void* at); /* MPI_BOTTOM, MPI_IN_PLACE, or the buffer */
int sanvp_fortran_is_in_place(const void* at);
int* sanvp_fortran_weights(MPI_Fint* at);

/* ---- the rest: convert.c. What returns an array returns memory to be freed. ---- */
/* A status of C's with what is in Fortran's, in `place`; MPI_STATUS_IGNORE for that. And back. */
MPI_Status* sanvp_fortran_status(const MPI_Fint* from, MPI_Status* place);
void sanvp_fortran_status_back(MPI_Fint* to, const MPI_Status* from);
MPI_Status* sanvp_fortran_statuses(const MPI_Fint* from, int count);
void sanvp_fortran_statuses_back(MPI_Fint* to, int count, MPI_Status* from); /* frees `from` */
/* Handles; `from` may be null. */
MPI_Request* sanvp_fortran_requests(const MPI_Fint* from, int count);
void sanvp_fortran_requests_back(MPI_Fint* to, int count, const MPI_Request* from);
MPI_Datatype* sanvp_fortran_types(const MPI_Fint* from, int count);
void sanvp_fortran_types_back(MPI_Fint* to, int count, const MPI_Datatype* from);
MPI_Aint* sanvp_fortran_addresses(const MPI_Fint* from, int count);
/* Lengths of arrays that have an element for each rank, or for each neighbour to send to or receive from. */
int sanvp_fortran_peers(MPI_Fint comm);
int sanvp_fortran_neighbors(MPI_Fint comm, int out);
/* Indices of C's become Fortran's, which begin at 1. */
void sanvp_fortran_from_one(MPI_Fint* indices, int count);
/* Without blanks at both ends, and ended by a zero byte. */
char* sanvp_fortran_text(const char* from, size_t room);
#define SANVP_FORTRAN_LONGEST_TEXT 512                                 /* of MPI's own texts: more than any MPI_MAX_ */
void sanvp_fortran_text_back(char* to, size_t room, const char* from); /* filled up with blanks */

#endif
