/* The driver's own view of its card and of the processes that use it. */
#ifndef SANVP_ELAN3DRV_CARD_H
#define SANVP_ELAN3DRV_CARD_H

#include <stddef.h>
#include <stdint.h>

#include "sw/abi/registers/elan3.h"
#include "sw/elan3drv/elan3drv.h"
#include "sw/support/extents.h"

/* ---- page tables in SDRAM, and the driver's shadow of them ---- */
struct level3 {
  uint32_t table;                  /* SDRAM address of uint64_t[E3_L3_ENTRIES] */
  uint64_t valid;                  /* one bit an entry */
  uint64_t entries[E3_L3_ENTRIES]; /*  as written */
};
struct level2 {
  uint32_t table;
  struct level3* next[E3_L2_ENTRIES];
};
struct page_tables {
  uint32_t root;
  struct level2* next[E3_L1_ENTRIES];
};

/* A piece of a process's address space. */
struct range {
  e3_addr address;
  uint64_t bytes;
  uint64_t pointer;  /* main memory: address of the process; 0 for SDRAM */
  uint32_t physical; /* SDRAM address */
  uint32_t permission;
};

struct process {
  uint32_t context; /* 0: not attached */
  int number;       /* hal_process() */
  int killed;
  uint32_t my_process, processes;
  int32_t* nodes; /* of the job's processes */
  uint32_t job;
  uint32_t index; /* among the job's processes on this node */
  struct page_tables tables;
  struct range* ranges;
  size_t range_count, range_room;
  uint32_t vp_table;
  e3_addr next_fault;   /* where a sequential access faults next */
  uint32_t fault_pages; /* mapped at the last fault */
};

struct card {
  uint64_t sdram_window, registers;
  struct e3_position position;
  struct extents sdram;     /* what is free of it */
  uint32_t traps, contexts; /* SDRAM addresses */
  struct process* processes;
  size_t process_count;
};

/* The card of this node. An image is loaded once per node, so this is not shared. */
struct card* the_card(void);

uint32_t card_read(const struct card* card, uint32_t reg);
void card_write(const struct card* card, uint32_t reg, uint32_t value);
void card_to_sdram(const struct card* card, uint32_t address, const void* from, size_t bytes);
/* The process that owns a context; null if none does. */
struct process* card_process(struct card* card, uint32_t context);
/* Writes its context record. `filter` is of E3_FILTER_. */
void card_write_context(const struct card* card, const struct process* process, uint32_t filter);

/* Page tables of one process. These return null, or the error. */
const char* mapping_create(struct card* card, struct process* process);
const char* mapping_add_range(struct process* process, struct range range);
/* The range that holds an address; null if nothing may be mapped. */
const struct range* mapping_find(const struct process* process, e3_addr address);
/* Enters all pages of [address, address + bytes) that are in ranges. */
const char* mapping_populate(struct card* card, struct process* process, e3_addr address, uint64_t bytes);
/* Unmaps a range. */
void mapping_remove(struct card* card, struct process* process, e3_addr address);

/* Removes the pages of main memory at these bus addresses from the page tables. They come back with the next access if
 * they are the process's again then. */
void mapping_revoke(struct card* card, struct process* process, uint64_t bus_address, uint64_t bytes);

/* Virtual-process table. These return null, or the error. */
const char* routes_create(struct card* card, struct process* process);
const char* routes_add(struct card* card, struct process* process, uint32_t first, uint32_t count);
const char* routes_set_broadcast(struct card* card, const struct process* process,
                                 struct elan3_broadcast_request* args);
uint32_t context_of(uint32_t job, uint32_t index);

/* Handles one interrupt bit: reads the trap record, resolves the trap or kills the process, resumes the unit. */
void trap_handle(struct card* card, enum e3_trap_unit unit);

#endif
