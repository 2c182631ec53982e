/* The objects behind MPI_Comm and MPI_Group. */
#ifndef SANVP_MPI_COMMUNICATOR_H
#define SANVP_MPI_COMMUNICATOR_H

#include "sw/mpi/base/object.h"
#include "sw/mpi/mpi.h"
#include "sw/transport/transport.h"

struct MPI_group_ {
  struct mpi_object object;
  int size, rank;      /* rank: this process's; MPI_UNDEFINED: it is no member */
  unsigned* processes; /* [size] of the transport */
};

struct MPI_communicator_ {
  struct mpi_object object;
  uint32_t context;     /* of its point-to-point messages; collective operations use the next one */
  int rank, size;       /* size 0: MPI does not run */
  unsigned* processes;  /* [size] of the transport; null: rank and process are the same */
  MPI_Comm local;       /* of an intercommunicator: the local group's; the fields above are the other group's. Null: no
                           intercommunicator */
  uint32_t collectives; /* collective operations so far: keeps their messages apart */
  int group_wanted;     /* an operation that the network may do has asked for it */
  struct transport_group* group; /* null: the network does nothing for this communicator, or was not asked */
  struct MPI_errhandler_* handler;
  struct mpi_attribute* attributes;
  struct mpi_topology* topology; /* null: none */
  char name[MPI_MAX_OBJECT_NAME];
};

/* A communicator of `size` processes, whose array it keeps. It gets the parent's handler. */
MPI_Comm mpi_comm_new(MPI_Comm parent, uint32_t context, int rank, int size, unsigned* processes);
void mpi_comm_start(void);         /* makes the predefined ones */
void mpi_comm_hold(MPI_Comm comm); /* one more user: freed when the last one releases it */
void mpi_comm_release(MPI_Comm comm);

/* ---- tags of the transport: context << 32 | tag ---- */
#define MPI_TAG_MASK 0xffffffffull
#define MPI_CONTEXT_MASK (~MPI_TAG_MASK)
uint64_t mpi_tag(MPI_Comm comm, int tag);
uint64_t mpi_collective_tag(MPI_Comm comm, int tag);
unsigned mpi_process(MPI_Comm comm, int rank);
int mpi_rank_of(MPI_Comm comm, unsigned process);

#endif
