/// How `sanvp run` ended, and what the user reads about it.
#pragma once

#include <string>

#include "platform/commands/command.hpp"
#include "platform/commands/gdb.hpp"
#include "platform/jobs/job_run.hpp"
#include "platform/machine/cluster.hpp"

namespace sanvp::commands {

/// The outcome of a run as in manifest and JSON, the exit status, and the message for standard error.
struct Verdict {
  std::string status;
  Exit exit;
  std::string message{};
};

/// @param end  why the simulation stopped
/// @param is_checked  by --check-mpi
Verdict verdict(Cluster& cluster, const Machine& machine, const jobs::JobRun& run, Cluster::End end, const Gdb& gdb,
                bool is_checked);

}  // namespace sanvp::commands
