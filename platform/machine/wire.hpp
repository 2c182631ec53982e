/// From a graph and its parts to what the transport simulates.
#pragma once

#include <vector>

#include "models/net/wiring.hpp"
#include "models/nic/part.hpp"
#include "models/switches/part.hpp"
#include "platform/machine/link_classes.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/check.hpp"

namespace sanvp {

/// Host h becomes NIC h, switch s switch s, channel c channel c. Where switches have output buffers, each cabled port
/// gets a repeater after all switches, and the channel that feeds it comes after all channels of the graph.
net::Wiring wire(const topologies::Graph& graph, const std::vector<LinkClass>& links,
                 const switches::SwitchModel& switch_, const nic::NicModel& nic, const topologies::Failures& failures);

}  // namespace sanvp
