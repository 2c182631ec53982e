/* Buffers of levels that reach main memory only. */
#ifndef SANVP_APPS_LOCAL_BUFFERS_H
#define SANVP_APPS_LOCAL_BUFFERS_H

#include <stddef.h>

struct local_buffers {
  unsigned char *out, *in;
};

/* Ends the job if Elan memory is requested: `level` does not support it. */
struct local_buffers local_buffers_create(const char* level, size_t bytes, int elan_memory);

#endif
