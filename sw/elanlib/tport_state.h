/* What the files of Tports share. */
#ifndef SANVP_ELANLIB_TPORT_STATE_H
#define SANVP_ELANLIB_TPORT_STATE_H

#include "sw/elanlib/base.h"
#include "sw/elanlib/firmware/tport_records.h"
#include "sw/elanlib/tport.h"

enum tport_role {
  TX_EAGER,      /* the message is in `packet`; done at once for the caller, the packet is free when the DMA is */
  TX_RENDEZVOUS, /* the far thread fetches the data, and its DMA sets our event */
  RX
};

/* A send or a receive under way. Its main memory is two lines and a packet, its Elan memory a struct tport_node. */
struct elan_tport_event {
  struct tport_status status; /* of a receive: written by the thread */
  volatile uint32_t done;     /* of a send: written by its event; alone in its line */
  char line[CACHE_LINE - sizeof(uint32_t)];
  char packet[E3_QUEUE_MOST_BYTES]; /* envelope and data of a send */
  struct elan_tport* tport;
  enum tport_role role;
  E3_Addr address; /* of this record */
  E3_Addr node;
  struct elan_tport_event* next; /* free, or eager and not known to be done */
  char pad[CACHE_LINE - 32];
};

struct elan_tport {
  struct elan_base* base;
  E3_Addr control; /* struct tport_control: the same everywhere */
  E3_Addr commands;
  uint32_t issued;             /* commands */
  volatile uint32_t* consumed; /* by the thread, told now and then */
  uint32_t* numbers;           /* of the last message to each process */
  struct elan_tport_event* free_events;
  struct elan_tport_event *eager_first, *eager_last; /* sent, in order; their packets may be in use */
  struct elan_tport_event sent; /* what the caller gets for an eager send: done, whatever becomes of the packet */
};

struct elan_tport_event* tport_take(struct elan_tport* tport, enum tport_role role);
void tport_give(struct elan_tport_event* event);
/* Hands a command to the thread. */
void tport_tell(struct elan_tport* tport, struct tport_command* command);

#endif
