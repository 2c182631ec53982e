/* Between a program for RISC-V and the simulator: hal.h as system calls. The number goes into a7, arguments into a0 to
 * a5, the result comes in a0. Addresses are the program's own; the simulator checks every range, and ends the program
 * with a message if it may not read or write there. Linux has no calls of these numbers, and answers -ENOSYS.
 *
 * Numbers and arguments are fixed: programs that were linked before must run later. A new call gets the next number.
 */
#ifndef SANVP_HAL_RISCV_CALLS_H
#define SANVP_HAL_RISCV_CALLS_H

#ifdef __cplusplus
#include <cstdint>
#else
#include <stdint.h>
#endif

#define HAL_CALLS_VERSION 1u

/* Facts that do not change during the run. */
struct hal_riscv_identity {
  uint32_t version; /* HAL_CALLS_VERSION */
  int32_t rank, ranks, job, node, nodes, process;
  char card[36]; /* hal_card() */
};

/* The location of the machine's files. */
struct hal_riscv_files {
  uint32_t files; /* enum hal_files */
  int32_t io_servers;
  uint64_t io_stripe;
};

enum hal_riscv_call {
  HAL_CALL_IDENTITY = 0x53000, /* (struct hal_riscv_identity* to, bytes): 0 */
  HAL_CALL_RANK_NODES,         /* (int32_t* nodes, int32_t* processes, ranks): 0 */
  HAL_CALL_SEED,               /* (of_job, name) */
  HAL_CALL_TIME_PS,            /* () */
  HAL_CALL_COMPUTE_PS,         /* (ps) */
  HAL_CALL_INSTRUCTIONS,       /* (count) */
  HAL_CALL_MEMORY_COPIED,      /* (bytes) */
  HAL_CALL_SLEEP_PS,           /* (ps) */
  HAL_CALL_UNTIMED,            /* (begins) */
  HAL_CALL_DEVICE,             /* (bar): bus address; the window is mapped there, too, as far as pages were granted */
  HAL_CALL_IO_READ,            /* (bus address, to, bytes) */
  HAL_CALL_IO_WRITE,           /* (bus address, from, bytes) */
  HAL_CALL_BUS_ADDRESS,        /* (pointer) */
  HAL_CALL_IS_OWN,             /* (pointer, bytes): 0 or 1 */
  HAL_CALL_REGION,             /* (pointer, uint64_t* begin): its bytes, or 0 */
  HAL_CALL_SHARED,             /* (name, bytes): address, or 0 */
  HAL_CALL_WAIT_WORDS,         /* (const uint64_t* addresses of words, const uint32_t* seen, count, until_ps): 0 or 1 */
  HAL_CALL_STORED,             /* (pointer, bytes) */
  HAL_CALL_STORE_WORD,         /* (pointer, value) */
  HAL_CALL_IS_DEAD,            /* (node): 0 or 1 */
  HAL_CALL_WATCH_DEATHS,       /* (uint32_t* word) */
  HAL_CALL_COUNT_AS_DEAD,      /* (node) */
  HAL_CALL_ENDS_OWN_WAITS,     /* () */
  HAL_CALL_IOCTL,              /* (request, argument) */
  HAL_CALL_SETTING,            /* (key, fallback, documentation, source, to, room): its length, as snprintf */
  HAL_CALL_END_JOB,            /* (status) */
  HAL_CALL_ABORT,              /* (message) */
  HAL_CALL_METRIC,             /* (name, bits of the double, unit) */
  HAL_CALL_ACCEPTED,           /* (bytes, from_ps, until_ps) */
  HAL_CALL_MEASURES,           /* (from_ps, until_ps) */
  HAL_CALL_TRACE,              /* (name, or 0: end of the innermost slice) */
  HAL_CALL_CALL_BEGIN,         /* (name, peer, tag, bytes) */
  HAL_CALL_CALL_END,           /* () */
  HAL_CALL_CALL_WAITS_FOR,     /* (name, peer, tag) */
  HAL_CALL_TESTED_WITHOUT_PROGRESS, /* () */
  HAL_CALL_OWES,                    /* (name, or 0) */
  HAL_CALL_MESSAGE_COUNTED,         /* (to): sent, by programs that were linked before HAL_CALL_MESSAGE_SENT */
  HAL_CALL_MESSAGE_UNCOUNTED,       /* (to): over */
  HAL_CALL_MAY_LOOK,                /* (): 0 or 1 */
  HAL_CALL_WHILE_COMPUTING, /* (function, or 0; end of the program's own code, behind which are libraries): called as a
                               signal handler is, where the program's own code yields */
  HAL_CALL_FILES,           /* (struct hal_riscv_files* to, bytes): 0 */
  HAL_CALL_CARRY_FILES,     /* (function): called as a signal handler is, with (way, file, begin, bytes), where a system
                               call has moved bytes of a file on I/O nodes */
  HAL_CALL_FILE_MOVE,       /* (descriptor, way, data, const struct hal_file_span*, count): bytes or -errno */
  HAL_CALL_FILE_ADD,        /* (descriptor, first, more, uint64_t* before): 0 or -errno */
  HAL_CALL_FILE_NUMBER,     /* (descriptor): for the next call; 0: not a regular file */
  HAL_CALL_DISK,            /* (way, file, begin, bytes): when the request to this node's disk ends; 0: no disk */
  HAL_CALL_DISK_WAIT,       /* (until_ps) */
  HAL_CALL_CHECK,           /* (const struct hal_checked_call*, or 0): 0 or 1, or whether this run checks */
  HAL_CALL_MESSAGE_SENT,    /* (to, tag, bytes) */
  HAL_CALL_RECEIVE_POSTED,  /* (receive, from, tag, mask) */
  HAL_CALL_MESSAGE_OVER,    /* (from, to, tag, receive) */
  HAL_CALL_RECORD,          /* (what | peer << 32, request, tag, bytes); what -1: whether this run is recorded */
  HAL_CALLS_END
};

#endif
