/// Routes of a machine of which some parts have failed.
#pragma once

#include <memory>

#include "topologies/graph.hpp"
#include "topologies/routing/check.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp {

/// Leaves out the alternatives that meet a failed part. A pair that keeps none keeps all: some of its packets may get
/// through, and those that do not are reported as lost. The graph and `routing` outlive the result.
std::unique_ptr<topologies::Routing> working_routes(const topologies::Graph& graph, const topologies::Routing& routing,
                                                    const topologies::CheckOptions& options);

}  // namespace sanvp
