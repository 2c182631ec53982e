/// Results of a run by node, link and switch.
#pragma once

#include <vector>

#include "platform/core/results.hpp"
#include "platform/traffic/measurement.hpp"

namespace sanvp::traffic {

/// congestion.csv: a row per link into a switch, with the waiting times of the headers that arrived on it.
/// @param blocking  by channel, in `window`
Table congestion_table(const net::Wiring& wiring, const std::vector<Blocking>& blocking, Time window);
Table congestion_table(const Measurement& run);
/// links.csv: a row per channel: use, packets, and waiting for it.
Table link_table(const Measurement& run);
/// nodes.csv: a row per node: bytes and source queue.
Table node_table(const Measurement& run);
/// stats.csv
StatisticsTable statistics(const Measurement& run);

/// The distance of each switch from the nearest host: 1 if hosts are plugged in. Output buffers count as their switch.
/// 0 if no host is reachable.
std::vector<int> switch_levels(const net::Wiring& wiring);

}  // namespace sanvp::traffic
