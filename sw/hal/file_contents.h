/* Moving the contents of files, for files.c and riscv/files.c: each defines READ_AT and WRITE_AT, its pread and pwrite,
 * and then includes this once. */
#ifndef SANVP_HAL_FILE_CONTENTS_H
#define SANVP_HAL_FILE_CONTENTS_H

#include <errno.h>
#include <sys/types.h>

#include "sw/abi/hal/files.h"

static int64_t move_span(int descriptor, enum hal_file_way way, char* data, struct hal_file_span span) {
  uint64_t done = 0;
  while (done < span.bytes) {
    const size_t left = span.bytes - done;
    const off_t at = (off_t)(span.begin + done);
    const ssize_t now =
        way == HAL_FILE_READ ? READ_AT(descriptor, data + done, left, at) : WRITE_AT(descriptor, data + done, left, at);
    if (now < 0 && errno == EINTR) continue;
    if (now < 0 && done == 0) return -errno;
    if (now <= 0) break;
    done += (uint64_t)now;
  }
  return (int64_t)done;
}

int64_t hal_file_move(int descriptor, enum hal_file_way way, void* data, const struct hal_file_span* spans,
                      size_t count) {
  int64_t sum = 0;
  for (size_t i = 0; i < count; ++i) {
    const int64_t now = move_span(descriptor, way, (char*)data + sum, spans[i]);
    if (now < 0) return sum > 0 ? sum : now;
    sum += now;
    if ((uint64_t)now < spans[i].bytes) break;
  }
  return sum;
}

int hal_file_add(int descriptor, uint64_t first, uint64_t more, uint64_t* before) {
  const struct hal_file_span all = {0, sizeof *before};
  const int64_t bytes = move_span(descriptor, HAL_FILE_READ, (char*)before, all);
  if (bytes < 0) return (int)bytes;
  if (bytes == 0) *before = first;
  uint64_t after = *before + more;
  const int64_t written = more > 0 ? move_span(descriptor, HAL_FILE_WRITE, (char*)&after, all) : 0;
  return written < 0 ? (int)written : 0;
}

#endif
