/* A buffer to send from and one to receive into, at the same Elan addresses in all processes. */
#ifndef SANVP_APPS_BUFFERS_H
#define SANVP_APPS_BUFFERS_H

#include "sw/elanlib/elan.h"

struct buffers {
  ELAN_BASE* base;
  unsigned char *out, *in; /* null if they are in Elan memory */
  E3_Addr out_address, in_address;
};

void buffers_create(struct buffers* buffers, size_t bytes, int elan_memory);
void buffers_fill(struct buffers* buffers, size_t bytes, unsigned seed);
size_t buffers_wrong(const struct buffers* buffers, size_t bytes, unsigned seed);

#endif
