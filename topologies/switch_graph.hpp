/// Networks that are described by which switches are joined: each switch has the same number of hosts.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

class SwitchGraph {
 public:
  explicit SwitchGraph(int switches) : joined_(switches) {}

  /// A cable, of which there is at most one between two switches.
  void join(int one, int other, std::string link_class = "cable");
  bool are_joined(int one, int other) const;
  void part(int one, int other);
  int degree(int switch_) const { return static_cast<int>(joined_[switch_].size()); }
  int switches() const { return static_cast<int>(joined_.size()); }

  /// Host h is on switch h / hosts_per_switch, or only on the first `with_hosts` switches. Ports of a switch: its
  /// hosts, then its cables in ascending order of the other switch. Throws UserError at `place` if it is too large.
  Graph with_hosts(const std::string& family, int hosts_per_switch, std::vector<int> shape, const std::string& place,
                   int with_hosts = -1) const;

 private:
  struct Other {
    int switch_;
    std::string link_class;
  };
  std::vector<std::vector<Other>> joined_;  ///< per switch, ascending
};

}  // namespace sanvp::topologies
