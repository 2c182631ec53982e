/* For files of hal/ that stand in for calls of the C library: the costs of a call. */
#ifndef SANVP_HAL_CHARGE_H
#define SANVP_HAL_CHARGE_H

#include "sw/abi/hal/host.h"
#include "sw/abi/hal/library.h"

/* spent.c. */
extern int64_t sanvp_spent;
extern const struct hal_library_price* hal_library_prices; /* [HAL_LIBRARY_CALLS]; all 0 until hal_attach */

static inline int64_t hal_price_ps(enum hal_library_call call, uint64_t units) {
  const struct hal_library_price* const price = &hal_library_prices[call];
  return price->call_ps + (int64_t)units * price->unit_fs / 1000;
}

static inline void hal_charge(enum hal_library_call call, uint64_t units) { sanvp_spent += hal_price_ps(call, units); }

/* The same for a call that reads `bytes` of memory, in one or two areas, and writes as many (null: none): cache misses
 * of it stall the CPU. Small areas are assumed to be cached. */
void hal_charge_walk(enum hal_library_call call, const void* one, const void* other, const void* written, size_t bytes);
#define HAL_LEAST_WALK 4096u

/* By the linker: the bounds of the image's code. */
/* NOLINTNEXTLINE(readability-identifier-naming): the linker's name */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

/* A program may define such a function itself: its instructions are then counted there. */
static inline int hal_is_of_image(const void* function) {
  return (uintptr_t)function - (uintptr_t)__ehdr_start < (uintptr_t)etext - (uintptr_t)__ehdr_start;
}

/* In __wrap_NAME, with __real_NAME declared. */
#define HAL_CHARGE(name, units) \
  (hal_is_of_image((const void*)__real_##name) ? (void)0 : hal_charge(HAL_LIBRARY_##name, units))

#define HAL_CHARGE_WALK(name, one, other, written, bytes)                              \
  (hal_is_of_image((const void*)__real_##name) ? (void)0                               \
   : (bytes) < HAL_LEAST_WALK                  ? hal_charge(HAL_LIBRARY_##name, bytes) \
                                               : hal_charge_walk(HAL_LIBRARY_##name, one, other, written, bytes))

#endif
