/* Nodes that have died: which waits can never end, and the error that reports it. */
#include <stdio.h>

#include "sw/hal/hal.h"
#include "sw/mpi/internal.h"

/* The communicator whose collective operation waits: if any member dies, none of its waits can end, since the others
 * leave the operation when they are notified. Null: a message is waited for. */
static MPI_Comm* among(void) {
  static MPI_Comm comm;
  return &comm;
}

int mpi_death_of(unsigned process) {
  if (*hal_deaths() == 0) return 0;
  const int node = hal_rank_node((int)process);
  if (hal_is_dead(node)) return 1 + node;
  return node != hal_node() && hal_is_dead(hal_node()) ? 1 + hal_node() : 0;
}

int mpi_death_among(MPI_Comm comm) {
  if (*hal_deaths() == 0) return 0;
  for (int rank = 0; rank < comm->size; ++rank)
    if (mpi_death_of(mpi_process(comm, rank))) return mpi_death_of(mpi_process(comm, rank));
  return 0;
}

/* The communicator of what waits for a message of any source. Null: not known, so any process may send it. */
static MPI_Comm* any_source(void) {
  static MPI_Comm comm;
  return &comm;
}

static int hopeless(unsigned peer) {
  if (*among()) return mpi_death_among(*among());
  if (peer != TRANSPORT_ANY) return mpi_death_of(peer);
  return mpi_death_among(*any_source() ? *any_source() : MPI_COMM_WORLD);
}

void mpi_any_source_is_of(MPI_Comm comm) { *any_source() = comm; }

void mpi_deaths_start(void) { transport_on_deaths(hopeless); }

MPI_Comm mpi_waits_among(MPI_Comm comm) {
  const MPI_Comm before = *among();
  *among() = comm;
  return before;
}

int mpi_fail_dead(MPI_Comm comm, const char* call, int dead) {
  char text[128];
  snprintf(text, sizeof text, "node %d does not answer: %s", dead - 1,
           dead - 1 == hal_node() ? "no way leads from it to the others" : "it has died, or no way leads to it");
  return mpi_fail_on(comm, call, mpi_error_code_of(MPI_ERR_OTHER, text), "%s", text);
}
