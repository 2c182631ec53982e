/* Communicators: a set of processes, and contexts that keep its messages apart. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/mpi/base/attribute.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/base/process_topology.h"

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

/* ---- ranks, processes, tags ---- */
uint64_t mpi_tag(MPI_Comm comm, int tag) { return (uint64_t)comm->context << 32 | (uint32_t)tag; }

uint64_t mpi_collective_tag(MPI_Comm comm, int tag) { return (uint64_t)(comm->context + 1) << 32 | (uint32_t)tag; }

unsigned mpi_process(MPI_Comm comm, int rank) { return comm->processes ? comm->processes[rank] : (unsigned)rank; }

int mpi_rank_of(MPI_Comm comm, unsigned process) {
  if (!comm->processes) return (int)process;
  for (int rank = 0; rank < comm->size; ++rank)
    if (comm->processes[rank] == process) return rank;
  return MPI_UNDEFINED;
}

int mpi_check_intra(const char* call, MPI_Comm comm) {
  MPI_TRY(mpi_check_comm(call, comm));
  if (comm->local)
    return mpi_fail(
        call, MPI_ERR_COMM,
        "it is an intercommunicator, on which this call does not work; make one group with MPI_Intercomm_merge");
  return MPI_SUCCESS;
}
