#include "sw/apps/levels/buffers.h"

#include <stdlib.h>

#include "sw/apps/levels/levels.h"
#include "sw/hal/hal.h"

void buffers_create(struct buffers* buffers, size_t bytes, int elan_memory) {
  buffers->base = elan_baseInit();
  bytes = bytes > 0 ? bytes : 1;
  if (elan_memory) {
    buffers->out_address = elan_gallocElan(buffers->base, bytes);
    buffers->in_address = elan_gallocElan(buffers->base, bytes);
    buffers->out = buffers->in = NULL;
  } else {
    buffers->out = elan_gallocMain(buffers->base, bytes);
    buffers->in = elan_gallocMain(buffers->base, bytes);
    buffers->out_address = buffers->out ? elan_address(buffers->base, buffers->out, bytes) : 0;
    buffers->in_address = buffers->in ? elan_address(buffers->base, buffers->in, bytes) : 0;
  }
  if (buffers->out_address == 0 || buffers->in_address == 0)
    hal_abort("no room for the buffers: choose a smaller --most, or --memory main");
}

void buffers_fill(struct buffers* buffers, size_t bytes, unsigned seed) {
  if (buffers->out) {
    level_fill(buffers->out, bytes, seed);
    return;
  }
  if (bytes == 0) return;
  unsigned char* copy = malloc(bytes);
  level_fill(copy, bytes, seed);
  elan3_copy_to_sdram(elan_ctx(buffers->base), copy, buffers->out_address, bytes);
  free(copy);
}

size_t buffers_wrong(const struct buffers* buffers, size_t bytes, unsigned seed) {
  if (buffers->in) return level_wrong(buffers->in, bytes, seed);
  if (bytes == 0) return 0;
  unsigned char* copy = malloc(bytes);
  elan3_copy_from_sdram(elan_ctx(buffers->base), buffers->in_address, copy, bytes);
  const size_t wrong = level_wrong(copy, bytes, seed);
  free(copy);
  return wrong;
}
