/* Plays the program of a GOAL file on the whole machine: messages by MPI's transport, or by MPI with --by mpi, and a
 * calc computes for its time.
 */
#include <stdio.h>
#include <string.h>

#include "sw/apps/goal/play.h"
#include "sw/hal/hal.h"
#include "sw/support/options.h"

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const char* file = options_text(&options, "file", "", "the program: a GOAL file (docs/goal.md)");
  const char* ratio = options_text(&options, "cpu-ratio", "1", "by which calcs take longer than the file says");
  const char* by =
      options_text(&options, "by", "transport",
                   "transport: messages alone, as --record has them; or mpi: the work of MPI's calls as well, "
                   "which recordings of calls lack");
  options_check(&options);
  if (strcmp(by, "mpi") != 0 && strcmp(by, "transport") != 0) {
    if (hal_rank() == 0) fprintf(stderr, "goal: --by %s: give transport or mpi\n", by);
    options_refused();
  }
  if (!*file) {
    if (hal_rank() == 0) fprintf(stderr, "goal wants a program: -- --file program.goal\n");
    options_refused();
  }
  goal_play("goal", file, ratio, strcmp(by, "mpi") == 0);
  return 0;
}
