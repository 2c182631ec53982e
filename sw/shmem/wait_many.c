/* Waiting for several variables of own memory, or testing them: for all, any, or some of those that the program does
 * not leave out. */
#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"

/* Whether `*value` compares so with the variable. */
typedef int (*holds_t)(const volatile void* variable, int comparison, const void* value);

struct many {
  const char* call;
  const volatile void* variables;
  size_t size, count;
  const int* status; /* not 0: left out; may be null */
  int comparison;
  const void* values;
  size_t value_step; /* 0: one for all */
  holds_t holds;
};

static const volatile char* variable(const struct many* many, size_t i) {
  return (const volatile char*)many->variables + i * many->size;
}

static int holds(const struct many* many, size_t i) {
  return many->holds(variable(many, i), many->comparison, (const char*)many->values + i * many->value_step);
}

static int counts(const struct many* many, size_t i) { return !many->status || many->status[i] == 0; }

static int has_some(const struct many* many) {
  for (size_t i = 0; i < many->count; ++i)
    if (counts(many, i)) return 1;
  return 0;
}

static void check(const struct many* many) {
  shmem_check_comparison(many->call, many->comparison);
  if (many->count > 0 && !many->variables)
    shmem_fail(many->call, "the variables are null; pass an array of them, or the number 0");
  if (many->count > 0 && !many->values)
    shmem_fail(many->call, "the values are null; pass an array of as many as there are variables");
  shmem_pass_time(many->call);
}

/* ---- test ---- */
static int test_all(const struct many* many) {
  check(many);
  for (size_t i = 0; i < many->count; ++i)
    if (counts(many, i) && !holds(many, i)) return 0;
  return 1;
}

/* Begins after the one that was found last, so that each that holds is found eventually. */
static size_t first(const struct many* many) {
  static size_t last;
  for (size_t k = 0; k < many->count; ++k) {
    const size_t i = (last + 1 + k) % many->count;
    if (!counts(many, i) || !holds(many, i)) continue;
    last = i;
    return i;
  }
  return SIZE_MAX;
}

static size_t test_any(const struct many* many) {
  check(many);
  return first(many);
}

static size_t some(const struct many* many, size_t* indices) {
  size_t found = 0;
  for (size_t i = 0; i < many->count; ++i)
    if (counts(many, i) && holds(many, i)) indices[found++] = i;
  return found;
}

static void check_indices(const struct many* many, const size_t* indices) {
  check(many);
  if (!indices && many->count > 0)
    shmem_fail(many->call, "the indices are null; pass an array of as many as there are variables");
}

static size_t test_some(const struct many* many, size_t* indices) {
  check_indices(many, indices);
  return some(many, indices);
}

/* ---- wait ---- */
/* The words of all that count, with their values now. More than one call can watch: 0, the caller polls. */
struct watch {
  const volatile uint32_t* words[TRANSPORT_WORDS];
  uint32_t values[TRANSPORT_WORDS];
  unsigned count;
};

static int watch(const struct many* many, struct watch* watch) {
  watch->count = 0;
  for (size_t i = 0; i < many->count; ++i) {
    if (!counts(many, i)) continue;
    const struct seen seen = shmem_look(variable(many, i), many->size);
    if (watch->count + seen.count > TRANSPORT_WORDS) return 0;
    for (unsigned w = 0; w < seen.count; ++w, ++watch->count) {
      watch->words[watch->count] = seen.words[w];
      watch->values[watch->count] = seen.values[w];
    }
  }
  return 1;
}

static void wait_one(const struct many* many, size_t i) {
  for (;;) {
    const struct seen seen = shmem_look(variable(many, i), many->size);
    if (holds(many, i)) return;
    transport_wait_words(seen.words, seen.values, seen.count);
  }
}

static void wait_all(const struct many* many) {
  check(many);
  for (size_t i = 0; i < many->count; ++i)
    if (counts(many, i)) wait_one(many, i);
}

/* Waits until one holds, and returns its index. The words are read before the comparisons: a store in between ends the
 * sleep at once. */
static size_t wait_first(const struct many* many) {
  if (!has_some(many)) return SIZE_MAX;
  for (;;) {
    struct watch watched;
    const int fits = watch(many, &watched);
    const size_t found = first(many);
    if (found != SIZE_MAX) return found;
    if (fits)
      transport_wait_words(watched.words, watched.values, watched.count);
    else
      shmem_pass_time(many->call);
  }
}

static size_t wait_any(const struct many* many) {
  check(many);
  return wait_first(many);
}

static size_t wait_some(const struct many* many, size_t* indices) {
  check_indices(many, indices);
  return wait_first(many) == SIZE_MAX ? 0 : some(many, indices);
}

/* ---- the calls ---- */
#define MANY(name, kind, type, value_, step)                                                                 \
  (&(struct many){"shmem_" #name "_" kind, variables, sizeof(type), count, status, comparison, value_, step, \
                  name##_holds})

#define CALLS(name, type, vector, parameter, value_, step)                                                            \
  void shmem_##name##_wait_until_all##vector(volatile type* variables, size_t count, const int* status,               \
                                             int comparison, parameter) {                                             \
    wait_all(MANY(name, "wait_until_all" #vector, type, value_, step));                                               \
  }                                                                                                                   \
  size_t shmem_##name##_wait_until_any##vector(volatile type* variables, size_t count, const int* status,             \
                                               int comparison, parameter) {                                           \
    return wait_any(MANY(name, "wait_until_any" #vector, type, value_, step));                                        \
  }                                                                                                                   \
  size_t shmem_##name##_wait_until_some##vector(volatile type* variables, size_t count, size_t* indices,              \
                                                const int* status, int comparison, parameter) {                       \
    return wait_some(MANY(name, "wait_until_some" #vector, type, value_, step), indices);                             \
  }                                                                                                                   \
  int shmem_##name##_test_all##vector(volatile type* variables, size_t count, const int* status, int comparison,      \
                                      parameter) {                                                                    \
    return test_all(MANY(name, "test_all" #vector, type, value_, step));                                              \
  }                                                                                                                   \
  size_t shmem_##name##_test_any##vector(volatile type* variables, size_t count, const int* status, int comparison,   \
                                         parameter) {                                                                 \
    return test_any(MANY(name, "test_any" #vector, type, value_, step));                                              \
  }                                                                                                                   \
  size_t shmem_##name##_test_some##vector(volatile type* variables, size_t count, size_t* indices, const int* status, \
                                          int comparison, parameter) {                                                \
    return test_some(MANY(name, "test_some" #vector, type, value_, step), indices);                                   \
  }

#define WAITED(name, type)                                                                      \
  static int name##_holds(const volatile void* variable_, int comparison, const void* value_) { \
    const type now = *(const volatile type*)variable_, value = *(const type*)value_;            \
    return SHMEM_HOLDS(now, comparison, value);                                                 \
  }                                                                                             \
  CALLS(name, type, , type value, &value, 0)                                                    \
  CALLS(name, type, _vector, const type* values, values, sizeof(type))
SHMEM_EACH_WAITED(WAITED)
