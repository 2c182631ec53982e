/* Checks of a call's arguments: they return MPI_SUCCESS or the result of mpi_fail. With that, MPI_TRY ends the call. */
#ifndef SANVP_MPI_CHECKS_H
#define SANVP_MPI_CHECKS_H

#include "sw/mpi/base/errors.h"

int mpi_check_running(const char* call); /* for calls without a communicator */
int mpi_check_comm(const char* call, MPI_Comm comm);
int mpi_check_intra(const char* call, MPI_Comm comm); /* and that it is no intercommunicator */
int mpi_check_data(const char* call, const void* buffer, int count,
                   MPI_Datatype type); /* and that the type is committed */
/* The same of a message, but MPI_NO_TYPE, not reported, if it has no type. */
#define MPI_NO_TYPE (-1)
int mpi_check_message_data(const char* call, const void* buffer, int count, MPI_Datatype type);
int mpi_check_type(const char* call, MPI_Datatype type);
int mpi_check_lone_type(const char* call, MPI_Datatype type); /* of a call without a communicator */
int mpi_check_rank(const char* call, int rank, MPI_Comm comm);
int mpi_check_root(const char* call, int root, MPI_Comm comm);
int mpi_check_tag(const char* call, int tag);
int mpi_check_group(const char* call, MPI_Group group);
int mpi_check_result(const char* call, const void* place); /* a pointer for a result */

#endif
