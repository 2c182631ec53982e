/* Elan3lib: the lowest level that a process can program the Elan3 at (QsNET paper 3.1, FACTS.md 1.6). Contexts, memory
 * that the card can reach, events, remote DMA. Names and meaning are the historic ones; differences are stated.
 *
 * An Elan address (E3_Addr) is 32 bits wide and means the same to the card, to its thread processor, and to processes
 * elsewhere. Main memory also has an ordinary pointer. The host reaches Elan memory only through elan3_sdram_*(), since
 * it is the far side of an I/O bus.
 *
 * A call that fails ends the job with a message of one line, unless stated otherwise.
 */
#ifndef SANVP_ELAN3LIB_H
#define SANVP_ELAN3LIB_H

#include <stddef.h>
#include <stdint.h>

#include "sw/abi/registers/elan3.h"
#include "sw/elan3drv/elan3drv.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct elan3_ctx ELAN3_CTX;
typedef e3_addr E3_Addr;
typedef struct e3_dma E3_DMA;
typedef struct e3_event E3_Event;
typedef struct e3_block_event E3_BlockCopyEvent;

/* ---- contexts and processes ---- */
typedef struct {
  uint32_t job;
  uint32_t my_process; /* virtual process number of the holder */
  uint32_t processes;
  const int* nodes; /* [processes] */
} ELAN_CAPABILITY;

/* The right to talk to all processes of the same job. Its table of nodes lives as long as the process. */
void elan_getenvCap(ELAN_CAPABILITY* capability);
ELAN3_CTX* elan3_init(void);
/* Binds a capability to a context of the card. Once per process. */
void elan3_attach(ELAN3_CTX* ctx, const ELAN_CAPABILITY* capability);
/* While an inputter is blocked, senders to this process must retry: for a process that is attached and has not mapped
 * their destination yet. May be called before elan3_attach. */
void elan3_block_inputter(ELAN3_CTX* ctx, int blocked);
/* Loads routes to virtual processes first .. first + count - 1. */
void elan3_addvp(ELAN3_CTX* ctx, unsigned first, unsigned count);
/* A virtual process that is a process of this job on each of nodes low .. high: the one with this place among the job's
 * on its node. There are ELAN3_BROADCASTS of them; setting one again replaces its range. */
unsigned elan3_setbcastvp(ELAN3_CTX* ctx, unsigned number, unsigned low, unsigned high, unsigned place);
/* Whether the network can broadcast: not if failed parts leave no switch that leads down to all nodes. */
int elan3_hasbcast(const ELAN3_CTX* ctx);
/* This process's virtual process number: its rank in the job. */
unsigned elan3_process(const ELAN3_CTX* ctx);
unsigned elan3_nprocs(const ELAN3_CTX* ctx);

/* ---- memory (paper 3.1.2) ---- */
/* Main memory that the card can reach. `align` is a power of two. Null if there is no room. */
void* elan3_allocMain(ELAN3_CTX* ctx, size_t align, size_t size);
/* Elan memory. 0 if there is no room. */
E3_Addr elan3_allocElan(ELAN3_CTX* ctx, size_t align, size_t size);
/* The same from a region in which all processes that allocate in the same order get the same addresses. */
E3_Addr elan3_gallocElan(ELAN3_CTX* ctx, size_t align, size_t size);
void elan3_free(ELAN3_CTX* ctx, void* main);
/* `size` as it was requested; for alignments of at most 8, or of at most the size. */
void elan3_freeElan(ELAN3_CTX* ctx, E3_Addr address, size_t size);
/* Elan address of main memory of this process: heap, globals, stack. */
E3_Addr elan3_main2elan(ELAN3_CTX* ctx, const volatile void* pointer);
/* The same of all of [pointer, pointer + size): parts of large memory may have more than one address. */
E3_Addr elan3_main2elan_all(ELAN3_CTX* ctx, const volatile void* pointer, size_t size);
/* Lets the card reach [pointer, pointer + size) without a trap at the first touch. Returns 0 if that is not this
 * process's memory. */
int elan3_addressable(ELAN3_CTX* ctx, const volatile void* pointer, size_t size);
/* Gives main memory of this process, whole pages, an Elan address of the caller's choice between
 * ELAN3_SYMMETRIC_BASE and + ELAN3_SYMMETRIC_BYTES: its one address from then on. */
void elan3_mapSymmetric(ELAN3_CTX* ctx, void* pointer, E3_Addr address, size_t size);
/* Bus address of Elan memory. */
uint64_t elan3_elan2sdram(const ELAN3_CTX* ctx, E3_Addr address);

#define ELAN3_SYMMETRIC_BASE 0x20000000u
#define ELAN3_SYMMETRIC_BYTES 0x40000000u

/* Elan memory from the host: each is uncached accesses over the I/O bus. */
void elan3_write32_to_sdram(ELAN3_CTX* ctx, E3_Addr to, uint32_t value);
void elan3_write64_to_sdram(ELAN3_CTX* ctx, E3_Addr to, uint64_t value);
uint32_t elan3_read32_from_sdram(ELAN3_CTX* ctx, E3_Addr from);
void elan3_copy32_to_sdram(ELAN3_CTX* ctx, const void* from, E3_Addr to); /* 32 bytes: a DMA descriptor */
void elan3_copy_to_sdram(ELAN3_CTX* ctx, const void* from, E3_Addr to, size_t bytes);
void elan3_copy_from_sdram(ELAN3_CTX* ctx, E3_Addr from, void* to, size_t bytes);

/* ---- events (paper 3.1.1): in Elan memory ---- */
/* An event without notification; its first set-event fires it. */
void elan3_initevent(ELAN3_CTX* ctx, E3_Addr event);
/* One that writes `value` to *main when it fires. `source` is a word of Elan memory that holds the value. */
void elan3_initevent_word(ELAN3_CTX* ctx, E3_Addr event, E3_Addr source, uint32_t value, volatile uint32_t* main);
/* One that copies 64 bytes of Elan memory to *main. */
void elan3_initevent_main(ELAN3_CTX* ctx, E3_Addr event, E3_Addr source, volatile void* main);
/* It fires after `count` set-events. */
void elan3_primeevent(ELAN3_CTX* ctx, E3_Addr event, int count);
void elan3_setevent(ELAN3_CTX* ctx, E3_Addr event);
/* The DMA is issued when the event fires, after `count` set-events. */
void elan3_waitdmaevent0(ELAN3_CTX* ctx, E3_Addr dma, E3_Addr event, int count);
/* Waits until *main is `value`, as an event of elan3_initevent_word makes it. */
void elan3_waitevent_word(ELAN3_CTX* ctx, const volatile uint32_t* main, uint32_t value);

/* ---- remote DMA (paper 3.1.3), threads ---- */
/* A cookie of this process's own for a DMA to or from `process`. */
uint32_t elan3_local_cookie(ELAN3_CTX* ctx, unsigned process);
/* Hands a descriptor in Elan or main memory to the card. It must stay until the DMA is done. */
void elan3_putdma(ELAN3_CTX* ctx, E3_Addr dma);
/* Loads a firmware image for the thread processor: its number. */
uint32_t elan3_loadprogram(ELAN3_CTX* ctx, const char* name);
/* Starts a thread, or wakes one that sleeps. */
void elan3_runthread(ELAN3_CTX* ctx, E3_Addr thread);

#ifdef __cplusplus
}
#endif
#endif
