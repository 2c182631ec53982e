/* Code of many kinds, for tests that interpret it and compare (tests/models/interpreted.cpp). All functions have the
 * same parameters: two numbers, and memory of 4 KiB that both may change. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default"), noipa))
#define BYTES 4096

EXPORTED uint64_t arithmetic(uint64_t a, uint64_t b, void* memory) {
  const int64_t s = (int64_t)a, t = (int64_t)b;
  uint64_t result = a * b + (a ^ (b << 3)) - (a >> 5 | b);
  result += (uint64_t)(s * 3 / (t | 1)) + a % (b | 1) + (uint64_t)(s % (t | 1));
  result ^= (uint64_t)((int32_t)a / ((int32_t)(b >> 8) | 1)) + (uint32_t)a / ((uint32_t)b | 1);
  result += (uint64_t)((__int128)s * t >> 64) ^ (uint64_t)((unsigned __int128)a * b >> 64);
  const unsigned __int128 sum = ((unsigned __int128)a << 64 | b) + ((unsigned __int128)b << 64 | a);
  result ^= (uint64_t)(sum >> 64) - (uint64_t)sum;
  memcpy(memory, &result, sizeof result);
  return result;
}

EXPORTED uint64_t shifts(uint64_t a, uint64_t b, void* memory) {
  (void)memory;
  const unsigned by = b & 63, less = b & 31;
  uint64_t result = (a << by | a >> ((64 - by) & 63)) ^ (uint64_t)((int64_t)a >> by);
  result += (uint32_t)a << less ^ (uint32_t)a >> less ^ (uint32_t)((int32_t)a >> less);
  result += (uint16_t)((uint16_t)a << (less & 15) | (uint16_t)a >> (16 - (less & 15)));
  result ^= (uint64_t)(((unsigned __int128)a << 64 | b) >> by);
  return result + (uint8_t)((uint8_t)a >> (less & 7)) + (uint64_t)(int8_t)((int8_t)a >> (less & 7));
}

EXPORTED uint64_t bits(uint64_t a, uint64_t b, void* memory) {
  uint64_t* const words = memory;
  words[b % 64] |= 1ULL << (a & 63);
  words[a % 64] &= ~(1ULL << (b & 63));
  uint64_t result = __builtin_bswap64(a) + __builtin_bswap32((uint32_t)b);
  if (a) result += (uint64_t)__builtin_ctzll(a) * 3 + (uint64_t)__builtin_clzll(a);
  if ((uint32_t)b) result += (uint64_t)__builtin_ctz((uint32_t)b) + (uint64_t)__builtin_clz((uint32_t)b);
  return result + (a >> (b & 63) & 1) + (uint64_t)__builtin_popcountll(a) + (uint64_t)__builtin_parity((unsigned)b);
}

EXPORTED uint64_t comparisons(uint64_t a, uint64_t b, void* memory) {
  (void)memory;
  const int64_t s = (int64_t)a, t = (int64_t)b;
  uint64_t result = (a < b) | (a <= b) << 1 | (s < t) << 2 | (s <= t) << 3 | (a == b) << 4 | (s < 0) << 5;
  result |= (uint64_t)((int32_t)s < (int32_t)t) << 6 | (uint64_t)((int16_t)s > (int16_t)t) << 7 |
            (uint64_t)((uint8_t)a > (uint8_t)b) << 8 | (uint64_t)((int8_t)a >= (int8_t)b) << 9;
  int64_t sum = 0, product = 0;
  result |= (uint64_t)__builtin_add_overflow(s, t, &sum) << 10 | (uint64_t)__builtin_mul_overflow(s, t, &product) << 11;
  result |= (uint64_t)__builtin_sub_overflow(s, t, &sum) << 12;
  const uint64_t larger = a > b ? a : b;
  const int64_t smaller = s < t ? s : t;
  return result * 31 + larger - (uint64_t)smaller + (uint64_t)product;
}

static double number(uint64_t from) { return (double)(int64_t)(from % 2000003) / 128 - 4000; }

EXPORTED uint64_t numbers(uint64_t a, uint64_t b, void* memory) {
  const double x = number(a), y = number(b);
  const float f = (float)x, g = (float)y;
  double* const to = memory;
  to[0] = x * y + x / (y + 0.25) - y;
  to[1] = __builtin_sqrt(x * x + y * y);
  to[2] = x < y ? x : y;
  to[3] = (double)(f * g - f / (g + 0.5f));
  to[4] = (double)a + (double)(int32_t)b + (double)(float)(int64_t)a;
  float* const narrow = memory;
  narrow[16] = (float)(uint32_t)a;
  return (uint64_t)(int64_t)(x * 16) + (uint64_t)(int32_t)y + (uint64_t)(int64_t)f + (x < y) + 2 * (x == y) +
         4 * (f >= g) + 8 * (uint64_t)(x != x) + (uint64_t)(x > y);
}

EXPORTED uint64_t vectors(uint64_t a, uint64_t b, void* memory) {
  uint8_t* const bytes = memory;
  uint16_t* const words = memory;
  uint32_t* const numbers = memory;
  int32_t* const whole = memory;
  uint64_t* const large = memory;
  double* const real = (double*)memory + 384;
  for (int i = 0; i < 128; ++i) bytes[i] = (uint8_t)(bytes[i + 128] + a);
  for (int i = 0; i < 64; ++i) words[i + 128] = (uint16_t)(words[i] * (uint16_t)b >> 3);
  for (int i = 0; i < 64; ++i) numbers[i + 128] = numbers[i] * (uint32_t)a + (numbers[i] >> 7);
  for (int i = 0; i < 64; ++i) whole[i + 192] = whole[i] > (int32_t)b ? whole[i] : (int32_t)b;
  for (int i = 0; i < 32; ++i) large[i + 128] = (large[i] ^ a) - (large[i + 32] & b) + (large[i] << 5);
  for (int i = 0; i < 32; ++i) real[i] = (double)whole[i] * 0.5 + (double)(int32_t)b;
  uint64_t sum = 0;
  for (int i = 0; i < 256; ++i) sum += bytes[i] + (uint64_t)(int16_t)words[i];
  uint32_t greatest = 0;
  for (int i = 0; i < 64; ++i) greatest = bytes[i] > greatest ? bytes[i] : greatest;
  return sum * 7 + greatest;
}

struct triple {
  uint64_t a, b;
  char text[40];
};

static struct triple turned(struct triple of) {
  struct triple back = {of.b, of.a, {0}};
  for (size_t i = 0; i < sizeof of.text; ++i) back.text[i] = of.text[sizeof of.text - 1 - i];
  return back;
}

static uint64_t fibonacci(uint64_t n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

EXPORTED uint64_t calls(uint64_t a, uint64_t b, void* memory) {
  uint64_t (*volatile function)(uint64_t) = fibonacci;
  struct triple one = {a, b, {0}};
  memcpy(one.text, memory, sizeof one.text);
  one = turned(one);
  memcpy((char*)memory + 64, &one, sizeof one);
  switch (a % 9) {
    case 0:
      return function(b % 12);
    case 1:
      return a + one.a;
    case 2:
      return b * 3;
    case 3:
      return (uint64_t)strnlen(memory, 64);
    case 4:
      memset((char*)memory + b % 1024, (int)a, a % 512);
      return 1;
    case 5:
      memmove((char*)memory + a % 1024, (char*)memory + b % 1024, b % 512);
      return 2;
    case 6:
      return (uint64_t)(memcmp(memory, (char*)memory + b % 64, a % 8) > 0);
    default:
      return function(a % 8) + one.b;
  }
}

EXPORTED uint64_t texts(uint64_t a, uint64_t b, void* memory) {
  char* const text = (char*)memory + 256;
  const int length = snprintf(text, 200, "%d %s %llx %c %5.3f|%08x|%lld %g %zu %d %d", (int)a, a % 2 ? "odd" : "even",
                              (unsigned long long)b, 'a' + (char)(b % 26), number(a), (unsigned)b, (long long)a,
                              number(b), (size_t)a, (int)b, (int)(a + b));
  return (uint64_t)length + (uint64_t)strcmp(text, "5") * 0;
}
