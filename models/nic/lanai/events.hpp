/// The processor's interrupt status register (ISR): events of the DMA machines, the timer and the host.
#pragma once

#include <cstdint>

#include "models/net/task.hpp"
#include "sw/abi/registers/lanai.h"

namespace sanvp::nic::lanai {

class Events {
 public:
  explicit Events(net::Clock& clock) : raised_(clock) {}

  void raise(lanai_event event) {
    pending_ |= event;
    raised_.notify();
  }
  void clear(std::uint32_t bits) { pending_ &= ~bits; }
  std::uint32_t pending() const { return pending_; }
  /// Waits until the next event is raised.
  auto raised() { return raised_.wait(); }

 private:
  std::uint32_t pending_ = 0;
  net::Condition raised_;
};

}  // namespace sanvp::nic::lanai
