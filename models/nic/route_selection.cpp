/// Route selections for any routing.
#include "models/nic/route_selection.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic {
namespace {

using topologies::Routing;

/// The routing's own choice: route 0, or a random one for each packet where the hardware draws (universal routing).
class First : public RouteSelection {
 public:
  int select(const Routing& routing, int source, int destination, std::int64_t, Random& random) override {
    if (!routing.random_alternative()) return 0;
    return static_cast<int>(random.below(static_cast<std::uint64_t>(routing.alternatives(source, destination))));
  }
};

class AnyOf : public RouteSelection {
 public:
  int select(const Routing& routing, int source, int destination, std::int64_t, Random& random) override {
    return static_cast<int>(random.below(static_cast<std::uint64_t>(routing.alternatives(source, destination))));
  }
};

class Rotation : public RouteSelection {
 public:
  int select(const Routing& routing, int source, int destination, std::int64_t, Random&) override {
    return static_cast<int>(next_++ % static_cast<std::uint64_t>(routing.alternatives(source, destination)));
  }

 private:
  std::uint64_t next_ = 0;
};

template <class Selection>
auto part() {
  return [](const Parameters&) { return [] { return std::make_unique<Selection>(); }; };
}

const Registration<RouteSelectionPart> first{
    {"first", "the first route; a random one for each packet if the routing is universal", part<First>()}};
const Registration<RouteSelectionPart> any{{"random", "one of a pair's routes at random per packet", part<AnyOf>()}};
const Registration<RouteSelectionPart> rotation{{"rotate", "a pair's routes in turn", part<Rotation>()}};

}  // namespace
}  // namespace sanvp::nic
