/* Atomic operations: each is one operation of the transport, on the word's bits. */
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"

/* A word of a process. */
struct word {
  struct target at;
  transport_address address;
};

static struct word word_of(const char* call, shmem_ctx_t context, volatile const void* word, unsigned width, int pe) {
  const struct target at = shmem_target(call, context, pe);
  const transport_address address = symmetric_address(call, word, width, at.pe);
  if (address % width != 0)
    shmem_fail(call, "the word is not aligned to its size; let the compiler or malloc place it");
  return (struct word){at, address};
}

static uint64_t now(const char* call, shmem_ctx_t context, volatile const void* word, struct transport_update update,
                    int pe) {
  const struct word what = word_of(call, context, word, update.width, pe);
  return transport_atomic_now(what.at.pe, what.address, &update);
}

/* `fetch`: gets the old value; null: not wanted. */
static void begin(const char* call, shmem_ctx_t context, void* fetch, volatile const void* word,
                  struct transport_update update, int pe) {
  const struct word what = word_of(call, context, word, update.width, pe);
  transport_atomic(what.at.batch, what.at.pe, what.address, &update, fetch);
}

static void fetch_later(const char* call, shmem_ctx_t context, void* fetch, volatile const void* word,
                        struct transport_update update, int pe) {
  if (!fetch) shmem_fail(call, "the pointer for the old value is null; pass the address of a variable");
  begin(call, context, fetch, word, update, pe);
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
SHMEM_EACH_FETCHED(BITS)

#define UPDATE(what, operand, comparand) ((struct transport_update){what, sizeof *dest, operand, comparand})
/* The three kinds: with a result, with one later, without. `in`: the context. */
#define NOW(prefix, in, name, call, ...) \
  name##_value(now(#prefix #name "_atomic_" call, in, dest, UPDATE(__VA_ARGS__), pe))
#define LATER(prefix, in, name, call, ...) \
  fetch_later(#prefix #name "_atomic_" call, in, fetch, dest, UPDATE(__VA_ARGS__), pe)
#define BEGIN(prefix, in, name, call, ...) begin(#prefix #name "_atomic_" call, in, NULL, dest, UPDATE(__VA_ARGS__), pe)

#define FETCHED_AS(prefix, context_, in, name, type)                                          \
  type prefix##name##_atomic_fetch(context_ const type* dest, int pe) {                       \
    return NOW(prefix, in, name, "fetch", WORD_FETCH, 0, 0);                                  \
  }                                                                                           \
  void prefix##name##_atomic_fetch_nbi(context_ type* fetch, const type* dest, int pe) {      \
    LATER(prefix, in, name, "fetch_nbi", WORD_FETCH, 0, 0);                                   \
  }                                                                                           \
  void prefix##name##_atomic_set(context_ type* dest, type value, int pe) {                   \
    BEGIN(prefix, in, name, "set", WORD_SET, name##_bits(value), 0);                          \
  }                                                                                           \
  type prefix##name##_atomic_swap(context_ type* dest, type value, int pe) {                  \
    return NOW(prefix, in, name, "swap", WORD_SET, name##_bits(value), 0);                    \
  }                                                                                           \
  void prefix##name##_atomic_swap_nbi(context_ type* fetch, type* dest, type value, int pe) { \
    LATER(prefix, in, name, "swap_nbi", WORD_SET, name##_bits(value), 0);                     \
  }
#define FETCHED(name, type)                                           \
  FETCHED_AS(shmem_, SHMEM_NO_CONTEXT, SHMEM_CTX_DEFAULT, name, type) \
  FETCHED_AS(shmem_ctx_, SHMEM_CONTEXT, context, name, type)
SHMEM_EACH_FETCHED(FETCHED)

#define ATOMIC_AS(prefix, context_, in, name, type)                                                               \
  type prefix##name##_atomic_compare_swap(context_ type* dest, type cond, type value, int pe) {                   \
    return NOW(prefix, in, name, "compare_swap", WORD_COMPARE_AND_SET, name##_bits(value), name##_bits(cond));    \
  }                                                                                                               \
  void prefix##name##_atomic_compare_swap_nbi(context_ type* fetch, type* dest, type cond, type value, int pe) {  \
    LATER(prefix, in, name, "compare_swap_nbi", WORD_COMPARE_AND_SET, name##_bits(value), name##_bits(cond));     \
  }                                                                                                               \
  type prefix##name##_atomic_fetch_inc(context_ type* dest, int pe) {                                             \
    return NOW(prefix, in, name, "fetch_inc", WORD_ADD, 1, 0);                                                    \
  }                                                                                                               \
  void prefix##name##_atomic_fetch_inc_nbi(context_ type* fetch, type* dest, int pe) {                            \
    LATER(prefix, in, name, "fetch_inc_nbi", WORD_ADD, 1, 0);                                                     \
  }                                                                                                               \
  void prefix##name##_atomic_inc(context_ type* dest, int pe) { BEGIN(prefix, in, name, "inc", WORD_ADD, 1, 0); } \
  type prefix##name##_atomic_fetch_add(context_ type* dest, type value, int pe) {                                 \
    return NOW(prefix, in, name, "fetch_add", WORD_ADD, name##_bits(value), 0);                                   \
  }                                                                                                               \
  void prefix##name##_atomic_fetch_add_nbi(context_ type* fetch, type* dest, type value, int pe) {                \
    LATER(prefix, in, name, "fetch_add_nbi", WORD_ADD, name##_bits(value), 0);                                    \
  }                                                                                                               \
  void prefix##name##_atomic_add(context_ type* dest, type value, int pe) {                                       \
    BEGIN(prefix, in, name, "add", WORD_ADD, name##_bits(value), 0);                                              \
  }
#define ATOMIC(name, type)                                           \
  ATOMIC_AS(shmem_, SHMEM_NO_CONTEXT, SHMEM_CTX_DEFAULT, name, type) \
  ATOMIC_AS(shmem_ctx_, SHMEM_CONTEXT, context, name, type)
SHMEM_EACH_ATOMIC(ATOMIC)

#define LOGIC_AS(prefix, context_, in, name, type, operation, word)                                          \
  type prefix##name##_atomic_fetch_##operation(context_ type* dest, type value, int pe) {                    \
    return NOW(prefix, in, name, "fetch_" #operation, word, name##_bits(value), 0);                          \
  }                                                                                                          \
  void prefix##name##_atomic_fetch_##operation##_nbi(context_ type* fetch, type* dest, type value, int pe) { \
    LATER(prefix, in, name, "fetch_" #operation "_nbi", word, name##_bits(value), 0);                        \
  }                                                                                                          \
  void prefix##name##_atomic_##operation(context_ type* dest, type value, int pe) {                          \
    BEGIN(prefix, in, name, #operation, word, name##_bits(value), 0);                                        \
  }
#define LOGIC(name, type, operation, word)                                           \
  LOGIC_AS(shmem_, SHMEM_NO_CONTEXT, SHMEM_CTX_DEFAULT, name, type, operation, word) \
  LOGIC_AS(shmem_ctx_, SHMEM_CONTEXT, context, name, type, operation, word)
#define BITWISE(name, type) \
  LOGIC(name, type, and, WORD_AND) LOGIC(name, type, or, WORD_OR) LOGIC(name, type, xor, WORD_XOR)
SHMEM_EACH_BITWISE(BITWISE)
