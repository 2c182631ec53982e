/* Start and end, time, names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sw/hal/hal.h"
#include "sw/io/io.h"
#include "sw/mpi/base/attribute.h"
#include "sw/mpi/base/deaths.h"
#include "sw/mpi/collectives/collective.h"
#include "sw/mpi/communicators/communicator_create.h"
#include "sw/mpi/requests/buffered.h"
#include "sw/mpi/requests/generalized.h"
#include "sw/mpi/windows/windows.h"

static int* finalized(void) {
  static int flag;
  return &flag;
}

static int start(const char* call) {
  if (MPI_comm_world_.size > 0) return mpi_fail(call, MPI_ERR_OTHER, "MPI is running already; call it once");
  if (*finalized()) return mpi_fail(call, MPI_ERR_OTHER, "MPI has ended; it cannot begin again");
  transport_start();
  mpi_comm_start();
  mpi_deaths_start();
  mpi_collective_start();
  hal_owes("MPI_Finalize");
  return MPI_SUCCESS;
}

/* Programs with MPI reach files on I/O nodes: hal_run_main calls it. */
void (*const mpi_start_of_files)(void) = io_client_start;

/* ---- MPI_Init ---- */
int MPI_Init(int* argc, char*** argv) {
  (void)argc;
  (void)argv;
  return start("MPI_Init");
}

/* ---- MPI_Init_thread: all levels where a process may have threads ---- */
static int* thread_level(void) {
  static int level = MPI_THREAD_SINGLE;
  return &level;
}

/* The network's own barriers and broadcasts are in the order of their calls, and threads of different ranks make theirs
 * on different communicators in any order. */
static void serve_threads(void) {
  transport_serve_threads();
  mpi_deaths_serve_threads();
  mpi_schedule_serve_threads();
  mpi_contexts_serve_threads();
  window_serve_threads();
  mpi_generalized_serve_threads();
  mpi_barrier_by_messages();
  mpi_broadcast_by_messages();
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  (void)argc;
  (void)argv;
  const int most = required > MPI_THREAD_FUNNELED && hal_serve_threads() ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
  *provided = *thread_level() = required < most ? required : most;
  const int code = start("MPI_Init_thread");
  if (code == MPI_SUCCESS && most == MPI_THREAD_MULTIPLE) serve_threads();
  return code;
}

int MPI_Query_thread(int* provided) {
  MPI_TRY(mpi_check_running("MPI_Query_thread"));
  *provided = *thread_level();
  return MPI_SUCCESS;
}

int MPI_Is_thread_main(int* flag) {
  MPI_TRY(mpi_check_running("MPI_Is_thread_main"));
  *flag = hal_is_first_thread();
  return MPI_SUCCESS;
}

/* ---- MPI_Initialized, MPI_Finalized: at any time ---- */
int MPI_Initialized(int* flag) {
  *flag = MPI_comm_world_.size > 0 || *finalized();
  return MPI_SUCCESS;
}

int MPI_Finalized(int* flag) {
  *flag = *finalized();
  return MPI_SUCCESS;
}

/* ---- MPI_Finalize: all messages are received before any process leaves ---- */
/* Collective: a dead rank makes it fail, also if the last messages to that rank could not be delivered. */
int MPI_Finalize(void) {
  MPI_TRY(mpi_check_running("MPI_Finalize"));
  MPI_TRY(mpi_attributes_delete("MPI_Finalize", mpi_owner_comm(MPI_COMM_SELF)));
  mpi_buffered_finish();
  mpi_finish_orphans();
  transport_barrier();
  const int dead = mpi_death_among(MPI_COMM_WORLD);
  const int error = dead ? mpi_fail_dead(MPI_COMM_WORLD, "MPI_Finalize", dead) : MPI_SUCCESS;
  MPI_comm_world_.size = 0;
  *finalized() = 1;
  hal_owes(NULL);
  return error;
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

/* ---- MPI_Get_processor_name, versions ---- */
int MPI_Get_processor_name(char* name, int* length) {
  MPI_TRY(mpi_check_result("MPI_Get_processor_name", name && length ? name : NULL));
  gethostname(name, MPI_MAX_PROCESSOR_NAME);
  *length = (int)strlen(name);
  return MPI_SUCCESS;
}

int MPI_Get_version(int* version, int* subversion) {
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}

int MPI_Get_library_version(char* version, int* length) {
  *length = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "sanvp MPI %d.%d", MPI_VERSION, MPI_SUBVERSION);
  return MPI_SUCCESS;
}

/* ---- MPI_Pcontrol: for profiling libraries, that take its place ---- */
int MPI_Pcontrol(const int level, ...) {
  (void)level;
  return MPI_SUCCESS;
}

/* ---- MPI_Alloc_mem, MPI_Free_mem: all memory is good for messages ---- */
int MPI_Alloc_mem(MPI_Aint bytes, MPI_Info info, void* base) {
  (void)info;
  MPI_TRY(mpi_check_result("MPI_Alloc_mem", base));
  void* memory = bytes < 0 ? NULL : malloc((size_t)bytes + 1);
  if (!memory) return mpi_fail("MPI_Alloc_mem", MPI_ERR_NO_MEM, "no %td bytes left; set host.memory", bytes);
  memcpy(base, &memory, sizeof memory);
  return MPI_SUCCESS;
}

int MPI_Free_mem(void* base) {
  free(base);
  return MPI_SUCCESS;
}
