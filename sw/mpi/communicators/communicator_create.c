/* Communicators made from others. All of the parent's processes take part and agree on a context; groups without a
 * common process may use the same one. */
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/attribute.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/base/process_topology.h"
#include "sw/mpi/collectives/collective.h"
#include "sw/mpi/communicators/communicator_create.h"

enum { CONTEXT_FIRST = 6 };         /* below: those of MPI_COMM_WORLD and of MPI_COMM_SELF */
#define OWN_CONTEXTS (1u << 28)     /* above those agreed on; each process of the job has an equal share */
#define MEETING_CONTEXTS (1u << 30) /* above: those of MPI_Comm_create_group, by the parent's */

static uint32_t* next_context(void) {
  static uint32_t next = CONTEXT_FIRST;
  return &next;
}

static int* agreements_overlap(void) {
  static int flag;
  return &flag;
}

void mpi_contexts_serve_threads(void) { *agreements_overlap() = HAL_HAS_THREADS; }

/* Contexts that no other process ever chooses. None is reused: other processes may still receive in it when this one
 * has freed its communicator, and asking them would block. */
static uint32_t own_contexts(uint32_t communicators) {
  static uint32_t used;
  const uint32_t each = (MEETING_CONTEXTS - OWN_CONTEXTS) / transport_count(), context = used;
  used += communicators * MPI_CONTEXTS_EACH;
  if (used > each)
    hal_abort(
        "MPI: no contexts for more communicators are left of those that a process chooses by itself, for MPI_Comm_idup "
        "and with MPI_THREAD_MULTIPLE; make fewer communicators");
  return OWN_CONTEXTS + transport_self() * each + context;
}

/* While a thread agrees on a context, others may agree on theirs, with other processes: so that each agreement, on the
 * highest of what its processes propose, is on a number of its own, no number may be proposed twice. */
uint32_t mpi_next_context(uint32_t communicators) {
  return HAL_HAS_THREADS && *agreements_overlap() ? own_contexts(communicators) : *next_context();
}

void mpi_context_taken(uint32_t context) {
  if (!HAL_HAS_THREADS || context < OWN_CONTEXTS) *next_context() = context + MPI_CONTEXTS_EACH;
}

int mpi_agree_context(MPI_Comm parent, uint32_t* context) {
  const uint32_t proposal = mpi_next_context(1);
  MPI_TRY(MPI_Allreduce(&proposal, context, 1, MPI_UNSIGNED, MPI_MAX, parent));
  mpi_context_taken(*context);
  return MPI_SUCCESS;
}

unsigned* mpi_processes_copy(const unsigned* processes, int count) {
  if (!processes) return NULL;
  unsigned* copy = mpi_memory((size_t)count * sizeof *copy);
  memcpy(copy, processes, (size_t)count * sizeof *copy);
  return copy;
}

static int check(const char* call, MPI_Comm comm, const void* made) {
  MPI_TRY(mpi_check_comm(call, comm));
  return mpi_check_result(call, made);
}

/* ---- MPI_Comm_dup ---- */
static MPI_Comm copy_of(MPI_Comm comm, uint32_t context) {
  MPI_Comm made = mpi_comm_new(comm, context, comm->rank, comm->size, mpi_processes_copy(comm->processes, comm->size));
  made->topology = mpi_topology_copy(comm->topology);
  return made;
}

static int duplicate(MPI_Comm comm, MPI_Comm* made) {
  if (comm->local) return mpi_intercomm_dup(comm, made);
  uint32_t context = 0;
  MPI_TRY(mpi_agree_context(comm, &context));
  *made = copy_of(comm, context);
  return MPI_SUCCESS;
}

