/* hal.h on the table of calls that the simulator hands over (host.h). Every image links this file. */
#include "sw/hal/hal.h"
#include "sw/hal/record.h"

#include <stdio.h>
#include <string.h>

#include "sw/abi/hal/driver.h"
#include "sw/abi/hal/host.h"
#include "sw/hal/alarm.h"
#include "sw/hal/attached.h"
#include "sw/hal/charge.h"

const struct hal_host* hal_host_calls;
const uint32_t hal_abi_version = HAL_ABI_VERSION;

void hal_attach(const struct hal_host* host) {
  hal_host_calls = host;
  hal_library_prices = host->library;
}

#define HOST hal_host_calls
#define SELF hal_host_calls->self
#define CALLS hal_host_calls->calls

int hal_rank(void) { return HOST->rank; }
int hal_ranks(void) { return HOST->ranks - HOST->io_servers; }
int hal_job_processes(void) { return HOST->ranks; }
int hal_job(void) { return HOST->job; }
int hal_node(void) { return HOST->node; }
int hal_nodes(void) { return HOST->nodes; }
int hal_rank_node(int rank) { return HOST->rank_nodes[rank]; }
int hal_process(void) { return HOST->process; }
int hal_rank_process(int rank) { return HOST->rank_processes[rank]; }

uint64_t hal_seed(const char* consumer) { return CALLS->seed(SELF, 0, consumer); }
uint64_t hal_job_seed(const char* consumer) { return CALLS->seed(SELF, 1, consumer); }

uint64_t hal_time_ps(void) { return CALLS->time_ps(SELF); }
void hal_compute_ps(uint64_t ps) { CALLS->compute_ps(SELF, ps); }
void hal_instructions(uint64_t count) { CALLS->instructions(SELF, count); }
void hal_charge_walk(enum hal_library_call call, const void* one, const void* other, const void* written,
                     size_t bytes) {
  if (hal_host_calls != NULL) CALLS->walked(SELF, one, other, written, bytes, hal_price_ps(call, bytes));
}
void hal_memory_copied(size_t bytes) { CALLS->memory_copied(SELF, bytes); }
void hal_sleep_ps(uint64_t ps) { CALLS->sleep_ps(SELF, ps); }

const char* hal_card(void) { return HOST->card; }
uint64_t hal_device(int bar) { return CALLS->device(SELF, bar); }

uint32_t hal_read32(uint64_t address) {
  uint32_t value;
  CALLS->io_read(SELF, address, &value, sizeof value);
  return value;
}

uint64_t hal_read64(uint64_t address) {
  uint64_t value;
  CALLS->io_read(SELF, address, &value, sizeof value);
  return value;
}

void hal_write32(uint64_t address, uint32_t value) { CALLS->io_write(SELF, address, &value, sizeof value); }
void hal_write64(uint64_t address, uint64_t value) { CALLS->io_write(SELF, address, &value, sizeof value); }

void hal_write_block(uint64_t address, const void* from, size_t bytes) { CALLS->io_write(SELF, address, from, bytes); }
void hal_read_block(uint64_t address, void* to, size_t bytes) { CALLS->io_read(SELF, address, to, bytes); }

uint64_t hal_bus_address(const volatile void* pointer) { return CALLS->bus_address(SELF, pointer); }
int hal_is_own(const volatile void* pointer, size_t bytes) { return CALLS->is_own(SELF, pointer, bytes); }
size_t hal_region(const volatile void* pointer, void** begin) { return CALLS->region(SELF, pointer, begin); }
void* hal_shared(const char* name, size_t bytes) { return CALLS->shared(SELF, name, bytes); }

int hal_wait_word(const volatile uint32_t* word, uint32_t seen, uint64_t until_ps) {
  return CALLS->wait_words(SELF, &word, &seen, 1, until_ps);
}

int hal_wait_words(const volatile uint32_t* const* words, const uint32_t* seen, int count, uint64_t until_ps) {
  return CALLS->wait_words(SELF, words, seen, count, until_ps);
}

void hal_stored(const volatile void* pointer, size_t bytes) { CALLS->stored(SELF, pointer, bytes); }
void hal_store_word(volatile uint32_t* word, uint32_t value) { CALLS->store_word(SELF, word, value); }

int hal_is_dead(int node) { return CALLS->is_dead(SELF, node); }

const volatile uint32_t* hal_deaths(void) {
  static volatile uint32_t deaths;
  static int watched;
  if (!watched) CALLS->watch_deaths(SELF, &deaths);
  watched = 1;
  return &deaths;
}

void hal_count_as_dead(int node) { CALLS->count_as_dead(SELF, node); }
void hal_ends_waits_for_the_dead(void) { CALLS->ends_own_waits(SELF); }

int hal_serve_threads(void) { return 0; }
void hal_threads_alone_while(const int* word, int value) { (void)word, (void)value; }
void hal_threads_tell(void) {}
void hal_threads_own(void* memory, size_t bytes) { (void)memory, (void)bytes; }
int hal_is_first_thread(void) { return 1; }

int64_t hal_ioctl(unsigned request, void* argument) { return CALLS->ioctl(SELF, request, argument); }

const char* hal_setting(const char* key, const char* fallback, const char* documentation, const char* source) {
  return CALLS->setting(SELF, key, fallback, documentation, source);
}

