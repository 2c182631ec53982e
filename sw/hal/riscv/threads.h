/* Several threads in the calls of a library: one at a time, and none while it waits. */
#ifndef SANVP_HAL_RISCV_THREADS_H
#define SANVP_HAL_RISCV_THREADS_H

#include <stdint.h>

/* Around each call; they nest. */
void hal_threads_enter(void);
void hal_threads_leave(void);
/* The same for a hook between calls: 0 if another thread is in a call. */
int hal_threads_try_enter(void);
/* HAL_CALL_WAIT_WORDS, in which other threads may enter. It also ends when one of them has left a call, since that may
 * have done what this thread waits for. */
int64_t hal_threads_wait(const volatile uint32_t* const* words, const uint32_t* seen, int count, uint64_t until_ps);

#endif
