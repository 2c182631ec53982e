/* Intercommunicators: two groups of processes, each of which sends to the other's ranks. In struct MPI_communicator_,
 * `size` and `processes` are the other group's; `rank` is the rank in the local group; `local` is the local group's
 * communicator.
 */
#include <stdlib.h>
#include <string.h>

#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/collectives/inter_collective.h"
#include "sw/mpi/communicators/communicator_create.h"
#include "sw/mpi/communicators/group.h"

static int check_inter(const char* call, MPI_Comm comm) {
  MPI_TRY(mpi_check_comm(call, comm));
  if (!comm->local)
    return mpi_fail(call, MPI_ERR_COMM, "it is not an intercommunicator; make one with MPI_Intercomm_create");
  return MPI_SUCCESS;
}

/* ---- contexts: the intercommunicator has one, its local communicators the next ---- */
static void both_taken(uint32_t context) { mpi_context_taken(context + MPI_CONTEXTS_EACH); }

static int agree(const char* call, MPI_Comm comm, uint32_t* context) {
  uint32_t own = mpi_next_context(2), other = 0;
  MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_UNSIGNED, MPI_MAX, comm->local));
  MPI_TRY(mpi_inter_exchange(call, comm, &own, sizeof own, &other, sizeof other));
  *context = own > other ? own : other;
  both_taken(*context);
  return MPI_SUCCESS;
}

static struct mpi_side side_of(MPI_Comm local) {
  struct mpi_side side = {.size = local->size, .processes = mpi_memory((size_t)local->size * sizeof(unsigned))};
  for (int i = 0; i < local->size; ++i) side.processes[i] = mpi_process(local, i);
  return side;
}

/* Keeps the processes of both sides; `rank`: in the local group. The parent's handler gets the errors. */
static MPI_Comm new_inter(MPI_Comm parent, uint32_t context, int rank, struct mpi_side own, struct mpi_side other) {
  MPI_Comm made = mpi_comm_new(parent, context, rank, other.size, other.processes);
  made->local = mpi_comm_new(parent, context + MPI_CONTEXTS_EACH, rank, own.size, own.processes);
  return made;
}

MPI_Comm mpi_intercomm_copy(MPI_Comm comm, uint32_t context) {
  const struct mpi_side other = {.size = comm->size, .processes = mpi_processes_copy(comm->processes, comm->size)};
  return new_inter(comm, context, comm->rank, side_of(comm->local), other);
}

int mpi_intercomm_dup(MPI_Comm comm, MPI_Comm* made) {
  uint32_t context = 0;
  MPI_TRY(agree("MPI_Comm_dup", comm, &context));
  *made = mpi_intercomm_copy(comm, context);
  return MPI_SUCCESS;
}

/* ---- MPI_Comm_split, MPI_Comm_create: part of the one group with a part of the other ---- */
int mpi_intercomm_split(const char* call, MPI_Comm comm, int color, int key, MPI_Comm* made) {
  const MPI_Comm local = comm->local;
  const struct mpi_member self = mpi_member_self(local, color, key);
  const size_t own_bytes = (size_t)local->size * sizeof self, other_bytes = (size_t)comm->size * sizeof self;
  struct mpi_member *own = mpi_memory(own_bytes), *other = mpi_memory(other_bytes);
  int error = MPI_Allgather(&self, sizeof self, MPI_BYTE, own, sizeof self, MPI_BYTE, local);
  if (error == MPI_SUCCESS) error = mpi_inter_exchange(call, comm, own, own_bytes, other, other_bytes);
  *made = MPI_COMM_NULL;
  uint32_t context = 0;
  if (error == MPI_SUCCESS) {
    context = mpi_members_context(other, comm->size, mpi_members_context(own, local->size, 0));
    both_taken(context);
  }
  if (error == MPI_SUCCESS && color != MPI_UNDEFINED) {
    const struct mpi_side mine = mpi_members_of(own, local->size, color),
                          theirs = mpi_members_of(other, comm->size, color);
    if (theirs.size > 0) {
      *made = new_inter(comm, context, mpi_side_rank(mine), mine, theirs);
    } else { /* the other group is empty */
      free(mine.processes);
      free(theirs.processes);
    }
  }
  free(own);
  free(other);
  return error;
}

/* A split: members of the group have one color; their order gives the keys. */
int mpi_intercomm_create_of(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
  return mpi_intercomm_split("MPI_Comm_create", comm, group->rank == MPI_UNDEFINED ? MPI_UNDEFINED : 0, group->rank,
                             made);
}

/* ---- MPI_Intercomm_create: the leaders meet through `bridge`, then tell their groups ---- */
struct greeting {
  uint32_t context;
  int size;
};

static int meet(MPI_Comm local, int local_leader, MPI_Comm bridge, int remote_leader, int tag,
                struct greeting* greeting, unsigned** processes) {
  const int leads = local->rank == local_leader;
  struct greeting own = {.context = mpi_next_context(2), .size = local->size};
  MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &own.context, 1, MPI_UNSIGNED, MPI_MAX, local));
  if (leads)
    MPI_TRY(MPI_Sendrecv(&own, sizeof own, MPI_BYTE, remote_leader, tag, greeting, sizeof *greeting, MPI_BYTE,
                         remote_leader, tag, bridge, MPI_STATUS_IGNORE));
  MPI_TRY(MPI_Bcast(greeting, sizeof *greeting, MPI_BYTE, local_leader, local));
  if (own.context > greeting->context) greeting->context = own.context;
  unsigned* remote = *processes = mpi_memory((size_t)greeting->size * sizeof *remote);
  if (leads) {
    const struct mpi_side mine = side_of(local);
    const int error = MPI_Sendrecv(mine.processes, mine.size, MPI_UNSIGNED, remote_leader, tag, remote, greeting->size,
                                   MPI_UNSIGNED, remote_leader, tag, bridge, MPI_STATUS_IGNORE);
    free(mine.processes);
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
  if (local->rank == local_leader) { /* only leaders have the bridge communicator */
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
  both_taken(greeting.context);
  const struct mpi_side other = {.size = greeting.size, .processes = processes};
  *made = new_inter(local, greeting.context, local->rank, side_of(local), other);
  return MPI_SUCCESS;
}

/* ---- MPI_Intercomm_merge: the group that is not `high` comes first; if both give the same `high`, the group whose
 * first process is lower ---- */
struct offer {
  int high;
  unsigned first;
};

int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* made) {
  static const char call[] = "MPI_Intercomm_merge";
  MPI_TRY(check_inter(call, comm));
  MPI_TRY(mpi_check_result(call, made));
  const struct offer own = {.high = high != 0, .first = mpi_process(comm->local, 0)};
  struct offer other = {0};
  MPI_TRY(mpi_inter_exchange(call, comm, &own, sizeof own, &other, sizeof other));
  uint32_t context = 0;
  MPI_TRY(agree(call, comm, &context));
  const int first = own.high != other.high ? !own.high : own.first < other.first;
  const int own_size = comm->local->size, size = own_size + comm->size;
  unsigned* processes = mpi_memory((size_t)size * sizeof *processes);
  memcpy(first ? processes : processes + comm->size, comm->local->processes, (size_t)own_size * sizeof *processes);
  memcpy(first ? processes + own_size : processes, comm->processes, (size_t)comm->size * sizeof *processes);
  *made = mpi_comm_new(comm, context, first ? comm->rank : comm->size + comm->rank, size, processes);
  return MPI_SUCCESS;
}

/* ---- queries by programs ---- */
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
