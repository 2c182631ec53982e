/// The way of a packet through the switches, which its header decides there: asked for once a packet.
#pragma once

#include <string>

#include "platform/core/random.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::nic::ds_link {

class Routes {
 public:
  Routes(const topologies::Routing& routing, int host, std::uint64_t seed)
      : routing_(routing), host_(host), random_(seed, "ds_link " + std::to_string(host)) {}

  int host() const { return host_; }
  /// @return false: no switch serves the header
  bool find(int node, topologies::Route& route) {
    const int alternatives = routing_.alternatives(host_, node);
    if (alternatives == 0) return false;
    const int chosen =
        routing_.random_alternative() ? static_cast<int>(random_.below(static_cast<std::uint64_t>(alternatives))) : 0;
    routing_.route(host_, node, chosen, route);
    return true;
  }

 private:
  const topologies::Routing& routing_;
  int host_;
  Random random_;
};

}  // namespace sanvp::nic::ds_link
