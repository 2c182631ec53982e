/// Draws each worm's stay on each virtual channel into a timeline, with arrows along its hops.
#pragma once

#include <optional>
#include <vector>

#include "models/net/network.hpp"
#include "platform/core/trace.hpp"

namespace sanvp::traffic {

class TraceObserver final : public net::Observer {
 public:
  TraceObserver(const net::Wiring& wiring, Trace& trace);
  void leg_over(const net::Leg& leg, Time released) override;

 private:
  Trace::Track track(int channel, int vc);

  const net::Wiring& wiring_;
  Trace& trace_;
  std::vector<std::vector<std::optional<Trace::Track>>> tracks_;  ///< by channel, virtual channel
};

}  // namespace sanvp::traffic
