/* Intercommunicators: two groups of processes, each of which sends to the other one's ranks. `size` and `processes` of
 * struct mpi_communicator are the other group's, `rank` is the own; `local` is a communicator of the own group alone.
 */
#include <stdlib.h>
#include <string.h>

#include "sw/mpi/schedule.h"

static int check_inter(const char* call, MPI_Comm comm) {
  MPI_TRY(mpi_check_comm(call, comm));
  if (!comm->local)
    return mpi_fail(call, MPI_ERR_COMM, "it is not an intercommunicator; make one with MPI_Intercomm_create");
  return MPI_SUCCESS;
}

int mpi_check_intra(const char* call, MPI_Comm comm) {
  MPI_TRY(mpi_check_comm(call, comm));
  if (comm->local)
    return mpi_fail(
        call, MPI_ERR_COMM,
        "it is an intercommunicator, on which this call does not work; make one group with MPI_Intercomm_merge");
  return MPI_SUCCESS;
}

/* Ranks 0 of both groups tell each other, and their groups, what they have: `bytes` each. */
static int exchange(MPI_Comm comm, const void* own, void* other, size_t bytes) {
  struct mpi_schedule* schedule = mpi_schedule_open("an exchange of the two groups", comm);
  if (comm->rank == 0) {
    mpi_add_receive(schedule, 0, other, bytes);
    mpi_add_send(schedule, 0, own, bytes);
  }
  MPI_TRY(mpi_schedule_make(schedule));
  return MPI_Bcast(other, (int)bytes, MPI_BYTE, 0, comm->local);
}

/* ---- contexts: the intercommunicator has one, its local communicators the next ---- */
#define CONTEXTS_OF_ONE 2u

static int agree(MPI_Comm comm, uint32_t* context) {
  uint32_t own = mpi_next_context(), other = 0;
  MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_UNSIGNED, MPI_MAX, comm->local));
  MPI_TRY(exchange(comm, &own, &other, sizeof own));
  *context = own > other ? own : other;
  return MPI_SUCCESS;
}

/* Keeps `processes`. */
static MPI_Comm new_inter(MPI_Comm local, uint32_t context, int remote_size, unsigned* processes) {
  unsigned* own = malloc((size_t)local->size * sizeof *own);
  for (int i = 0; i < local->size; ++i) own[i] = mpi_process(local, i);
  MPI_Comm made = mpi_comm_new(local, context, local->rank, remote_size, processes);
  made->local = mpi_comm_new(local, context + CONTEXTS_OF_ONE, local->rank, local->size, own);
  mpi_context_taken(context + CONTEXTS_OF_ONE);
  return made;
}

int mpi_intercomm_dup(MPI_Comm comm, uint32_t* context, MPI_Comm* made) {
  MPI_TRY(agree(comm, context));
  *made = new_inter(comm->local, *context, comm->size, mpi_processes_copy(comm->processes, comm->size));
  (*made)->handler = comm->handler;
  return MPI_SUCCESS;
}

/* ---- MPI_Intercomm_create: the leaders meet through `bridge`, then tell their groups ---- */
struct greeting {
  uint32_t context;
  int size;
};

static int meet(MPI_Comm local, int local_leader, MPI_Comm bridge, int remote_leader, int tag,
                struct greeting* greeting, unsigned** processes) {
  const int leads = local->rank == local_leader;
  struct greeting own = {.context = mpi_next_context(), .size = local->size};
  MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &own.context, 1, MPI_UNSIGNED, MPI_MAX, local));
  if (leads)
    MPI_TRY(MPI_Sendrecv(&own, sizeof own, MPI_BYTE, remote_leader, tag, greeting, sizeof *greeting, MPI_BYTE,
                         remote_leader, tag, bridge, MPI_STATUS_IGNORE));
  MPI_TRY(MPI_Bcast(greeting, sizeof *greeting, MPI_BYTE, local_leader, local));
  if (own.context > greeting->context) greeting->context = own.context;
  unsigned* remote = *processes = malloc((size_t)greeting->size * sizeof *remote);
  if (leads) {
    unsigned* mine = malloc((size_t)local->size * sizeof *mine);
    for (int i = 0; i < local->size; ++i) mine[i] = mpi_process(local, i);
    const int error = MPI_Sendrecv(mine, local->size, MPI_UNSIGNED, remote_leader, tag, remote, greeting->size,
                                   MPI_UNSIGNED, remote_leader, tag, bridge, MPI_STATUS_IGNORE);
    free(mine);
    MPI_TRY(error);
  }
  return MPI_Bcast(remote, greeting->size, MPI_UNSIGNED, local_leader, local);
}

