/* Buffered sends. */
#ifndef SANVP_MPI_BUFFERED_H
#define SANVP_MPI_BUFFERED_H

#include "sw/mpi/requests/request.h"

int mpi_buffered_send(struct MPI_request_* request);
int mpi_buffered_cancel(const struct MPI_request_* request); /* whether its copy could be cancelled */
void mpi_buffered_finish(void);

#endif
