/// What follows the operations of hosts, for accounts of where time goes.
#pragma once

#include <cstdint>

#include "platform/core/time.hpp"

namespace sanvp::goal {

struct Message;

class Watcher {
 public:
  /// @param until  its part of the CPU; of a receive its start
  virtual void started(std::uint32_t rank, std::uint32_t operation, Time start, Time until) = 0;
  /// The sender's CPU has handed the message over.
  virtual void carried(const Message& message, Time at) = 0;
  /// The message is at its destination.
  virtual void arrived(const Message& message, Time at) = 0;
  /// The receiver's CPU takes it in.
  virtual void taken(const Message& message, Time start, Time end) = 0;
  /// @param now  when both were there. @param end  of the receive
  virtual void matched(const Message& message, std::uint32_t receive, Time now, Time end) = 0;

 protected:
  ~Watcher() = default;
};

}  // namespace sanvp::goal
