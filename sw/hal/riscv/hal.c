/* hal.h as system calls (calls.h). */
#include "sw/hal/hal.h"
#include "sw/hal/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/riscv/call.h"
#include "sw/hal/riscv/identity.h"
#include "sw/hal/riscv/threads.h"

/* Every call of the simulator goes through here. */
static int64_t ask(enum hal_riscv_call number, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3) {
  const int64_t result = hal_riscv_call(number, a0, a1, a2, a3, 0, 0);
  if (result == -ENOSYS) hal_riscv_identity(); /* ends the program if there is no simulator */
  return result;
}

#define ASK4(number, a, b, c, d) ask(HAL_CALL_##number, (uint64_t)(a), (uint64_t)(b), (uint64_t)(c), (uint64_t)(d))
#define ASK3(number, a, b, c) ASK4(number, a, b, c, 0)
#define ASK2(number, a, b) ASK4(number, a, b, 0, 0)
#define ASK1(number, a) ASK4(number, a, 0, 0, 0)
#define ASK0(number) ASK4(number, 0, 0, 0, 0)
/* A pointer as an argument. */
#define AT(pointer) ((uintptr_t)(pointer))

/* ---- random seeds, time ---- */
uint64_t hal_seed(const char* consumer) { return (uint64_t)ASK2(SEED, 0, AT(consumer)); }
uint64_t hal_job_seed(const char* consumer) { return (uint64_t)ASK2(SEED, 1, AT(consumer)); }

uint64_t hal_time_ps(void) { return (uint64_t)ASK0(TIME_PS); }
void hal_compute_ps(uint64_t ps) { ASK1(COMPUTE_PS, ps); }
void hal_instructions(uint64_t count) { ASK1(INSTRUCTIONS, count); }
void hal_memory_copied(size_t bytes) { ASK1(MEMORY_COPIED, bytes); }
void hal_sleep_ps(uint64_t ps) { ASK1(SLEEP_PS, ps); }
void hal_untimed_begin(void) { ASK1(UNTIMED, 1); }
void hal_untimed_end(void) { ASK1(UNTIMED, 0); }

/* ---- devices: their windows are mapped at their bus addresses ---- */
uint64_t hal_device(int bar) { return (uint64_t)ASK1(DEVICE, bar); }

uint32_t hal_read32(uint64_t address) { return *(const volatile uint32_t*)address; }
uint64_t hal_read64(uint64_t address) { return *(const volatile uint64_t*)address; }
void hal_write32(uint64_t address, uint32_t value) { *(volatile uint32_t*)address = value; }
void hal_write64(uint64_t address, uint64_t value) { *(volatile uint64_t*)address = value; }

void hal_write_block(uint64_t address, const void* from, size_t bytes) { ASK3(IO_WRITE, address, AT(from), bytes); }
void hal_read_block(uint64_t address, void* to, size_t bytes) { ASK3(IO_READ, address, AT(to), bytes); }

void hal_require_card(const char* call, const char* card) {
  if (strcmp(hal_card(), card) == 0) return;
  char text[256];
  snprintf(text, sizeof text,
           "%s: this machine's card is '%s', not '%s'; run the program on a machine with nic.type = %s, or write it "
           "with MPI or shmem, which run with any card",
           call, hal_card()[0] ? hal_card() : "none", card, card);
  hal_abort(text);
}

/* ---- memory ---- */
uint64_t hal_bus_address(const volatile void* pointer) { return (uint64_t)ASK1(BUS_ADDRESS, AT(pointer)); }
int hal_is_own(const volatile void* pointer, size_t bytes) { return (int)ASK2(IS_OWN, AT(pointer), bytes); }

size_t hal_region(const volatile void* pointer, void** begin) {
  uint64_t first = 0;
  const size_t bytes = (size_t)ASK2(REGION, AT(pointer), AT(&first));
  if (bytes != 0) *begin = (void*)first;
  return bytes;
}

void* hal_shared(const char* name, size_t bytes) { return (void*)ASK2(SHARED, AT(name), bytes); }

/* ---- waiting ---- */
_Static_assert(sizeof(uintptr_t) == sizeof(uint64_t), "words are passed as a list of 64-bit addresses");

int hal_wait_words(const volatile uint32_t* const* words, const uint32_t* seen, int count, uint64_t until_ps) {
  const int64_t result = hal_threads_wait(words, seen, count, until_ps);
  if (result == -ENOSYS) hal_riscv_identity();
  return (int)result;
}

