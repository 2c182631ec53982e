/// The question of a call that has begun: which algorithms of collective operations count for it.
#pragma once

struct hal_checked_call;

namespace sanvp::mpi_check {

/// Whether it is no call, but that question (MPI_CHECK_ALGORITHMS).
bool asks_for_algorithms(const hal_checked_call& call);

}  // namespace sanvp::mpi_check
