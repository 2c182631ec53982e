/* Reductions whose result goes to all ranks. */
#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/collectives/collective.h"
#include "sw/mpi/collectives/inter_collective.h"

enum { AUTO, RECURSIVE_DOUBLING, HALVING_DOUBLING, REDUCE_BROADCAST, RING };
MPI_CHOICE(allreduce, "recursive-doubling", "halving-doubling", "reduce-broadcast", "ring");

static int choose(const struct mpi_vector* vector, int ranks) {
  const int chosen = mpi_choose(&mpi_allreduce_choice, vector->bytes, ranks);
  const int cuts = chosen == HALVING_DOUBLING || chosen == RING;
  return cuts && !(vector->commutes && vector->cuts) ? RECURSIVE_DOUBLING : chosen;
}

static int open(const char* call, const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                MPI_Comm comm, struct mpi_schedule** opened) {
  if (mpi_is_inter(comm)) return mpi_inter_allreduce(call, send, receive, count, type, op, comm, opened);
  MPI_TRY(mpi_check_intra(call, comm));
  MPI_TRY(mpi_check_reduction(call, send, receive, count, type, op));
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  struct mpi_vector vector = mpi_vector_of(schedule, send, receive, (size_t)count, type, op);
  *opened = schedule;
  if (count == 0 || comm->size == 1) return MPI_SUCCESS;
  struct mpi_team team;
  switch (choose(&vector, comm->size)) {
    case REDUCE_BROADCAST:
      mpi_add_reduction(schedule, comm, &vector, 0);
      mpi_add_round(schedule);
      mpi_add_binomial_broadcast(schedule, comm, vector.own, vector.bytes, 0);
      break;
    case HALVING_DOUBLING:
      mpi_add_halving(schedule, comm, &vector, &team);
      mpi_add_doubling(schedule, comm, &vector, &team);
      break;
    case RING:
      mpi_add_ring_of_sums(schedule, comm, &vector);
      break;
    default:
      mpi_add_recursive_doubling(schedule, comm, &vector);
  }
  return MPI_SUCCESS;
}

/* ---- MPI_Allreduce ---- */
int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  struct mpi_schedule* schedule;
  MPI_TRY(open("MPI_Allreduce", send, receive, count, type, op, comm, &schedule));
  return mpi_schedule_make(schedule);
}

/* ---- MPI_Iallreduce ---- */
int MPI_Iallreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  static const char call[] = "MPI_Iallreduce";
  MPI_TRY(mpi_check_result(call, request));
  struct mpi_schedule* schedule;
  MPI_TRY(open(call, send, receive, count, type, op, comm, &schedule));
  return mpi_schedule_start(schedule, request);
}
