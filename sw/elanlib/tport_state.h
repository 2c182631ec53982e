/* State shared by the files of Tports. */
#ifndef SANVP_ELANLIB_TPORT_STATE_H
#define SANVP_ELANLIB_TPORT_STATE_H

#include "sw/elanlib/base.h"
#include "sw/elanlib/firmware/tport_records.h"
#include "sw/elanlib/tport.h"

enum tport_role {
  TX_EAGER,      /* the message is in `packet`; done at once for the caller, the packet is free when the DMA is */
  TX_RENDEZVOUS, /* the far thread fetches the data, and its DMA sets our event */
  TX_INTRA_NODE, /* through a ring of the node's memory */
  RX,            /* also an atomic operation, whose answer is written into the status (tport_remote.c) */
  TX_REMOTE      /* a put or get */
};

/* A send or a receive under way. Its main memory is two lines and a packet, its Elan memory a struct tport_node. */
struct elan_tport_event {
  struct tport_status status; /* of a receive: written by the thread, or by the process for intra-node messages */
  volatile uint32_t done;     /* of a send: written by its event; alone in its line */
  char line[CACHE_LINE - sizeof(uint32_t)];
  char packet[E3_QUEUE_MOST_BYTES]; /* envelope and data of a send */
  struct elan_tport* tport;
  enum tport_role role;
  E3_Addr address; /* of this record */
  E3_Addr node;
  struct elan_tport_event*
      next; /* free; eager and not known to be done; posted for intra-node messages; queued for a ring */
  /* For a receive, and for an intra-node send. */
  void* buffer;
  size_t size;
  uint64_t tag, tag_mask;
  uint32_t sender, sender_mask;
  enum tport_kind kind;
  int flags;
  int at_card;     /* the receive is posted there */
  int posted;      /* it is among those of intra-node messages */
  uint32_t record; /* of an intra-node send: its kind for the receiver */
  size_t moved;    /* ... bytes that are in the ring */
  uint64_t cookie; /* ... for the answer to a synchronous one */
  uint32_t dest;   /* of a send */
  char pad[12];    /* whole lines */
};

/* The thread's reports, and what the process has answered: a cache line of main memory. */
struct tport_news {
  volatile uint32_t consumed; /* commands taken, updated now and then */
  volatile uint32_t wanted;   /* how often it has had no buffer for an early message */
  uint32_t given;             /* ... and got more, or did not since memory is exhausted */
  uint32_t places;            /* for early messages, in all */
  char pad[CACHE_LINE - 4 * sizeof(uint32_t)];
};

struct intra_node_tport;

struct elan_tport {
  struct elan_base* base;
  E3_Addr control; /* struct tport_control: the same everywhere */
  E3_Addr commands;
  uint32_t issued;         /* commands */
  struct tport_news* news; /* by the thread */
  uint32_t* numbers;       /* of the last message to each process */
  struct elan_tport_event* free_events;
  struct elan_tport_event *eager_first, *eager_last; /* sent, in order; their packets may be in use */
  unsigned eager_count;
  unsigned rendezvous;                 /* sends that have not been waited for */
  struct elan_tport_event sent;        /* the caller's event of an eager send: done, whatever becomes of the packet */
  struct intra_node_tport* intra_node; /* null: no other process on this node */
};

struct elan_tport_event* tport_take(struct elan_tport* tport, enum tport_role role);
void tport_give(struct elan_tport_event* event);
/* Hands a command to the thread. */
void tport_tell(struct elan_tport* tport, struct tport_command* command);
/* Cancels a receive at the card. 0: a message has matched it there. */
int tport_take_back(struct elan_tport_event* event);

/* ---- messages among processes of a node (intra_node.c) ---- */
void intra_node_start(struct elan_tport* tport);
/* As elan_progress_hooks: adds the words that announce messages, and space in a ring that was full. */
unsigned intra_node_watch(const struct elan_tport* tport, const volatile uint32_t** words, uint32_t* seen,
                          unsigned count);
/* Sends to a process of this node; to itself, too. */
struct elan_tport_event* intra_node_send(struct elan_tport* tport, int flags, unsigned dest, unsigned sender,
                                         uint64_t tag, const void* buffer, size_t size);
/* Cancels a synchronous send. 0: it has been matched, and ends. */
int intra_node_take_back(struct elan_tport_event* event);
/* Looks for an unexpected message; if none matches, posts the receive. Returns whether it has found one. */
int intra_node_receive(struct elan_tport_event* event);
/* As elan_tportServeThreads. */
void intra_node_serve_threads(const struct elan_tport* tport);
/* Unposts a receive. */
void intra_node_withdraw(struct elan_tport_event* event);
void intra_node_progress(struct elan_tport* tport);
/* Frees a buffer of the library's; others are left alone. */
void intra_node_free(struct elan_tport* tport, const void* buffer);

#endif
