/* Errors of the program. mpi_fail reports an error of `call` to the handler of the communicator that the call was given
 * (the one checked last; MPI_COMM_WORLD if it has none), and returns the code: a call ends with it. */
#ifndef SANVP_MPI_ERRORS_H
#define SANVP_MPI_ERRORS_H

#include "sw/mpi/base/object.h"
#include "sw/mpi/mpi.h"

struct MPI_errhandler_ {
  struct mpi_object object;
  MPI_Handler_function* function; /* null: a predefined one */
};

int mpi_fail(const char* call, int code, const char* format, ...) __attribute__((format(printf, 3, 4)));
int mpi_fail_on(MPI_Comm comm, const char* call, int code, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
const char* mpi_present_call(void);   /* the call that was checked last */
const char* mpi_error_name(int code); /* as in the header; valid until the next call */
int mpi_last_error_code(void);        /* the program's codes are above the standard's */

int mpi_error_code_of(int error_class,
                      const char* text); /* a code of the library with this text; the same text has the same code */

/* Ends a call whose check has failed, with the result of mpi_fail. */
#define MPI_TRY(check)                            \
  do {                                            \
    const int MPI_try_ = (check);                 \
    if (MPI_try_ != MPI_SUCCESS) return MPI_try_; \
  } while (0)

#endif
