/* What processes ask of the Tofu driver: requests of hal_ioctl() and their arguments. The library (sw/tofu) makes them;
 * programs call the library. Every request answers 0, or -1 with the reason in `error` (constant text).
 */
#ifndef SANVP_TOFUDRV_H
#define SANVP_TOFUDRV_H

#include <stddef.h>
#include <stdint.h>

#include "models/nic/tofu/registers.h"

enum tofudrv_request {
  TOFUDRV_ATTACH = 1,
  TOFUDRV_OPEN,
  TOFUDRV_CLOSE,
  TOFUDRV_REGISTER,
  TOFUDRV_DEREGISTER,
  TOFUDRV_SET_GATE
};

/* The process's identity on the card. A process has the number of its place on its node, and with it the control queues
 * number * TOFU_COMPONENTS .. + TOFU_COMPONENTS - 1 of each TNI, and the gates from number * TOFU_PROCESS_GATES on: so
 * each knows the others' without a message. */
struct tofudrv_attach {
  const char* error;
  uint32_t number;               /* out */
  struct tofu_position position; /* out */
  uint64_t gates;                /* out: bus address of the page whose words start them */
};

/* A control queue, in memory of the process. */
struct tofudrv_open {
  const char* error;
  uint32_t tni, component;
  struct tofu_order* orders; /* [order_entries], and so on; powers of two */
  struct tofu_tcq_entry* tcq;
  struct tofu_mrq_entry* mrq;
  uint32_t order_entries, tcq_entries, mrq_entries;
  uint64_t page; /* out: bus address of its page */
};
struct tofudrv_close {
  const char* error;
  uint32_t tni, component;
};

/* Memory that the queue, and all that talk to it, may reach by a tag. */
struct tofudrv_register {
  const char* error;
  uint32_t tni, component;
  uint32_t tag;
  const volatile void* pointer;
  uint64_t bytes;
  uint32_t flags; /* TOFU_READ_ONLY */
};
struct tofudrv_deregister {
  const char* error;
  uint32_t tni, component, tag;
};

/* Wires a gate of the process. Its `done` word is given by the process's own address. */
struct tofudrv_set_gate {
  const char* error;
  uint32_t gate; /* of the process's own, from 0 */
  struct tofu_gate wired;
  volatile uint32_t* done; /* or null */
};

#endif
