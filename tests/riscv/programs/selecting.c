/* select and pselect: pipes, several sets, times, descriptors that are none. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static int first[2], second[2];

static void* write_later(void* nothing) {
  usleep(2000);
  return write(second[1], "x", 1) == 1 ? nothing : NULL;
}

static int wait_for_both(struct timeval* time, fd_set* from, fd_set* to) {
  FD_ZERO(from);
  FD_SET(first[0], from);
  FD_SET(second[0], from);
  const int highest = (second[1] > second[0] ? second[1] : second[0]) + 1;
  return select(highest, from, to, NULL, time);
}

int main(void) {
  fd_set from, to;
  char byte;
  if (pipe(first) != 0 || pipe(second) != 0) return 1;
  struct timeval none = {0, 0}, some = {0, 3000};
  printf("none %d", wait_for_both(&none, &from, NULL));
  printf(" %d %d\n", FD_ISSET(first[0], &from), FD_ISSET(second[0], &from));
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  printf("time %d", wait_for_both(&some, &from, NULL));
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf(" %d\n", (end.tv_sec - begin.tv_sec) * 1000000000 + end.tv_nsec - begin.tv_nsec >= 3000000);
  pthread_t thread;
  pthread_create(&thread, NULL, write_later, NULL);
  printf("a thread %d", wait_for_both(NULL, &from, NULL));
  printf(" %d %d\n", FD_ISSET(first[0], &from), FD_ISSET(second[0], &from));
  pthread_join(thread, NULL);
  if (write(first[1], "y", 1) != 1) return 1;
  FD_ZERO(&to);
  FD_SET(first[1], &to);
  printf("three %d", wait_for_both(NULL, &from, &to));
  printf(" %d %d %d\n", FD_ISSET(first[0], &from), FD_ISSET(second[0], &from), FD_ISSET(first[1], &to));
  if (read(first[0], &byte, 1) != 1 || read(second[0], &byte, 1) != 1) return 1;
  close(first[1]);
  printf("closed %d", wait_for_both(NULL, &from, NULL));
  printf(" %d %d, and reads %zd\n", FD_ISSET(first[0], &from), FD_ISSET(second[0], &from), read(first[0], &byte, 1));
  FD_ZERO(&from);
  FD_SET(60, &from);  // below 64: Linux leaves out what is beyond its table of files
  const int wrong = select(61, &from, NULL, NULL, &none);
  printf("no file %d %s\n", wrong, strerrorname_np(errno));
  printf("sleep %d\n", pselect(0, NULL, NULL, NULL, &(struct timespec){0, 1000000}, NULL));
  const int negative = select(-1, NULL, NULL, NULL, &none);
  printf("negative %d %s\n", negative, strerrorname_np(errno));
  return 0;
}
