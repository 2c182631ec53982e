/* The interface between the library, the driver and the LANai's control program: the control program's memory as the
 * host sees it (FACTS.md 2.5), the events that it leaves in the host's memory, and statuses.
 *
 * A port has send slots and receive slots in SRAM, which its process stores to in the order of slots, and a queue of
 * events in the process's memory, which the control program writes in the order of slots. The last word of each
 * marks it complete.
 */
#ifndef SANVP_GM_LCP_H
#define SANVP_GM_LCP_H

#include <stdint.h>

#include "sw/abi/registers/lanai.h"

/* FACTS.md 2.1 */
#define LCP_PORTS 16u
#define LCP_SEND_SLOTS 64u
#define LCP_SEND_TOKENS 61u
#define LCP_RECEIVE_TOKENS 254u
#define LCP_FAST_BYTES 128u /* a message of at most so many bytes comes in its event */
#define LCP_MTU 4096u       /* most bytes of a message in a packet */
/* (A) */
#define LCP_RECEIVE_SLOTS 256u
#define LCP_EVENT_SLOTS 512u /* more than all tokens together, so that it never overflows */
#define LCP_REGIONS 64u      /* pieces of registered memory of a port */
#define LCP_MOST_NODES 1024u
#define LCP_PRIORITIES 2u
#define LCP_SIZES 32u

/* The request of a send slot. */
enum lcp_send_type {
  LCP_SEND_NONE,
  LCP_SEND_MESSAGE,
  LCP_SEND_PUT,     /* directed: into registered memory there, without an event */
  LCP_SEND_GET,     /* from registered memory there to `address` */
  LCP_SEND_RESUME,  /* a destination that was stopped by an error: resume what is queued */
  LCP_SEND_DROP,    /* ... and drop that */
  LCP_SEND_ALARM,   /* an event in `length` ticks; the last one counts; 0: none */
  LCP_SEND_RAW,     /* a mapping packet: `length` bytes at `address`, a struct lanai_route first */
  LCP_SEND_DATAGRAM /* a message of one packet, sent once */
};
struct lcp_send_slot {
  uint64_t address; /* bus address here */
  uint64_t remote;  /* PUT, GET: bus address there */
  uint32_t length;
  uint16_t node;
  uint8_t port;
  uint8_t size; /* class: the buffer there holds 2^size bytes */
  uint8_t priority;
  uint8_t handle; /* comes back when it is done */
  uint16_t unused;
  uint32_t type; /* stored last; 0 again when the slot is free */
};

struct lcp_receive_slot {
  uint64_t address;
  uint32_t tag;
  uint8_t size, priority;
  uint16_t unused[3];
  uint32_t unused_too[2];
  uint32_t ready; /* stored last; 0 again when the slot is free */
};

/* Registered memory: the memory that the card may access for a port. */
struct lcp_region {
  uint64_t first;
  uint64_t bytes; /* 0: none */
};

struct lcp_port {
  struct lcp_send_slot send[LCP_SEND_SLOTS];
  struct lcp_receive_slot receive[LCP_RECEIVE_SLOTS];
  struct lcp_region regions[LCP_REGIONS];
  uint64_t events; /* bus address of its queue of LCP_EVENT_SLOTS struct lcp_event */
  uint32_t opened; /* counts the times; even: closed */
  uint32_t unused;
};

/* Parameters that the driver sets before it starts the program. */
struct lcp_globals {
  uint32_t node, nodes;
  uint32_t resend_ticks;      /* without an acknowledgement, after which packets are sent again */
  uint32_t unreachable_ticks; /* ... after which a node counts as unreachable */
  uint32_t no_buffer_ticks;   /* how long a message is refused for want of a buffer before it fails */
  uint32_t window;            /* packets of a connection that may be without acknowledgement */
};

/* Errors that the control program reports; the driver is interrupted with LCP_INT_COMPLAINT. */
#define LCP_INT_COMPLAINT 0x10000u
enum lcp_complaint_kind { LCP_COMPLAINT_MEMORY = 1, LCP_COMPLAINT_NODE };
struct lcp_complaint {
  uint32_t kind, port;
  uint64_t address, bytes;
};

/* Event counters (sw/gmdrv reads them). */
struct lcp_statistics {
  uint32_t sent, received, acks, nacks, resent, duplicates, out_of_order, no_buffer, crc_errors, in_transit, unknown,
      datagrams_lost;
};

/* At SRAM address 0; what comes after it is the program's own. */
struct lcp_interface {
  struct lcp_globals globals;
  struct lcp_complaint complaint;
  struct lcp_statistics statistics;
  uint32_t openings; /* counts when ports are opened or closed; stored after their own counts */
  struct lanai_route routes[LCP_MOST_NODES * LANAI_ROUTES];
  struct lcp_port ports[LCP_PORTS];
};

/* ---- events, in the host's memory ---- */
enum lcp_event_type {
  LCP_EVENT_NONE,
  LCP_EVENT_RECEIVED,      /* into the buffer */
  LCP_EVENT_FAST_RECEIVED, /* ... but the bytes stand here, before the fields */
  LCP_EVENT_SENT,          /* `count` pairs {handle, status} stand before the fields */
  LCP_EVENT_ALARM,
  LCP_EVENT_RAW_RECEIVED /* a mapping packet, into the buffer */
};
#define LCP_EVENT_DATA 224u
struct lcp_event_fields {
  uint64_t buffer;
  uint32_t length, tag;
  uint16_t node;
  uint16_t port; /* the high byte is the library's */
  uint8_t size, priority, count, unused;
  uint32_t unused_too;
  uint32_t type; /* written last */
};
struct lcp_event {
  uint8_t data[LCP_EVENT_DATA]; /* what there is of it ends at the end; only that is written */
  struct lcp_event_fields fields;
};

/* ---- statuses, with GM's numbers (FACTS.md 2.5) ---- */
enum lcp_status {
  LCP_OK = 0,
  LCP_TIMED_OUT = 15,
  LCP_REJECTED = 16,
  LCP_PORT_CLOSED = 17,
  LCP_UNREACHABLE = 18,
  LCP_DROPPED = 19
};

#endif
