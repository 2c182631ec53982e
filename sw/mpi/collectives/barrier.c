/* Barriers. */
#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/deaths.h"
#include "sw/mpi/collectives/collective.h"
#include "sw/mpi/collectives/inter_collective.h"

enum { AUTO, HARDWARE, DISSEMINATION, TREE };
MPI_CHOICE(barrier, "hardware", "dissemination", "tree");

void mpi_barrier_by_messages(void) {
  const int chosen = mpi_barrier_choice.chosen;
  if (chosen == AUTO || chosen == HARDWARE) mpi_barrier_choice.chosen = DISSEMINATION;
}

/* After round r each rank knows of 2^(r+1) ranks. */
static void dissemination(struct mpi_schedule* schedule, MPI_Comm comm) {
  for (int distance = 1; distance < comm->size; distance *= 2) {
    mpi_add_receive(schedule, (comm->rank - distance + comm->size) % comm->size, NULL, 0);
    mpi_add_send(schedule, (comm->rank + distance) % comm->size, NULL, 0);
    mpi_add_round(schedule);
  }
}

/* Up a binomial tree to rank 0 and down again. */
static void tree(struct mpi_schedule* schedule, MPI_Comm comm) {
  int bit = 1;
  for (; bit < comm->size && !(comm->rank & bit); bit *= 2)
    if (comm->rank + bit < comm->size) mpi_add_receive(schedule, comm->rank + bit, NULL, 0);
  mpi_add_round(schedule);
  if (comm->rank > 0) mpi_add_send(schedule, comm->rank - bit, NULL, 0);
  mpi_add_binomial_broadcast(schedule, comm, NULL, 0, 0);
}

static void add(struct mpi_schedule* schedule, MPI_Comm comm) {
  if (mpi_choose(&mpi_barrier_choice, 0, comm->size) == TREE)
    tree(schedule, comm);
  else
    dissemination(schedule, comm);
}

static struct mpi_schedule* build(const char* call, MPI_Comm comm) {
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  if (comm->local) {
    mpi_schedule_among(schedule, comm->local);
    add(schedule, comm->local);
    mpi_add_round(schedule);
    mpi_inter_add_exchange(schedule, comm, (struct mpi_block){0}, (struct mpi_block){0});
  } else {
    add(schedule, comm);
  }
  return schedule;
}

/* ---- MPI_Barrier ---- */
int MPI_Barrier(MPI_Comm comm) {
  MPI_TRY(mpi_check_comm("MPI_Barrier", comm));
  const int chosen = mpi_chosen(&mpi_barrier_choice, 0);
  const int hardware = !comm->local && (chosen == AUTO || chosen == HARDWARE);
  if (hardware) { /* 0: not begun, or given up because a member is dead */
    const int meets = mpi_death_among(comm) == 0 && mpi_hardware_barrier(comm);
    const int dead = mpi_death_among(comm);
    if (dead) return mpi_fail_dead(comm, "MPI_Barrier", dead);
    if (meets) return MPI_SUCCESS;
  }
  return mpi_schedule_make(build("MPI_Barrier", comm));
}

/* ---- MPI_Ibarrier ---- */
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  MPI_TRY(mpi_check_comm("MPI_Ibarrier", comm));
  MPI_TRY(mpi_check_result("MPI_Ibarrier", request));
  return mpi_schedule_start(build("MPI_Ibarrier", comm), request);
}
