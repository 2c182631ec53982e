/// Routes of a machine with failed parts.
#pragma once

#include <memory>

#include "topologies/graph.hpp"
#include "topologies/routing/check.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp {

/// Removes the alternatives that cross a failed part. A pair for which none remains keeps all: some of its packets may
/// get through, and the others are reported as lost. The graph and `routing` outlive the result.
std::unique_ptr<topologies::Routing> working_routes(const topologies::Graph& graph, const topologies::Routing& routing,
                                                    const topologies::CheckOptions& options);

}  // namespace sanvp
