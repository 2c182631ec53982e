/* What a process sends, receives and waits for, told to a run that is recorded (`sanvp run --record`). No call takes
 * simulated time. */
#ifndef SANVP_HAL_RECORD_H
#define SANVP_HAL_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "sw/abi/hal/recorded.h"

int hal_records(void); /* whether this run is recorded */
/* @param request  tells those under way apart. @param peer  a rank */
void hal_record(enum hal_recorded what, const void* request, unsigned peer, uint64_t tag, size_t bytes);

#endif
