/// What a user asks to be run, and where its ranks go.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sanvp::jobs {

/// As given on the command line.
struct JobRequest {
  std::string app;                       ///< a name of `sanvp list apps`, or the path of what sanvp-cc made
  std::optional<int> ranks{};            ///< --np; nothing: as many as the map lists, else as the machine has nodes
  std::string map = "spread";            ///< --map
  std::vector<std::string> arguments{};  ///< behind --
  std::string place{};                   ///< for messages: "sanvp run" or the option
};

/// "APP [--np N] [--map MAP] [-- ARGUMENTS...]", with quotes as in a shell. Throws UserError.
JobRequest parse_job(const std::string& text, const std::string& place);
/// A number of ranks, as of --np.
int parse_ranks(const std::string& text, const std::string& place);

/// The node of each rank, where there may be more ranks than CPUs. Throws UserError for a map that is none.
///   spread  one rank on each node; where there are more ranks than nodes, consecutive ones share a node evenly
///   block   consecutive ranks fill the CPUs of a node before those of the next; more ranks than CPUs: as spread
///   cyclic  rank after rank on node after node, and again from the first
///   LIST    nodes such as 0,4,8-15: rank i on the i-th of them
std::vector<int> place_ranks(const JobRequest& request, int nodes, int cpus);

/// Which nodes have more ranks than CPUs, of all jobs, for people: "node 0 has 8 ranks on 4 CPUs: they take turns".
/// Empty where none has.
std::string crowded_nodes(const std::vector<std::vector<int>>& jobs, int nodes, int cpus);

}  // namespace sanvp::jobs
