/* Requests of processes to the Elan3's driver, by hal_ioctl(), and their arguments. elan3lib makes them; programs call
 * elan3lib. Every request returns 0, or -1 with the reason in `error`.
 */
#ifndef SANVP_ELAN3DRV_H
#define SANVP_ELAN3DRV_H

#include <stdint.h>

#include "sw/abi/registers/elan3.h"
#include "sw/hal/hal.h"

/* A context number says which process of which job it belongs to, so that it is the same on all nodes where a job has
 * the same number of processes: a broadcast names one context for all of them. Context 0 is the driver's (A). */
#define ELAN3_PROCESSES_PER_NODE 16u /* of one job (A) */
#define ELAN3_JOBS 63u               /* (A) */
#define ELAN3_CONTEXTS (ELAN3_PROCESSES_PER_NODE * (ELAN3_JOBS + 1u))
#define ELAN3_BROADCASTS 18u /* broadcast virtual processes of one process; they follow the job's own (A) */

/* The right to talk to the processes of one job, as the resource manager hands it out (FACTS.md 1.5). */
struct elan3_capability {
  uint32_t job;
  uint32_t my_process; /* virtual process number of the holder */
  uint32_t processes;
  uint64_t nodes; /* address of the process: int32_t [processes] */
};

/* Gives the calling process a context with an empty address space and no routes. Once per process. */
struct elan3_attach_request {
  char error[HAL_ERROR_BYTES];
  struct elan3_capability capability;
  uint32_t blocked;       /* as of ELAN3_BLOCK_INPUTTER, from the start */
  uint32_t context;       /* out */
  uint64_t command_port;  /* out: bus address of its page */
  uint64_t sdram;         /* out: bus address of SDRAM address 0 */
  uint32_t has_broadcast; /* out: whether the network can broadcast: not if failed parts leave no root for it */
};

/* Loads routes to virtual processes first .. first + count - 1 of the capability. */
struct elan3_addvp_request {
  char error[HAL_ERROR_BYTES];
  uint32_t first, count;
};

/* A virtual process that stands for a process of the job on each of nodes low .. high. */
struct elan3_broadcast_request {
  char error[HAL_ERROR_BYTES];
  uint32_t number;    /* which of ELAN3_BROADCASTS; replaces its previous meaning */
  uint32_t low, high; /* nodes */
  uint32_t place;     /* of the process among the job's on its node, the same everywhere */
  uint32_t process;   /* out: virtual process */
};

/* SDRAM pages, mapped at an Elan address. */
struct elan3_sdram_request {
  char error[HAL_ERROR_BYTES];
  e3_addr address;     /* of a page */
  uint32_t bytes;      /* whole pages */
  uint32_t permission; /* enum e3_permission */
  uint32_t physical;   /* out: SDRAM address */
};

/* Main memory of the caller that may be reached at an Elan address. Its pages get into the page tables when they are
 * first touched, or by ELAN3_POPULATE, which avoids the trap. */
struct elan3_map_request {
  char error[HAL_ERROR_BYTES];
  uint64_t pointer; /* address of the process, of a page */
  e3_addr address;
  uint64_t bytes; /* whole pages */
  uint32_t permission;
};
struct elan3_populate_request {
  char error[HAL_ERROR_BYTES];
  e3_addr address;
  uint64_t bytes;
};

/* Whether incoming packets for the process are discarded, so that their senders retry later. */
struct elan3_block_request {
  char error[HAL_ERROR_BYTES];
  uint32_t blocked;
};

/* A firmware image for the thread processor; threads name it by its number. */
#define ELAN3_PROGRAM_NAME 256u /* NAME_MAX + 1 */
struct elan3_program_request {
  char error[HAL_ERROR_BYTES];
  char name[ELAN3_PROGRAM_NAME];
  uint32_t program; /* out */
};

enum elan3_request {
  ELAN3_ATTACH = HAL_REQUEST(1, struct elan3_attach_request),
  ELAN3_ADDVP = HAL_REQUEST(2, struct elan3_addvp_request),
  ELAN3_BROADCAST_VP = HAL_REQUEST(3, struct elan3_broadcast_request),
  ELAN3_ALLOC_SDRAM = HAL_REQUEST(4, struct elan3_sdram_request),
  ELAN3_FREE_SDRAM = HAL_REQUEST(5, struct elan3_sdram_request),
  ELAN3_MAP_MAIN = HAL_REQUEST(6, struct elan3_map_request),
  ELAN3_POPULATE = HAL_REQUEST(7, struct elan3_populate_request),
  ELAN3_LOAD_PROGRAM = HAL_REQUEST(8, struct elan3_program_request),
  ELAN3_BLOCK_INPUTTER = HAL_REQUEST(9, struct elan3_block_request)
};

#endif
