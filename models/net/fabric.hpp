/// A network as a SystemC module: one socket per host (socket.hpp), at which NIC modules sit. Flow control stays
/// inside.
#pragma once

#include "models/net/network.hpp"
#include "models/net/socket.hpp"
#include "models/net/timeline.hpp"

namespace sanvp::net {

class Fabric : public sc_core::sc_module {
 public:
  Fabric(sc_core::sc_module_name name, Timeline& timeline, const Wiring& wiring, Fidelity fidelity, std::uint64_t seed);
  ~Fabric() override;

  /// One per host.
  sc_core::sc_vector<NetworkTargetSocket> host;

  Network& network() { return network_; }
  Timeline& timeline() { return timeline_; }

 private:
  class Port;

  void end_of_elaboration() override;

  Timeline& timeline_;
  Network network_;
  std::vector<std::unique_ptr<Port>> ports_;
};

}  // namespace sanvp::net
