/// Turns a graph and its parts into the wiring that the transport simulates.
#pragma once

#include <vector>

#include "models/net/wiring.hpp"
#include "models/nic/part.hpp"
#include "models/switches/part.hpp"
#include "platform/machine/link_classes.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/check.hpp"

namespace sanvp {

/// Host h becomes NIC h, switch s switch s, channel c channel c. If switches have output buffers, each cabled port gets
/// a repeater, numbered after all switches, and the channel that feeds it is numbered after all channels of the graph.
net::Wiring wire(const topologies::Graph& graph, const std::vector<LinkClass>& links,
                 const switches::SwitchModel& switch_, const nic::NicModel& nic, const topologies::Failures& failures);

}  // namespace sanvp
