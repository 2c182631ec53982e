/* The program's main, from the simulator. This file has no unwind tables (cmake/Images.cmake): the stack of a C++
 * program ends here for the exceptions that it throws, so one that nothing catches calls std::terminate, as it does in
 * a process of its own, and none comes to the simulator's frames. */
#include <stdlib.h>

#include "sw/hal/host.h"

void hal_run_main(int (*main_function)(int count, char** arguments), int count, char** arguments) {
  exit(main_function(count, arguments));
}
