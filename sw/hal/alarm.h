/* For the files of hal/ alone: the process's alarm. Like all signals it is the process's own: the alarm is
 * checked where the process sleeps, reads a clock, leaves a call of a library, or yields while it computes. */
#ifndef SANVP_HAL_ALARM_H
#define SANVP_HAL_ALARM_H

#include <stdint.h>

/* Calls the handler of an alarm that is due by `now_ps`. Returns whether it did. */
int hal_ring_alarm(uint64_t now_ps);
/* The same, but reads the clock only if an alarm is set: for places where a program regains control. */
void hal_ring_alarm_if_set(void);
/* When it fires next; UINT64_MAX where none is set. */
uint64_t hal_alarm_rings_at_ps(void);
/* Sleeps; the handler of an alarm ends it early. Returns the remaining time then, and 0 otherwise. */
uint64_t hal_sleep_until_alarm(uint64_t ps);
/* seconds and ps together; UINT64_MAX if that overflows. */
uint64_t hal_span_ps(uint64_t seconds, uint64_t ps);

#endif
