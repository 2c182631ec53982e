/* For files of hal/ that stand in for calls of stdio: requests that a call makes for its stream's buffer. The C library
 * makes them internally, so only the position of the stream's descriptor reveals them. */
#ifndef SANVP_HAL_STREAM_USE_H
#define SANVP_HAL_STREAM_USE_H

#include <stdint.h>
#include <sys/types.h>

#include "sw/abi/hal/files.h"

struct _IO_FILE;

struct hal_stream {
  int descriptor;   /* -1: nothing to charge */
  int64_t at;       /* its position */
  int64_t buffered; /* bytes that are still to be written */
};

struct hal_stream hal_stream_before(const struct _IO_FILE* file); /* null: none */
/* Charges the bytes that the call has read or written: one request. */
void hal_stream_after(const struct _IO_FILE* file, const struct hal_stream* before);
/* Before a call that closes the stream: buffered bytes are written. */
void hal_stream_closing(const struct _IO_FILE* file);
/* After a call that sets its position: buffered bytes are written there, and a block is read here. */
void hal_stream_moved(const struct _IO_FILE* file, const struct hal_stream* before);

/* After a call that has moved a descriptor's position by so many bytes (0 or less: none): its request. Returns them. */
ssize_t hal_file_moved(int descriptor, enum hal_file_way way, ssize_t bytes);

#endif
