/// Whether the buffers of a machine's switches cover its cables.
#pragma once

#include <string>

#include "models/net/wiring.hpp"
#include "topologies/graph.hpp"

namespace sanvp {

/// A sentence for the user if the input buffers of some class of cables between switches hold less than a cable carries
/// while a credit comes back, so that one packet alone cannot use its rate; or an empty string.
std::string buffer_advice(const topologies::Graph& graph, const net::Wiring& wiring);

}  // namespace sanvp
