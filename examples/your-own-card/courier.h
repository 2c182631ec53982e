/* The card as software sees it: a window of two registers. */
#ifndef COURIER_H
#define COURIER_H

#include <stdint.h>

#define COURIER_BYTES 8u
#define COURIER_FLITS 16 /* address and letter, a byte each */

#define COURIER_WINDOW_BYTES 0x100u
#define COURIER_REG_ORDER 0x00u   /* write: struct courier_order, in one burst */
#define COURIER_REG_LETTERS 0x10u /* read: letters that have been sent */

struct courier_order {
  uint64_t address; /* in main memory, of both nodes */
  uint64_t node;
};

#endif
