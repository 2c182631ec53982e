/* The object behind MPI_Op. */
#ifndef SANVP_MPI_OP_H
#define SANVP_MPI_OP_H

#include "sw/mpi/base/type.h"
#include "sw/mpi/mpi.h"

/* inout[i] = in[i] op inout[i] */
struct MPI_op_ {
  unsigned references; /* 0: freed */
  const char* name;
  int (*apply)(const void* in, void* inout, size_t count, enum mpi_kind kind); /* whether it is defined for the kind */
  MPI_User_function* user;                                                     /* instead, the program's own */
  int commutes;
};

int mpi_check_op(const char* call, MPI_Op op, MPI_Datatype type); /* defined for the type */
void mpi_op_apply(MPI_Op op, const void* in, void* inout, size_t count, MPI_Datatype type);
void mpi_op_hold(MPI_Op op);
void mpi_op_release(MPI_Op op);

#endif
