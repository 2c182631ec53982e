/* Calls, jumps and loops of many kinds, all of which must be counted (tests/system/test_counting.py). */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long word;

static jmp_buf home;
static int depth;
volatile int flag;

static void dive(int n) {
  if (n == 0) longjmp(home, ++depth);
  dive(n - 1);
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int choose(int what, int a, int b) {
  switch (what) {
    case 0:
      return a + b;
    case 1:
      return a * b;
    case 2:
      return b ? a / b : 0;
    case 3:
      return a << (b & 31);
    case 4:
      return a < b;
    case 5:
      return ~a;
    default:
      return choose(what - 6, b, a);
  }
}

int interpret(const unsigned char* code, int count) {
  static void* const steps[] = {&&add, &&decrement, &&repeat, &&halt};
  int sum = 0, pc = 0;
  goto* steps[code[pc]];
add:
  sum += count * 3;
  goto* steps[code[++pc]];
decrement:
  --count;
  goto* steps[code[++pc]];
repeat:
  pc = count ? 0 : pc + 1;
  goto* steps[code[pc]];
halt:
  return sum;
}

/* The carry is live across iterations. */
word add_long(word* to, const word* a, const word* b, long count) {
  word carry = 0, at = 0;
  __asm__ volatile(
      "clc\n1:\tmovq (%2,%1,8), %%rax; adcq (%3,%1,8), %%rax # with it\n\tmovq %%rax, (%4,%1,8)\n\t"
      "leaq 1(%1), %1\n\tdecq %5\n\tjnz 1b\n\tsetc %b0"
      : "+r"(carry), "+r"(at), "+r"(a), "+r"(b), "+r"(to), "+r"(count)
      :
      : "rax", "memory", "cc");
  return carry;
}

struct large {
  char text[300];
  long numbers[40];
};

struct large make(int seed) {
  struct large made;
  memset(&made, seed, sizeof made);
  made.numbers[3] = seed;
  return made;
}

long double series(long double x, int terms) {
  long double sum = 1;
  for (int i = 1; i < terms; ++i) sum = sum * x / i + 1;
  return sum;
}

double product(const double* a, const float* b, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

word wide(word a, word b) {
  unsigned __int128 both = (unsigned __int128)a * b;
  both = (both / 7) << 13;
  return (word)(both >> 64) ^ (word)both;
}

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int main(void) {
  volatile int total = 0;
  const int times = setjmp(home);
  if (times < 6) dive(times * 5 + 2);
  total += fibonacci(15);
  double list[200];
  float factors[200];
  for (int i = 0; i < 200; ++i) {
    list[i] = (i * 7919 % 211) / 3.0;
    factors[i] = (float)i;
  }
  qsort(list, 200, sizeof *list, compare);
  const unsigned char code[] = {0, 1, 2, 3};
  for (int i = 0; i < 12; ++i) total += choose(i, i * 77, i - 3);
  word a[9], b[9], sum[9];
  for (int i = 0; i < 9; ++i) {
    a[i] = ~0ul - (word)(i & 1);
    b[i] = (word)(i * i + 1);
  }
  const word carry = add_long(sum, a, b, 9);
  struct large first = make(3), second = first;
  flag = 1;
  while (!flag) {
  }
  printf("%d %d %lu %lu %ld %Lg %g %lx\n", total, interpret(code, 50), carry, sum[3], second.numbers[3],
         series(1.5L, 30), product(list, factors, 200), wide(~0ul / 3, 12345678987654321ul));
  return 0;
}
