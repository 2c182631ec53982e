/* Which algorithms of collective operations are fastest with the card elan3 (transport_advice): made by
 * scripts/collective_advice.py of the study `collectives`, measured on qsnet-64. */
#ifndef SANVP_TRANSPORT_TUNED_ELAN3_H
#define SANVP_TRANSPORT_TUNED_ELAN3_H

#include "sw/transport/transport.h"

static const struct transport_advice tuned_elan3[] = {
    {"mpi.allgather", 1, 32, "recursive-doubling"},
    {"mpi.allgather", 0, 32, "recursive-doubling:8192,ring"},
    {"mpi.allreduce", 1, 32, "recursive-doubling:512,halving-doubling"},
    {"mpi.allreduce", 0, 32, "recursive-doubling:2048,halving-doubling:32768,ring"},
    {"mpi.alltoall", 1, 32, "bruck:32,linear:8192,pairwise"},
    {"mpi.alltoall", 0, 32, "bruck:32,linear:2048,pairwise"},
    {"mpi.barrier", 0, 32, "dissemination"},
    {"mpi.bcast", 1, 32, "binomial:2048,scatter-allgather:131072,chain"},
    {"mpi.bcast", 0, 32, "binomial:8192,scatter-allgather"},
    {"mpi.gather", 0, 32, "binomial:512,linear"},
    {"mpi.reduce", 0, 32, "binomial:8192,scatter-gather"},
    {"mpi.reduce_scatter", 1, 32, "halving"},
    {"mpi.reduce_scatter", 0, 32, "reduce-scatter:128,pairwise"},
    {"mpi.scan", 0, 32, "recursive-doubling"},
    {"mpi.scatter", 0, 32, "linear"},
    {0}};

#endif
