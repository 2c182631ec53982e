/// The queues at the outputs of a switch, or behind the injection channel of a NIC, for its policies.
#pragma once

#include "models/net/network.hpp"

namespace sanvp::net {

class Network::QueuesOf final : public Queues {
 public:
  QueuesOf(const Network& network, int switch_) : network_(network), unit_(switch_) {}
  /// @param nic  not a switch
  static QueuesOf injection(const Network& network, int nic) {
    QueuesOf queues(network, nic);
    queues.of_nic_ = true;
    return queues;
  }

  std::int64_t buffered(int output, int vc) const override {
    const int channel = of_nic_ ? network_.layout_.nics[unit_].out : network_.layout_.out(unit_, output);
    return channel < 0 ? 0 : network_.flow_->buffered(network_.first_vc_[channel] + vc);
  }

 private:
  const Network& network_;
  int unit_;
  bool of_nic_ = false;
};

}  // namespace sanvp::net
