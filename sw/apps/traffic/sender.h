/* A rank's messages, several in flight at once, and the number of their bytes that arrive in a span of time. */
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
  unsigned slots;  /* slots at each rank: one per sender, or one for all */
  E3_Addr out, in; /* messages leave from `out`, into slots at `in` */
  E3_Addr got;     /* data that is read */
  struct flight flights[WINDOW_MOST];
  unsigned messages;                   /* started */
  uint64_t start_ps, from_ps, till_ps; /* of all messages; of the measured part */
  uint64_t counted_ps;                 /* duration of the measured part */
  double counted_bytes;
};

/* Sends all messages, or for the given time, and waits until they have arrived. */
void sender_run(struct sender* sender, traffic_pattern pattern, void* context);

#endif
