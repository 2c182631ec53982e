/* Requests of processes to the Tofu driver, by hal_ioctl(), and their arguments. The library (sw/tofu) makes them;
 * programs call the library. Every request returns 0, or -1 with the reason in `error`.
 */
#ifndef SANVP_TOFUDRV_H
#define SANVP_TOFUDRV_H

#include <stddef.h>
#include <stdint.h>

#include "sw/abi/registers/tofu.h"
#include "sw/hal/hal.h"

/* The process's identity on the card. A process's number is its index on its node, and determines its control queues
 * number * TOFU_COMPONENTS .. + TOFU_COMPONENTS - 1 of each TNI, and the gates from number * TOFU_PROCESS_GATES on: so
 * each knows the others' without a message. */
struct tofudrv_attach {
  char error[HAL_ERROR_BYTES];
  uint32_t number;               /* out */
  struct tofu_position position; /* out */
  uint64_t gates;                /* out: bus address of the page whose words start them */
};

/* A control queue, in memory of the process. */
struct tofudrv_open {
  char error[HAL_ERROR_BYTES];
  uint32_t tni, component;
  uint64_t orders; /* addresses of the process: struct tofu_order [order_entries], and so on; powers of two */
  uint64_t tcq;    /* struct tofu_tcq_entry [] */
  uint64_t mrq;    /* struct tofu_mrq_entry [] */
  uint32_t order_entries, tcq_entries, mrq_entries;
  uint64_t page; /* out: bus address of its page */
};
struct tofudrv_close {
  char error[HAL_ERROR_BYTES];
  uint32_t tni, component;
};

/* Memory that the queue, and all that talk to it, may reach by a tag. */
struct tofudrv_register {
  char error[HAL_ERROR_BYTES];
  uint32_t tni, component;
  uint32_t tag;
  uint64_t pointer; /* address of the process */
  uint64_t bytes;
  uint32_t flags; /* TOFU_READ_ONLY */
};
struct tofudrv_deregister {
  char error[HAL_ERROR_BYTES];
  uint32_t tni, component, tag;
};

/* Wires a gate of the process; `done` here replaces that of `wired`. */
struct tofudrv_set_gate {
  char error[HAL_ERROR_BYTES];
  uint32_t gate; /* of the process's own, from 0 */
  struct tofu_gate wired;
  uint64_t done; /* address of the process: uint32_t; or 0 */
};

enum tofudrv_request {
  TOFUDRV_ATTACH = HAL_REQUEST(1, struct tofudrv_attach),
  TOFUDRV_OPEN = HAL_REQUEST(2, struct tofudrv_open),
  TOFUDRV_CLOSE = HAL_REQUEST(3, struct tofudrv_close),
  TOFUDRV_REGISTER = HAL_REQUEST(4, struct tofudrv_register),
  TOFUDRV_DEREGISTER = HAL_REQUEST(5, struct tofudrv_deregister),
  TOFUDRV_SET_GATE = HAL_REQUEST(6, struct tofudrv_set_gate)
};

#endif
