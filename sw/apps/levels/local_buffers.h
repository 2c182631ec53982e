/* Buffers of levels that only use main memory. */
#ifndef SANVP_APPS_LOCAL_BUFFERS_H
#define SANVP_APPS_LOCAL_BUFFERS_H

#include <stddef.h>

struct local_buffers {
  unsigned char *out, *in;
};

/* Ends the job if Elan memory is requested, which `level` does not support. */
struct local_buffers local_buffers_create(const char* level, size_t bytes, int elan_memory);

#endif
