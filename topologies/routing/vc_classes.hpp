/// Virtual channels beyond those that a routing needs.
#pragma once

#include <memory>

#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

/// Routings number classes of virtual channels from 0 on, such as those before and after a wrap cable. If there are
/// twice as many virtual channels or more each class gets an equal share, adjacent ones, so that none is idle.
/// Relations use any number: each class gets an equal share, and the first ones one more if some are left. Classes stay
/// apart, in the same order, so that what was free from deadlock is so with shares.
/// @return the routing itself if there are too few, one class only, or if it uses spare ones by itself
std::unique_ptr<Routing> with_vc_classes(std::unique_ptr<Routing> routing, int virtual_channels);

}  // namespace sanvp::topologies
