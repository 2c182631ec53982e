/// Posted accesses to a card, which take effect in the order of their times: calls come ahead of the timeline, and one
/// of several CPUs may be ahead of the others.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>

#include "models/net/fifo.hpp"
#include "models/net/timeline.hpp"

namespace sanvp::nic {

template <class Store>
class PostedStores final : private net::EventHandler {
 public:
  PostedStores(net::Timeline& timeline, std::uint32_t unit, std::function<void(const Store&)> act)
      : timeline_(timeline), unit_(unit), act_(std::move(act)) {}

  void post(Time at, Store store) {
    const auto place = std::upper_bound(posted_.begin(), posted_.end(), at,
                                        [](Time time, const auto& other) { return time < other.first; });
    posted_.insert(place, {at, std::move(store)});
    constexpr std::uint16_t kind = 127;  // before the units, which see its effect
    timeline_.schedule({.ps = at.count(), .handler = this, .kind = kind, .unit = unit_});
  }
  /// Those until `at` take effect now, before their times.
  void flush(Time at) {
    while (!posted_.empty() && posted_.front().first <= at) act_(posted_.take_front().second);
  }

 private:
  void handle(const net::Event& event) override {
    if (!posted_.empty() && posted_.front().first.count() <= event.ps) act_(posted_.take_front().second);
  }

  net::Timeline& timeline_;
  std::uint32_t unit_;
  std::function<void(const Store&)> act_;
  net::Fifo<std::pair<Time, Store>> posted_;  // in order of time
};

}  // namespace sanvp::nic
