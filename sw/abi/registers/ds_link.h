/* The software interface of a host's DS link and virtual channel processor (FACTS.md 3.2, 3.3): windows, registers,
 * control blocks. Plain C, for the driver, the library and the model alike. Layouts are ours (A): a T9000 has
 * instructions instead of channel ports.
 */
#ifndef SANVP_DS_LINK_REGISTERS_H
#define SANVP_DS_LINK_REGISTERS_H

/* NOLINTBEGIN(modernize-*): C */
#include <stdint.h>

/* ---- windows ---- */
enum ds_bar { DS_BAR_CHANNELS, DS_BAR_REGISTERS, DS_BAR_ROM, DS_BAR_CONTROL };

/* A virtual link's port: one burst to one of these offsets is a command. Link n's port is at n * DS_PORT_BYTES. */
#define DS_PORT_BYTES 64u
#define DS_PORT_OUTPUT 0x00u  /* struct ds_transfer: the bytes to send as one message */
#define DS_PORT_INPUT 0x10u   /* struct ds_transfer: where the next message goes, and how long it may be */
#define DS_PORT_CONNECT 0x20u /* struct ds_connection; the driver's */

struct ds_transfer {
  uint64_t address; /* of main memory, on the bus */
  uint32_t bytes;
  uint32_t take_back; /* of an input, 1: withdraw it, unless a byte of a message has arrived in it */
};
struct ds_connection {
  uint64_t block;         /* bus address of a struct ds_control_block; 0: disconnects the link, to write nothing more */
  uint64_t queue;         /* bus address of the owner's struct ds_run_queue */
  uint32_t queue_entries; /* a power of two */
  uint32_t node;          /* at the other end, */
  uint32_t link;          /* and its number there */
  uint32_t spare;
};

/* A virtual link's control block in main memory (T9000: VLCB), aligned to 64. The card writes, the owner reads. */
struct ds_control_block {
  uint32_t outputs;    /* messages sent: the far end has begun to consume their last packets */
  uint32_t inputs;     /* messages received, and inputs withdrawn */
  uint32_t bytes;      /* of the last message received; if more than its buffer has, the rest was dropped */
  uint32_t taken_back; /* inputs withdrawn */
  uint32_t waiting;    /* 1: a message's first packet is here without an input for it; alternation tests this */
  uint32_t spare[11];
};

/* Processes to run (T9000: the scheduler's list): the card appends the number of a virtual link whose control
 * block it has written, then counts. One queue for all links of an owner; aligned to 64. */
struct ds_run_queue {
  uint32_t count;     /* appended since the beginning: entry n is at n modulo queue_entries */
  uint32_t entries[]; /* [queue_entries] */
};

/* The process to which virtual links belong. When a packet comes on one that is not connected, the card appends its
 * number to this queue, once: the owner may connect it then, and the packet waits. */
struct ds_owner {
  uint64_t queue;         /* bus address of its struct ds_run_queue; 0: it has gone */
  uint32_t queue_entries; /* a power of two */
  uint32_t first, links;  /* the virtual links: so many from the first one on */
  uint32_t spare;
};

/* ---- registers ---- */
#define DS_REGISTER_BYTES 0x100u
#define DS_REG_LINK_COMMAND 0x00u /* write: enum ds_link_command */
#define DS_REG_LINK_STATUS 0x04u  /* enum ds_link_state */
#define DS_REG_LINK_ERRORS 0x08u  /* parity errors so far */
#define DS_REG_INTERRUPT 0x10u    /* pending; a write clears the bits written */
#define DS_REG_MASK 0x14u
#define DS_REG_FAULT 0x18u /* read: the oldest struct ds_fault as cause << 24 | link; 0: none */
#define DS_REG_OWNER 0x20u /* struct ds_owner, in one burst */

enum ds_link_command { DS_LINK_START = 1, DS_LINK_RESET = 2 };
enum ds_link_state {
  DS_LINK_STOPPED, /* silent */
  DS_LINK_STARTED, /* sends NULLs, waits for the first FCT */
  DS_LINK_RUNNING,
  DS_LINK_ERROR /* parity error: silent, so that the far end disconnects as well */
};

#define DS_INT_LINK_ERROR (1u << 0)
#define DS_INT_LINK_RUNNING (1u << 1)
#define DS_INT_FAULT (1u << 2)

/* Illegal operations of software. */
enum ds_fault_cause {
  DS_FAULT_NONE,
  DS_FAULT_ADDRESS,       /* a message's memory does not exist */
  DS_FAULT_BUSY,          /* an output or input while one was under way */
  DS_FAULT_NOT_CONNECTED, /* the link leads nowhere */
  DS_FAULT_NO_ROUTE       /* no switch on the way has an interval for the header */
};
#define DS_FAULT_LINK(word) ((word)&0xffffffu)
#define DS_FAULT_CAUSE(word) ((word) >> 24)

/* ---- ROM: what was written down about the card and its network before ---- */
#define DS_POSITION_MAGIC 0x44536c6bu /* "DSlk" */
struct ds_position {
  uint32_t magic;
  uint32_t node, nodes;
  uint32_t virtual_links; /* of this card */
  uint32_t processes;     /* of a node that may have some: each has an equal share of them */
  uint32_t packet_bytes;
  uint32_t
      header_links; /* headers that a node owns in the switches' tables: its interval is node * this, and so many */
  uint32_t deletes_header; /* whether switches are to delete a packet's first header before its host */
  uint32_t switches;       /* to be configured from this node: struct stc104_network (stc104.h) follows. 0: from
                            * another, or they route by themselves */
  uint32_t spare;
};

/* NOLINTEND(modernize-*) */
#endif
