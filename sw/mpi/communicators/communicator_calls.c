/* Calls about one communicator: its ranks, its group, its end, its name. */
#include <stdio.h>
#include <string.h>

#include "sw/mpi/base/attribute.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/communicators/group.h"

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
