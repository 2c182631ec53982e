/// What the files about calls of windows share.
#pragma once

#include <vector>

#include "platform/mpi_check/collectives.hpp"
#include "platform/mpi_check/rank.hpp"
#include "platform/mpi_check/windows.hpp"

namespace sanvp::mpi_check {

class Job;

/// A call that all ranks of a window make.
void enter_together(Job& job, Rank& rank, Call& call, const Window& window, std::vector<Argument> arguments);

}  // namespace sanvp::mpi_check
