/* Atomic operations: each is one operation of the transport, on the word's bits. */
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"

struct operation {
  enum word_operation what;
  uint64_t operand, comparand;
};

static uint64_t atomic(const char* call, volatile const void* word, unsigned width, struct operation operation, int pe,
                       int fetching) {
  shmem_check(call, pe);
  uint64_t before = 0;
  const transport_address remote = symmetric_address(call, word, width);
  if (remote % width != 0) shmem_fail(call, "the word is not aligned to its size; let the compiler or malloc place it");
  transport_atomic((unsigned)pe, remote, operation.what, width, operation.operand, operation.comparand,
                   fetching ? &before : NULL);
  return before;
}

/* A value's bits as a word, and back, for each type, floating-point types included. */
#define BITS(name, type)                    \
  static uint64_t name##_bits(type value) { \
    uint64_t bits = 0;                      \
    memcpy(&bits, &value, sizeof value);    \
    return bits;                            \
  }                                         \
  static type name##_value(uint64_t bits) { \
    type value;                             \
    memcpy(&value, &bits, sizeof value);    \
    return value;                           \
  }
SHMEM_EACH_ATOMIC(BITS)
SHMEM_EACH_FLOATING(BITS)

#define DO(name, call, fetching, what, operand, comparand) \
  atomic("shmem_" #name "_atomic_" call, dest, sizeof *dest, (struct operation){what, operand, comparand}, pe, fetching)

#define FETCHED(name, type)                                                    \
  type shmem_##name##_atomic_fetch(const type* dest, int pe) {                 \
    return name##_value(DO(name, "fetch", 1, WORD_FETCH, 0, 0));               \
  }                                                                            \
  void shmem_##name##_atomic_set(type* dest, type value, int pe) {             \
    DO(name, "set", 0, WORD_SET, name##_bits(value), 0);                       \
  }                                                                            \
  type shmem_##name##_atomic_swap(type* dest, type value, int pe) {            \
    return name##_value(DO(name, "swap", 1, WORD_SET, name##_bits(value), 0)); \
  }
SHMEM_EACH_ATOMIC(FETCHED)
SHMEM_EACH_FLOATING(FETCHED)

#define ATOMIC(name, type)                                                                                         \
  type shmem_##name##_atomic_compare_swap(type* dest, type cond, type value, int pe) {                             \
    return name##_value(DO(name, "compare_swap", 1, WORD_COMPARE_AND_SET, name##_bits(value), name##_bits(cond))); \
  }                                                                                                                \
  type shmem_##name##_atomic_fetch_inc(type* dest, int pe) {                                                       \
    return name##_value(DO(name, "fetch_inc", 1, WORD_ADD, 1, 0));                                                 \
  }                                                                                                                \
  void shmem_##name##_atomic_inc(type* dest, int pe) { DO(name, "inc", 0, WORD_ADD, 1, 0); }                       \
  type shmem_##name##_atomic_fetch_add(type* dest, type value, int pe) {                                           \
    return name##_value(DO(name, "fetch_add", 1, WORD_ADD, name##_bits(value), 0));                                \
  }                                                                                                                \
  void shmem_##name##_atomic_add(type* dest, type value, int pe) {                                                 \
    DO(name, "add", 0, WORD_ADD, name##_bits(value), 0);                                                           \
  }
SHMEM_EACH_ATOMIC(ATOMIC)

#define LOGIC(name, type, operation, word)                                              \
  type shmem_##name##_atomic_fetch_##operation(type* dest, type value, int pe) {        \
    return name##_value(DO(name, "fetch_" #operation, 1, word, name##_bits(value), 0)); \
  }                                                                                     \
  void shmem_##name##_atomic_##operation(type* dest, type value, int pe) {              \
    DO(name, #operation, 0, word, name##_bits(value), 0);                               \
  }
#define BITWISE(name, type) \
  LOGIC(name, type, and, WORD_AND) LOGIC(name, type, or, WORD_OR) LOGIC(name, type, xor, WORD_XOR)
SHMEM_EACH_BITWISE(BITWISE)
