/* The card as software sees it: a register that takes an order. */
#ifndef COURIER_H
#define COURIER_H

#include <stdint.h>

#define COURIER_BYTES 8u
#define COURIER_FLITS 16 /* address and letter, a byte each */

struct courier_order {
  uint64_t address; /* in main memory, of both nodes */
  uint64_t node;
};

#endif
