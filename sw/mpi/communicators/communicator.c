/* Communicators: a set of processes, and contexts that keep its messages apart. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/mpi/communicators/attribute.h"

struct MPI_communicator_ MPI_comm_world_, MPI_comm_self_;

enum { CONTEXT_WORLD = 0, CONTEXT_SELF = 2 };

void mpi_comm_start(void) {
  static unsigned self;
  self = transport_self();
  MPI_comm_world_ = (struct MPI_communicator_){.object = {1},
                                               .context = CONTEXT_WORLD,
                                               .rank = (int)self,
                                               .size = (int)transport_count(),
                                               .handler = MPI_comm_world_.handler,
                                               .name = "MPI_COMM_WORLD"};
  MPI_comm_self_ = (struct MPI_communicator_){
      .object = {1}, .context = CONTEXT_SELF, .size = 1, .processes = &self, .name = "MPI_COMM_SELF"};
}

/* ---- life: as struct MPI_datatype_'s ---- */
static struct MPI_communicator_** free_comms(void) {
  static struct MPI_communicator_* list;
  return &list;
}

MPI_Comm mpi_comm_new(MPI_Comm parent, uint32_t context, int rank, int size, unsigned* processes) {
  struct MPI_communicator_** list = free_comms();
  struct MPI_communicator_* comm = *list;
  if (comm)
    *list = (struct MPI_communicator_*)comm->processes;
  else
    comm = mpi_memory(sizeof *comm);
  *comm = (struct MPI_communicator_){.object = {1},
                                     .context = context,
                                     .rank = rank,
                                     .size = size,
                                     .processes = processes,
                                     .handler = parent->handler,
                                     .name = ""};
  return comm;
}

void mpi_comm_hold(MPI_Comm comm) { ++comm->object.references; }

void mpi_comm_release(MPI_Comm comm) {
  if (--comm->object.references > 0) return;
  struct MPI_communicator_** list = free_comms();
  free(comm->processes);
  if (comm->local) mpi_comm_release(comm->local);
  mpi_topology_free(comm->topology);
  transport_group_free(comm->group);
  comm->processes = (unsigned*)*list;
  *list = comm;
}

/* ---- MPI_Comm_rank, MPI_Comm_size ---- */
int MPI_Comm_rank(MPI_Comm comm, int* rank) {
  MPI_TRY(mpi_check_comm("MPI_Comm_rank", comm));
  MPI_TRY(mpi_check_result("MPI_Comm_rank", rank));
  *rank = comm->rank;
  return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int* size) {
  MPI_TRY(mpi_check_comm("MPI_Comm_size", comm));
  MPI_TRY(mpi_check_result("MPI_Comm_size", size));
  *size = (comm->local ? comm->local : comm)->size;
  return MPI_SUCCESS;
}

/* ---- MPI_Comm_group ---- */
int MPI_Comm_group(MPI_Comm comm, MPI_Group* group) {
  MPI_TRY(mpi_check_comm("MPI_Comm_group", comm));
  MPI_TRY(mpi_check_result("MPI_Comm_group", group));
  const MPI_Comm own = comm->local ? comm->local : comm;
  *group = mpi_group_new(own->size);
  for (int i = 0; i < own->size; ++i) (*group)->processes[i] = mpi_process(own, i);
  (*group)->rank = own->rank;
  return MPI_SUCCESS;
}

/* ---- MPI_Comm_compare: all groups, those of one against those of the other ---- */
static int compare(MPI_Comm comm1, MPI_Comm comm2, int (*group_of)(MPI_Comm comm, MPI_Group* group), int* result) {
  MPI_Group group1, group2;
  MPI_TRY(group_of(comm1, &group1));
  MPI_TRY(group_of(comm2, &group2));
  MPI_TRY(MPI_Group_compare(group1, group2, result));
  MPI_TRY(MPI_Group_free(&group1));
  return MPI_Group_free(&group2);
}

int MPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int* result) {
  MPI_TRY(mpi_check_comm("MPI_Comm_compare", comm1));
  MPI_TRY(mpi_check_comm("MPI_Comm_compare", comm2));
  MPI_TRY(mpi_check_result("MPI_Comm_compare", result));
  *result = comm1 == comm2 ? MPI_IDENT : MPI_UNEQUAL;
  if (comm1 == comm2 || !comm1->local != !comm2->local) return MPI_SUCCESS;
  int remote = MPI_IDENT;
  MPI_TRY(compare(comm1, comm2, MPI_Comm_group, result));
  if (comm1->local) MPI_TRY(compare(comm1, comm2, MPI_Comm_remote_group, &remote));
  if (*result == MPI_IDENT) *result = MPI_CONGRUENT; /* the contexts differ */
  if (remote != MPI_IDENT && *result != MPI_UNEQUAL) *result = remote;
  return MPI_SUCCESS;
}

/* ---- MPI_Comm_free: messages under way in it still arrive ---- */
static int let_go(const char* call, MPI_Comm* comm) {
  if (*comm == MPI_COMM_WORLD || *comm == MPI_COMM_SELF)
    return mpi_fail(call, MPI_ERR_COMM, "%s is predefined; free only what you made", (*comm)->name);
  MPI_TRY(mpi_attributes_delete(call, mpi_owner_comm(*comm)));
  mpi_comm_release(*comm);
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

int MPI_Comm_free(MPI_Comm* comm) {
  MPI_TRY(mpi_check_result("MPI_Comm_free", comm));
  MPI_TRY(mpi_check_comm("MPI_Comm_free", *comm));
  return let_go("MPI_Comm_free", comm);
}

/* ---- MPI_Comm_disconnect: its messages have ended everywhere ---- */
int MPI_Comm_disconnect(MPI_Comm* comm) {
  MPI_TRY(mpi_check_result("MPI_Comm_disconnect", comm));
  MPI_TRY(mpi_check_comm("MPI_Comm_disconnect", *comm));
  MPI_TRY(MPI_Barrier(*comm));
  return let_go("MPI_Comm_disconnect", comm);
}

/* ---- MPI_Comm_get_parent: no process here is spawned ---- */
int MPI_Comm_get_parent(MPI_Comm* parent) {
  MPI_TRY(mpi_check_running("MPI_Comm_get_parent"));
  MPI_TRY(mpi_check_result("MPI_Comm_get_parent", parent));
  *parent = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

/* ---- MPI_Comm_set_info, MPI_Comm_get_info: no hint is known, so none is kept ---- */
int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info) {
  (void)info;
  return mpi_check_comm("MPI_Comm_set_info", comm);
}

int MPI_Comm_get_info(MPI_Comm comm, MPI_Info* info) {
  MPI_TRY(mpi_check_comm("MPI_Comm_get_info", comm));
  return MPI_Info_create(info);
}

/* ---- names ---- */
int MPI_Comm_set_name(MPI_Comm comm, const char* name) {
  MPI_TRY(mpi_check_comm("MPI_Comm_set_name", comm));
  MPI_TRY(mpi_check_result("MPI_Comm_set_name", name));
  snprintf(comm->name, sizeof comm->name, "%s", name);
  return MPI_SUCCESS;
}

int MPI_Comm_get_name(MPI_Comm comm, char* name, int* length) {
  MPI_TRY(mpi_check_comm("MPI_Comm_get_name", comm));
  MPI_TRY(mpi_check_result("MPI_Comm_get_name", name && length ? name : NULL));
  memcpy(name, comm->name, sizeof comm->name);
  *length = (int)strlen(name);
  return MPI_SUCCESS;
}

/* ---- for other files ---- */
uint64_t mpi_tag(MPI_Comm comm, int tag) { return (uint64_t)comm->context << 32 | (uint32_t)tag; }

uint64_t mpi_collective_tag(MPI_Comm comm, int tag) { return (uint64_t)(comm->context + 1) << 32 | (uint32_t)tag; }

unsigned mpi_process(MPI_Comm comm, int rank) { return comm->processes ? comm->processes[rank] : (unsigned)rank; }

int mpi_rank_of(MPI_Comm comm, unsigned process) {
  if (!comm->processes) return (int)process;
  for (int rank = 0; rank < comm->size; ++rank)
    if (comm->processes[rank] == process) return rank;
  return MPI_UNDEFINED;
}
