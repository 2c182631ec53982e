/* files.h for programs of RISC-V: their reads and writes are system calls, and these take the disk's time by
 * themselves. */
#include "sw/hal/files.h"

#include <unistd.h>

/* hal_file_add is two system calls: another rank may come in between (docs/files.md). */
#define READ_AT pread
#define WRITE_AT pwrite
#include "sw/hal/file_contents.h"

int hal_files_take_time(void) { return 0; } /* as far as a library can know */

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
