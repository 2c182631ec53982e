/* Runs the blocks of random instructions that tests/riscv/random_program.py makes, each with random registers, and
 * writes a checksum of all registers and memory after each. The arguments: rounds, and a block whose registers are
 * printed. */
#include <stdint.h>
#if __riscv_xlen == 64
#include <stdio.h>
#include <stdlib.h>
#endif

/* As the assembly of the blocks has it. */
struct state {
  uint64_t x[32], f[32], fcsr; /* of RV32's, the lower halves change */
};
struct state state;
uint64_t area[512], stack_area[512];
extern void (*const blocks[])(void);
extern const int block_count;

static uint64_t seed = SEED;
static uint64_t draw(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return seed * 0x2545F4914F6CDD1Du;
}

/* RV32 has no division of 64 bits. */
static uint32_t remainder_of(uint64_t n, uint32_t by) { return __riscv_xlen == 64 ? n % by : (uint32_t)n % by; }

static uint64_t draw_integer(void) {
  static const uint64_t corners[] = {
      0, 1, -1ull, 0x7fffffff, 0x80000000, 0xffffffff, 1ull << 63, (1ull << 63) - 1, -0x80000000ull};
  const uint64_t n = draw();
  return n % 4 == 0   ? corners[remainder_of(n >> 8, 9)]
         : n % 4 == 1 ? (uint64_t)((int64_t)n >> remainder_of(n >> 2, 60))
                      : draw();
}

static uint64_t draw_double(void) {
  static const uint64_t corners[] = {0,
                                     0x3ff0000000000000,
                                     0x7ff0000000000000,
                                     0x7ff8000000000000,
                                     0x7ff0000000000001,
                                     1,
                                     0x000fffffffffffff,
                                     0x0010000000000000,
                                     0x7fefffffffffffff,
                                     0x3fe0000000000000,
                                     0x43e0000000000000,
                                     0x41e0000000000000,
                                     0x41dfffffffc00000,
                                     0x380fffffe0000000};
  const uint64_t n = draw(), sign = n >> 63 << 63, fraction = draw() >> 12;
  switch (remainder_of(n, 5)) {
    case 0:
      return sign | corners[remainder_of(n >> 8, 14)];
    case 1: /* near 1 */
      return sign | (uint64_t)(1023 - 30 + remainder_of(n >> 8, 60)) << 52 | (n & 64 ? fraction : fraction >> 40 << 40);
    case 2: /* small integers and halves */
      return ((union {
               double d;
               uint64_t u;
             }){.d = (double)(int)((n >> 8) % 64) / 2})
                 .u |
             sign;
    case 3: /* near the limits of the exponent */
      return sign | (uint64_t)(n & 64 ? remainder_of(n >> 8, 60) : 2046 - remainder_of(n >> 8, 60)) << 52 | fraction;
    default:
      return draw();
  }
}

static uint64_t draw_single(void) {
  static const uint32_t corners[] = {0,          0x3f800000, 0x7f800000, 0x7fc00000, 0x7f800001,
                                     1,          0x007fffff, 0x00800000, 0x7f7fffff, 0x3f000000,
                                     0x4f000000, 0x4effffff, 0x5f000000, 0x33800000};
  const uint64_t n = draw();
  const uint32_t sign = (uint32_t)(n >> 63) << 31, fraction = (uint32_t)draw() >> 9;
  uint32_t bits = (uint32_t)(n >> 20);
  const uint32_t kind = remainder_of(n, 5), exponent = remainder_of(n >> 8, 30);
  if (kind == 0) bits = sign | corners[remainder_of(n >> 8, 14)];
  if (kind == 1) bits = sign | (127 - 15 + exponent) << 23 | fraction;
  if (kind == 2)
    bits = ((union {
             float f;
             uint32_t u;
           }){.f = (float)(int)((n >> 8) % 64) / 2})
               .u |
           sign;
  if (kind == 3) bits = sign | (n & 64 ? exponent : 254 - exponent) << 23 | fraction;
  return (n >> 40) % 16 == 0 ? bits : 0xffffffff00000000u | bits; /* seldom not boxed */
}

static void fill(void) {
  for (int i = 0; i < 32; ++i) {
    state.x[i] = draw_integer();
    state.f[i] = FORMAT == 32   ? draw_single()
                 : FORMAT == 64 ? draw_double()
                 : draw() & 1   ? draw_single()
                                : draw_double();
  }
  state.fcsr = remainder_of(draw(), 5) << 5 | (draw() & 31);
}

static uint64_t checksum(void) {
  uint64_t sum = 0;
  for (int i = 1; i < 32; ++i) sum = (sum ^ state.x[i]) * 0x100000001b3u, sum ^= sum >> 29;
  for (int i = 0; i < 32; ++i) sum = (sum ^ state.f[i]) * 0x100000001b3u, sum ^= sum >> 29;
  sum = (sum ^ state.fcsr) * 0x100000001b3u;
  for (int i = 0; i < 512; i += 1) sum = (sum ^ area[i]) * 0x100000001b3u, sum ^= stack_area[i];
  return sum ^ sum >> 31;
}

static long digits(const char* text) {
  long number = 0;
  while (*text != 0) number = 10 * number + (*text++ - '0');
  return number;
}

#if __riscv_xlen == 64
static void put(const void* bytes, unsigned long count) { fwrite(bytes, count, 1, stdout); }
static void print(const char* when) {
  for (int i = 0; i < 32; ++i) printf("%s x%d %016lx f%d %016lx\n", when, i, state.x[i], i, state.f[i]);
  printf("%s fcsr %lx\n", when, state.fcsr);
}
#else /* alone: two system calls of Linux */
static long call(long number, long a, long b, long c) {
  register long a7 __asm__("a7") = number, a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
  return a0;
}
static void put(const void* bytes, unsigned long count) { call(64, 1, (long)bytes, (long)count); }
static void put_hex(const char* name, int number, uint64_t value) {
  char line[32] = "                              \n";
  for (int i = 0; name[i] != 0; ++i) line[i] = name[i];
  line[7] = '0' + number / 10, line[8] = '0' + number % 10;
  for (int i = 0; i < 16; ++i) line[10 + i] = "0123456789abcdef"[value >> (60 - 4 * i) & 15];
  put(line, 31);
}
static void print(const char* when) {
  put(when, 6);
  for (int i = 0; i < 32; ++i) put_hex("x", i, state.x[i]), put_hex("f", i, state.f[i]);
  put_hex("fcsr", 0, state.fcsr);
}
int main(int argc, char** argv);
void begin(const long* stack) { call(93, main((int)stack[0], (char**)(stack + 1)), 0, 0); }
__asm__(
    ".globl _start\n_start:\n.option push\n.option norelax\nla gp, __global_pointer$\n.option pop\n"
    "mv a0, sp\nandi sp, sp, -16\ntail begin");
#endif

int main(int argc, char** argv) {
  const long rounds = digits(argv[1]), shown = argc > 2 ? digits(argv[2]) : -1;
  for (int i = 0; i < 512; ++i) area[i] = draw(), stack_area[i] = draw();
  for (long round = 0; round < rounds; ++round)
    for (int block = 0; block < block_count; ++block) {
      fill();
      const int is_shown = round * block_count + block == shown;
      if (is_shown) print("before");
      blocks[block]();
      if (is_shown) print("after ");
      const uint64_t sum = checksum();
      if (shown < 0) put(&sum, sizeof sum);
    }
  return 0;
}
