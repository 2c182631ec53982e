/* files.h for programs of RISC-V. Reads and writes of the program are system calls, which take the disk's time by
 * themselves. Requests to I/O nodes are messages of the program's: the simulator has it send them after such a call. */
#include "sw/abi/hal/files.h"

#include <errno.h>

#include "sw/hal/hal.h"
#include "sw/hal/riscv/call.h"
#include "sw/hal/riscv/threads.h"

/* The machine's answer, which is requested once. All is 0 without a machine. */
static const struct hal_riscv_files* places(void) {
  static struct hal_riscv_files files;
  static int is_known;
  if (!is_known) hal_riscv_call(HAL_CALL_FILES, (uint64_t)(uintptr_t)&files, sizeof files, 0, 0, 0, 0);
  is_known = 1;
  return &files;
}

/* ---- places ---- */
int hal_files_take_time(void) { return places()->files != HAL_FILES_FREE; }
int hal_io_servers(void) { return places()->io_servers; }
uint64_t hal_io_stripe(void) { return places()->io_stripe; }

/* ---- contents ---- */
int64_t hal_file_move(int descriptor, enum hal_file_way way, void* data, const struct hal_file_span* spans,
                      size_t count) {
  return hal_riscv_call(HAL_CALL_FILE_MOVE, (uint64_t)descriptor, way, (uint64_t)(uintptr_t)data,
                        (uint64_t)(uintptr_t)spans, count, 0);
}

int hal_file_add(int descriptor, uint64_t first, uint64_t more, uint64_t* before) {
  return (int)hal_riscv_call(HAL_CALL_FILE_ADD, (uint64_t)descriptor, first, more, (uint64_t)(uintptr_t)before, 0, 0);
}

/* ---- requests ---- */
static hal_file_carrier* carrier;
static __thread int carries;

/* In any thread; behind the system call that it makes, if the simulator calls this. */
static void carry(uint64_t way, uint64_t file, uint64_t begin, uint64_t bytes) {
  if (carries || carrier == NULL) return; /* carries: what an error flushes on its way out */
  const int error = errno;
  carries = 1;
  hal_threads_enter();
  carrier((enum hal_file_way)way, file, begin, bytes);
  hal_threads_leave();
  carries = 0;
  errno = error;
}

void hal_files_go_through(hal_file_carrier* made) {
  carrier = made;
  hal_riscv_call(HAL_CALL_CARRY_FILES, (uint64_t)(uintptr_t)carry, 0, 0, 0, 0, 0);
}

uint64_t hal_disk_begin(enum hal_file_way way, uint64_t file, uint64_t begin, uint64_t bytes) {
  return (uint64_t)hal_riscv_call(HAL_CALL_DISK, way, file, begin, bytes, 0, 0);
}

uint64_t hal_file_begin(int descriptor, enum hal_file_way way, uint64_t begin, uint64_t bytes) {
  if (!hal_files_take_time() || (bytes == 0 && way != HAL_FILE_SYNC)) return 0;
  const uint64_t file = (uint64_t)hal_riscv_call(HAL_CALL_FILE_NUMBER, (uint64_t)descriptor, 0, 0, 0, 0, 0);
  if (file == 0) return 0;
  if (places()->files == HAL_FILES_ON_DISK) return hal_disk_begin(way, file, begin, bytes);
  carry(way, file, begin, bytes);
  return 0;
}

void hal_file_wait(uint64_t end_ps) {
  if (end_ps > 0) hal_riscv_call(HAL_CALL_DISK_WAIT, end_ps, 0, 0, 0, 0, 0);
}

/* Defined by sw/io, if linked, as in programs with MPI: files are accessible before MPI_Init, too (../run_main.c). */
__attribute__((weak)) void io_client_start(void);

__attribute__((constructor)) static void start(void) {
  if (io_client_start && hal_io_servers() > 0) io_client_start();
}
