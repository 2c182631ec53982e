/// Draws each worm's stay on each virtual channel into a timeline, with arrows along its hops.
#pragma once

#include <optional>
#include <vector>

#include "models/net/network.hpp"
#include "platform/core/trace.hpp"

namespace sanvp::net {

class LegTrace final : public Observer {
 public:
  LegTrace(const Wiring& wiring, Trace& trace);
  void leg_over(const Leg& leg, Time released) override;

 private:
  Trace::Track track(int channel, int vc);

  const Wiring& wiring_;
  Trace& trace_;
  std::vector<std::vector<std::optional<Trace::Track>>> tracks_;  ///< by channel, virtual channel
};

}  // namespace sanvp::net
