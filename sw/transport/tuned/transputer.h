/* Which algorithms of collective operations are fastest with the card transputer (transport_advice): made by
 * scripts/collective_advice.py of the study `collectives`, measured on gcel-64. */
#ifndef SANVP_TRANSPORT_TUNED_TRANSPUTER_H
#define SANVP_TRANSPORT_TUNED_TRANSPUTER_H

#include "sw/transport/transport.h"

static const struct transport_advice tuned_transputer[] = {
    {"mpi.allgather", 0, 32, "recursive-doubling:2048,ring"},
    {"mpi.allreduce", 1, 32, "recursive-doubling:512,halving-doubling:32768,ring"},
    {"mpi.allreduce", 0, 32, "reduce-broadcast:128,recursive-doubling:512,halving-doubling:8192,ring"},
    {"mpi.alltoall", 0, 32, "bruck:32,linear"},
    {"mpi.barrier", 0, 32, "tree"},
    {"mpi.bcast", 1, 32, "binomial:512,scatter-allgather:32768,chain"},
    {"mpi.bcast", 0, 32, "binomial:2048,scatter-allgather:131072,chain"},
    {"mpi.gather", 1, 32, "binomial:512,linear"},
    {"mpi.gather", 0, 32, "binomial:512,linear:2048,binomial:8192,linear"},
    {"mpi.reduce", 1, 32, "binomial:512,scatter-gather"},
    {"mpi.reduce", 0, 32, "binomial:512,scatter-gather:131072,chain"},
    {"mpi.reduce_scatter", 1, 32, "halving:2048,ring"},
    {"mpi.reduce_scatter", 0, 32, "reduce-scatter:128,pairwise:512,ring"},
    {"mpi.scan", 0, 32, "recursive-doubling"},
    {"mpi.scatter", 1, 32, "binomial:32,linear"},
    {"mpi.scatter", 0, 32, "binomial:128,linear"},
    {0}};

#endif
