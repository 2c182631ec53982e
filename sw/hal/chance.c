/* Sources of true randomness: getrandom and its kin, /dev/random, std::random_device. Here their numbers come from the
 * run's seed, by job and rank, so that equal commands give equal results (--wrap, cmake/Images.cmake). rand and its kin
 * are in c_library.c: they begin with the C library's own seed, as anywhere. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "sw/hal/attached.h"
#include "sw/hal/hal.h"
#include "sw/hal/split_mix.h"

/* All of them draw from one generator. Constructors run before the process knows its rank: all ranks draw the same. */
static uint64_t draw(void) {
  static uint64_t state, before = 1;
  static int is_seeded;
  if (hal_host_calls == NULL) return split_mix(&before);
  if (!is_seeded) state = hal_seed("random device");
  is_seeded = 1;
  return split_mix(&state);
}

static void fill(unsigned char* to, size_t bytes) {
  for (size_t done = 0; done < bytes; done += sizeof(uint64_t)) {
    const uint64_t number = draw();
    memcpy(to + done, &number, bytes - done < sizeof number ? bytes - done : sizeof number);
  }
}

ssize_t __wrap_getrandom(void* to, size_t bytes, unsigned flags) {
  (void)flags;
  fill(to, bytes);
  return (ssize_t)bytes;
}

int __wrap_getentropy(void* to, size_t bytes) {
  if (bytes > 256) { /* POSIX */
    errno = EIO;
    return -1;
  }
  fill(to, bytes);
  return 0;
}

uint32_t __wrap_arc4random(void) { return (uint32_t)(draw() >> 32); }
void __wrap_arc4random_buf(void* to, size_t bytes) { fill(to, bytes); }
uint32_t __wrap_arc4random_uniform(uint32_t limit) { return (uint32_t)((draw() >> 32) * limit >> 32); }

/* std::random_device: its call, that of its old kind, and how many bits of chance there are in a number. */
unsigned __wrap__ZNSt13random_device9_M_getvalEv(const void* device) {
  (void)device;
  return (unsigned)(draw() >> 32);
}
unsigned __wrap__ZNSt13random_device16_M_getval_pretr1Ev(const void* device) {
  return __wrap__ZNSt13random_device9_M_getvalEv(device);
}
double __wrap__ZNKSt13random_device13_M_getentropyEv(const void* device) {
  (void)device;
  return 32;
}

/* ---- the devices: each opening is a file of random bytes, as a process seldom reads more than a few ---- */
#define DEVICE_BYTES (1 << 20)

static int is_device(const char* path) { return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0; }

ssize_t __real_write(int descriptor, const void* data, size_t bytes);

static int open_device(const char* path) {
  const int file = memfd_create(path, MFD_CLOEXEC);
  unsigned char bytes[4096];
  for (size_t done = 0; file >= 0 && done < DEVICE_BYTES; done += sizeof bytes) {
    fill(bytes, sizeof bytes);
    if (__real_write(file, bytes, sizeof bytes) < 0) return -1;
  }
  if (file >= 0) lseek(file, 0, SEEK_SET);
  return file;
}

/* Weak: programs have functions of that name. */
__attribute__((weak)) int open(const char* path, int flags, ...) {
  if (is_device(path) && (flags & O_ACCMODE) != O_WRONLY) return open_device(path);
  va_list values;
  va_start(values, flags);
  const mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(values, mode_t) : 0;
  va_end(values);
  return openat(AT_FDCWD, path, flags, mode);
}

__attribute__((weak)) int open64(const char* path, int flags, ...) __attribute__((alias("open")));

FILE* __real_fopen(const char* path, const char* mode);

FILE* __wrap_fopen(const char* path, const char* mode) {
  if (*mode != 'r' || !is_device(path)) return __real_fopen(path, mode);
  const int file = open_device(path);
  return file >= 0 ? fdopen(file, "r") : NULL;
}

FILE* __wrap_fopen64(const char* path, const char* mode) { return __wrap_fopen(path, mode); }
