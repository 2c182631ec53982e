/* The software interface of a card that transfers whole messages between processes: the VCP of the Mesh of Clos, and
 * the kernel of the GCel's transputers. Plain C, for drivers, libraries and the model.
 *
 * Each process of the node has a page of window MESSAGE_BAR_PORTS. It writes a command there in one burst; the card
 * writes the outcome into the process's memory at the status address, `state` last.
 */
#ifndef SANVP_MESSAGE_REGISTERS_H
#define SANVP_MESSAGE_REGISTERS_H

/* NOLINTBEGIN(modernize-*): C */
#include <stdint.h>

enum message_bar { MESSAGE_BAR_PORTS = 0, MESSAGE_BAR_ROM = 1, MESSAGE_BAR_COMPLAINT = 2 };
#define MESSAGE_PAGE_BYTES 4096u
#define MESSAGE_PORTS 1024u /* maximum number of CPUs of a node */

/* The card keeps messages that arrive before their receives: one of each process that sends to this node. */
#define MESSAGE_MOST_BYTES (64u << 10) /* (A) */
#define MESSAGE_ANY UINT32_MAX         /* node and process of a receive: any sender */

enum message_kind {
  MESSAGE_SEND = 1, /* done when the receiver has the whole message: synchronous (Mesh of Clos paper 4) */
  MESSAGE_RECEIVE,
  MESSAGE_PROBE,  /* done when there is a message that a receive would take; the message stays */
  MESSAGE_CANCEL, /* the receive or probe with this status address, unless a message has arrived for it */
  /* From now on the card counts there, in `state`, sends of this process that end as unreachable, with the last one's
   * `node` and `process` (A: a sleeping process need not check each send). */
  MESSAGE_COUNT_UNREACHABLE
};

struct message_command {
  uint32_t kind;
  uint32_t node, process; /* of the other end; processes are numbered on their nodes */
  uint32_t tag, mask;     /* a receive takes messages with (their tag & mask) == (tag & mask) */
  uint32_t bytes;         /* to send; of a receive: size of the buffer */
  uint64_t buffer;        /* bus addresses */
  uint64_t status;
};

enum message_state {
  MESSAGE_PENDING = 0,
  MESSAGE_DONE,
  MESSAGE_TRUNCATED,   /* of a receive: the buffer was too small, and has the beginning of the message */
  MESSAGE_BAD_ADDRESS, /* no memory at the buffer's address */
  MESSAGE_UNREACHABLE, /* no such node, or no working route to it; later messages to the same process end in the same
                          way */
  MESSAGE_REFUSED,     /* no such command, or too long */
  MESSAGE_CANCELLED
};

struct message_status {
  uint32_t node, process; /* the sender */
  uint32_t tag;
  uint32_t bytes; /* of the message, also if the buffer is smaller */
  uint32_t state; /* enum message_state */
};

/* In the ROM: the card's position, and the work that it leaves to the CPU. */
#define MESSAGE_POSITION_MAGIC 0x4d534750u /* "MSGP" */
struct message_position {
  uint32_t magic;
  uint32_t node, nodes;
  char card[20]; /* name of the NIC part */
  /* The CPU's part of a message's set-up, which the library spends. */
  uint64_t send_setup_ps, receive_setup_ps;
};

/* Errors after which the card cannot continue: it raises its interrupt, and the driver reads this. */
enum message_cause {
  MESSAGE_PARITY = 1, /* a packet of `node` had a bit error, and its link was disconnected and has lost its packets */
  MESSAGE_SENSELESS   /* a packet's header is invalid: the field of this name has this value */
};
struct message_complaint {
  uint32_t cause;   /* 0: none */
  uint32_t node;    /* the source according to the packet */
  uint32_t process; /* of this node, the owner of the message; MESSAGE_ANY: unknown */
  char field[20];
  uint32_t value;
};

/* NOLINTEND(modernize-*) */
#endif
