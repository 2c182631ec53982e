/* The program's main, from the simulator. This file has no unwind tables (cmake/Images.cmake): the stack of a C++
 * program ends here for the exceptions that it throws, so one that nothing catches calls std::terminate, as it does in
 * a process of its own, and none comes to the simulator's frames. */
#include <stdlib.h>

#include "sw/hal/host.h"

/* Of OpenMP's library, where a program has it: its threads would be the simulator's. */
__attribute__((weak)) void omp_set_num_threads(int threads);

void hal_run_main(int (*main_function)(int count, char** arguments), int count, char** arguments) {
  if (omp_set_num_threads) omp_set_num_threads(1);
  exit(main_function(count, arguments));
}