static int duplicate_all(const char* call, MPI_Comm comm, MPI_Comm* made) {
  MPI_TRY(check(call, comm, made));
  MPI_Comm copy;
  MPI_TRY(duplicate(comm, &copy));
  const int error = mpi_attributes_copy(call, mpi_owner_comm(comm), mpi_owner_comm(copy));
  *made = error == MPI_SUCCESS ? copy : MPI_COMM_NULL;
  if (error != MPI_SUCCESS) mpi_comm_release(copy);
  return error;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) { return duplicate_all("MPI_Comm_dup", comm, made); }

/* ---- MPI_Comm_dup_with_info: no hint is known here ---- */
int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made) {
  (void)info;
  return duplicate_all("MPI_Comm_dup_with_info", comm, made);
}

/* ---- MPI_Comm_idup: nonblocking, so rank 0 chooses the context ---- */
/* The group whose first process is lower chooses the context, and one for the local communicators. */
static int share_contexts(const char* call, MPI_Comm comm, MPI_Comm copy, MPI_Request* request) {
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  uint32_t* chosen = mpi_schedule_room(schedule, 2 * sizeof *chosen);
  const int chooses = comm->local->processes[0] < comm->processes[0];
  if (comm->rank == 0 && chooses) {
    chosen[0] = own_contexts(2);
    chosen[1] = chosen[0] + MPI_CONTEXTS_EACH;
    mpi_add_send(schedule, 0, chosen, 2 * sizeof *chosen);
  } else if (comm->rank == 0) {
    mpi_add_receive(schedule, 0, chosen, 2 * sizeof *chosen);
  }
  mpi_add_round(schedule);
  mpi_schedule_among(schedule, comm->local);
  mpi_add_binomial_broadcast(schedule, comm->local, chosen, 2 * sizeof *chosen, 0);
  mpi_add_round(schedule);
  mpi_add_copy(schedule, &chosen[0], &copy->context, sizeof copy->context);
  mpi_add_copy(schedule, &chosen[1], &copy->local->context, sizeof copy->local->context);
  return mpi_schedule_start(schedule, request);
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request) {
  static const char call[] = "MPI_Comm_idup";
  MPI_TRY(check(call, comm, made));
  MPI_TRY(mpi_check_result(call, request));
  MPI_Comm copy = comm->local ? mpi_intercomm_copy(comm, 0) : copy_of(comm, comm->rank == 0 ? own_contexts(1) : 0);
  const int error = mpi_attributes_copy(call, mpi_owner_comm(comm), mpi_owner_comm(copy));
  if (error != MPI_SUCCESS) {
    mpi_comm_release(copy);
    return error;
  }
  *made = copy;
  if (comm->local) return share_contexts(call, comm, copy, request);
  return MPI_Ibcast(&copy->context, 1, MPI_UINT32_T, 0, comm, request);
}

/* ---- MPI_Comm_create, MPI_Comm_create_group ---- */
static int check_members(const char* call, MPI_Comm comm, MPI_Group group, const void* made) {
  MPI_TRY(check(call, comm, made));
  MPI_TRY(mpi_check_group(call, group));
  MPI_TRY(mpi_check_comm(call, comm));
  if (comm->local) comm = comm->local;
  for (int i = 0; i < group->size; ++i)
    if (mpi_rank_of(comm, group->processes[i]) == MPI_UNDEFINED || mpi_rank_of(comm, group->processes[i]) >= comm->size)
      return mpi_fail(call, MPI_ERR_GROUP, "rank %d of the group is not in the communicator", i);
  return MPI_SUCCESS;
}

static MPI_Comm of_group(MPI_Comm comm, MPI_Group group, uint32_t context) {
  return mpi_comm_new(comm, context, group->rank, group->size, mpi_processes_copy(group->processes, group->size));
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
  MPI_TRY(check_members("MPI_Comm_create", comm, group, made));
  if (comm->local) return mpi_intercomm_create_of(comm, group, made);
  uint32_t context = 0;
  MPI_TRY(mpi_agree_context(comm, &context));
  *made = group->rank == MPI_UNDEFINED ? MPI_COMM_NULL : of_group(comm, group, context);
  return MPI_SUCCESS;
}

