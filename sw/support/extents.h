/* The free pieces of a 32-bit address range: first fit, in the order of addresses, so that the same calls give the same
 * addresses everywhere. The driver allots SDRAM with it, elan3lib Elan addresses, shmem its symmetric heap.
 */
#ifndef SANVP_SW_EXTENTS_H
#define SANVP_SW_EXTENTS_H

#include <stddef.h>
#include <stdint.h>

struct extent {
  uint32_t start, bytes;
};
struct extents {
  struct extent* pieces; /* free ones, by address */
  size_t count, room;
};

void extents_init(struct extents* extents, uint32_t start, uint32_t bytes);
/* @param align a power of two. @return the first address, 0 if there is no room. */
uint32_t extents_allocate(struct extents* extents, uint32_t bytes, uint32_t align);
void extents_free(struct extents* extents, uint32_t start, uint32_t bytes);

#endif
