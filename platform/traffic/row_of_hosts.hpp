/// A network for patterns that are built without one of their own.
#pragma once

#include <string>

#include "topologies/graph.hpp"

namespace sanvp::traffic {

/// Hosts at one switch, in the order of its ports.
inline topologies::Graph row_of_hosts(int hosts) {
  topologies::Graph graph;
  graph.family = "row of hosts";
  graph.add_switch("switch", hosts);
  for (int host = 0; host < hosts; ++host) {
    graph.add_host("host " + std::to_string(host));
    graph.connect(topologies::End::host(host), topologies::End::switch_(0, host));
  }
  return graph;
}

}  // namespace sanvp::traffic
