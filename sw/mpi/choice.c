/* Algorithms of collective operations are chosen by name. */
#include <stdio.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/collective.h"

static void list_names(const struct mpi_choice* choice, char* text, size_t room) {
  size_t used = 0;
  for (int i = 0; choice->names[i] && used < room; ++i)
    used += (size_t)snprintf(text + used, room - used, "%s%s", i > 0 ? ", " : "", choice->names[i]);
}

static void choose(struct mpi_choice* choice) {
  char names[160], text[384];
  list_names(choice, names, sizeof names);
  snprintf(text, sizeof text, "algorithm: %s", names);
  const char* value = hal_setting(choice->key, "auto", text,
                                  "by name; 'auto' takes what was quickest on qsnet-64, or on myrinet-8 with GM");
  for (choice->chosen = 0; choice->names[choice->chosen]; ++choice->chosen)
    if (strcmp(choice->names[choice->chosen], value) == 0) return;
  choice->chosen = 0;
  if (hal_rank() != 0) return; /* the setting is the same in all ranks: one reports it */
  snprintf(text, sizeof text, "%s is '%s'; choose one of %s", choice->key, value, names);
  hal_abort(text);
}

#define ALL_CHOICES                                                                                                   \
  {                                                                                                                   \
    &mpi_barrier_choice, &mpi_bcast_choice, &mpi_gather_choice, &mpi_scatter_choice, &mpi_allgather_choice,           \
        &mpi_alltoall_choice, &mpi_reduce_choice, &mpi_allreduce_choice, &mpi_reduce_scatter_choice, &mpi_scan_choice \
  }

struct mpi_choice* const* mpi_choices(size_t* count) {
  static struct mpi_choice* const all[] = ALL_CHOICES;
  *count = sizeof all / sizeof *all;
  return all;
}

void mpi_collective_start(void) {
  struct mpi_choice* const all[] = ALL_CHOICES;
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) choose(all[i]);
}

/* ---- the network itself: for all processes of the job, in whatever order the communicator has them, or for a part.
 * Programs call such operations in the same order everywhere, since each may wait for all ranks. ---- */
static int is_all(MPI_Comm comm) { return (unsigned)comm->size == transport_count(); }

/* Made at the first operation that needs it: many communicators never do. */
static struct transport_group* group_of(MPI_Comm comm) {
  if (!comm->group_wanted) {
    comm->group_wanted = 1;
    comm->group = transport_group(comm->processes, (unsigned)comm->size);
  }
  return comm->group;
}

int mpi_hardware_barrier(MPI_Comm comm) {
  if (comm->size == 1) return 0;
  const MPI_Comm before = mpi_waits_among(comm);
  const int can = is_all(comm) || group_of(comm);
  if (is_all(comm))
    transport_barrier();
  else if (can)
    transport_group_barrier(comm->group);
  mpi_waits_among(before);
  return can;
}

int mpi_hardware_broadcast(MPI_Comm comm, void* buffer, size_t bytes, int root) {
  if (comm->size == 1) return 0;
  const MPI_Comm before = mpi_waits_among(comm);
  const int made = is_all(comm)
                       ? transport_broadcast(buffer, bytes, mpi_process(comm, root))
                       : group_of(comm) && transport_group_broadcast(comm->group, buffer, bytes, (unsigned)root);
  mpi_waits_among(before);
  return made;
}
