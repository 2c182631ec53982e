/// A run's numbers by node, link and switch.
#pragma once

#include <vector>

#include "platform/core/results.hpp"
#include "platform/traffic/run.hpp"

namespace sanvp::traffic {

/// congestion.csv: a row for each link into a switch, with the waits of the headers that came in there.
/// @param blocking  by channel, in `window`
Table congestion_table(const net::Wiring& wiring, const std::vector<Blocking>& blocking, Time window);
Table congestion_table(const Run& run);
/// links.csv: a row for each channel: use, packets, waiting for it.
Table link_table(const Run& run);
/// nodes.csv: a row for each node: bytes and source queue.
Table node_table(const Run& run);
/// stats.csv
StatisticsTable statistics(const Run& run);

/// Of each switch its distance from the nearest host: 1 where hosts are plugged in. Output buffers count as their
/// switch. 0 where no host is in reach.
std::vector<int> switch_levels(const net::Wiring& wiring);

}  // namespace sanvp::traffic
