/// The statistics a card keeps, for stats.csv.
#pragma once

#include <array>
#include <cstdint>

namespace sanvp::nic::lanai {

enum class Counter : std::uint8_t {
  packets_sent,
  packets_received,  ///< put into a buffer, whole
  bytes_sent,        ///< behind the route, with CRC
  bytes_received,
  crc_errors,
  no_buffer,   ///< packets that came while the control program had armed no buffer: thrown away
  misrouted,   ///< packets whose route leads to no host: thrown away
  in_transit,  ///< packets that were sent on
  sdma_bytes,  ///< host to SRAM
  rdma_bytes,  ///< SRAM to host
  host_stores,
  cycles,  ///< that the processor was at work
  count_
};
struct CounterName {
  const char* name;
  const char* unit;
};
constexpr std::array<CounterName, static_cast<std::size_t>(Counter::count_)> counter_names{{
    {"packets_sent", "1"},
    {"packets_received", "1"},
    {"bytes_sent", "B"},
    {"bytes_received", "B"},
    {"crc_errors", "1"},
    {"packets_without_buffer", "1"},
    {"packets_misrouted", "1"},
    {"packets_in_transit", "1"},
    {"sdma_bytes", "B"},
    {"rdma_bytes", "B"},
    {"host_stores", "1"},
    {"processor_cycles", "1"},
}};

class Counters {
 public:
  void count(Counter what, std::uint64_t by = 1) { values_[static_cast<std::size_t>(what)] += by; }
  std::uint64_t operator[](Counter what) const { return values_[static_cast<std::size_t>(what)]; }

 private:
  std::array<std::uint64_t, static_cast<std::size_t>(Counter::count_)> values_{};
};

}  // namespace sanvp::nic::lanai
