/* Memory that the card does not reach here. A real card reaches all memory of its process. Here constants, thread-local
 * data, arguments, and what the program has mapped or the C library allocates for itself are not in the node's memory:
 * a copy in the heap represents them, without simulated time. */
#ifndef SANVP_TRANSPORT_ELAN_COPIES_H
#define SANVP_TRANSPORT_ELAN_COPIES_H

#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"

struct elan_copy {
  void* original;
  size_t bytes;
  char data[];
};

static inline struct elan_copy* elan_copy_of(const void* original, size_t bytes) {
  struct elan_copy* copy = malloc(sizeof *copy + bytes);
  if (!copy) hal_abort("no memory for a copy of constants, or of memory from elsewhere; raise -s host.memory");
  *copy = (struct elan_copy){.original = (void*)original, .bytes = bytes};
  memcpy(copy->data, original, bytes);
  return copy;
}

/* Copies the received data back; after a shorter message, the rest is what was there before. For the root of a
 * broadcast, these are its own data, perhaps constants. */
static inline void elan_copy_bring_back(const struct elan_copy* copy) {
  if (memcmp(copy->original, copy->data, copy->bytes) != 0) memcpy(copy->original, copy->data, copy->bytes);
}

/* Null for nearly all memory. */
static inline struct elan_copy* elan_copy_unless_reached(const void* original, size_t bytes) {
  return bytes == 0 || hal_is_own(original, bytes) ? NULL : elan_copy_of(original, bytes);
}

#endif
