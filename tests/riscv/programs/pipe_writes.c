/* What is written to a pipe: in full, few bytes at once, and without waiting where that is wanted. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { record = 3000, records = 100, large = 200000, room = 65536 };
static int ends[2];

static void* write_records(void* letter) {
  char bytes[record];
  memset(bytes, (int)(long)letter, record);
  struct iovec parts[3] = {{bytes, 1000}, {bytes + 1000, 1}, {bytes + 1001, record - 1001}};
  long wrong = 0;
  for (int i = 0; i < records; ++i)
    wrong += (i % 2 == 0 ? write(ends[1], bytes, record) : writev(ends[1], parts, 3)) != record;
  return (void*)wrong;
}

static void* write_large(void* nothing) {
  char* const bytes = malloc(large);
  for (int i = 0; i < large; ++i) bytes[i] = (char)(i % 251);
  struct iovec parts[2] = {{bytes, 70000}, {bytes + 70000, large - 70000}};
  printf("written %zd\n", write(ends[1], bytes, large));
  printf("in parts %zd\n", writev(ends[1], parts, 2));
  free(bytes);
  return nothing;
}

static void records_of_three(void) {
  pthread_t threads[3];
  char bytes[record];
  int mixed = 0;
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, write_records, (void*)('a' + i));
  for (int i = 0; i < 3 * records; ++i) {
    for (int have = 0; have < record;) have += (int)read(ends[0], bytes + have, (size_t)(record - have));
    for (int k = 1; k < record; ++k) mixed += bytes[k] != bytes[0];
  }
  long wrong = 0;
  for (int i = 0; i < 3; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    wrong += (long)result;
  }
  printf("wrong lengths %ld, mixed bytes %d\n", wrong, mixed);
}

static void more_than_it_holds(void) {
  pthread_t thread;
  char bytes[999];
  long wrong = 0, all = 0;
  pthread_create(&thread, NULL, write_large, NULL);
  while (all < 2L * large) {
    const ssize_t now = read(ends[0], bytes, sizeof bytes);
    for (ssize_t k = 0; k < now; ++k) wrong += bytes[k] != (char)((all + k) % large % 251);
    all += now;
  }
  pthread_join(thread, NULL);
  printf("read %ld, wrong %ld\n", all, wrong);
}

static int can_write(void) {
  struct pollfd end = {ends[1], POLLOUT, 0};
  return poll(&end, 1, 0);
}

static void without_waiting(void) {
  static char bytes[room];
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  printf("fits %zd, can write %d\n", write(ends[1], bytes, room), can_write());
  const ssize_t few = write(ends[1], bytes, 1);
  printf("few %zd %s\n", few, strerrorname_np(errno));
  const ssize_t many = write(ends[1], bytes, 5000);
  printf("many %zd %s\n", many, strerrorname_np(errno));
  printf("nothing %zd\n", write(ends[1], bytes, 0));
  printf("out %zd, can write %d", read(ends[0], bytes, 4096), can_write());
  printf(", as many %zd\n", write(ends[1], bytes, 4096));
  for (ssize_t left = room; left > 0;) left -= read(ends[0], bytes, room);
  printf("can write %d\n", can_write());
  fcntl(ends[1], F_SETFL, 0);
}

static void on_signal(int signal) { (void)signal; }

/* The pipe takes a part; then only the signal ends the call. */
static void ended_by_a_signal(int flags) {
  static char bytes[2 * room];
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};
  sigaction(SIGALRM, &action, NULL);
  alarm(1);
  printf("part %zd\n", write(ends[1], bytes, sizeof bytes));
  for (ssize_t left = room; left > 0;) left -= read(ends[0], bytes, room);
}

int main(void) {
  if (pipe(ends) != 0) return 1;
  records_of_three();
  more_than_it_holds();
  without_waiting();
  ended_by_a_signal(0);
  ended_by_a_signal(SA_RESTART);
  return 0;
}
