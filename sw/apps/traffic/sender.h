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

struct sender {
  struct traffic* traffic;
  size_t largest;  /* bytes of a message */
  unsigned slots;  /* at each rank: one for every rank, or one for all */
  E3_Addr out, in; /* sent from here; into slots there */
  E3_Addr got;     /* what is read comes here */
  struct flight flights[WINDOW_MOST];
  unsigned messages;                   /* begun */
  uint64_t start_ps, from_ps, till_ps; /* of all; of what counts */
  uint64_t counted_ps;                 /* how long what counts took */
  double counted_bytes;
};

/* Sends all, or for the time that the traffic says, and waits until they have arrived. */
void sender_run(struct sender* sender, traffic_pattern pattern, void* context);

#endif
