/* Firmware for tests (tests/models/elan3_thread.cpp): argument 0 selects the job, the others are its parameters. Each
 * step ends with a word written to main memory, so that the bus shows when it ended. */
#include <string.h>

#include "sw/hal/elan3_thread.h"

enum { COSTS, PACKETS, BREAKS, SUSPENDS, WAITS, RUNAWAY, ACCESS, MISUSE, COPY, DMA, ENDS, CRASH, ATOMICS };
/* Ways to crash, argument 2. */
enum { POINTER, DIVISION, STACK, LOOP, BUFFER_IN, BUFFER_OUT, POLL };

static void mark(e3_addr main, uint32_t value) { elan3_store(main, &value, sizeof value); }

static void costs(e3_addr main, e3_addr sdram, e3_addr event) {
  uint64_t words[2] = {0};
  mark(main, 1);
  elan3_cycles(100);
  mark(main, 2);
  elan3_load(sdram, words, 8);
  mark(main, 3);
  elan3_store(sdram, words, 16);
  mark(main, 4);
  elan3_set_event(event);
  mark(main, 5);
  elan3_wait_event(event);
  mark(main, 6);
  elan3_break();
  mark(main, 7);
}

/* Writes 8 bytes and adds to a word, both at the far process, and reports the answers. */
static void packets(e3_addr main, uint32_t process, e3_addr there) {
  const uint64_t data = 0x1122334455667788u, addend = 5;
  mark(main, 1);
  elan3_open(process);
  elan3_send_transaction(E3_TR_WRITE_BLOCK, there, &data, sizeof data);
  elan3_send_transaction(E3_TR_ATOMIC_ADD_WORD, there + 8, &addend, sizeof addend);
  uint32_t reply = 0;
  mark(main, 100 + (uint32_t)elan3_close(&reply));
  mark(main, reply);
}

static void misuse(uint32_t how, e3_addr main, e3_addr event) {
  static const char data[64];
  switch (how) {
    case 0:
      elan3_send_transaction(E3_TR_WRITE_BLOCK, main, data, 8);
      break; /* without a packet */
    case 1:
      elan3_close(0);
      break;
    case 2:
      elan3_open(1), elan3_open(1);
      break;
    case 3:
      elan3_open(1), elan3_close(0);
      break; /* empty */
    case 4:
      elan3_open(1), elan3_wait_event(event);
      break;
    case 5:
      elan3_open(1);
      for (int i = 0; i < 6; ++i) elan3_send_transaction(E3_TR_SET_EVENT, 0, 0, 0); /* one too many */
      break;
    default:
      elan3_open(1), elan3_send_transaction(E3_TR_WRITE_WORD, main, data, 12); /* no such size */
  }
  mark(main, 1);
}

/* One transaction of 8 bytes, retried until it is accepted. @return the previous value of the word */
static uint32_t exchange(uint32_t process, uint32_t type, e3_addr address, const void* data) {
  uint32_t reply = 0;
  int acknowledgement;
  do {
    elan3_open(process);
    elan3_send_transaction(type, address, data, 8);
    acknowledgement = elan3_close(&reply);
    elan3_break();
  } while (acknowledgement != E3_ACK_OK);
  return reply;
}

/* Adds 1 to each of two words of the far process, `count` times: by fetch-and-add, and by test-and-write only. */
static void atomics(e3_addr main, uint32_t process, e3_addr words, uint32_t count) {
  uint32_t seen = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t one[2] = {1, 0};
    exchange(process, E3_TR_ATOMIC_ADD_WORD, words, one);
    for (;;) {
      const uint32_t test[2] = {seen, seen + 1};
      const uint32_t before = exchange(process, E3_TR_TEST_AND_WRITE, words + 4, test);
      if (before == seen) break;
      seen = before;
    }
    ++seen;
  }
  mark(main, count);
}

static volatile int zero; /* not known to the compiler */

static __attribute__((noinline)) void wild_store(volatile int* where) { *where = 1; }
static __attribute__((noinline)) int divide_by_zero(void) { return 17 / zero; }
static __attribute__((noinline)) int endless_loop(void) {
  while (!zero) continue;
  return zero;
}
static __attribute__((noinline)) int overrun_stack(int depth) {
  volatile char room[256];
  room[0] = (char)depth;
  return depth == 0 ? 0 : overrun_stack(depth - 1) + room[0];
}

static void crash(uint32_t how, e3_addr main) {
  void* nowhere = (void*)(uintptr_t)(0x1230 + zero);
  uint32_t value = 0;
  switch (how) {
    case POINTER:
      wild_store(nowhere);
      break;
    case DIVISION:
      value = (uint32_t)divide_by_zero();
      break;
    case STACK:
      value = (uint32_t)overrun_stack(1 << 20);
      break;
    case LOOP:
      value = (uint32_t)endless_loop();
      break;
    case BUFFER_IN:
      elan3_load(main, nowhere, 4);
      break;
    case BUFFER_OUT:
      elan3_store(main + 64, nowhere, 4);
      break;
    default:
      while (value == 0) elan3_load(main + 64, &value, sizeof value); /* time passes, but no other thread runs */
  }
  mark(main, value);
}

void elan3_thread_main(const struct e3_thread* thread, e3_addr address) {
  const uint32_t* argument = thread->argument;
  const e3_addr main = argument[1];
  switch (argument[0]) {
    case COSTS:
      costs(main, argument[2], argument[3]);
      break;
    case PACKETS:
      packets(main, argument[2], argument[3]);
      break;
    case BREAKS:
      for (uint32_t i = 0; i < argument[3]; ++i) {
        mark(main, argument[2] + i);
        elan3_break();
      }
      break;
    case SUSPENDS:
      for (uint32_t i = 0; i < argument[2]; ++i) {
        elan3_suspend();
        mark(main, i);
      }
      break;
    case WAITS:
      for (uint32_t i = 0; i < argument[3]; ++i) {
        elan3_wait_event(argument[2]);
        mark(main, i);
      }
      break;
    case RUNAWAY:
      for (uint32_t i = 0; i < argument[2]; ++i) elan3_cycles(1000);
      mark(main, 1);
      break;
    case ACCESS: {
      uint32_t value = 0;
      elan3_load(argument[2], &value, sizeof value);
      mark(main, value);
      break;
    }
    case MISUSE:
      misuse(argument[2], main, argument[3]);
      break;
    case COPY:
      elan3_block_copy(argument[2], argument[3], argument[4]);
      mark(main, 1);
      mark(main, elan3_sdram(argument[5], 64) != 0);
      mark(main, elan3_sdram(argument[5] + E3_PAGE_BYTES - 32, 64) != 0);
      mark(main, elan3_sdram(main, 4) != 0);
      break;
    case CRASH:
      crash(argument[2], main);
      break;
    case ATOMICS:
      atomics(main, argument[2], argument[3], argument[4]);
      break;
    case DMA:
      elan3_put_dma(argument[2]);
      break;
    default:
      mark(main, address);
  }
}
