#include "platform/mpi_check/algorithms.hpp"

#include "sw/abi/hal/arguments.h"
#include "sw/abi/mpi_layout.h"

namespace sanvp::mpi_check {

bool asks_for_algorithms(const hal_checked_call& call) { return call.what == MPI_CHECK_ALGORITHMS; }

}  // namespace sanvp::mpi_check
