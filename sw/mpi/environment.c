/* Start and end, time, names. */
#include <stdio.h>

#include "sw/hal/hal.h"
#include "sw/mpi/internal.h"

/* ---- MPI_Init ---- */
int MPI_Init(int* argc, char*** argv) {
  (void)argc;
  (void)argv;
  if (mpi_comm_world_.size > 0) return mpi_fail("MPI_Init", MPI_ERR_OTHER, "MPI is running already; call it once");
  transport_start();
  mpi_comm_world_.rank = (int)transport_self();
  mpi_comm_world_.size = (int)transport_count();
  return MPI_SUCCESS;
}

/* ---- MPI_Initialized ---- */
int MPI_Initialized(int* flag) {
  *flag = mpi_comm_world_.size > 0;
  return MPI_SUCCESS;
}

/* ---- MPI_Finalize: all that was sent is taken before anybody leaves ---- */
int MPI_Finalize(void) {
  mpi_check_comm("MPI_Finalize", MPI_COMM_WORLD);
  transport_barrier();
  return MPI_SUCCESS;
}

/* ---- MPI_Abort ---- */
int MPI_Abort(MPI_Comm comm, int code) {
  (void)comm;
  char text[64];
  snprintf(text, sizeof text, "MPI_Abort was called with code %d", code);
  hal_abort(text);
}

/* ---- MPI_Wtime, MPI_Wtick ---- */
#define PS_PER_SECOND 1e12

double MPI_Wtime(void) { return (double)hal_time_ps() / PS_PER_SECOND; }

double MPI_Wtick(void) { return 1 / PS_PER_SECOND; }

/* ---- MPI_Get_processor_name ---- */
int MPI_Get_processor_name(char* name, int* length) {
  *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "node%d", hal_node());
  return MPI_SUCCESS;
}
