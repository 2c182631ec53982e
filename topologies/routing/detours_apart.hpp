/// What a routing with fixed paths does where parts have failed (key `detours`): only the pairs whose paths have failed
/// change.
#pragma once

#include <memory>

#include "topologies/parts.hpp"

namespace sanvp::topologies {

/// Values of key `detours`:
///   apart    pairs whose paths have all failed take up*/down* on virtual channel 0, which no other pair uses; the
///            paths of all others use the virtual channels after it
///   up-down  every pair takes up*/down*
///   auto     apart if the switches have a virtual channel more than the paths need, else up-down
/// The two kinds of paths share no buffer, so that neither adds to what packets of the other wait for.
std::vector<std::string> detour_choices();

/// @param working  the graph without its failed cables; outlives the result
/// @param paths  on the whole graph; returned as they are if no cable between switches is missing
std::unique_ptr<Routing> with_detours(const Graph& working, std::unique_ptr<Routing> paths,
                                      const RoutingContext& context);

}  // namespace sanvp::topologies
