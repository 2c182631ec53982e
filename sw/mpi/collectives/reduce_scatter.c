/* Reductions whose result is scattered: each rank gets a block. */
#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/collectives/collective.h"
#include "sw/mpi/collectives/inter_collective.h"

enum { AUTO, HALVING, PAIRWISE, REDUCE_SCATTER, RING };
MPI_CHOICE(reduce_scatter, "halving", "pairwise", "reduce-scatter", "ring");

/* Bytes of all blocks from which on pairwise takes the place of halving where that is impossible (COLLECTIVES.md). */
#define PAIRWISE_LEAST_BYTES 8192u

/* Each rank receives the other ranks' contributions to its block, one after the other. */
static void pairwise(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_vector* vector, const int* counts,
                     const size_t* at) {
  const size_t own = at[comm->rank], bytes = (size_t)counts[comm->rank] * vector->stride;
  char* other = mpi_schedule_room(schedule, bytes);
  for (int i = 1; i < comm->size; ++i) {
    const int to = mpi_to_rank(comm, comm->rank, i), from = mpi_to_rank(comm, comm->rank, comm->size - i);
    mpi_add_receive(schedule, from, other, bytes);
    mpi_add_send(schedule, to, vector->own + at[to], (size_t)counts[to] * vector->stride);
    mpi_add_round(schedule);
    mpi_add_combine(schedule, other, vector->own + own, (size_t)counts[comm->rank]);
  }
}

/* From rank 0, which has all blocks. */
static void hand_out(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_vector* vector, const int* counts,
                     const size_t* at) {
  for (int i = 1; comm->rank == 0 && i < comm->size; ++i)
    mpi_add_send(schedule, i, vector->own + at[i], mpi_vector_bytes(vector, (size_t)counts[i]));
  if (comm->rank > 0)
    mpi_add_receive(schedule, 0, vector->own + at[comm->rank], mpi_vector_bytes(vector, (size_t)counts[comm->rank]));
  mpi_add_round(schedule);
}

/* Reduces all blocks to rank 0, which scatters them. */
static void reduce_scatter(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector, const int* counts,
                           const size_t* at) {
  mpi_add_reduction(schedule, comm, vector, 0);
  mpi_add_round(schedule);
  hand_out(schedule, comm, vector, counts, at);
}

/* The combination of the other group's elements is scattered in this group: both have the same number of elements. */
static void between_groups(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector, const int* counts,
                           const size_t* at) {
  mpi_schedule_among(schedule, comm->local);
  mpi_add_reduction(schedule, comm->local, vector, 0);
  mpi_add_round(schedule);
  char* other = mpi_vector_room(schedule, vector);
  mpi_inter_add_leaders(schedule, comm, (struct mpi_block){vector->own, vector->bytes},
                        (struct mpi_block){other, vector->bytes});
  vector->own = other;
  hand_out(schedule, comm->local, vector, counts, at);
}

/* Halving gives equal slices if their number is a power of two. */
static int can_halve(MPI_Comm comm, const int* counts) {
  for (int i = 1; i < comm->size; ++i)
    if (counts[i] != counts[0]) return 0;
  return mpi_is_power_of_two(comm->size);
}

static int choose(MPI_Comm comm, const struct mpi_vector* vector, const int* counts) {
  if (!vector->commutes || !vector->cuts) return REDUCE_SCATTER;
  const int chosen = mpi_choose(&mpi_reduce_scatter_choice, vector->bytes / (size_t)comm->size, comm->size);
  if (chosen != HALVING || can_halve(comm, counts)) return chosen;
  return vector->bytes >= PAIRWISE_LEAST_BYTES ? PAIRWISE : REDUCE_SCATTER;
}

static void build(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector, const int* counts,
                  const size_t* at) {
  struct mpi_team team;
  switch (choose(comm, vector, counts)) {
    case HALVING:
      mpi_add_halving(schedule, comm, vector, &team);
      break;
    case PAIRWISE:
      pairwise(schedule, comm, vector, counts, at);
      break;
    case RING:
      mpi_add_ring_of_slices(schedule, comm, vector, counts, at);
      break;
    default:
      reduce_scatter(schedule, comm, vector, counts, at);
  }
}

static int open(const char* call, const void* send, void* receive, const int* counts, MPI_Datatype type, MPI_Op op,
                MPI_Comm comm, struct mpi_schedule** opened) {
  const MPI_Comm own = comm->local ? comm->local : comm;
  size_t count = 0;
  for (int i = 0; i < own->size; ++i) {
    if (comm->local) MPI_TRY(mpi_check_data(call, send, counts[i], type)); /* MPI_IN_PLACE is not permitted */
    MPI_TRY(mpi_check_reduction(call, send, receive, counts[i], type, op));
    count += (size_t)counts[i];
  }
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  /* The vector of all blocks is larger than the buffer for one. */
  struct mpi_vector vector = mpi_vector_of(schedule, send == MPI_IN_PLACE ? receive : send, NULL, count, type, op);
  mpi_vector_own(schedule, &vector);
  size_t* at = mpi_schedule_room(schedule, (size_t)own->size * sizeof *at);
  size_t before = 0;
  for (int i = 0; i < own->size; before += (size_t)counts[i++]) at[i] = before * vector.stride;
  if (comm->local)
    between_groups(schedule, comm, &vector, counts, at);
  else
    build(schedule, comm, &vector, counts, at);
  mpi_vector_part_to(schedule, &vector, at[comm->rank], receive, (size_t)counts[comm->rank], type);
  *opened = schedule;
  return MPI_SUCCESS;
}

static int open_v(const char* call, const void* send, void* receive, const int* counts, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm, struct mpi_schedule** opened) {
  MPI_TRY(mpi_check_comm(call, comm));
  if (!counts) return mpi_fail(call, MPI_ERR_ARG, "the counts are a null pointer");
  return open(call, send, receive, counts, type, op, comm, opened);
}

static int open_block(const char* call, const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm, struct mpi_schedule** opened) {
  MPI_TRY(mpi_check_comm(call, comm));
  const int size = (comm->local ? comm->local : comm)->size;
  int counts[size];
  for (int i = 0; i < size; ++i) counts[i] = count;
  return open(call, send, receive, counts, type, op, comm, opened);
}

/* ---- MPI_Reduce_scatter, MPI_Ireduce_scatter ---- */
int MPI_Reduce_scatter(const void* send, void* receive, const int* counts, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm) {
  struct mpi_schedule* schedule;
  MPI_TRY(open_v("MPI_Reduce_scatter", send, receive, counts, type, op, comm, &schedule));
  return mpi_schedule_make(schedule);
}

int MPI_Ireduce_scatter(const void* send, void* receive, const int* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                        MPI_Request* request) {
  static const char call[] = "MPI_Ireduce_scatter";
  MPI_TRY(mpi_check_result(call, request));
  struct mpi_schedule* schedule;
  MPI_TRY(open_v(call, send, receive, counts, type, op, comm, &schedule));
  return mpi_schedule_start(schedule, request);
}

/* ---- MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block ---- */
int MPI_Reduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  struct mpi_schedule* schedule;
  MPI_TRY(open_block("MPI_Reduce_scatter_block", send, receive, count, type, op, comm, &schedule));
  return mpi_schedule_make(schedule);
}

int MPI_Ireduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                              MPI_Request* request) {
  static const char call[] = "MPI_Ireduce_scatter_block";
  MPI_TRY(mpi_check_result(call, request));
  struct mpi_schedule* schedule;
  MPI_TRY(open_block(call, send, receive, count, type, op, comm, &schedule));
  return mpi_schedule_start(schedule, request);
}
