/* setjmp and longjmp; nested functions on an executable stack. */
#include <setjmp.h>
#include <stdio.h>
static jmp_buf place;
static double deep(int n, double x) {
  if (n == 0) longjmp(place, 42);
  return deep(n - 1, x * 1.5) + 1;
}
static int apply(int (*f)(int), int n) { return f(n); }
int main(void) {
  volatile int count = 0;
  const int from = setjmp(place);
  printf("%d %d\n", from, count);
  if (++count < 3) deep(100 * count, 1);
  int offset = 5;
  int add(int n) { return n + offset; }
  int sum = 0;
  for (offset = 0; offset < 100; ++offset) sum += apply(add, offset);
  printf("%d\n", sum);
  return from == 42 ? 9 : 1;
}
