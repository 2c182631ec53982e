/* Which algorithms of collective operations are fastest on Myrinet with GM, where the study knows nothing: with more
 * than 32 ranks. A message costs the LANai and both hosts more than Elan's, so vectors are cut earlier. Records, up to
 * 4 KB, need no posted receive, so more of them go at once. Links are half as fast and the network is not a fat tree:
 * doubling sends its largest blocks farthest, where a ring has neighbours (sw/mpi/COLLECTIVES.md). */
#ifndef SANVP_TRANSPORT_TUNED_MANY_LANAI_H
#define SANVP_TRANSPORT_TUNED_MANY_LANAI_H

#include <limits.h>

#include "sw/transport/transport.h"

static const struct transport_advice many_lanai[] = {
    {"mpi.bcast", 1, UINT_MAX, "binomial:1023,scatter-allgather"},
    {"mpi.bcast", 0, UINT_MAX, "binomial:8191,scatter-allgather"},
    {"mpi.gather", 0, UINT_MAX, "binomial:64,linear"},
    {"mpi.scatter", 0, UINT_MAX, "binomial:64,linear"},
    {"mpi.allgather", 1, UINT_MAX, "recursive-doubling:2048,ring"},
    {"mpi.allgather", 0, UINT_MAX, "bruck:8192,ring"},
    {"mpi.alltoall", 0, UINT_MAX, "bruck:64,linear:8192,pairwise"},
    {"mpi.reduce", 0, UINT_MAX, "binomial:1023,scatter-gather"},
    {"mpi.allreduce", 0, UINT_MAX, "recursive-doubling:511,halving-doubling"},
    {"mpi.reduce_scatter", 1, UINT_MAX, "halving:8192,pairwise"},
    {"mpi.reduce_scatter", 0, UINT_MAX, "halving"},
    {0}};

#endif
