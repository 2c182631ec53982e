/// Plays a program on an ideal network: each message arrives L after its CPU has handed it over, and none waits for
/// another one. That is LogGOPSim's own network.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "platform/goal/loggops.hpp"

namespace sanvp::goal {

class IdealPlayer {
 public:
  IdealPlayer(const Program& program, const LogGops& costs)
      : ranks_(program, costs, true,
               [this, latency = costs.L](std::uint32_t message, Time at) { ranks_.arrived(message, at + latency); }) {}
  IdealPlayer(const IdealPlayer&) = delete;
  IdealPlayer& operator=(const IdealPlayer&) = delete;

  const Hosts& ranks() const { return ranks_; }
  void observe(Hosts::Observe observe) { ranks_.observe(std::move(observe)); }
  void watch(Watcher& watcher) { ranks_.watch(watcher); }

  /// @param keep_going  asked now and then: false ends the run. @return whether nothing is left to do until then
  bool run(Time until, const std::function<bool(Time now)>& keep_going) {
    constexpr std::uint64_t now_and_then = 1024;
    for (std::uint64_t count = 1; ranks_.next() != never; ++count) {
      if (ranks_.next() > until || (count % now_and_then == 0 && !keep_going(ranks_.next()))) return false;
      ranks_.act();
    }
    return true;
  }

 private:
  Hosts ranks_;
};

}  // namespace sanvp::goal
