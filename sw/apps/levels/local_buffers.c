#include "sw/apps/levels/local_buffers.h"

#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/hal.h"

#define ALIGN 64u

struct local_buffers local_buffers_create(const char* level, size_t bytes, int elan_memory) {
  if (elan_memory) {
    char text[128];
    snprintf(text, sizeof text, "level %s has its buffers in main memory: give --memory main", level);
    hal_abort(text);
  }
  const size_t room = (bytes + ALIGN) / ALIGN * ALIGN;
  struct local_buffers buffers = {.out = aligned_alloc(ALIGN, room), .in = aligned_alloc(ALIGN, room)};
  if (!buffers.out || !buffers.in) hal_abort("no room for the buffers: choose a smaller --most");
  return buffers;
}
