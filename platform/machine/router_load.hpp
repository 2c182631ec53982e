/// Where nodes forward packets in software (GCel), the router's time is the node's processor's: this takes it away from
/// the program there. What the program would have waited anyway costs it nothing.
#pragma once

#include <vector>

#include "models/host/node.hpp"
#include "models/net/network.hpp"

namespace sanvp {

class RouterLoad final : public net::Observer {
 public:
  /// The router that a node's NIC sits on is that node's.
  RouterLoad(const net::Wiring& wiring, const std::vector<std::unique_ptr<host::Node>>& nodes);

  void hop_over(const net::Hop& hop, Time released) override;
  /// Whether there are such routers.
  bool is_needed() const { return !routers_.empty(); }
  void report(StatisticsTable& statistics) const;

 private:
  struct Router {
    host::Node* node = nullptr;
    Time routing{0};  ///< of each packet
    std::int64_t packets = 0;
  };
  std::vector<Router> routers_;   ///< by switch; empty where nothing is forwarded in software
  std::vector<int> from_switch_;  ///< by channel: the switch that it leaves, or -1
};

}  // namespace sanvp
