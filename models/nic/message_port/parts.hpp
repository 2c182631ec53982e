/// State that the units of a card share.
#pragma once

#include <algorithm>

#include "models/net/task.hpp"
#include "models/nic/card/bus_master.hpp"
#include "sw/abi/registers/message_port.h"

namespace sanvp::nic::message_port {

/// A command that was stored to the page of process `port` of the node.
struct Order {
  std::uint32_t port = 0;
  message_command command{};
};

/// The card's own processor, which does one thing at a time.
class Processor {
 public:
  explicit Processor(net::Clock& clock) : clock_(clock) {}
  /// Reserves `span` of its time. @return the end
  Time reserve(Time span) {
    free_ = std::max(free_, clock_.now()) + span;
    busy_ += span;
    return free_;
  }
  Time busy() const { return busy_; }

 private:
  net::Clock& clock_;
  Time free_{0};
  Time busy_{0};
};

struct Counters {
  std::int64_t messages_sent = 0, messages_received = 0;
  std::int64_t packets_sent = 0, packets_received = 0;
  std::int64_t bytes_sent = 0, bytes_received = 0;
  std::int64_t unexpected = 0;     ///< messages that arrived before their receive was posted
  std::int64_t overtaken = 0;      ///< packets that arrived after a later one of their message
  std::int64_t corrupt = 0;        ///< packets with a bit error
  std::int64_t corrupt_taken = 0;  ///< the undetected ones of them
  std::int64_t resent = 0, duplicates = 0, confirmations = 0;  ///< packets, if they are protected
  std::int64_t held = 0, most_held = 0;                        ///< bytes that wait for a receive
  Time send_away{0};  ///< data packets: from the network's queue until the tail has left
};

/// The completion of a command without a message.
inline message_status outcome(std::uint32_t state) {
  message_status status{};
  status.state = state;
  return status;
}

/// Reports the completion of a command to its process. If the process gave an invalid address, the report is lost.
inline void tell(BusMaster& bus, std::uint64_t address, const message_status& status, Time at) {
  bus.write(address, std::as_bytes(std::span(&status, 1)), at);
}

}  // namespace sanvp::nic::message_port
