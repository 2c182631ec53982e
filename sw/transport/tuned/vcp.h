/* Which algorithms of collective operations are fastest with the card vcp (transport_advice): made by
 * scripts/collective_advice.py of the study `collectives`, measured on moc-3-2. */
#ifndef SANVP_TRANSPORT_TUNED_VCP_H
#define SANVP_TRANSPORT_TUNED_VCP_H

#include "sw/transport/transport.h"

static const struct transport_advice tuned_vcp[] = {
    {"mpi.allgather", 1, 32, "recursive-doubling:512,ring"},
    {"mpi.allgather", 0, 32, "recursive-doubling:128,ring"},
    {"mpi.allreduce", 1, 32, "recursive-doubling:2048,ring"},
    {"mpi.allreduce", 0, 32, "recursive-doubling:2048,halving-doubling:8192,ring"},
    {"mpi.alltoall", 1, 32, "bruck:128,linear:512,pairwise:2048,linear:8192,pairwise"},
    {"mpi.alltoall", 0, 32, "bruck:128,linear:512,pairwise"},
    {"mpi.barrier", 0, 32, "dissemination"},
    {"mpi.bcast", 1, 32, "binomial:2048,scatter-allgather:32768,chain"},
    {"mpi.bcast", 0, 32, "binomial:2048,scatter-allgather:131072,chain"},
    {"mpi.gather", 0, 32, "binomial:8192,linear"},
    {"mpi.reduce", 1, 32, "binomial:2048,scatter-gather:8192,binomial:32768,chain"},
    {"mpi.reduce", 0, 32, "binomial:2048,scatter-gather:32768,chain"},
    {"mpi.reduce_scatter", 1, 32, "halving:128,ring"},
    {"mpi.reduce_scatter", 0, 32, "reduce-scatter:128,ring"},
    {"mpi.scan", 0, 32, "recursive-doubling"},
    {"mpi.scatter", 0, 32, "binomial:512,linear"},
    {0}};

#endif
