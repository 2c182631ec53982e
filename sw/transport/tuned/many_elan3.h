/* Which algorithms of collective operations are fastest on QsNET, where the study knows nothing: with more than 32
 * ranks. Measured on qsnet-64 with 64 ranks (sw/mpi/COLLECTIVES.md). */
#ifndef SANVP_TRANSPORT_TUNED_MANY_ELAN3_H
#define SANVP_TRANSPORT_TUNED_MANY_ELAN3_H

#include <limits.h>

#include "sw/transport/transport.h"

static const struct transport_advice many_elan3[] = {
    {"mpi.bcast", 1, UINT_MAX, "binomial:1023,scatter-allgather"},
    {"mpi.bcast", 0, UINT_MAX, "binomial:8191,scatter-allgather"},
    {"mpi.gather", 0, UINT_MAX, "binomial:512,linear"},
    {"mpi.scatter", 0, UINT_MAX, "binomial:64,linear"},
    {"mpi.allgather", 1, UINT_MAX, "recursive-doubling"},
    {"mpi.allgather", 0, UINT_MAX, "bruck:8192,ring"},
    {"mpi.alltoall", 0, UINT_MAX, "bruck:32,linear:2048,pairwise"},
    {"mpi.reduce", 0, UINT_MAX, "binomial:8191,scatter-gather"},
    {"mpi.allreduce", 0, UINT_MAX, "recursive-doubling:511,halving-doubling"},
    {"mpi.reduce_scatter", 0, UINT_MAX, "halving"},
    {0}};

#endif
