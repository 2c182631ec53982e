/* The time of MPI's collective operations by size, every byte checked: a program's main, for one operation or all. */
#ifndef SANVP_APPS_COLLECTIVE_TIMES_H
#define SANVP_APPS_COLLECTIVE_TIMES_H

/* @param operation  that `--operation` has for default: a name, or "all" */
int collective_times(int argc, char** argv, const char* operation);

#endif
