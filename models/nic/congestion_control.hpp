/// Congestion control by notification: switches mark packets (TIMING.md, "Marks"), a receiver that gets a marked one
/// sends its sender a notification, and the sender's NIC slows down. How much is a part, a file of its own in
/// models/nic/congestion.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "platform/core/registry.hpp"
#include "platform/core/time.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::nic {

/// How fast a NIC sends to one destination. It has no events of its own: timers that have expired are accounted for
/// when it is called, with times that never decrease.
class RateControl {
 public:
  virtual ~RateControl() = default;
  /// A notification has come: a packet of this flow was marked.
  virtual void notified(Time now) = 0;
  /// A packet of the flow starts. @param span  its time on the injection channel  @param bytes  on the wire
  /// @return the least time from its start to that of the flow's next packet, at least `span`
  virtual Time pause(Time now, Time span, std::int64_t bytes) = 0;
};

struct CongestionControl {
  /// For one flow; null: no congestion control. @param phase  0 to 1: where in their periods the NIC's timers begin
  std::function<std::unique_ptr<RateControl>(double phase)> make;
  Time least_interval{0};               ///< between a receiver's notifications of one flow
  std::int64_t notification_bytes = 0;  ///< payload
  /// The marking policy (models/net/marking.hpp) that its source has, for switches that name none; may be empty.
  std::string marking{};

  bool is_on() const { return static_cast<bool>(make); }
};

/// Reads its parameters from section [nic].
struct CongestionControlPart {
  static constexpr const char* kind() { return "congestion control"; }
  std::string name;
  std::string summary;
  std::function<CongestionControl(const Parameters&)> build;
};

}  // namespace sanvp::nic
