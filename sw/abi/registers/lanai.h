/* The software interface of a LANai card: windows, registers, the bits that wake its processor, and routes. Read by
 * drivers, libraries, the control program and the model. The layout of SRAM is the control program's:
 * sw/gm/lcp.h.
 */
/* NOLINTBEGIN(modernize-*): C */
#ifndef SANVP_LANAI_REGISTERS_H
#define SANVP_LANAI_REGISTERS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- windows (base address registers) ---- */
enum lanai_bar { LANAI_BAR_SRAM, LANAI_BAR_REGISTERS, LANAI_BAR_EEPROM };

#define LANAI_SRAM_BYTES (2u << 20) /* M2L-PCI64A-2 (A: FACTS 2.1 gives the card, not its memory) */
#define LANAI_REGISTER_BYTES 4096u
#define LANAI_EEPROM_BYTES (1u << 20)

/* ---- registers, 32 bits each ---- */
enum lanai_register {
  LANAI_REG_START = 0x00,          /* store: number of a loaded program, which the processor then starts */
  LANAI_REG_INTERRUPT = 0x04,      /* pending causes of the host's interrupt; a store clears the bits written */
  LANAI_REG_INTERRUPT_MASK = 0x08, /* which of them raise the line */
  LANAI_REG_ROUTES = 0x0c,         /* SRAM address of the route table */
  LANAI_REG_ROUTE_NODES = 0x10,    /* its number of nodes */
  LANAI_REG_CLOCK = 0x14           /* the real-time clock, in ticks */
};

#define LANAI_TICK_NS 500u /* FACTS 2.1: 0.5 us */

/* Interrupts of the host. The upper half is the control program's. */
#define LANAI_INT_CRASH 0x1u /* the processor has stopped: its program did something illegal */
#define LANAI_INT_PROGRAM 0xffff0000u

/* ---- what wakes the processor (ISR), in the order in which control programs look (FACTS 2.5) ---- */
enum lanai_event {
  LANAI_EVENT_IN_TRANSIT = 0x01, /* a packet has arrived that must be forwarded */
  LANAI_EVENT_TIMER = 0x02,
  LANAI_EVENT_RDMA = 0x04, /* SRAM -> host is done */
  LANAI_EVENT_RECV = 0x08, /* a packet has arrived; stays set until all are fetched */
  LANAI_EVENT_SDMA = 0x10, /* host -> SRAM is done */
  LANAI_EVENT_SEND = 0x20, /* SRAM -> wire is done */
  LANAI_EVENT_HOST = 0x40  /* the host has stored to SRAM */
};

/* ---- routes ----
 * A byte for each switch: 0x80 | output port. If the port leads to an in-transit host, the next byte is
 * LANAI_ROUTE_IN_TRANSIT, and the one after it is for the same switch again. */
#define LANAI_ROUTE_PORT 0x80u
#define LANAI_ROUTE_IN_TRANSIT 0x00u
#define LANAI_ROUTE_BYTES 30u /* FACTS 2.1: 24 switches; the rest for in-transit marks */
struct lanai_route {
  uint8_t id;     /* its number for route selections: 0 UD, 1 UD_MITB, 2 UD_ITB */
  uint8_t length; /* bytes; 0: no route */
  uint8_t bytes[LANAI_ROUTE_BYTES];
};
/* The route table: LANAI_ROUTES routes for each node, in the order of nodes. */
#define LANAI_ROUTES 4u

/* On the wire a packet is its route, bytes of the program (type first), and a CRC-8. At an in-transit host,
 * an additional header precedes the rest of the route: type, and the number of route bytes left. */
#define LANAI_CRC_BYTES 1u
#define LANAI_IN_TRANSIT_HEADER 5u /* FACTS 2.2: 4 + 1 */

/* ---- EEPROM ----
 * The card's identity, and the mapper's map file: a route table from LANAI_EEPROM_MAP on.
 */
#define LANAI_EEPROM_MAGIC 0x494e414cu
#define LANAI_EEPROM_MAP 4096u
struct lanai_eeprom {
  uint32_t magic;
  uint32_t node;  /* this card's */
  uint32_t nodes; /* in the map file */
};

#ifdef __cplusplus
}
#endif
#endif
/* NOLINTEND(modernize-*) */
