/* Threads that talk through pipes, poll. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int to[2], from[2];
static void* echo(void* unused) {
  (void)unused;
  int n;
  while (read(to[0], &n, sizeof n) == sizeof n) {
    n *= 2;
    if (write(from[1], &n, sizeof n) != sizeof n) break;
  }
  close(from[1]);
  return 0;
}
int main(void) {
  if (pipe(to) || pipe(from)) return 1;
  pthread_t thread;
  pthread_create(&thread, 0, echo, 0);
  struct pollfd p = {.fd = from[0], .events = POLLIN};
  printf("%d\n", poll(&p, 1, 10));
  long sum = 0;
  for (int i = 0; i < 100; ++i) {
    if (write(to[1], &i, sizeof i) != sizeof i) return 2;
    if (poll(&p, 1, -1) != 1 || p.revents != POLLIN) return 3;
    int n;
    if (read(from[0], &n, sizeof n) != sizeof n) return 4;
    sum += n;
  }
  close(to[1]);
  int n;
  printf("%ld %ld\n", sum, (long)read(from[0], &n, sizeof n));
  pthread_join(thread, 0);
  return 0;
}
