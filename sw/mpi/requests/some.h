/* Shared by the calls for several requests. */
#ifndef SANVP_MPI_SOME_H
#define SANVP_MPI_SOME_H

#include "sw/mpi/mpi.h"

int mpi_check_requests(const char* call, int count, MPI_Request* requests);
int mpi_any_active(int count, const MPI_Request* requests);
int mpi_any_done(int count, const MPI_Request* requests); /* of the active requests */
/* Ends requests that are all done. Errors are in the statuses. */
int mpi_conclude_all(int count, MPI_Request* requests, MPI_Status* statuses);
/* Ends the first active request that is done; MPI_UNDEFINED if none is active. */
int mpi_conclude_first(int count, MPI_Request* requests, int* index, MPI_Status* status);
/* Ends all active requests that are done; MPI_UNDEFINED if none is active. */
int mpi_conclude_some(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses);

#endif
