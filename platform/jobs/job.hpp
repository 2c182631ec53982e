/// A job as the user requests it, and the placement of its ranks.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sanvp::jobs {

/// As given on the command line.
struct JobRequest {
  std::string app;                       ///< a name of `sanvp list apps`, or the path of a program built by sanvp-cc
  std::optional<int> ranks{};            ///< --np; empty: the length of the map's list, or the number of nodes
  std::string map = "spread";            ///< --map
  std::vector<std::string> arguments{};  ///< after --
  std::string place{};                   ///< for messages: "sanvp run" or the option
};

/// "APP [--np N] [--map MAP] [-- ARGUMENTS...]", with quotes as in a shell. Throws UserError.
JobRequest parse_job(const std::string& text, const std::string& place);
/// A number of ranks, as in --np.
int parse_ranks(const std::string& text, const std::string& place);

/// The node of each rank; a node may have more ranks than CPUs. Throws UserError for an invalid map.
///   spread  one rank on each node; with more ranks than nodes, consecutive ranks share a node evenly
///   block   consecutive ranks fill the CPUs of a node before those of the next; with more ranks than CPUs as spread
///   cyclic  rank after rank on node after node, then again from the first node
///   LIST    nodes such as 0,4,8-15: rank i on the i-th of them
/// @param reserved  nodes on which ranks are only placed by a list
std::vector<int> place_ranks(const JobRequest& request, int nodes, int cpus, const std::vector<int>& reserved = {});

/// The ranks that a node has room for.
struct NodeRoom {
  int processes = 0;  ///< of a job, by its card's software; 0: any number
  std::int64_t memory_bytes = 0;
};

/// Throws UserError if a job has more ranks on a node than that has room for: such a run would fail at its start, after
/// minutes of preparation.
/// @param nodes  of its ranks. @param place  for messages
void require_room(const std::vector<int>& nodes, const NodeRoom& room, const std::string& place);

/// Nodes that have more ranks than CPUs, over all jobs, as text: "node 0 has 8 ranks on 4 CPUs: they take turns". Empty
/// if no node has.
std::string crowded_nodes(const std::vector<std::vector<int>>& jobs, int nodes, int cpus);

}  // namespace sanvp::jobs