int MPI_Intercomm_create(MPI_Comm local, int local_leader, MPI_Comm bridge, int remote_leader, int tag,
                         MPI_Comm* made) {
  static const char call[] = "MPI_Intercomm_create";
  MPI_TRY(mpi_check_intra(call, local));
  MPI_TRY(mpi_check_result(call, made));
  MPI_TRY(mpi_check_rank(call, local_leader, local));
  MPI_TRY(mpi_check_tag(call, tag));
  if (local->rank == local_leader) { /* to the others the bridge means nothing */
    MPI_TRY(mpi_check_comm(call, bridge));
    MPI_TRY(mpi_check_rank(call, remote_leader, bridge));
    MPI_TRY(mpi_check_comm(call, local));
  }
  struct greeting greeting = {0};
  unsigned* processes = NULL;
  MPI_TRY(meet(local, local_leader, bridge, remote_leader, tag, &greeting, &processes));
  for (int i = 0; i < greeting.size; ++i)
    for (int j = 0; j < local->size; ++j)
      if (processes[i] == mpi_process(local, j)) {
        free(processes);
        return mpi_fail(call, MPI_ERR_COMM, "process %u is in both groups; they must have none in common",
                        mpi_process(local, j));
      }
  *made = new_inter(local, greeting.context, greeting.size, processes);
  return MPI_SUCCESS;
}

/* ---- MPI_Intercomm_merge: the group that is not `high` comes first; where both say the same, that of the lower first
 * process ---- */
struct side {
  int high;
  unsigned first;
};

int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* made) {
  static const char call[] = "MPI_Intercomm_merge";
  MPI_TRY(check_inter(call, comm));
  MPI_TRY(mpi_check_result(call, made));
  const struct side own = {.high = high != 0, .first = mpi_process(comm->local, 0)};
  struct side other = {0};
  MPI_TRY(exchange(comm, &own, &other, sizeof own));
  uint32_t context = 0;
  MPI_TRY(agree(comm, &context));
  mpi_context_taken(context);
  const int first = own.high != other.high ? !own.high : own.first < other.first;
  const int own_size = comm->local->size, size = own_size + comm->size;
  unsigned* processes = malloc((size_t)size * sizeof *processes);
  memcpy(first ? processes : processes + comm->size, comm->local->processes, (size_t)own_size * sizeof *processes);
  memcpy(first ? processes + own_size : processes, comm->processes, (size_t)comm->size * sizeof *processes);
  *made = mpi_comm_new(comm, context, first ? comm->rank : comm->size + comm->rank, size, processes);
  return MPI_SUCCESS;
}

/* ---- what programs ask ---- */
int MPI_Comm_test_inter(MPI_Comm comm, int* flag) {
  MPI_TRY(mpi_check_comm("MPI_Comm_test_inter", comm));
  MPI_TRY(mpi_check_result("MPI_Comm_test_inter", flag));
  *flag = comm->local != MPI_COMM_NULL;
  return MPI_SUCCESS;
}

int MPI_Comm_remote_size(MPI_Comm comm, int* size) {
  MPI_TRY(check_inter("MPI_Comm_remote_size", comm));
  MPI_TRY(mpi_check_result("MPI_Comm_remote_size", size));
  *size = comm->size;
  return MPI_SUCCESS;
}

int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group* group) {
  MPI_TRY(check_inter("MPI_Comm_remote_group", comm));
  MPI_TRY(mpi_check_result("MPI_Comm_remote_group", group));
  *group = mpi_group_new(comm->size);
  memcpy((*group)->processes, comm->processes, (size_t)comm->size * sizeof *comm->processes);
  return MPI_SUCCESS;
}
