/* Collective operations of MPI by size: their time on all ranks, and every byte checked. As OSU's benchmarks measure: a
 * barrier, then each rank's time in the operation; the mean of ranks and repetitions, and the slowest rank's mean.
 * Bytes are those of a message of the operation's arguments. `-s mpi.alltoall=pairwise` and the like choose algorithms.
 */
#include "sw/apps/collective/times.h"

int main(int argc, char** argv) { return collective_times(argc, argv, "all"); }
