/* A collective operation as the steps that this rank makes: messages, copies, combinations. The same steps serve the
 * blocking call, which makes them to their end, and the nonblocking one, of which whatever waits in the library makes
 * those that can be made (schedule.c).
 */
#ifndef SANVP_MPI_SCHEDULE_H
#define SANVP_MPI_SCHEDULE_H

#include "sw/mpi/internal.h"

struct mpi_schedule;

/* ---- building ----
 * Every rank of the communicator opens its schedules in the same order; their number keeps their messages apart. */
struct mpi_schedule* mpi_schedule_open(const char* call, MPI_Comm comm);
/* For operations on an intercommunicator: what is added from now on is among the ranks of `comm`, the schedule's or its
 * local one. Each turn to the local ones has a number there, so all of a group take it, or none. */
void mpi_schedule_among(struct mpi_schedule* schedule, MPI_Comm comm);
/* Messages of a round are under way together, in any order; between two ranks in the order in which they were added. */
void mpi_add_send(struct mpi_schedule* schedule, int to, const void* from, size_t bytes);
void mpi_add_receive(struct mpi_schedule* schedule, int from, void* to, size_t bytes);
/* What follows is made when all messages so far are done. */
void mpi_add_round(struct mpi_schedule* schedule);
void mpi_add_copy(struct mpi_schedule* schedule, const void* from, void* to, size_t bytes);
/* inout[i] = in[i] op inout[i]: `in` has the part of the lower ranks. */
void mpi_add_combine(struct mpi_schedule* schedule, const void* in, void* inout, size_t count);
/* Of elements with mpi_schedule_reduces. */
void mpi_schedule_reduces(struct mpi_schedule* schedule, MPI_Datatype type, MPI_Op op);
/* A rank sends so many bytes where this one expects another number: the operation ends with MPI_ERR_TRUNCATE. */
void mpi_schedule_mismatch(struct mpi_schedule* schedule, int sender, size_t sent, size_t expected);
/* Memory until its end. Never null. */
void* mpi_schedule_room(struct mpi_schedule* schedule, size_t bytes);

/* ---- data of any type as bytes ----
 * The elements without gaps: the buffer itself where there are none, else room. */
const void* mpi_packed(struct mpi_schedule* schedule, const void* buffer, size_t count, MPI_Datatype type);
/* ... to be filled; what is there when all steps are made goes into the buffer. */
void* mpi_to_unpack(struct mpi_schedule* schedule, void* buffer, size_t count, MPI_Datatype type);
/* Elements with their gaps, from one place of this kind to another: now, in its turn, when all steps are made. */
void mpi_copy_elements(const void* from, void* to, size_t count, MPI_Datatype type);
void mpi_add_elements(struct mpi_schedule* schedule, const void* from, void* to, size_t count, MPI_Datatype type);
void mpi_add_elements_at_last(struct mpi_schedule* schedule, const void* from, void* to, size_t count,
                              MPI_Datatype type);
static inline void* mpi_element(const void* buffer, ptrdiff_t index, MPI_Datatype type) {
  return (char*)buffer + index * mpi_extent(type);
}

/* ---- making ---- */
/* Makes it all, and frees it. MPI_SUCCESS, or what went wrong. */
int mpi_schedule_make(struct mpi_schedule* schedule);
/* Makes its beginning; the rest is made while the process waits for whatever it may be. */
int mpi_schedule_start(struct mpi_schedule* schedule, MPI_Request* request);
/* For requests: whether it is done; its result; its end. */
int mpi_schedule_done(const struct mpi_schedule* schedule);
void mpi_schedule_wait(struct mpi_schedule* schedule);
int mpi_schedule_free(struct mpi_schedule* schedule);
/* What it waits for. Null: it is done. */
struct transport_request* mpi_schedule_pending(const struct mpi_schedule* schedule);
/* Makes what can be made of all that are started. Calls that look and do not wait make it first. */
void mpi_progress(void);

#endif
