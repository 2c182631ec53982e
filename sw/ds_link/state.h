/* The library's state of this process's virtual links. */
#ifndef SANVP_DS_LINK_STATE_H
#define SANVP_DS_LINK_STATE_H

#include "sw/ds_link/ds_link.h"
#include "sw/ds_linkdrv/ds_linkdrv.h"

struct virtual_link;

/* One end of a channel. */
struct ds_channel {
  struct virtual_link* link;
  int sends;
};

struct virtual_link {
  volatile struct ds_control_block* block;
  uint64_t port;
  uint32_t outputs, inputs; /* begun */
  struct ds_channel to, from;
  unsigned rank, number;
};

struct ds_state {
  unsigned numbers, ranks;     /* 0: not attached */
  struct virtual_link** links; /* [ranks * numbers], made when first asked for */
  uint32_t first;              /* number of links[0] on the card */
  volatile struct ds_run_queue* queue;
  uint32_t queue_entries;
};

struct ds_state* ds_state(void);
/* Sleeps until the run queue's count is no longer `seen`, or `until_ps`. @return whether it differs */
int ds_sleep(uint32_t seen, uint64_t until_ps);
/* Ends the job with the error and its channel. */
_Noreturn void ds_misused(const Channel* channel, const char* call, const char* what);

#endif
