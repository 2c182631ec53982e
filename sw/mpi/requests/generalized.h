/* Generalized requests: operations of the program, and of the library, instead of a message. */
#ifndef SANVP_MPI_GENERALIZED_H
#define SANVP_MPI_GENERALIZED_H

#include "sw/mpi/mpi.h"

struct mpi_generalized; /* generalized.c */

/* An operation of the library that is more than one message, instead of the program's functions. */
struct mpi_kind_of_operation {
  int (*done)(void* extra); /* also sets the request's transport to what a wait watches */
  void (*wait)(void* extra);
  int (*query)(void* extra, MPI_Status* status);
  int (*conclude)(void* extra);   /* frees `extra` */
  void (*give_away)(void* extra); /* the request is freed before its end */
};
MPI_Request mpi_request_of(const char* call, MPI_Comm comm, const struct mpi_kind_of_operation* kind, void* extra);
void* mpi_extra_of(MPI_Request request);
int mpi_generalized_done(const struct mpi_generalized* operation);
/* From now on another thread may complete one that a thread waits for. */
void mpi_generalized_serve_threads(void);
/* Call the program's functions, and return their results. */
int mpi_generalized_query(const struct mpi_generalized* operation, MPI_Status* status);
int mpi_generalized_cancel(const struct mpi_generalized* operation);
int mpi_generalized_free(struct mpi_generalized* operation);
/* An access of a file, which ends at this time (hal_time_ps; 0: it has ended), and has moved these bytes. */
MPI_Request mpi_request_until(const char* call, uint64_t end_ps, size_t bytes);
/* Waits for one. Ends the job if it is the program's and not complete, and no other thread could complete it. */
void mpi_generalized_wait(const struct mpi_generalized* operation);
/* Sleeps until one of those among the requests may have ended; with `others`, requests that wait for messages, it
 * returns earlier, to look for these. Returns 0, and has not slept, if only these may end. */
int mpi_generalized_pause(int count, const MPI_Request* requests, int others);
int mpi_generalized_give_away(struct MPI_request_* request); /* it is freed when it is complete */

#endif
