/* A control program of the LANai, the processor of a Myrinet card. It runs in the card's SRAM, drives the four DMA
 * machines and sleeps until one of them, the timer or the host has something for it (FACTS.md 2.5). Native firmware is
 * a shared object whose lanai_main runs as a coroutine; what it computes between these calls is counted. A call that
 * starts or asks for something is an access to a register: one cycle.
 */
#ifndef SANVP_HAL_LANAI_H
#define SANVP_HAL_LANAI_H

#include <stddef.h>
#include <stdint.h>

#include "sw/abi/registers/lanai.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Exported by the program. It must not return. */
void lanai_main(void);

/* Cycles of the processor in addition to those of the counted code: for copies by the C library, which are not counted.
 */
void lanai_cycles(uint32_t cycles);

/* ---- memory ---- */
/* A pointer to SRAM, whose use takes no time, and the SRAM address of such a pointer. */
void* lanai_sram(uint32_t address);
uint32_t lanai_address(const volatile void* pointer);

/* ---- waiting ---- */
/* Sleeps until one of `events` (enum lanai_event) is pending; returns all that are. RECV and IN_TRANSIT are cleared
 * when nothing is left to fetch, the others by lanai_clear. */
uint32_t lanai_wait(uint32_t events);
void lanai_clear(uint32_t events);
/* The real-time clock, LANAI_TICK_NS each. */
uint32_t lanai_clock(void);
/* LANAI_EVENT_TIMER after `ticks`; 0: never. */
void lanai_timer(uint32_t ticks);

/* ---- the DMA machines; each does one thing at a time ---- */
void lanai_sdma(uint64_t host, uint32_t sram, uint32_t bytes); /* host -> SRAM; then EVENT_SDMA */
void lanai_rdma(uint32_t sram, uint64_t host, uint32_t bytes); /* SRAM -> host; then EVENT_RDMA */
/* Sends a packet by the route at SRAM address `route` (a struct lanai_route); then EVENT_SEND. */
void lanai_send(uint32_t route, uint32_t packet, uint32_t bytes);
/* A buffer for RECV, after those given before. */
void lanai_receive(uint32_t buffer, uint32_t bytes);
/* The packet that RECV has put into the first of them. Returns its address; 0 if none has arrived. */
uint32_t lanai_received(uint32_t* bytes, int* intact);

/* ---- in-transit packets ---- */
/* Sets up the send DMA for the in-transit packet that came first, which takes nic.reprogram: from then on it leaves as
 * it arrives. */
void lanai_send_on(void);

/* ---- routes and the host ---- */
/* SRAM address of the route to a node that the machine's route selection (nic.routing) chooses for a packet of `bytes`;
 * 0 if the table has none. */
uint32_t lanai_select_route(uint32_t node, uint32_t bytes);
/* Raises the host's interrupt line for `causes` among LANAI_INT_PROGRAM. */
void lanai_interrupt_host(uint32_t causes);

#ifdef __cplusplus
}
#endif
#endif
