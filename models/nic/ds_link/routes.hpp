/// The path of a packet through the switches, determined by its header: by the tables that were loaded into them,
/// or, if none are loaded, as the machine's routing says.
#pragma once

#include <string>
#include <vector>

#include "models/nic/stc104/control_network.hpp"

namespace sanvp::nic::ds_link {

class Routes {
 public:
  struct Switches {
    const topologies::Routing& routing;
    const stc104::ControlNetwork* control = nullptr;  ///< null: `routing` decides
    std::uint32_t header_links = 1;                   ///< headers of a node
  };

  Routes(const Switches& switches, int host, int hosts, std::uint64_t seed)
      : switches_(switches),
        host_(host),
        random_(seed, "ds_link " + std::to_string(host)),
        checked_(static_cast<std::size_t>(switches.control != nullptr ? hosts : 0)) {}

  int host() const { return host_; }
  /// @return false: no switch serves the header
  /// Throws UserError if tables differ from the machine's routing, since only that was proved free from deadlock.
  bool find(int node, topologies::Route& route);

 private:
  void check(int node, topologies::Route route);

  Switches switches_;
  int host_;
  Random random_;
  std::vector<bool> checked_;  ///< by node: whether its tables were checked
};

}  // namespace sanvp::nic::ds_link
