/* files.h for programs of RISC-V: their reads and writes are system calls, and these take the disk's time by
 * themselves. */
#include "sw/hal/files.h"

#include <errno.h>
#include <unistd.h>

int hal_files_take_time(void) { return 0; } /* as far as a library can know */

static int64_t move_span(int descriptor, enum hal_file_way way, char* data, struct hal_file_span span) {
  uint64_t done = 0;
  while (done < span.bytes) {
    const size_t left = span.bytes - done;
    const off_t at = (off_t)(span.begin + done);
    const ssize_t now =
        way == HAL_FILE_READ ? pread(descriptor, data + done, left, at) : pwrite(descriptor, data + done, left, at);
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

/* Two system calls: another rank may come in between (docs/files.md). */
int hal_file_add(int descriptor, uint64_t first, uint64_t more, uint64_t* before) {
  const struct hal_file_span all = {0, sizeof *before};
  const int64_t bytes = move_span(descriptor, HAL_FILE_READ, (char*)before, all);
  if (bytes < 0) return (int)bytes;
  if (bytes == 0) *before = first;
  uint64_t after = *before + more;
  const int64_t written = more > 0 ? move_span(descriptor, HAL_FILE_WRITE, (char*)&after, all) : 0;
  return written < 0 ? (int)written : 0;
}

uint64_t hal_file_begin(int descriptor, enum hal_file_way way, uint64_t begin, uint64_t bytes) {
  (void)begin, (void)bytes;
  if (way == HAL_FILE_SYNC) fsync(descriptor);
  return 0;
}

void hal_file_wait(uint64_t end_ps) { (void)end_ps; }

/* ---- I/O nodes are for native programs ---- */
void hal_files_go_through(hal_file_carrier* carrier) { (void)carrier; }
uint64_t hal_disk_begin(enum hal_file_way way, uint64_t file, uint64_t begin, uint64_t bytes) {
  (void)way, (void)file, (void)begin, (void)bytes;
  return 0;
}
int hal_io_servers(void) { return 0; }
uint64_t hal_io_stripe(void) { return 0; }
