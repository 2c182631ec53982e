/* Atomic operations of the transport: the result of each, words of both widths, and all processes at one word. */
#include <stdio.h>

#include "sw/hal/hal.h"
#include "sw/transport/transport.h"

#define TIMES 40u

static struct {
  uint64_t wide;
  uint32_t narrow[2];
  uint64_t counter, bits, last;
} words;

static void expect(uint64_t is, uint64_t should, const char* what) {
  if (is == should) return;
  char text[160];
  snprintf(text, sizeof text, "rank %d: %s is %#llx and should be %#llx", hal_rank(), what, (unsigned long long)is,
           (unsigned long long)should);
  hal_abort(text);
}

#define AT(member) transport_address_of(&words.member, sizeof words.member)

#define UPDATE(operation, width, operand, comparand) (&(struct transport_update){operation, width, operand, comparand})

static uint64_t wide(unsigned to, enum word_operation operation, uint64_t operand, uint64_t comparand) {
  return transport_atomic_now(to, AT(wide), UPDATE(operation, sizeof words.wide, operand, comparand));
}

/* Each process uses the words of the next one. */
static void each_operation(unsigned to) {
  const uint64_t big = 0x123456789abcdef0u;
  expect(wide(to, WORD_SET, big, 0), 0, "a word that was never set");
  expect(wide(to, WORD_ADD, 0x10, 0), big, "a word set");
  expect(wide(to, WORD_AND, 0xffff, 0), big + 0x10, "a sum");
  expect(wide(to, WORD_OR, 0x0f, 0), 0xdf00, "a conjunction");
  expect(wide(to, WORD_XOR, 0xff0f, 0), 0xdf0f, "a disjunction");
  expect(wide(to, WORD_COMPARE_AND_SET, 5, 4), 0x2000, "a difference");
  expect(wide(to, WORD_COMPARE_AND_SET, 5, 0x2000), 0x2000, "a word that was not what was expected");
  expect(wide(to, WORD_FETCH, 7, 0), 5, "a word that was");
  expect(wide(to, WORD_FETCH, 0, 0), 5, "a word that was looked at");
}

/* Operations on a word of 4 bytes wrap around and leave its neighbour unchanged. */
static void narrow(unsigned to) {
  uint32_t before = 0;
  transport_atomic(0, to, AT(narrow[0]), UPDATE(WORD_SET, 4, UINT32_MAX, 0), NULL);
  transport_quiet(0);
  const transport_batch batch = transport_batch_open();
  transport_atomic(batch, to, AT(narrow[0]), UPDATE(WORD_ADD, 4, 3, 0), &before);
  transport_quiet(batch);
  transport_batch_close(batch);
  expect(before, UINT32_MAX, "a word of 4 bytes");
  transport_barrier();
  expect(words.narrow[0], 2, "a word of 4 bytes that has gone around");
  expect(words.narrow[1], 0, "the word beside it");
}

static void all_at_once(unsigned self, unsigned count) {
  const unsigned home = count / 2;
  for (unsigned i = 0; i < TIMES; ++i) {
    if (i % 4 != 0) {
      transport_atomic(0, home, AT(counter), UPDATE(WORD_ADD, 8, 1, 0), NULL);
      continue;
    }
    uint64_t before = transport_atomic_now(home, AT(counter), UPDATE(WORD_ADD, 8, 1, 0));
    /* Another operation on the same word: adds 1 as well, with as many retries as needed. */
    uint64_t expected = before + 1;
    while ((before = transport_atomic_now(home, AT(counter),
                                          UPDATE(WORD_COMPARE_AND_SET, 8, expected + 1, expected))) != expected)
      expected = before;
  }
  transport_atomic(0, home, AT(bits), UPDATE(WORD_XOR, 8, 1ull << (self % 64), 0), NULL);
  transport_quiet(0);
  transport_barrier();
  if (self != home) return;
  expect(words.counter, (uint64_t)count * (TIMES + TIMES / 4), "what all have added");
  expect(words.bits, count == 64 ? UINT64_MAX : (1ull << count) - 1, "what all have set");
}

int main(void) {
  transport_start();
  transport_start_atomics();
  const unsigned self = transport_self(), count = transport_count();
  const uint64_t began = hal_time_ps();
  each_operation((self + 1) % count);
  if (self == 0) printf("operation_us %.3f\n", (double)(hal_time_ps() - began) / 9e6);
  narrow((self + 1) % count);
  all_at_once(self, count);
  if (self == 0) puts("PASS");
  return 0;
}
