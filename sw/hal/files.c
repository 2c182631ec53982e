/* Files: requests to the disk, or to I/O nodes, for a program's reads and writes (--wrap, cmake/Images.cmake). The
 * contents are moved at once; then the process waits until the request ends. On machines whose files take no time these
 * calls are the C library's. */
#define _GNU_SOURCE
#include "sw/abi/hal/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "sw/hal/attached.h"
#include "sw/hal/charge.h"
#include "sw/hal/stream_use.h"

/* ---- contents: hal/ does not yield while it moves them ---- */
ssize_t __real_pread(int descriptor, void* to, size_t bytes, off_t begin);
ssize_t __real_pwrite(int descriptor, const void* from, size_t bytes, off_t begin);
#define READ_AT __real_pread
#define WRITE_AT __real_pwrite
#include "sw/hal/file_contents.h"

static hal_file_carrier* carrier;

void hal_files_go_through(hal_file_carrier* made) { carrier = made; }
int hal_io_servers(void) { return hal_host_calls->io_servers; }
uint64_t hal_io_stripe(void) { return (uint64_t)hal_host_calls->io_stripe; }

int hal_files_take_time(void) { return hal_host_calls != NULL && hal_host_calls->files != HAL_FILES_FREE; }

/* ---- requests ---- */
uint64_t hal_disk_begin(enum hal_file_way way, uint64_t file, uint64_t begin, uint64_t bytes) {
  return hal_host_calls->calls->disk(hal_host_calls->self, way, file, begin, bytes);
}

/* Whether this is the file with the random devices' numbers (chance.c). */
static int is_in_memory(int descriptor, const struct stat* status) {
  char link[32], target[32] = "";
  if (status->st_nlink != 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  return readlink(link, target, sizeof target - 1) > 0 && strncmp(target, "/memfd:", sizeof "/memfd:" - 1) == 0;
}

/* Standard streams are the simulator's, and pipes and devices are no files. */
static int is_file(int descriptor, uint64_t* number) {
  struct stat status;
  if (descriptor <= STDERR_FILENO || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  *number = (uint64_t)status.st_dev << 48 ^ (uint64_t)status.st_ino;
  return !is_in_memory(descriptor, &status);
}

static void refuse(void) {
  hal_host_calls->calls->abort(hal_host_calls->self,
                               "the files of this machine are on I/O nodes (io.nodes), which only programs of MPI "
                               "reach; link the program with MPI, or leave out io.nodes: then each node has a disk");
}

uint64_t hal_file_begin(int descriptor, enum hal_file_way way, uint64_t begin, uint64_t bytes) {
  uint64_t file = 0, end = 0;
  const int error = errno;
  if (hal_files_take_time() && (bytes > 0 || way == HAL_FILE_SYNC) && is_file(descriptor, &file)) {
    if (hal_host_calls->files == HAL_FILES_ON_DISK)
      end = hal_disk_begin(way, file, begin, bytes);
    else if (carrier != NULL)
      carrier(way, file, begin, bytes);
    else
      refuse();
  }
  errno = error;
  return end;
}

void hal_file_wait(uint64_t end_ps) {
  const int error = errno;
  if (end_ps > 0) hal_host_calls->calls->disk_wait(hal_host_calls->self, end_ps);
  errno = error;
}

/* ---- calls of POSIX ---- */
static ssize_t served(int descriptor, enum hal_file_way way, off_t begin, ssize_t bytes) {
  if (bytes > 0 && begin >= 0) hal_file_wait(hal_file_begin(descriptor, way, (uint64_t)begin, (uint64_t)bytes));
  return bytes;
}

/* A call has moved the descriptor's position by these bytes. */
ssize_t hal_file_moved(int descriptor, enum hal_file_way way, ssize_t bytes) {
  if (bytes <= 0 || !hal_files_take_time()) return bytes;
  return served(descriptor, way, lseek(descriptor, 0, SEEK_CUR) - bytes, bytes);
}

/* A program may define such a function itself. */
#define IS_OURS(name) (!hal_is_of_image((const void*)__real_##name))

#define AT_POSITION(way, name, parameters, ...)                            \
  ssize_t __real_##name parameters;                                        \
  ssize_t __wrap_##name parameters {                                       \
    const ssize_t bytes = __real_##name(__VA_ARGS__);                      \
    return IS_OURS(name) ? hal_file_moved(descriptor, way, bytes) : bytes; \
  }
AT_POSITION(HAL_FILE_READ, read, (int descriptor, void* to, size_t most), descriptor, to, most)
AT_POSITION(HAL_FILE_READ, __read_chk, (int descriptor, void* to, size_t most, size_t room), descriptor, to, most, room)
AT_POSITION(HAL_FILE_READ, readv, (int descriptor, const struct iovec* to, int count), descriptor, to, count)
AT_POSITION(HAL_FILE_WRITE, writev, (int descriptor, const struct iovec* from, int count), descriptor, from, count)

#define AT_OFFSET(way, name, parameters, ...)                             \
  ssize_t __real_##name parameters;                                       \
  ssize_t __wrap_##name parameters {                                      \
    const ssize_t bytes = __real_##name(__VA_ARGS__);                     \
    return IS_OURS(name) ? served(descriptor, way, begin, bytes) : bytes; \
  }
AT_OFFSET(HAL_FILE_READ, pread, (int descriptor, void* to, size_t most, off_t begin), descriptor, to, most, begin)
AT_OFFSET(HAL_FILE_READ, pread64, (int descriptor, void* to, size_t most, off_t begin), descriptor, to, most, begin)
AT_OFFSET(HAL_FILE_READ, __pread_chk, (int descriptor, void* to, size_t most, off_t begin, size_t room), descriptor, to,
          most, begin, room)
