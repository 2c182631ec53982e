/* Examines a host from within: argv[1] selects the check. Devices are those of tests/models/host.cpp. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"

static _Alignas(64) volatile uint32_t words[16]; /* a cache line */

static void mark(const char* name) { hal_metric(name, (double)hal_time_ps(), "ps"); }

static uint64_t reg(unsigned number) { return hal_device(0) + 8u * number; }

/* Register 0: the card writes 64 bytes of 1 to that address. */
static void order_dma(void) { hal_write64(reg(0), hal_bus_address(words)); }

static void store(int count) {
  for (int i = 0; i < count; ++i) hal_write32(reg(1), (uint32_t)i);
  mark("stored");
}

static void load(void) {
  hal_metric("value", hal_read32(reg(1)), "");
  mark("loaded");
}

static void wait_for_card(uint64_t before_ps) {
  order_dma();
  hal_sleep_ps(before_ps);
  hal_metric("differs", hal_wait_word(&words[3], 0, UINT64_MAX), "");
  mark("woken");
  hal_metric("word", words[3], "");
}

static void wait_for_ever(void) {
  hal_metric("differs", hal_wait_word(&words[3], 0, 700000), "");
  mark("woken");
}

static void memory(void) {
  static int global;
  int local;
  char* heap = malloc(100);
  int outside = hal_is_own(heap, 100) && hal_is_own(&global, sizeof global) && hal_is_own(&local, sizeof local) &&
                hal_is_own("a constant", 1) == 0 && hal_is_own(stdout, 1) == 0;
  hal_metric("right", outside, "");
  void *heap_begin, *globals_begin, *none = &local;
  const size_t heap_bytes = hal_region(heap, &heap_begin), globals_bytes = hal_region(&global, &globals_begin);
  hal_metric("regions",
             hal_is_own(heap_begin, heap_bytes) && !hal_is_own(heap_begin, heap_bytes + 1) &&
                 heap_bytes > (size_t)(heap - (char*)heap_begin) && hal_is_own(globals_begin, globals_bytes) &&
                 globals_bytes > (size_t)((char*)&global - (char*)globals_begin) &&
                 hal_region("a constant", &none) == 0 && none == &local,
             "");
  char* aligned = aligned_alloc(4096, 5000);
  char* zeros = calloc(10, 10);
  char* copy = realloc(strdup("text"), 4000);
  char *line = NULL, *stored = NULL;
  size_t bytes = 0;
  fclose(open_memstream(&stored, &bytes)); /* in the heap of the C library itself */
  hal_metric("heap",
             (uintptr_t)aligned % 4096 == 0 && zeros[99] == 0 && strcmp(copy, "text") == 0 &&
                 asprintf(&line, "%d", 17) == 2 && hal_is_own(line, 3) && hal_is_own(stored, 1) == 0,
             "");
  free(stored);
  free(line);
  free(copy);
  free(zeros);
  free(aligned);
  free(heap);
  hal_metric("again", malloc(100) == heap, "");
  hal_metric("too_much", malloc((size_t)1 << 45) == NULL, "");
}

static void shared(void) {
  volatile uint32_t* piece = hal_shared("piece", 64);
  if (hal_rank() == 0) {
    hal_compute_ps(300000);
    mark("stored");
    piece[0] = 5;
    hal_stored(piece, 4);
  } else {
    hal_wait_word(piece, 0, UINT64_MAX);
    mark("woken");
    hal_metric("value", piece[0], "");
    hal_metric("refused", hal_shared("piece", 65) == NULL, "");
  }
}

/* Register 2 raises the card's interrupt; the driver's handler takes 3 us and lowers it. */
static void interrupt(void) {
  hal_write32(reg(2), 1);
  hal_compute_ps(20000000);
  mark("computed");
  hal_metric("interrupts", (double)hal_ioctl(7, NULL), "");
  mark("called");
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "store") == 0) store(1);
  if (strcmp(what, "stores") == 0) store(3);
  if (strcmp(what, "load") == 0) load();
  if (strcmp(what, "wait") == 0) wait_for_card(0);
  if (strcmp(what, "look early") == 0) wait_for_card(500000);
  if (strcmp(what, "wait for ever") == 0) wait_for_ever();
  if (strcmp(what, "memory") == 0) memory();
  if (strcmp(what, "shared") == 0) shared();
  if (strcmp(what, "interrupt") == 0) interrupt();
  if (strcmp(what, "not granted") == 0) {
    hal_write32(reg(1), 1);
    hal_write32(reg(8) - 2, 1);
  }
  if (strcmp(what, "card") == 0) hal_require_card("probe_init", "another");
  if (strcmp(what, "nowhere") == 0) hal_read32((uint64_t)5 << 48);
  return 0;
}
