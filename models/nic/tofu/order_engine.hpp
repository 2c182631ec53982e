/// The sending side of a network interface: turns orders of its control queues into packets, round robin.
#pragma once

#include "models/nic/tofu/responder.hpp"

namespace sanvp::nic::tofu {

class OrderEngine {
 public:
  struct Rules {
    Time process{0};
    static Rules read(const Parameters& parameters);
  };

  OrderEngine(const Rules& rules, std::uint32_t tni, Shared& shared)
      : rules_(rules), tni_(tni), shared_(shared), work_(shared.clock) {}

  /// Sets the number of orders that software has put into the TOQ so far.
  void given(std::uint32_t queue, std::uint32_t count);
  /// A direct order, with the store's place in the trace.
  void direct(std::uint32_t queue, const tofu_order& order, const std::optional<Trace::Point>& cause);

  net::Task<> run();
  bool busy() const { return working_ || !ready_.empty(); }

 private:
  void ready(std::uint32_t queue);
  net::Task<Queue::Order> take(std::uint32_t queue);
  net::Task<std::uint8_t> carry_out(const Queue& queue, const Header& header, const tofu_order& order, Time& free);
  void draw(const tofu_order& order, Time begin);

  Rules rules_;
  std::uint32_t tni_;
  Shared& shared_;
  net::Condition work_;
  std::deque<std::uint32_t> ready_;  // queues with orders, each once, in the order of their turns
  std::uint32_t messages_ = 0;
  bool working_ = false;
};

}  // namespace sanvp::nic::tofu