AT_OFFSET(HAL_FILE_READ, __pread64_chk, (int descriptor, void* to, size_t most, off_t begin, size_t room), descriptor,
          to, most, begin, room)
AT_OFFSET(HAL_FILE_READ, preadv, (int descriptor, const struct iovec* to, int count, off_t begin), descriptor, to,
          count, begin)
AT_OFFSET(HAL_FILE_READ, preadv64, (int descriptor, const struct iovec* to, int count, off_t begin), descriptor, to,
          count, begin)
AT_OFFSET(HAL_FILE_WRITE, pwrite, (int descriptor, const void* from, size_t most, off_t begin), descriptor, from, most,
          begin)
AT_OFFSET(HAL_FILE_WRITE, pwrite64, (int descriptor, const void* from, size_t most, off_t begin), descriptor, from,
          most, begin)
AT_OFFSET(HAL_FILE_WRITE, pwritev, (int descriptor, const struct iovec* from, int count, off_t begin), descriptor, from,
          count, begin)
AT_OFFSET(HAL_FILE_WRITE, pwritev64, (int descriptor, const struct iovec* from, int count, off_t begin), descriptor,
          from, count, begin)

#define WAITS(name)                                                                                   \
  int __real_##name(int descriptor);                                                                  \
  int __wrap_##name(int descriptor) {                                                                 \
    const int result = __real_##name(descriptor);                                                     \
    if (result == 0 && IS_OURS(name)) hal_file_wait(hal_file_begin(descriptor, HAL_FILE_SYNC, 0, 0)); \
    return result;                                                                                    \
  }
WAITS(fsync)
WAITS(fdatasync)

/* ---- streams ---- */
struct hal_stream hal_stream_before(const FILE* file) {
  struct hal_stream stream = {.descriptor = -1};
  if (!hal_files_take_time() || file == NULL || file->_fileno <= STDERR_FILENO) return stream;
  const int error = errno;
  stream.at = lseek(file->_fileno, 0, SEEK_CUR);
  errno = error;
  if (stream.at < 0) return stream;
  stream.descriptor = file->_fileno;
  stream.buffered = file->_IO_write_ptr - file->_IO_write_base;
  return stream;
}

#define CURRENTLY_PUTTING 0x800 /* glibc's flag of a stream whose buffer is written to */

void hal_stream_after(const FILE* file, const struct hal_stream* before) {
  if (before->descriptor < 0) return;
  const int64_t moved = lseek(before->descriptor, 0, SEEK_CUR) - before->at;
  if (moved <= 0) return; /* what was read ahead is given back */
  served(before->descriptor, file->_flags & CURRENTLY_PUTTING ? HAL_FILE_WRITE : HAL_FILE_READ, before->at, moved);
}

void hal_stream_moved(const FILE* file, const struct hal_stream* before) {
  if (before->descriptor < 0) return;
  served(before->descriptor, HAL_FILE_WRITE, before->at, before->buffered);
  const int64_t at = lseek(before->descriptor, 0, SEEK_CUR), block = file->_IO_read_end - file->_IO_read_base;
  if (at != before->at + before->buffered && block <= at) served(before->descriptor, HAL_FILE_READ, at - block, block);
}

int __real_fseek(FILE* file, long offset, int whence);
int __wrap_fseek(FILE* file, long offset, int whence) {
  const struct hal_stream before = hal_stream_before(file);
  const int result = __real_fseek(file, offset, whence);
  hal_stream_moved(file, &before);
  return result;
}
int __wrap_fseeko(FILE* file, off_t offset, int whence) { return __wrap_fseek(file, offset, whence); }
int __wrap_fseeko64(FILE* file, off_t offset, int whence) { return __wrap_fseek(file, offset, whence); }

void __real_rewind(FILE* file);
void __wrap_rewind(FILE* file) {
  const struct hal_stream before = hal_stream_before(file);
  __real_rewind(file);
  hal_stream_moved(file, &before);
}

int __real_fsetpos(FILE* file, const fpos_t* position);
int __wrap_fsetpos(FILE* file, const fpos_t* position) {
  const struct hal_stream before = hal_stream_before(file);
  const int result = __real_fsetpos(file, position);
  hal_stream_moved(file, &before);
  return result;
}
int __wrap_fsetpos64(FILE* file, const fpos_t* position) { return __wrap_fsetpos(file, position); }

int __real_fflush(FILE* file);
int __wrap_fflush(FILE* file) {
  const struct hal_stream before = hal_stream_before(file);
  const int result = __real_fflush(file);
  if (file != NULL) hal_stream_after(file, &before);
  return result;
}

/* The functions that getc_unlocked and putc_unlocked call at the ends of the buffer. */
int __real___uflow(FILE* file);
int __wrap___uflow(FILE* file) {
  const struct hal_stream before = hal_stream_before(file);
  const int byte = __real___uflow(file);
  hal_stream_after(file, &before);
  return byte;
}

int __real___overflow(FILE* file, int byte);
int __wrap___overflow(FILE* file, int byte) {
  const struct hal_stream before = hal_stream_before(file);
  const int result = __real___overflow(file, byte);
  hal_stream_after(file, &before);
  return result;
}

void hal_stream_closing(const FILE* file) {
  const struct hal_stream now = hal_stream_before(file);
  if (now.descriptor >= 0) served(now.descriptor, HAL_FILE_WRITE, now.at, now.buffered);
}
