/// On machines whose nodes forward packets in software (GCel), the router uses the node's processor: this takes the
/// time from the program that runs there. A program that waits anyway loses nothing.
#pragma once

#include <vector>

#include "models/host/node.hpp"
#include "models/net/observer.hpp"
#include "models/net/wiring.hpp"

namespace sanvp {

class RouterLoad final : public net::Observer {
 public:
  /// The router at a node's NIC runs on that node's processor.
  RouterLoad(const net::Wiring& wiring, const std::vector<std::unique_ptr<host::Node>>& nodes);

  void hop_over(const net::Hop& hop, Time released) override;
  /// Whether there are such routers.
  bool is_needed() const { return !routers_.empty(); }
  void report(StatisticsTable& statistics) const;

 private:
  struct Router {
    host::Node* node = nullptr;
    Time routing{0};  ///< for each packet
    std::int64_t packets = 0;
  };
  std::vector<Router> routers_;   ///< per switch; empty if no switch forwards in software
  std::vector<int> from_switch_;  ///< per channel: the switch that it leaves, or -1
};

}  // namespace sanvp
