/* Which algorithms of collective operations are fastest, where a transport does not say (transport_advice): the
 * algorithms and limits of Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in
 * MPICH", IJHPCA 19(1), 2005, which were measured on two unlike networks. Their limits on the data of all ranks, of
 * allgather and reduce_scatter, are here those of a block with 16 ranks. */
#ifndef SANVP_TRANSPORT_TUNED_NEUTRAL_H
#define SANVP_TRANSPORT_TUNED_NEUTRAL_H

#include <limits.h>

#include "sw/transport/transport.h"

static const struct transport_advice tuned_neutral[] = {
    {"mpi.allgather", 1, UINT_MAX, "recursive-doubling:32K,ring"},
    {"mpi.allgather", 0, UINT_MAX, "bruck:5K,ring"},
    {"mpi.allreduce", 0, UINT_MAX, "recursive-doubling:2K,halving-doubling"},
    {"mpi.alltoall", 0, UINT_MAX, "bruck:256,linear:32K,pairwise"},
    {"mpi.barrier", 0, UINT_MAX, "dissemination"},
    {"mpi.bcast", 0, 7, "binomial"},
    {"mpi.bcast", 0, UINT_MAX, "binomial:12K,scatter-allgather"},
    {"mpi.gather", 0, UINT_MAX, "binomial"},
    {"mpi.reduce", 0, UINT_MAX, "binomial:2K,scatter-gather"},
    {"mpi.reduce_scatter", 0, UINT_MAX, "halving:32K,pairwise"},
    {"mpi.scan", 0, UINT_MAX, "recursive-doubling"},
    {"mpi.scatter", 0, UINT_MAX, "binomial"},
    {0}};

#endif
