/* A rank's messages, some under way at once, and how many of their bytes arrive in a span of time. */
#ifndef SANVP_APPS_SENDER_H
#define SANVP_APPS_SENDER_H

#include "sw/apps/traffic/traffic.h"

#define WINDOW_MOST 64u

struct flight {
  ELAN_EVENT* event; /* null: no message */
  uint64_t start_ps;
  size_t bytes;
};

/* When all ranks stop: not before every message that counts has arrived, or the last of them would have the network to
 * themselves. Words of global main memory, at the same address on every rank. */
struct closing {
  volatile uint64_t* arrived; /* at rank 0: each rank's, 1 if all of its messages that count have arrived */
  volatile uint64_t* stop;    /* at each rank: 1 once all ranks' have */
  int told;                   /* this rank has told rank 0 */
};

struct sender {
  struct traffic* traffic;
  size_t largest;  /* bytes of a message */
  unsigned slots;  /* at each rank: one for every rank, or one for all */
  E3_Addr out, in; /* sent from here; into slots there */
  E3_Addr got;     /* what is read comes here */
  struct flight flights[WINDOW_MOST];
  unsigned messages;                   /* begun */
  uint64_t due_ps;                     /* the next one's time */
  uint64_t start_ps, from_ps, till_ps; /* of all; of what counts */
  uint64_t counted_ps;                 /* how long what counts took */
  double counted_bytes;
  struct closing closing;
};

/* Sends all messages, or sends for the time of the traffic and until the counted messages of every rank have arrived;
 * then waits until all of this rank's have arrived. Collective. */
void sender_run(struct sender* sender, traffic_pattern pattern, void* context);

#endif
