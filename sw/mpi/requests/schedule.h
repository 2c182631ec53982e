/* A collective operation as the steps that this rank executes: messages, copies, combinations. A blocking call executes
 * them all before it returns; those of a nonblocking one are executed, as far as possible, by every call that waits in
 * the library (schedule.c).
 */
#ifndef SANVP_MPI_SCHEDULE_H
#define SANVP_MPI_SCHEDULE_H

#include "sw/mpi/base/type.h"
#include "sw/mpi/mpi.h"

struct mpi_schedule;

/* ---- building ----
 * Every rank of the communicator opens its schedules in the same order; their number separates their messages. */
struct mpi_schedule* mpi_schedule_open(const char* call, MPI_Comm comm);
/* For operations on an intercommunicator: steps added from now on are among the ranks of `comm`, the schedule's
 * communicator or its local one. Each switch to the local one takes a number there, so all ranks of a group switch, or
 * none. */
void mpi_schedule_among(struct mpi_schedule* schedule, MPI_Comm comm);
/* Messages of a round are under way together: in any order, but between two ranks in the order of these calls. */
void mpi_add_send(struct mpi_schedule* schedule, int to, const void* from, size_t bytes);
void mpi_add_receive(struct mpi_schedule* schedule, int from, void* to, size_t bytes);
/* Later steps are executed when all messages added so far are done. */
void mpi_add_round(struct mpi_schedule* schedule);
void mpi_add_copy(struct mpi_schedule* schedule, const void* from, void* to, size_t bytes);
/* inout[i] = in[i] op inout[i]: `in` has the lower ranks' part. */
void mpi_add_combine(struct mpi_schedule* schedule, const void* in, void* inout, size_t count);
/* Type and operation of the combinations. */
void mpi_schedule_reduces(struct mpi_schedule* schedule, MPI_Datatype type, MPI_Op op);
/* A rank sends `sent` bytes where this one expects `expected`: the operation ends with MPI_ERR_TRUNCATE. */
void mpi_schedule_mismatch(struct mpi_schedule* schedule, int sender, size_t sent, size_t expected);
/* Scratch space until the schedule ends. Never null. */
void* mpi_schedule_room(struct mpi_schedule* schedule, size_t bytes);

/* ---- data of any type as bytes ----
 * The elements without gaps: the buffer itself if it has none, else scratch space. */
const void* mpi_packed(struct mpi_schedule* schedule, const void* buffer, size_t count, MPI_Datatype type);
/* The same, to be filled; it is copied into the buffer after all steps. */
void* mpi_to_unpack(struct mpi_schedule* schedule, void* buffer, size_t count, MPI_Datatype type);
/* Copies elements with their gaps: now; as a step; after all steps. */
void mpi_copy_elements(const void* from, void* to, size_t count, MPI_Datatype type);
void mpi_add_elements(struct mpi_schedule* schedule, const void* from, void* to, size_t count, MPI_Datatype type);
void mpi_add_elements_at_last(struct mpi_schedule* schedule, const void* from, void* to, size_t count,
                              MPI_Datatype type);
static inline void* mpi_element(const void* buffer, ptrdiff_t index, MPI_Datatype type) {
  return (char*)buffer + index * mpi_extent(type);
}

/* ---- execution ---- */
/* Executes all steps, and frees the schedule. Returns MPI_SUCCESS or an error. */
int mpi_schedule_make(struct mpi_schedule* schedule);
/* Executes what is possible at once; the rest is executed whenever the process waits in the library. */
int mpi_schedule_start(struct mpi_schedule* schedule, MPI_Request* request);
/* For requests: whether the schedule is done; its result; frees it. */
int mpi_schedule_done(const struct mpi_schedule* schedule);
void mpi_schedule_wait(struct mpi_schedule* schedule);
int mpi_schedule_free(struct mpi_schedule* schedule);
/* The message it waits for. Null: it is done. */
struct transport_request* mpi_schedule_pending(const struct mpi_schedule* schedule);
/* Around requests that other parts of the library have begun (windows): a schedule whose first steps they are. Deaths
 * among `among` end it; null: of each request's own peer. */
struct mpi_schedule* mpi_schedule_around(const char* call, MPI_Comm owner, MPI_Comm among,
                                         struct transport_request* const* requests, int count);
/* Then a function is called with `data`: an operation of the program, whose second argument that is. */
void mpi_schedule_then(struct mpi_schedule* schedule, MPI_Op function, void* data);
/* In that function: the schedule continues with another request at the next mpi_progress, and does not end. If it has
 * ended by then, what the call itself waits for is looked at before. */
void mpi_schedule_again(struct mpi_schedule* schedule, struct transport_request* request);
/* Starts it. `request` may be null: then it lasts as long as the process, or until it is abandoned. */
void mpi_schedule_follow(struct mpi_schedule* schedule, MPI_Request* request);
/* Executes the possible steps of all started schedules. Calls that test without waiting call this first. */
void mpi_progress(void);
void mpi_schedule_serve_threads(void);

#endif
