/* The program's destructors, for sw/hal/process.c. */
#ifndef SANVP_HAL_DESTRUCTORS_H
#define SANVP_HAL_DESTRUCTORS_H

/* The last first; each once. */
void hal_destructors_run(void);

#endif
