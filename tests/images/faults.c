/* Ways for a program to crash or fail. */
#include <assert.h>
#include <stddef.h>

int count; /* zero in each process */
int answer = 42;
int* to_count = &count;

int next(void) { return ++count; }

int write_to(volatile int* where) { return *where = 1; }

int divide(int a, int b) { return a / b; }

int recurse(int depth) {
  volatile char room[256];
  room[0] = (char)depth;
  return depth == 0 ? 0 : recurse(depth - 1) + room[0];
}

void fail_assertion(void) { assert(answer == 43); }
