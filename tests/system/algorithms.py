"""The algorithms of MPI's collective operations by name (sw/mpi/COLLECTIVES.md), for tests that try each."""

from __future__ import annotations

ALGORITHMS = {
    "mpi.barrier": ("hardware", "dissemination", "tree"),
    "mpi.bcast": ("hardware", "binomial", "scatter-allgather", "chain"),
    "mpi.gather": ("linear", "binomial"),
    "mpi.scatter": ("linear", "binomial"),
    "mpi.allgather": ("ring", "bruck", "recursive-doubling", "linear"),
    "mpi.alltoall": ("linear", "pairwise", "bruck"),
    "mpi.reduce": ("binomial", "scatter-gather", "linear", "chain"),
    "mpi.allreduce": ("recursive-doubling", "halving-doubling", "reduce-broadcast", "ring"),
    "mpi.reduce_scatter": ("halving", "pairwise", "reduce-scatter", "ring"),
    "mpi.scan": ("recursive-doubling", "linear"),
}
# Those of software alone, which any group on any machine can do.
IN_SOFTWARE = {key: tuple(name for name in names if name != "hardware") for key, names in ALGORITHMS.items()}
