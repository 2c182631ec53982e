#include "topologies/routing/routing.hpp"

#include <algorithm>

namespace sanvp::topologies {

int Route::in_transit_hosts() const {
  return static_cast<int>(std::count_if(steps.begin(), steps.end(), [](const Step& step) { return step.in_transit; }));
}

}  // namespace sanvp::topologies
