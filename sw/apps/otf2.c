/* Plays an OTF2 archive, recorded elsewhere by Score-P or here by --trace F.otf2: its calls of MPI, and what passed
 * between them as computing.
 *
 * Before the machine boots, sanvp converts the archive to GOAL (`sanvp convert otf2`) and puts the result
 * into the place of --file.
 */
#include <stdio.h>

#include "sw/apps/goal/play.h"
#include "sw/hal/hal.h"
#include "sw/support/options.h"

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const char* file = options_text(&options, "file", "", "the archive's anchor file, such as traces.otf2");
  const char* ratio = options_text(&options, "cpu-ratio", "1", "by which computing takes longer than in the archive");
  options_check(&options);
  if (!*file) {
    if (hal_rank() == 0) fprintf(stderr, "otf2 wants an archive: -- --file traces.otf2\n");
    options_refused();
  }
  goal_play("otf2", file, ratio, 1);
  return 0;
}
