/* What the calls for several requests share. */
#ifndef SANVP_MPI_SOME_H
#define SANVP_MPI_SOME_H

#include "sw/mpi/internal.h"

int mpi_check_requests(const char* call, int count, MPI_Request* requests);
int mpi_any_active(int count, const MPI_Request* requests);
int mpi_any_done(int count, const MPI_Request* requests); /* of the active ones */
/* Of requests that are all done. Errors are in the statuses. */
int mpi_conclude_all(int count, MPI_Request* requests, MPI_Status* statuses);
/* Of the first active one that is done; MPI_UNDEFINED where none is active. */
int mpi_conclude_first(int count, MPI_Request* requests, int* index, MPI_Status* status);
/* Of all active ones that are done; MPI_UNDEFINED where none is active. */
int mpi_conclude_some(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses);

#endif
