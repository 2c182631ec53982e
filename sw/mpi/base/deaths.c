/* Nodes that have died: which waits can never end, and the error that reports it. */
#include <stdio.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/deaths.h"
#include "sw/mpi/base/errors.h"

/* What waits: each thread's own. */
struct waiting {
  /* The communicator whose collective operation waits: if any member dies, none of its waits can end, since the others
   * leave the operation when they are notified. Null: a message is waited for. */
  MPI_Comm among;
  /* That of a wait for a message of any source. Null: not known, so any process may send it. */
  MPI_Comm any_source;
};

static struct waiting* waiting(void) {
  static struct waiting waiting;
  return &waiting;
}

void mpi_deaths_serve_threads(void) { hal_threads_own(waiting(), sizeof *waiting()); }

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

static int hopeless(unsigned peer) {
  const struct waiting* what = waiting();
  if (what->among) return mpi_death_among(what->among);
  if (peer != TRANSPORT_ANY) return mpi_death_of(peer);
  return mpi_death_among(what->any_source ? what->any_source : MPI_COMM_WORLD);
}

void mpi_any_source_is_of(MPI_Comm comm) { waiting()->any_source = comm; }

void mpi_deaths_start(void) { transport_on_deaths(hopeless); }

MPI_Comm mpi_waits_among(MPI_Comm comm) {
  const MPI_Comm before = waiting()->among;
  waiting()->among = comm;
  return before;
}

int mpi_fail_dead(MPI_Comm comm, const char* call, int dead) {
  char text[128];
  snprintf(text, sizeof text, "node %d does not answer: %s", dead - 1,
           dead - 1 == hal_node() ? "no way leads from it to the others" : "it has died, or no way leads to it");
  return mpi_fail_on(comm, call, mpi_error_code_of(MPI_ERR_OTHER, text), "%s", text);
}
