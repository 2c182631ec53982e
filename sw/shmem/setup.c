/* Start, end, rank and size; which memory is accessible. */
#include <stdio.h>
#include <stdlib.h>

#include "sw/abi/hal/files.h"
#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"

enum state { NOT_STARTED, RUNNING, FINALIZED };

static enum state* the_state(void) {
  static enum state state;
  return &state;
}

void shmem_fail(const char* call, const char* what_and_cure) {
  char text[320];
  snprintf(text, sizeof text, "%s: %s", call, what_and_cure);
  hal_abort(text);
}

void* shmem_memory(const char* call, size_t bytes) {
  void* memory = malloc(bytes);
  if (!memory) shmem_fail(call, "no memory for the library; set host.memory");
  return memory;
}

void shmem_check_running(const char* call) {
  if (*the_state() == NOT_STARTED) shmem_fail(call, "shmem is not running; call shmem_init first");
  if (*the_state() == FINALIZED) shmem_fail(call, "shmem has ended; call it before shmem_finalize");
}

void shmem_check(const char* call, int pe) {
  shmem_check_running(call);
  if (pe >= 0 && (unsigned)pe < transport_count()) return;
  char text[160];
  snprintf(text, sizeof text, "there is no processing element %d; they are 0 to %u, see shmem_n_pes", pe,
           transport_count() - 1);
  shmem_fail(call, text);
}

/* ---- start and end ---- */
/* The end of main ends shmem, too: a process's memory must stay until all processes have come so far. */
static void end_at_exit(void) {
  if (*the_state() == RUNNING) shmem_finalize();
}

void shmem_init(void) {
  if (*the_state() == RUNNING) return;
  if (*the_state() == FINALIZED) shmem_fail("shmem_init", "shmem has ended; it starts once only");
  if (hal_io_servers() > 0)
    shmem_fail("shmem_init",
               "the machine's files are on I/O nodes (io.nodes), which only programs of MPI reach; leave "
               "them out: then each node has a disk");
  transport_start();
  transport_start_atomics();
  heap_start();
  *the_state() = RUNNING;
  atexit(end_at_exit);
  hal_while_computing(transport_look);
  transport_barrier();
}

static int threads_provided;

int shmem_init_thread(int requested, int* provided) {
  shmem_init();
  const int most =
      requested > SHMEM_THREAD_FUNNELED && hal_serve_threads() ? SHMEM_THREAD_MULTIPLE : SHMEM_THREAD_FUNNELED;
  threads_provided = requested < most ? requested : most;
  if (threads_provided < SHMEM_THREAD_SINGLE) threads_provided = SHMEM_THREAD_SINGLE;
  if (most == SHMEM_THREAD_MULTIPLE) transport_serve_threads();
  *provided = threads_provided;
  return 0;
}

void shmem_query_thread(int* provided) {
  shmem_check_running("shmem_query_thread");
  *provided = threads_provided;
}

void shmem_finalize(void) {
  shmem_check_running("shmem_finalize");
  shmem_quiet_all();
  shmem_barrier_all();
  hal_while_computing(NULL);
  *the_state() = FINALIZED;
}

void start_pes(int unused) {
  (void)unused;
  shmem_init();
}

/* ---- rank and size ---- */
int shmem_my_pe(void) { return hal_rank(); }

int shmem_n_pes(void) { return hal_ranks(); }

int shmem_pe_accessible(int pe) { return pe >= 0 && pe < hal_ranks(); }

int shmem_addr_accessible(const void* address, int pe) {
  shmem_check_running("shmem_addr_accessible");
  return shmem_pe_accessible(pe) && symmetric_is(address, 1);
}

void* shmem_ptr(const void* dest, int pe) {
  shmem_check("shmem_ptr", pe);
  return pe == hal_rank() && symmetric_is(dest, 1) ? (void*)dest : NULL;
}

void shmem_pcontrol(int level, ...) { (void)level; }

void shmem_info_get_version(int* major, int* minor) {
  *major = SHMEM_MAJOR_VERSION;
  *minor = SHMEM_MINOR_VERSION;
}

void shmem_info_get_name(char* name) { snprintf(name, SHMEM_MAX_NAME_LEN, "%s", SHMEM_VENDOR_STRING); }

void shmem_global_exit(int status) {
  fflush(stdout);
  fflush(stderr);
  hal_end_job(status);
}
