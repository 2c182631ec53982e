/* For the files of hal/ alone: the destinations of a process's standard streams. */
#ifndef SANVP_HAL_STANDARD_FILES_H
#define SANVP_HAL_STANDARD_FILES_H

/* Redirects `standard`, STDOUT_FILENO or STDERR_FILENO, to the file of `descriptor`, as by dup2; back to the labelled
 * stream if that is a copy of the simulator's own. @return 0, or -1 with errno */
int hal_redirect(int descriptor, int standard);

#endif
