/* For the files of hal/ alone: where a process's standard streams go. */
#ifndef SANVP_HAL_STANDARD_FILES_H
#define SANVP_HAL_STANDARD_FILES_H

/* What goes to `standard`, STDOUT_FILENO or STDERR_FILENO, goes to the file of `descriptor` from now on, as by dup2;
 * back to the labelled stream where that is a copy of the simulator's own. @return 0, or -1 with errno */
int hal_redirect(int descriptor, int standard);

#endif
