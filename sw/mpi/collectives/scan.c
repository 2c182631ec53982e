/* Prefix reductions: each rank's elements with those of the ranks before it. */
#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/collectives/collective.h"

enum { AUTO, RECURSIVE_DOUBLING, LINEAR };
MPI_CHOICE(scan, "recursive-doubling", "linear");

/* `before` becomes the combination of the ranks below this one; unchanged in rank 0. `own`: this rank's elements. */
static void recursive_doubling(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_vector* vector, char* own,
                               char* before) {
  /* block: the combination of the ranks in this rank's block. */
  char *block = mpi_vector_room(schedule, vector), *other = mpi_vector_room(schedule, vector);
  mpi_add_copy(schedule, own, block, vector->bytes);
  int known = 0; /* `before` has a value */
  for (int bit = 1; bit < comm->size; bit *= 2) {
    const int peer = comm->rank ^ bit;
    if (peer >= comm->size) continue;
    mpi_add_receive(schedule, peer, other, vector->bytes);
    mpi_add_send(schedule, peer, block, vector->bytes);
    mpi_add_round(schedule);
    if (peer < comm->rank) {
      if (known)
        mpi_add_combine(schedule, other, before, vector->count);
      else
        mpi_add_copy(schedule, other, before, vector->bytes);
      known = 1;
      mpi_add_combine(schedule, other, block, vector->count);
    } else {
      mpi_add_combine(schedule, block, other, vector->count);
      char* const both = other;
      other = block;
      block = both;
    }
  }
}

/* A chain, from rank to rank. */
static void linear(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_vector* vector, char* own,
                   char* before) {
  char* all = own;
  if (comm->rank > 0) {
    mpi_add_receive(schedule, comm->rank - 1, before, vector->bytes);
    mpi_add_round(schedule);
    all = mpi_vector_room(schedule, vector);
    mpi_add_copy(schedule, own, all, vector->bytes);
    mpi_add_combine(schedule, before, all, vector->count);
  }
  if (comm->rank + 1 < comm->size) mpi_add_send(schedule, comm->rank + 1, all, vector->bytes);
  mpi_add_round(schedule);
}

static int scan(const char* call, const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                MPI_Comm comm, int with_own, struct mpi_schedule** opened) {
  MPI_TRY(mpi_check_intra(call, comm));
  MPI_TRY(mpi_check_reduction(call, send, receive, count, type, op));
  struct mpi_schedule* schedule = *opened = mpi_schedule_open(call, comm);
  if (count == 0) return MPI_SUCCESS;
  /* Rank 0's result of an exclusive scan is undefined: its buffer is not changed. */
  void* result = with_own || comm->rank > 0 ? receive : NULL;
  struct mpi_vector vector =
      mpi_vector_of(schedule, send == MPI_IN_PLACE ? receive : send, result, (size_t)count, type, op);
  char* before = mpi_vector_room(schedule, &vector);
  if (mpi_choose(&mpi_scan_choice, vector.bytes, comm->size) == LINEAR)
    linear(schedule, comm, &vector, vector.own, before);
  else
    recursive_doubling(schedule, comm, &vector, vector.own, before);
  if (comm->rank > 0 && with_own) mpi_add_combine(schedule, before, vector.own, vector.count);
  if (comm->rank > 0 && !with_own) mpi_add_copy(schedule, before, vector.own, vector.bytes);
  return MPI_SUCCESS;
}

/* ---- MPI_Scan, MPI_Iscan ---- */
int MPI_Scan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  struct mpi_schedule* schedule;
  MPI_TRY(scan("MPI_Scan", send, receive, count, type, op, comm, 1, &schedule));
  return mpi_schedule_make(schedule);
}

int MPI_Iscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
              MPI_Request* request) {
  static const char call[] = "MPI_Iscan";
  MPI_TRY(mpi_check_result(call, request));
  struct mpi_schedule* schedule;
  MPI_TRY(scan(call, send, receive, count, type, op, comm, 1, &schedule));
  return mpi_schedule_start(schedule, request);
}

/* ---- MPI_Exscan, MPI_Iexscan ---- */
int MPI_Exscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  struct mpi_schedule* schedule;
  MPI_TRY(scan("MPI_Exscan", send, receive, count, type, op, comm, 0, &schedule));
  return mpi_schedule_make(schedule);
}

int MPI_Iexscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                MPI_Request* request) {
  static const char call[] = "MPI_Iexscan";
  MPI_TRY(mpi_check_result(call, request));
  struct mpi_schedule* schedule;
  MPI_TRY(scan(call, send, receive, count, type, op, comm, 0, &schedule));
  return mpi_schedule_start(schedule, request);
}
