/// The critical path of a program that has been played: the chain of operations and messages that ended last, each
/// started by the end of the one before it. What it consists of bounds the program on that machine.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <utility>

#include "platform/goal/history.hpp"

namespace sanvp::goal {

struct CriticalPath {
  Time computing{0};               ///< calc
  Time overhead{0};                ///< o and O of messages, and g
  Time latency{0};                 ///< of the network without other messages, and L
  Time bandwidth{0};               ///< bytes of messages on their first cable, and G
  Time contention{0};              ///< waits for other messages
  std::map<int, Time> by_channel;  ///< contention, by the channel that was waited for
  std::uint64_t messages = 0;

  std::array<std::pair<const char*, Time>, 5> parts() const {
    return {{{"computing", computing},
             {"overhead", overhead},
             {"latency", latency},
             {"bandwidth", bandwidth},
             {"contention", contention}}};
  }
  Time total() const { return computing + overhead + latency + bandwidth + contention; }
};

/// Times of a message's bytes on the cable of its host without others: of all packets but the last, and of that.
struct Serialisation {
  Time before{0};
  Time last{0};
  int channel = -1;  ///< that cable
};
using SerialisationOf = std::function<Serialisation(const Message&)>;

/// @param history  of a program that is done. @param gap_at_receiver  as for Hosts
/// @param serialisation  on a machine's network; empty: on an ideal one
CriticalPath critical_path(const Program& program, const LogGops& costs, History& history, bool gap_at_receiver,
                           const SerialisationOf& serialisation);

}  // namespace sanvp::goal
