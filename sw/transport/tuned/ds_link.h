/* Which algorithms of collective operations are fastest with the card ds_link (transport_advice): made by
 * scripts/collective_advice.py of the study `collectives`, measured on macrame-clos-64. */
#ifndef SANVP_TRANSPORT_TUNED_DS_LINK_H
#define SANVP_TRANSPORT_TUNED_DS_LINK_H

#include "sw/transport/transport.h"

static const struct transport_advice tuned_ds_link[] = {
    {"mpi.allgather", 1, 32, "recursive-doubling:128,linear"},
    {"mpi.allgather", 0, 32, "recursive-doubling:32,linear"},
    {"mpi.allreduce", 1, 32, "recursive-doubling:128,halving-doubling:131072,ring"},
    {"mpi.allreduce", 0, 32, "recursive-doubling:512,halving-doubling:2048,ring"},
    {"mpi.alltoall", 0, 32, "linear"},
    {"mpi.barrier", 0, 32, "tree"},
    {"mpi.bcast", 1, 32, "binomial:512,scatter-allgather:131072,chain"},
    {"mpi.bcast", 0, 32, "binomial:512,scatter-allgather"},
    {"mpi.gather", 0, 32, "binomial:32,linear"},
    {"mpi.reduce", 1, 32, "binomial:128,scatter-gather"},
    {"mpi.reduce", 0, 32, "binomial:128,scatter-gather:131072,chain"},
    {"mpi.reduce_scatter", 1, 32, "halving:8192,ring"},
    {"mpi.reduce_scatter", 0, 32, "reduce-scatter:32,ring"},
    {"mpi.scan", 0, 32, "recursive-doubling"},
    {"mpi.scatter", 1, 32, "linear"},
    {"mpi.scatter", 0, 32, "binomial:32,linear"},
    {0}};

#endif
