/* The object behind MPI_Request: checked, started, done, concluded. */
#ifndef SANVP_MPI_REQUEST_H
#define SANVP_MPI_REQUEST_H

#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/object.h"
#include "sw/mpi/mpi.h"
#include "sw/transport/transport.h"

struct mpi_schedule;    /* of a nonblocking collective operation (schedule.h) */
struct mpi_generalized; /* generalized.h */

/* A send or receive as the program asked for it. */
enum mpi_what {
  SEND_STANDARD,
  SEND_SYNCHRONOUS,
  SEND_BUFFERED,
  RECEIVE,
  COLLECTIVE /* none: what a persistent operation starts is in `buffer` (persistent_collective.h) */
};
struct mpi_message {
  enum mpi_what what;
  void* buffer;
  int count;
  MPI_Datatype type;
  int peer, tag;
};

struct MPI_request_ {
  struct mpi_object object;
  const char* call; /* that made it, for error messages */
  MPI_Comm comm;
  struct mpi_schedule* schedule;       /* of a collective operation */
  struct mpi_generalized* generalized; /* the program's own operation */
  struct transport_request* transport; /* under way; null: done, or nothing to do (MPI_PROC_NULL) */
  struct transport_status got;         /* of a receive that is done */
  struct mpi_message message;
  void* staging;             /* packed data, where the type has gaps */
  struct mpi_staged* staged; /* of a collective operation: copies of sections of arrays (section.h) */
  size_t room;               /* bytes of a receive's buffer */
  uint64_t buffered;         /* number of the buffered send */
  int persistent, active, cancelled;
  struct MPI_request_* next; /* among the free ones, or those that the program freed before their end */
};

/* MPI_NO_TYPE: it lacks a type, which is permitted without elements and process. The second gives it one. */
int mpi_check_message(const char* call, const struct mpi_message* message, MPI_Comm comm);
int mpi_complete_message(const char* call, struct mpi_message* message, MPI_Comm comm);
/* A request for the program: it holds its communicator and its type. `message` may be null. */
struct MPI_request_* mpi_request_new(const char* call, MPI_Comm comm, const struct mpi_message* message);
void mpi_request_give(struct MPI_request_* request);
int mpi_check_request(const char* call, MPI_Request* request); /* a null request is valid */
int mpi_start(struct MPI_request_* request);
int mpi_done(MPI_Request request);                          /* does not wait; a null or inactive request is done */
int mpi_has_ended(MPI_Request request);                     /* the same, just after mpi_progress */
struct transport_request* mpi_pending(MPI_Request request); /* what a request that is not done waits for */
void mpi_await(struct MPI_request_* request);
/* Ends a request that is done. The second call also makes the handle null, or a persistent request inactive. */
int mpi_conclude(struct MPI_request_* request, MPI_Status* status);
int mpi_conclude_handle(MPI_Request* request, MPI_Status* status);
/* Copies the data of a receive that is done from the library's memory into the program's buffer, once. */
void mpi_deliver(struct MPI_request_* request);                       /* `request` may be null */
int mpi_peek(const struct MPI_request_* request, MPI_Status* status); /* only the status; `request` may be null */
void mpi_set_status(MPI_Status* status, int source, int tag, size_t bytes);
void mpi_empty_status(MPI_Status* status);
void mpi_finish_orphans(void); /* requests that the program freed before their end */
/* The matching arguments for the transport. */
struct mpi_wanted {
  unsigned from;
  uint64_t tag, mask;
};
struct mpi_wanted mpi_wanted_of(int from, int tag, MPI_Comm comm);
int mpi_check_source(const char* call, int from, int tag, MPI_Comm comm);

#endif
