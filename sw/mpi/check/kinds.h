/* Handles of another kind, such as a datatype in place of a communicator. The wrappers of MPI's calls, which are not
 * counted, mark each object when it is made, in padding: the second word of its struct, of a group the fourth. The
 * second word of a communicator is its context. A program for RISC-V has this only if it is linked by `sanvp-cc
 * --check-mpi`. */
#ifndef SANVP_MPI_CHECK_KINDS_H
#define SANVP_MPI_CHECK_KINDS_H

#include "sw/mpi/check/checked.h"

enum mpi_kind_of_handle {
  MPI_HANDLE_COMM,
  MPI_HANDLE_DATATYPE,
  MPI_HANDLE_GROUP,
  MPI_HANDLE_OP,
  MPI_HANDLE_ERRHANDLER,
  MPI_HANDLE_INFO,
  MPI_HANDLE_WIN,
  MPI_HANDLE_FILE,
  MPI_HANDLE_REQUEST,
  MPI_HANDLE_MESSAGE
};

#if defined(__riscv) && !defined(SANVP_CHECK_MPI)
#define MPI_NEEDS(kind_, handle_, call_)
#define MPI_NEEDS_AT(kind_, place_, call_)
#define MPI_MADE(kind_, place_)
#else
#define MPI_NEEDS(kind_, handle_, call_)                        \
  if ((handle_) && !mpi_is_kind(kind_, (const void*)(handle_))) \
  return mpi_checked_refusal(call_, mpi_fail_kind(call_, kind_, (const void*)(handle_)), __builtin_return_address(0))
#define MPI_NEEDS_AT(kind_, place_, call_) \
  if (place_) MPI_NEEDS(kind_, *(place_), call_)
#define MPI_MADE(kind_, place_) \
  if (result_ == MPI_SUCCESS && (place_) && *(place_)) mpi_mark(kind_, (void*)*(place_))
#endif

int mpi_is_kind(enum mpi_kind_of_handle kind, const void* handle);
/* Reports by the handler of MPI_COMM_WORLD. */
int mpi_fail_kind(const char* call, enum mpi_kind_of_handle kind, const void* handle);
void mpi_mark(enum mpi_kind_of_handle kind, void* handle);

#endif