/* Only the group's processes take part: they agree in a context that each parent has for this; tags separate the
 * groups.
 */
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
  MPI_TRY(mpi_check_intra("MPI_Comm_create_group", comm));
  MPI_TRY(check_members("MPI_Comm_create_group", comm, group, made));
  MPI_TRY(mpi_check_tag("MPI_Comm_create_group", tag));
  *made = MPI_COMM_NULL;
  if (group->rank == MPI_UNDEFINED) return MPI_SUCCESS;
  MPI_Comm meeting = of_group(comm, group, MEETING_CONTEXTS + comm->context);
  meeting->collectives = (uint32_t)tag;
  uint32_t context = 0;
  const int error = mpi_agree_context(meeting, &context);
  mpi_comm_release(meeting);
  MPI_TRY(error);
  *made = of_group(comm, group, context);
  return MPI_SUCCESS;
}

/* ---- MPI_Comm_split: all learn of each other, and of the contexts that are in use ---- */
static int by_key(const void* a, const void* b) {
  const struct mpi_member *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->rank < y->rank ? -1 : 1;
}

struct mpi_side mpi_members_of(struct mpi_member* members, int count, int color) {
  struct mpi_side side = {.processes = mpi_memory((size_t)count * sizeof(unsigned))};
  qsort(members, (size_t)count, sizeof *members, by_key);
  for (int i = 0; i < count; ++i)
    if (members[i].color == color) side.processes[side.size++] = members[i].process;
  return side;
}

uint32_t mpi_members_context(const struct mpi_member* members, int count, uint32_t least) {
  for (int i = 0; i < count; ++i)
    if (members[i].next_context > least) least = members[i].next_context;
  return least;
}

struct mpi_member mpi_member_self(MPI_Comm comm, int color, int key) {
  return (struct mpi_member){color, key, comm->rank, mpi_process(comm, comm->rank), mpi_next_context(2)};
}

int mpi_side_rank(struct mpi_side side) {
  int rank = 0;
  while (side.processes[rank] != transport_self()) ++rank;
  return rank;
}

static int split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  const struct mpi_member self = mpi_member_self(comm, color, key);
  struct mpi_member* members = mpi_memory((size_t)comm->size * sizeof *members);
  const int error = MPI_Allgather(&self, sizeof self, MPI_BYTE, members, sizeof self, MPI_BYTE, comm);
  *made = MPI_COMM_NULL;
  if (error == MPI_SUCCESS) {
    const uint32_t context = mpi_members_context(members, comm->size, 0);
    mpi_context_taken(context);
    if (color != MPI_UNDEFINED) {
      const struct mpi_side part = mpi_members_of(members, comm->size, color);
      *made = mpi_comm_new(comm, context, mpi_side_rank(part), part.size, part.processes);
    }
  }
  free(members);
  return error;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  MPI_TRY(check("MPI_Comm_split", comm, made));
  if (color < 0 && color != MPI_UNDEFINED)
    return mpi_fail("MPI_Comm_split", MPI_ERR_ARG, "the color is %d; it must be 0 or more, or MPI_UNDEFINED", color);
  return comm->local ? mpi_intercomm_split("MPI_Comm_split", comm, color, key, made) : split(comm, color, key, made);
}

/* ---- MPI_Comm_split_type: processes that share memory are on one node ---- */
int MPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm* made) {
  (void)info;
  MPI_TRY(mpi_check_intra("MPI_Comm_split_type", comm));
  MPI_TRY(check("MPI_Comm_split_type", comm, made));
  if (kind != MPI_COMM_TYPE_SHARED && kind != MPI_UNDEFINED)
    return mpi_fail("MPI_Comm_split_type", MPI_ERR_ARG, "the kind is %d; it is MPI_COMM_TYPE_SHARED or MPI_UNDEFINED",
                    kind);
  return split(comm, kind == MPI_UNDEFINED ? kind : hal_node(), key, made);
}
