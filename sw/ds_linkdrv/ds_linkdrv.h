/* Requests of processes to the driver of a DS-link card, by hal_ioctl(), and their arguments. The library ds_link makes
 * them; programs call that. Every request returns 0, or -1 with the reason in `error`.
 */
#ifndef SANVP_DS_LINKDRV_H
#define SANVP_DS_LINKDRV_H

#include <stdint.h>

#include "sw/abi/registers/ds_link.h"
#include "sw/hal/hal.h"

/* Once per process. */
struct ds_attach_request {
  char error[HAL_ERROR_BYTES];
  uint32_t numbers; /* out: virtual links to each process of the job, this one too */
  uint32_t first;   /* out: the first of them; to process r they begin at first + r * numbers */
};

/* The queue to which the card appends the numbers of virtual links on which others send before the process has
 * connected them. Once per process, after DS_ATTACH. */
struct ds_listen_request {
  char error[HAL_ERROR_BYTES];
  uint64_t queue; /* address of the process: struct ds_run_queue */
  uint32_t queue_entries;
};

/* A virtual link to another process of the job: number n here leads to number n there, which need not be connected
 * yet. */
struct ds_connect_request {
  char error[HAL_ERROR_BYTES];
  uint32_t rank, number;
  uint32_t process; /* hal_rank_process() of that rank */
  uint64_t block;   /* addresses of the process: struct ds_control_block */
  uint64_t queue;   /* struct ds_run_queue */
  uint32_t queue_entries;
  uint64_t port; /* out: bus address of its channels' port */
};

enum ds_request {
  DS_ATTACH = HAL_REQUEST(1, struct ds_attach_request),
  DS_CONNECT = HAL_REQUEST(2, struct ds_connect_request),
  DS_LISTEN = HAL_REQUEST(3, struct ds_listen_request)
};

#endif
