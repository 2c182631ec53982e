/* Accesses of files, and how long they take: prints the time of each step in ns, which test_files.py computes from the
 * disk's parameters. Each step begins when the disk is idle and no data wait to be written. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "sw/hal/hal.h"

enum { BYTES = 1 << 20, PIECE = 1 << 16 };
static char buffer[BYTES];
static int file;
static char name[64];

static void fail(const char* what) {
  perror(what);
  exit(1);
}

static void expect(ssize_t got, ssize_t wanted, const char* what) {
  if (got != wanted) fail(what);
}

static void once_write(void) { expect(pwrite(file, buffer, BYTES, 0), BYTES, "pwrite"); }
static void once_read(void) { expect(pread(file, buffer, BYTES, 0), BYTES, "pread"); }

static void pieces_write(void) {
  lseek(file, 0, SEEK_SET);
  for (int i = 0; i < BYTES / PIECE; ++i) expect(write(file, buffer, PIECE), PIECE, "write");
}

static void pieces_read(void) {
  lseek(file, 0, SEEK_SET);
  for (int i = 0; i < BYTES / PIECE; ++i) expect(read(file, buffer, PIECE), PIECE, "read");
}

static void backwards(void) {
  for (int i = BYTES / PIECE - 1; i >= 0; --i) expect(pread(file, buffer, PIECE, (off_t)i * PIECE), PIECE, "pread");
}

/* Every second block: the gap passes below the head. */
static void with_gaps(void) {
  for (int i = 0; i < BYTES / PIECE; i += 2) expect(pread(file, buffer, PIECE, (off_t)i * PIECE), PIECE, "pread");
}

static void vectors(void) {
  struct iovec parts[2] = {{buffer, PIECE}, {buffer + PIECE, PIECE}};
  lseek(file, 0, SEEK_SET);
  expect(writev(file, parts, 2), 2 * PIECE, "writev");
  expect(preadv(file, parts, 2, 0), 2 * PIECE, "preadv");
}

static void stdio_write(void) {
  FILE* stream = fopen(name, "w");
  for (int i = 0; i < BYTES / 64; ++i) expect((ssize_t)fwrite(buffer, 64, 1, stream), 1, "fwrite");
  fclose(stream);
}

static void stdio_read(void) {
  FILE* stream = fopen(name, "r");
  for (int i = 0; i < BYTES / 64; ++i) expect((ssize_t)fread(buffer, 64, 1, stream), 1, "fread");
  fclose(stream);
}

static void stdio_bytes(void) {
  FILE* stream = fopen(name, "r");
  for (int i = 0; i < 8192; ++i)
    if (getc(stream) == EOF) fail("getc");
  for (int i = 0; i < 8192; ++i)
    if (getc_unlocked(stream) == EOF) fail("getc_unlocked");
  fclose(stream);
}

static void stdio_text(void) {
  FILE* stream = fopen(name, "w");
  for (int i = 0; i < 1000; ++i) fprintf(stream, "%07d\n", i);
  fflush(stream);
  fputs("the end", stream);
  fclose(stream);
}

static void stdio_seek(void) {
  FILE* stream = fopen(name, "r+");
  fseek(stream, 10000, SEEK_SET); /* reads the block that contains it */
  if (getc(stream) == EOF) fail("getc");
  fseek(stream, 10010, SEEK_SET); /* in the buffer */
  if (getc(stream) == EOF) fail("getc");
  fclose(stream);
}

static void sync_alone(void) { expect(fsync(file), 0, "fsync"); }

static void free_of_charge(void) {
  FILE* null = fopen("/dev/null", "w");
  for (int i = 0; i < 1000; ++i) fprintf(null, "a line that goes nowhere\n");
  fclose(null);
  expect(read(file, buffer, 0), 0, "read");
  int random = open("/dev/urandom", O_RDONLY);
  expect(read(random, buffer, 1000), 1000, "read of random numbers");
  close(random);
}

static void step(const char* what, void (*make)(void)) {
  fsync(file);
  const uint64_t begin = hal_time_ps();
  make();
  printf("%s %.1f\n", what, (double)(hal_time_ps() - begin) / 1000);
}

int main(void) {
  snprintf(name, sizeof name, "file_times-%d.data", hal_rank());
  file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0666);
  if (file < 0) fail("open");
  step("once_write", once_write);
  step("once_read", once_read);
  step("pieces_write", pieces_write);
  step("pieces_read", pieces_read);
  step("backwards", backwards);
  step("with_gaps", with_gaps);
  step("vectors", vectors);
  step("sync", sync_alone);
  step("stdio_write", stdio_write);
  step("stdio_read", stdio_read);
  step("stdio_bytes", stdio_bytes);
  step("stdio_text", stdio_text);
  step("once_write", once_write);
  step("stdio_seek", stdio_seek);
  step("free", free_of_charge);
  close(file);
  unlink(name);
  return 0;
}
