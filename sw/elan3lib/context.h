/* The state of elan3lib in a process. */
#ifndef SANVP_ELAN3LIB_CONTEXT_H
#define SANVP_ELAN3LIB_CONTEXT_H

#include "sw/elan3lib/elan3lib.h"
#include "sw/support/extents.h"

/* Elan addresses (A): page 0 stays free, so that 0 is no address. */
#define ELAN_MEMORY_BASE 0x01000000u
#define ELAN_MEMORY_BYTES 0x04000000u /* of each half */
#define ELAN_CHUNK_BYTES 0x00010000u  /* asked of the driver at once */
#define ELAN_HALVES 2u                /* own pieces; and those that all processes allot in the same order */
#define ELAN_CHUNKS (ELAN_HALVES * ELAN_MEMORY_BYTES / ELAN_CHUNK_BYTES)
#define ELAN_MAIN_BASE 0x60000000u
#define ELAN_MAIN_BYTES 0x9ffff000u

/* Main memory that has an Elan address. */
struct region {
  char* start;
  size_t bytes;
  E3_Addr address;
  uint64_t* populated; /* a bit a page */
};

struct elan3_ctx {
  unsigned process, processes;
  uint64_t command_port, sdram;
  int has_broadcast;
  struct extents elan_memory[ELAN_HALVES]; /* free Elan addresses of Elan memory */
  struct extents main_addresses;           /* free Elan addresses of main memory */
  uint32_t physical[ELAN_CHUNKS];          /* SDRAM address of each chunk; 0: not asked for yet */
  struct region* regions;
  size_t region_count, region_room;
  uint32_t cookie;
  int attached, blocked;
};

/* A request to the driver that must succeed. `argument` is one of elan3drv.h. */
void elan3_request(unsigned request, void* argument, const char* what);

#endif
