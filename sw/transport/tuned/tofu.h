/* Which algorithms of collective operations are fastest with the card tofu (transport_advice): made by
 * scripts/collective_advice.py of the study `collectives`, measured on tofu-36. */
#ifndef SANVP_TRANSPORT_TUNED_TOFU_H
#define SANVP_TRANSPORT_TUNED_TOFU_H

#include "sw/transport/transport.h"

static const struct transport_advice tuned_tofu[] = {
    {"mpi.allgather", 1, 32, "recursive-doubling:512,linear:2048,ring"},
    {"mpi.allgather", 0, 32, "recursive-doubling:128,linear:2048,ring"},
    {"mpi.allreduce", 0, 32, "recursive-doubling:2048,halving-doubling:32768,ring"},
    {"mpi.alltoall", 0, 32, "linear"},
    {"mpi.barrier", 0, 32, "dissemination"},
    {"mpi.bcast", 0, 32, "binomial:131072,chain"},
    {"mpi.gather", 1, 32, "binomial:512,linear"},
    {"mpi.gather", 0, 32, "binomial:2048,linear"},
    {"mpi.reduce", 1, 32, "binomial:2048,scatter-gather:131072,chain"},
    {"mpi.reduce", 0, 32, "binomial:512,scatter-gather:131072,chain"},
    {"mpi.reduce_scatter", 1, 32, "halving:2048,ring"},
    {"mpi.reduce_scatter", 0, 32, "halving:128,pairwise:2048,ring"},
    {"mpi.scan", 0, 32, "recursive-doubling"},
    {"mpi.scatter", 1, 32, "linear"},
    {"mpi.scatter", 0, 32, "binomial:128,linear"},
    {0}};

#endif
