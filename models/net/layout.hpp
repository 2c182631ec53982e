/// A wiring, packed for speed: what the network reads and counts of a channel or a switch at every hop, without names
/// and rules. A large network is bound by the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "models/net/memory.hpp"
#include "models/net/wiring.hpp"

namespace sanvp::net {

struct Layout {
  /// What a channel has carried, and how long headers waited for it (Network::statistics).
  struct Counters {
    std::uint64_t packets = 0;
    std::uint64_t flits = 0;
    std::int64_t wait_ps = 0;
    std::int64_t longest_wait_ps = 0;
    std::int64_t head_blocking_ps = 0;
    std::int64_t held_ps = 0;
  };
  /// One cache line: every hop reads the wiring and counts.
  struct alignas(cache_line) Channel {
    std::int32_t from : 30 = 0;  ///< unit
    bool from_nic : 1 = false;
    bool special : 1 = false;  ///< it has bit errors, or has failed, or packets must fit into the buffer at its end
    std::int32_t to : 31 = 0;  ///< unit
    bool to_nic : 1 = false;
    std::int16_t from_port = 0;
    std::int16_t to_port = 0;
    Counters counters;
  };
  static_assert(sizeof(Channel) == cache_line);
  struct Switch {
    std::int64_t routing_ps = 0;
    std::int64_t setup_ps = 0;
    std::int32_t first_out = 0;  ///< index into `outs`
    std::int16_t ports = 0;
    bool repeater : 1 = false;
    bool software_router : 1 = false;
    bool marks : 1 = false;  ///< Marking::threshold > 0
  };
  struct Nic {
    std::int64_t gap_ps = 0;
    std::int64_t acknowledge_ps = 0;
    std::int32_t out = -1;  ///< channel, or -1
    std::int32_t slots = 1;
    NicRules::GapFrom gap_from = NicRules::GapFrom::tail_end;
    bool circuit = false;
    bool answers = false;
  };

  explicit Layout(std::pmr::memory_resource& memory) : channels(&memory) {}

  std::pmr::vector<Channel> channels;
  std::vector<Switch> switches;
  std::vector<Nic> nics;
  std::vector<std::int32_t> outs;           ///< channel per output port of each switch in turn
  std::vector<std::int64_t> answer_hop_ps;  ///< per channel: an acknowledgement's time on the way back beside it

  /// Index of an output port among those of all switches.
  std::size_t output(int unit, int port) const { return static_cast<std::size_t>(switches[unit].first_out + port); }
  std::int32_t out(int unit, int port) const { return outs[output(unit, port)]; }

  static Layout of(const Wiring& wiring, std::pmr::memory_resource& memory);
};

}  // namespace sanvp::net
