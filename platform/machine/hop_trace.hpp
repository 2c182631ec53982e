/// Packets in time, for Perfetto: a track per output port and virtual channel, a slice while a packet owns it, arrows
/// along the hops of a packet.
#pragma once

#include <string>

#include "models/net/network.hpp"
#include "platform/core/trace.hpp"

namespace sanvp {

class HopTrace final : public net::Observer {
 public:
  /// Observes `network` from now on; both outlive the trace's use.
  HopTrace(net::Network& network, const std::string& path, Trace::Window window = {});
  ~HopTrace();
  HopTrace(const HopTrace&) = delete;
  HopTrace& operator=(const HopTrace&) = delete;

  void leg_over(const net::Leg& leg, Time released) override;
  /// Ends the file; throws UserError where it could not be written in full.
  void close() { trace_.close(); }

 private:
  Trace::Track track(const net::Leg& leg);

  net::Network& network_;
  Trace trace_;
};

}  // namespace sanvp
