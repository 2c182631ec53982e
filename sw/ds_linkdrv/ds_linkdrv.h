/* Requests of processes to the driver of a DS-link card: hal_ioctl() and its arguments. The library ds_link makes them;
 * programs call that. Every request returns 0, or -1 with the reason in `error` (constant text). */
#ifndef SANVP_DS_LINKDRV_H
#define SANVP_DS_LINKDRV_H

#include <stdint.h>

#include "models/nic/ds_link/registers.h"

enum ds_request { DS_ATTACH = 1, DS_CONNECT };

/* Once per process. */
struct ds_attach_request {
  const char* error;
  uint32_t numbers; /* out: virtual links to each process of the job, including this one */
  uint32_t first;   /* out: the first of them; those to process r begin at first + r * numbers */
};

/* Creates a virtual link to another process of the job: number n here leads to number n there, which may be connected
 * later. */
struct ds_connect_request {
  const char* error;
  uint32_t rank, number;
  uint32_t process; /* hal_rank_process() of that rank */
  struct ds_control_block* block;
  volatile struct ds_run_queue* queue;
  uint32_t queue_entries;
  uint64_t port; /* out: bus address of its channels' port */
};

#endif
