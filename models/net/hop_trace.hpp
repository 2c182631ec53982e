/// Draws each worm's stay on each virtual channel into a timeline, with arrows along its hops.
#pragma once

#include <optional>
#include <vector>

#include "models/net/observer.hpp"
#include "models/net/wiring.hpp"
#include "platform/core/trace.hpp"

namespace sanvp::net {

class HopTrace final : public Observer {
 public:
  HopTrace(const Wiring& wiring, Trace& trace);
  void hop_over(const Hop& hop, Time released) override;

 private:
  Trace::Track track(int channel, int vc);

  const Wiring& wiring_;
  Trace& trace_;
  std::vector<std::vector<std::optional<Trace::Track>>> tracks_;  ///< by channel, virtual channel
};

}  // namespace sanvp::net
