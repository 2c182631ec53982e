/* Reductions to a root. */
#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/collectives/collective.h"
#include "sw/mpi/collectives/inter_collective.h"

enum { AUTO, BINOMIAL, SCATTER_GATHER, LINEAR, CHAIN };
MPI_CHOICE(reduce, "binomial", "scatter-gather", "linear", "chain");

/* A binomial tree. A rank that receives a part from another has already combined those of all ranks between them; so
 * the order of ranks is kept if they are counted from rank 0. */
static void binomial(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector, int root) {
  const int top = vector->commutes ? root : 0;
  const int self = mpi_from_root(comm, comm->rank, top);
  char* have = vector->own; /* may be the caller's data */
  char *other = mpi_vector_room(schedule, vector), *spare = NULL;
  for (int bit = 1; bit < comm->size; bit *= 2) {
    if (self & bit) {
      mpi_add_send(schedule, mpi_to_rank(comm, self - bit, top), have, vector->bytes);
      break;
    }
    if (self + bit >= comm->size) continue;
    mpi_add_receive(schedule, mpi_to_rank(comm, self + bit, top), other, vector->bytes);
    mpi_add_round(schedule);
    mpi_add_combine(schedule, have, other, vector->count);
    if (!spare) spare = mpi_vector_room(schedule, vector);
    have = other;
    other = spare;
    spare = have;
  }
  if (top != root && comm->rank == top) mpi_add_send(schedule, root, have, vector->bytes);
  if (top != root && comm->rank == root) {
    mpi_add_round(schedule);
    mpi_add_receive(schedule, top, have = vector->own, vector->bytes);
  }
  mpi_add_round(schedule);
  if (comm->rank == root) mpi_add_copy(schedule, have, vector->own, vector->bytes);
}

/* All to the root, which combines them from the last to the first. */
static void linear(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector, int root) {
  if (comm->rank != root) {
    mpi_add_send(schedule, root, vector->own, vector->bytes);
    return;
  }
  char** parts = mpi_schedule_room(schedule, (size_t)comm->size * sizeof *parts);
  for (int i = 0; i < comm->size; ++i) {
    parts[i] = mpi_vector_room(schedule, vector);
    if (i == root)
      mpi_add_copy(schedule, vector->own, parts[i], vector->bytes);
    else
      mpi_add_receive(schedule, i, parts[i], vector->bytes);
  }
  mpi_add_round(schedule);
  char* const all = parts[comm->size - 1];
  for (int i = comm->size - 2; i >= 0; --i) mpi_add_combine(schedule, parts[i], all, vector->count);
  mpi_add_copy(schedule, all, vector->own, vector->bytes);
}

/* Each of the largest power of two of ranks gets a slice of the result, and sends it to the root. */
static void scatter_gather(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector, int root) {
  struct mpi_team team;
  mpi_vector_own(schedule, vector);
  mpi_add_halving(schedule, comm, vector, &team);
  mpi_add_round(schedule);
  char* const base = vector->own;
  if (comm->rank != root && team.self >= 0) {
    const size_t begin = mpi_team_cut(&team, vector, team.self), end = mpi_team_cut(&team, vector, team.self + 1);
    mpi_add_send(schedule, root, base + begin, end - begin);
  }
  if (comm->rank == root)
    for (int i = 0; i < team.size; ++i) {
      const size_t begin = mpi_team_cut(&team, vector, i), end = mpi_team_cut(&team, vector, i + 1);
      if (i != team.self) mpi_add_receive(schedule, mpi_team_rank(&team, i), base + begin, end - begin);
    }
  mpi_add_round(schedule);
}

void mpi_add_reduction(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector, int root) {
  if (vector->count == 0 || comm->size == 1) return;
  const int chosen = mpi_choose(&mpi_reduce_choice, vector->bytes, comm->size);
  const int cuts = vector->commutes && vector->cuts;
  if (chosen == LINEAR)
    linear(schedule, comm, vector, root);
  else if (cuts && chosen == SCATTER_GATHER)
    scatter_gather(schedule, comm, vector, root);
  else if (cuts && chosen == CHAIN)
    mpi_add_chain_reduction(schedule, comm, vector, root);
  else
    binomial(schedule, comm, vector, root);
}

static int open(const char* call, const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm, struct mpi_schedule** opened) {
  if (mpi_is_inter(comm)) return mpi_inter_reduce(call, send, receive, count, type, op, root, comm, opened);
  MPI_TRY(mpi_check_intra(call, comm));
  MPI_TRY(mpi_check_root(call, root, comm));
  const int is_root = comm->rank == root;
  MPI_TRY(mpi_check_reduction(call, send, is_root ? receive : send, count, type, op));
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  struct mpi_vector vector = mpi_vector_of(schedule, send, is_root ? receive : NULL, (size_t)count, type, op);
  mpi_add_reduction(schedule, comm, &vector, root);
  *opened = schedule;
  return MPI_SUCCESS;
}

/* ---- MPI_Reduce, MPI_Ireduce ---- */
int MPI_Reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  struct mpi_schedule* schedule;
  MPI_TRY(open("MPI_Reduce", send, receive, count, type, op, root, comm, &schedule));
  return mpi_schedule_make(schedule);
}

int MPI_Ireduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                MPI_Request* request) {
  static const char call[] = "MPI_Ireduce";
  MPI_TRY(mpi_check_result(call, request));
  struct mpi_schedule* schedule;
  MPI_TRY(open(call, send, receive, count, type, op, root, comm, &schedule));
  return mpi_schedule_start(schedule, request);
}
