/* New communicators: their contexts and their members. */
#ifndef SANVP_MPI_COMMUNICATOR_CREATE_H
#define SANVP_MPI_COMMUNICATOR_CREATE_H

#include "sw/mpi/base/communicator.h"

/* Collective over `parent`, which is no intercommunicator: a context that is unused in it. */
int mpi_agree_context(MPI_Comm parent, uint32_t* context);
/* The same in two steps: what this process proposes for so many communicators (1 or 2), of which all take the highest;
 * marks that as taken. */
#define MPI_CONTEXTS_EACH 2u /* contexts of one communicator: see struct MPI_communicator_ */
uint32_t mpi_next_context(uint32_t communicators);
void mpi_contexts_serve_threads(void); /* with MPI_THREAD_MULTIPLE */
void mpi_context_taken(uint32_t context);
unsigned* mpi_processes_copy(const unsigned* processes, int count);
/* A process's arguments when a communicator is split, and the members of the result. */
struct mpi_member {
  int color, key, rank;
  unsigned process;
  uint32_t next_context;
};
struct mpi_side {
  int size;
  unsigned* processes;
};
uint32_t mpi_members_context(const struct mpi_member* members, int count,
                             uint32_t least); /* a context that all can use */
struct mpi_member mpi_member_self(MPI_Comm comm, int color, int key);
struct mpi_side mpi_members_of(struct mpi_member* members, int count,
                               int color); /* in the order of their keys; sorts `members` */
int mpi_side_rank(struct mpi_side side);   /* of this process, a member */
/* New intercommunicators, without attributes. */
MPI_Comm mpi_intercomm_copy(MPI_Comm comm, uint32_t context); /* its local communicators use the next context */
int mpi_intercomm_dup(MPI_Comm comm, MPI_Comm* made);
int mpi_intercomm_split(const char* call, MPI_Comm comm, int color, int key, MPI_Comm* made);
int mpi_intercomm_create_of(MPI_Comm comm, MPI_Group group, MPI_Comm* made);

#endif