void hal_exit(int status) {
  CALLS->exit(SELF, status);
  __builtin_unreachable();
}

void hal_end_job(int status) {
  CALLS->end_job(SELF, status);
  __builtin_unreachable();
}

void hal_abort(const char* message) {
  CALLS->abort(SELF, message);
  __builtin_unreachable();
}

void hal_metric(const char* name, double value, const char* unit) { CALLS->metric(SELF, name, value, unit); }

void hal_accepted(size_t bytes, uint64_t from_ps, uint64_t until_ps) {
  CALLS->accepted(SELF, (double)bytes, from_ps, until_ps);
}
void hal_measures(uint64_t from_ps, uint64_t until_ps) { CALLS->measures(SELF, from_ps, until_ps); }

void hal_trace_begin(const char* name) { CALLS->trace(SELF, name); }
void hal_trace_end(void) { CALLS->trace(SELF, NULL); }

/* The library call that a constructor is in: an access to the simulator there crashes, and the loader reports why
 * (models/native/image.cpp). Others, such as MPI_Initialized, may be called before main. */
const char* sanvp_early_call;

void hal_call_begin(const char* name, int peer, int64_t tag, uint64_t bytes) {
  if (hal_host_calls == NULL)
    sanvp_early_call = name;
  else
    CALLS->call_begin(SELF, name, peer, tag, bytes);
}

void hal_call_end(void) {
  sanvp_early_call = NULL;
  if (hal_host_calls == NULL) return;
  CALLS->call_end(SELF);
  hal_ring_alarm_if_set();
  hal_look_for_others();
}
void hal_call_waits_for(const char* name, int peer, int64_t tag) { CALLS->call_waits_for(SELF, name, peer, tag); }
void hal_tested_without_progress(void) { CALLS->tested_without_progress(SELF); }
void hal_owes(const char* call) { CALLS->owes(SELF, call); }
void hal_message_sent(int to, uint64_t tag, uint64_t bytes) { CALLS->message_sent(SELF, to, tag, bytes); }
void hal_receive_posted(uint64_t receive, int from, uint64_t tag, uint64_t mask) {
  CALLS->receive_posted(SELF, receive, from, tag, mask);
}
void hal_message_over(int from, int to, uint64_t tag, uint64_t receive) {
  CALLS->message_over(SELF, from, to, tag, receive);
}

int hal_records(void) { return hal_host_calls != NULL && HOST->records; }
void hal_record(enum hal_recorded what, const void* request, unsigned peer, uint64_t tag, size_t bytes) {
  CALLS->record(SELF, what, (uintptr_t)request, peer, tag, bytes);
}

int hal_checks(void) { return hal_host_calls != NULL && HOST->checks; }
int hal_check(const struct hal_checked_call* call) { return CALLS->check(SELF, call); }

void hal_require_card(const char* call, const char* card) {
  if (strcmp(hal_card(), card) == 0) return;
  char text[256];
  snprintf(text, sizeof text,
           "%s: this machine's card is '%s', not '%s'; run the program on a machine with nic.type = %s, or write it "
           "with MPI or shmem, which run with any card",
           call, hal_card()[0] ? hal_card() : "none", card, card);
  hal_abort(text);
}

int hal_load_firmware(const char* name) { return HOST->kernel->load_firmware(SELF, name); }
void hal_kill(int process, const char* message) { HOST->kernel->kill(SELF, process, message); }
int hal_lose_node(int process, int node) { return HOST->kernel->lose_node(SELF, process, node); }
void hal_firmware_complaint(char* text, size_t room) { HOST->kernel->firmware_complaint(SELF, text, room); }
void hal_process_identity(int process, struct hal_identity* to) { HOST->kernel->process_identity(SELF, process, to); }
uint64_t hal_process_memory(int process, uint64_t address, size_t bytes) {
  return HOST->kernel->process_memory(SELF, process, address, bytes);
}
int hal_process_read(int process, void* to, uint64_t address, size_t bytes) {
  hal_charge(HAL_LIBRARY_memcpy, bytes);
  return HOST->kernel->process_read(SELF, process, to, address, bytes);
}
int hal_process_write(int process, uint64_t address, const void* from, size_t bytes) {
  hal_charge(HAL_LIBRARY_memcpy, bytes);
  return HOST->kernel->process_write(SELF, process, address, from, bytes);
}
void hal_grant(int process, uint64_t bus_address, size_t bytes) {
  HOST->kernel->grant(SELF, process, bus_address, bytes);
}
void hal_revoke(int process, uint64_t bus_address, size_t bytes) {
  HOST->kernel->revoke(SELF, process, bus_address, bytes);
}
int hal_process_count(void) { return HOST->kernel->process_count(SELF); }

int64_t hal_answer(unsigned request, void* argument, const char* refusal) {
  if (argument != NULL && HAL_REQUEST_BYTES(request) >= HAL_ERROR_BYTES) {
    char* to = argument;
    const char* const last = to + HAL_ERROR_BYTES - 1;
    while (refusal != NULL && *refusal != '\0' && to < last) *to++ = *refusal++;
    *to = '\0';
  }
  return refusal != NULL ? -1 : 0;
}