int hal_wait_word(const volatile uint32_t* word, uint32_t seen, uint64_t until_ps) {
  return hal_wait_words(&word, &seen, 1, until_ps);
}

void hal_stored(const volatile void* pointer, size_t bytes) { ASK2(STORED, AT(pointer), bytes); }
void hal_store_word(volatile uint32_t* word, uint32_t value) { ASK2(STORE_WORD, AT(word), value); }

/* ---- nodes that die ---- */
int hal_is_dead(int node) { return (int)ASK1(IS_DEAD, node); }

const volatile uint32_t* hal_deaths(void) {
  static volatile uint32_t deaths;
  static int watched;
  if (!watched) ASK1(WATCH_DEATHS, AT(&deaths));
  watched = 1;
  return &deaths;
}

void hal_count_as_dead(int node) { ASK1(COUNT_AS_DEAD, node); }
void hal_ends_waits_for_the_dead(void) { ASK0(ENDS_OWN_WAITS); }

/* ---- progress hooks ---- */
static void (*look_for_others)(void);

/* Not from within itself: it waits, too, and the simulator may call it again then. */
static void look(void) {
  static int inside;
  if (look_for_others == NULL || inside || !hal_threads_try_enter()) return;
  inside = 1;
  look_for_others();
  inside = 0;
  hal_threads_leave();
}

void hal_while_computing(void (*hook)(void)) {
  extern const char sanvp_own_code_end[]; /* own_code.S */
  look_for_others = hook;
  ASK2(WHILE_COMPUTING, hook ? AT(look) : 0, AT(sanvp_own_code_end));
}

void hal_look_for_others(void) {
  if (look_for_others != NULL && ASK0(MAY_LOOK)) look();
}

/* ---- the operating system ---- */
int64_t hal_ioctl(unsigned request, void* argument) { return ASK2(IOCTL, request, AT(argument)); }

void hal_exit(int status) { exit(status); }

void hal_end_job(int status) {
  fflush(NULL); /* what the program has printed so far comes before the end of the job */
  ASK1(END_JOB, status);
  __builtin_trap();
}

void hal_abort(const char* message) {
  fflush(NULL);
  ASK1(ABORT, AT(message));
  __builtin_trap();
}

void hal_metric(const char* name, double value, const char* unit) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  ASK3(METRIC, AT(name), bits, AT(unit));
}

void hal_accepted(size_t bytes, uint64_t from_ps, uint64_t until_ps) { ASK3(ACCEPTED, bytes, from_ps, until_ps); }
void hal_measures(uint64_t from_ps, uint64_t until_ps) { ASK2(MEASURES, from_ps, until_ps); }

void hal_trace_begin(const char* name) { ASK1(TRACE, AT(name)); }
void hal_trace_end(void) { ASK1(TRACE, 0); }

void hal_call_begin(const char* name, int peer, int64_t tag, uint64_t bytes) {
  hal_threads_enter();
  ASK4(CALL_BEGIN, AT(name), peer, tag, bytes);
}

void hal_call_end(void) {
  ASK0(CALL_END);
  hal_look_for_others();
  hal_threads_leave();
}

int hal_records(void) {
  static int records = -1;
  if (records < 0) records = (int)ASK1(RECORD, UINT32_MAX);
  return records;
}
void hal_record(enum hal_recorded what, const void* request, unsigned peer, uint64_t tag, size_t bytes) {
  ASK4(RECORD, (uint64_t)peer << 32 | what, AT(request), tag, bytes);
}

int hal_checks(void) {
  static int checks = -1;
  if (checks < 0) checks = (int)ASK1(CHECK, 0);
  return checks;
}
int hal_check(const struct hal_checked_call* call) { return (int)ASK1(CHECK, AT(call)); }

void hal_call_waits_for(const char* name, int peer, int64_t tag) { ASK3(CALL_WAITS_FOR, AT(name), peer, tag); }
void hal_tested_without_progress(void) { ASK0(TESTED_WITHOUT_PROGRESS); }
void hal_owes(const char* call) { ASK1(OWES, AT(call)); }
void hal_message_sent(int to, uint64_t tag, uint64_t bytes) { ASK3(MESSAGE_SENT, to, tag, bytes); }
void hal_receive_posted(uint64_t receive, int from, uint64_t tag, uint64_t mask) {
  ASK4(RECEIVE_POSTED, receive, from, tag, mask);
}
void hal_message_over(int from, int to, uint64_t tag, uint64_t receive) { ASK4(MESSAGE_OVER, from, to, tag, receive); }
