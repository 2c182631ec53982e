/* Which algorithms of collective operations are fastest with the card lanai (transport_advice): made by
 * scripts/collective_advice.py of the study `collectives`, measured on myrinet-8. */
#ifndef SANVP_TRANSPORT_TUNED_LANAI_H
#define SANVP_TRANSPORT_TUNED_LANAI_H

#include "sw/transport/transport.h"

static const struct transport_advice tuned_lanai[] = {
    {"mpi.allgather", 1, 32, "recursive-doubling:512,linear:8192,ring"},
    {"mpi.allgather", 0, 32, "recursive-doubling:128,bruck:512,linear:2048,ring"},
    {"mpi.allreduce", 1, 32, "recursive-doubling:512,halving-doubling:131072,ring"},
    {"mpi.allreduce", 0, 32, "recursive-doubling:2048,halving-doubling:32768,ring"},
    {"mpi.alltoall", 0, 32, "bruck:128,linear"},
    {"mpi.barrier", 0, 32, "dissemination"},
    {"mpi.bcast", 1, 32, "binomial:2048,scatter-allgather:131072,chain"},
    {"mpi.bcast", 0, 32, "binomial:8192,scatter-allgather"},
    {"mpi.gather", 1, 32, "linear"},
    {"mpi.gather", 0, 32, "linear:128,binomial:512,linear"},
    {"mpi.reduce", 1, 32, "binomial:512,scatter-gather"},
    {"mpi.reduce", 0, 32, "binomial:2048,scatter-gather:131072,chain"},
    {"mpi.reduce_scatter", 1, 32, "halving:8192,ring"},
    {"mpi.reduce_scatter", 0, 32, "reduce-scatter:128,ring"},
    {"mpi.scan", 0, 32, "recursive-doubling"},
    {"mpi.scatter", 0, 32, "binomial:512,linear"},
    {0}};

#endif
