/* What software sees of a card that carries whole messages between processes: the VCP of the Mesh of Clos, and what the
 * GCel's transputers do in their kernel. Plain C, for drivers, libraries and the model.
 *
 * Each process of the node has a page of window MESSAGE_BAR_PORTS. It writes a command there in one burst; what becomes
 * of it, the card writes into the process's memory at the status address, `state` last.
 */
#ifndef SANVP_MESSAGE_REGISTERS_H
#define SANVP_MESSAGE_REGISTERS_H

/* NOLINTBEGIN(modernize-*): C */
#include <stdint.h>

enum message_bar { MESSAGE_BAR_PORTS = 0, MESSAGE_BAR_ROM = 1, MESSAGE_BAR_COMPLAINT = 2 };
#define MESSAGE_PAGE_BYTES 4096u
#define MESSAGE_PORTS 1024u /* as many as a node may have CPUs */

/* The card keeps what comes before it is asked for: one message of each process that sends to this node. */
#define MESSAGE_MOST_BYTES (64u << 10) /* (A) */
#define MESSAGE_ANY UINT32_MAX         /* node and process of a receive: any sender */

enum message_kind {
  MESSAGE_SEND = 1, /* done when the receiver has all of it: synchronous (Mesh of Clos paper 4) */
  MESSAGE_RECEIVE,
  MESSAGE_PROBE,  /* done when there is a message that a receive would take; that stays */
  MESSAGE_CANCEL, /* the receive or probe with this status address, if nothing has come for it */
  /* From now on the card counts there, in `state`, sends of this process that end as unreachable, with the last one's
   * `node` and `process` (A: a process that sleeps need not look at each send). */
  MESSAGE_COUNT_UNREACHABLE
};

struct message_command {
  uint32_t kind;
  uint32_t node, process; /* of the other end; a process is known by its number on its node */
  uint32_t tag, mask;     /* a receive takes messages with (their tag & mask) == (tag & mask) */
  uint32_t bytes;         /* to send; of a receive: room */
  uint64_t buffer;        /* bus addresses */
  uint64_t status;
};

enum message_state {
  MESSAGE_PENDING = 0,
  MESSAGE_DONE,
  MESSAGE_TRUNCATED,   /* of a receive: its room was too small; the message's beginning is there */
  MESSAGE_BAD_ADDRESS, /* there is no memory at the buffer's address */
  MESSAGE_UNREACHABLE, /* no such node, or no working route to it; so are those behind it to the same process */
  MESSAGE_REFUSED,     /* no such command, or too long */
  MESSAGE_CANCELLED
};

struct message_status {
  uint32_t node, process; /* the sender */
  uint32_t tag;
  uint32_t bytes; /* of the message, whatever the room */
  uint32_t state; /* enum message_state */
};

/* In the ROM: where the card is, and what it leaves to the processor. */
#define MESSAGE_POSITION_MAGIC 0x4d534750u /* "MSGP" */
struct message_position {
  uint32_t magic;
  uint32_t node, nodes;
  char card[20]; /* name of the NIC part */
  /* The processor's own part of a message's set-up: the library lets it pass. */
  uint64_t send_setup_ps, receive_setup_ps;
};

/* What the card cannot go on after: it raises its interrupt, and the driver reads this. */
enum message_cause {
  MESSAGE_PARITY = 1, /* a packet of `node` had a bit error, and its link was disconnected with what was on it */
  MESSAGE_SENSELESS   /* a packet's header makes no sense: the field of this name has this value */
};
struct message_complaint {
  uint32_t cause;   /* 0: none */
  uint32_t node;    /* that the packet says it is from */
  uint32_t process; /* of this node, that owns the message; MESSAGE_ANY: unknown */
  char field[20];
  uint32_t value;
};

/* NOLINTEND(modernize-*) */
#endif
