/* Work of a given time: a loop of floating-point divisions, calibrated once against the clock. Each
 * division costs many cycles and little of the simulating computer's time. */
#ifndef SANVP_APPS_WORK_H
#define SANVP_APPS_WORK_H

#include <stdint.h>

#include "sw/support/options.h"

struct work {
  int is_loop; /* else the time alone is told to the CPU: hal_compute_ps */
  double turn_us;
};

/* Option --work: `loop`, or `stated`, which simulates faster. */
struct work work_option(struct options* options);
/* Measures a turn of the loop. If computing takes no time (host.cpu.timing = off), work becomes stated. */
void work_calibrate(struct work* work);
/* Computes for about `us`: by whole turns. Returns the time that an undisturbed CPU would take, by the calibration. */
double work_for_us(const struct work* work, double us);

#endif
