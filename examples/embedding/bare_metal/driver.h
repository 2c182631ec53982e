/* A driver of an Elan3 card in freestanding C, for any CPU that has the card's windows in its addresses. */
#ifndef DRIVER_H
#define DRIVER_H

#include <stdint.h>

#include "sw/abi/registers/elan3.h"

/* Elan addresses of the one context: 256 KiB of the card's SDRAM, and of main memory from address 0 on. */
#define ELAN_SDRAM 0x10000000u
#define ELAN_MAIN 0x20000000u
#define ELAN_PAGES 64u

struct card {
  uintptr_t sdram, commands, registers; /* where its windows are */
  uint32_t next_table;
  volatile uint32_t cookie; /* of the last event that the interrupt routine has taken */
  volatile uint32_t events; /* that it has taken so far */
};

/* Sets up a context whose virtual process n is that of node n, on a network of one Elite. */
void card_boot(struct card* card, uint32_t node, uint32_t nodes);
/* Stores words at an Elan address of the card's memory. `bytes` is a multiple of 4. */
void card_store(struct card* card, e3_addr to, const void* from, uint32_t bytes);
/* Rings the doorbell for a DMA whose descriptor is at an Elan address of the card's memory. */
void card_start_dma(struct card* card, e3_addr descriptor);
/* The interrupt routine. */
void card_interrupt(struct card* card);

#endif
