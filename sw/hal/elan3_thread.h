/* A program on the Elan3's thread processor: a 32-bit RISC with its own clock, with extra instructions that build
 * packets, wait for events and yield (QsNET paper 2.1, FACTS.md 1.5). Native firmware is a shared object whose
 * elan3_thread_main runs as a coroutine; what it computes between these calls is counted.
 *
 * Memory is reached by Elan virtual address, with the rights of the thread's own context.
 */
#ifndef SANVP_HAL_ELAN3_THREAD_H
#define SANVP_HAL_ELAN3_THREAD_H

#include <stddef.h>

#include "sw/abi/registers/elan3.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Exported by firmware. Returning ends the thread. */
void elan3_thread_main(const struct e3_thread* thread, e3_addr address);

/* Cycles of the thread processor in addition to those of the counted code: a deliberate delay. */
void elan3_cycles(uint32_t cycles);

/* Loads and stores. Cached SDRAM words cost cycles; main memory goes over the PCI bus. */
void elan3_load(e3_addr address, void* to, size_t bytes);
void elan3_store(e3_addr address, const void* from, size_t bytes);
/* Only SDRAM: a pointer for reading and writing in place, which takes no time. Null if the range is not mapped to
 * SDRAM, or crosses a page boundary. */
void* elan3_sdram(e3_addr address, size_t bytes);
/* A copy by block loads and stores of 64 bytes, between any two memories. */
void elan3_block_copy(e3_addr to, e3_addr from, size_t bytes);

/* A packet: open, one to five transactions, close. */
void elan3_open(uint32_t process);
/* `data` is `bytes` long: 0, 8, 16, 32 or 64; with E3_TR_WRITE_BLOCK any number up to 64. */
void elan3_send_transaction(uint32_t type, e3_addr address, const void* data, size_t bytes);
/* Sends it and waits for its acknowledgement. @return enum e3_ack; `reply` may be null */
int elan3_close(uint32_t* reply);

/* Consumes one count of an event that is set, or waits until it is: the event's action is then to wake this thread. */
void elan3_wait_event(e3_addr event);
void elan3_set_event(e3_addr event);
/* Yields the processor to the next thread that can run; returns after it. */
void elan3_break(void);
/* Sleeps until RunThread or an event names this thread again. */
void elan3_suspend(void);
/* Hands a DMA descriptor (e3_addr of a struct e3_dma) to the DMA engine, as the command port does. */
void elan3_put_dma(e3_addr dma);

#ifdef __cplusplus
}
#endif
#endif
