/* Shared by the files of MPI_T. Its calls return their codes; no handler gets them. */
#ifndef SANVP_MPI_TOOLS_INTERNAL_H
#define SANVP_MPI_TOOLS_INTERNAL_H

#include "sw/mpi/mpi.h"

int mpi_tools_check(void); /* MPI_T runs */
/* Copies a text as far as there is room; `length` becomes what the whole needs. Both may be null. */
void mpi_tools_text(const char* text, char* to, int* length);
int mpi_tools_controls(void); /* how many */
int mpi_tools_counters(void);

#endif
