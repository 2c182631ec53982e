/* MPI_Allreduce by size: time on all ranks, every byte of the sums checked.
 * It is `collectives` with this operation alone. */
#include "sw/apps/collective/times.h"

int main(int argc, char** argv) { return collective_times(argc, argv, "allreduce"); }
