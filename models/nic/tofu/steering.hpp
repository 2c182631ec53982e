/// Steering addresses to bus addresses: a table of tags for each control queue, and page tables, all in main memory;
/// the card caches what it has read of them.
#pragma once

#include <map>
#include <vector>

#include "models/nic/tofu/counters.hpp"
#include "models/nic/tofu/queues.hpp"

namespace sanvp::nic::tofu {

class Steering {
 public:
  struct Piece {
    std::uint64_t address = 0;
    std::size_t bytes = 0;
  };
  struct Found {
    bool good = false;
    std::vector<Piece> pieces{};  ///< in order
    Time done{0};
  };

  Steering(HostMemory& memory, Counters& counters) : memory_(memory), counters_(counters) {}

  /// The bytes stadd .. stadd + bytes - 1 of a queue's memory. Addresses beyond the end of the tag's memory are
  /// invalid.
  Found find(const Queue& queue, tofu_stadd stadd, std::size_t bytes, bool to_write, Time at);
  void flush() {
    tags_.clear();
    pages_.clear();
  }

 private:
  tofu_steering tag(const Queue& queue, std::uint32_t number, Time& at);
  std::uint64_t page(const tofu_steering& steering, std::uint64_t number, Time& at);

  HostMemory& memory_;
  Counters& counters_;
  std::map<std::uint64_t, tofu_steering> tags_;   // by bus address of the record
  std::map<std::uint64_t, std::uint64_t> pages_;  // by bus address of the entry
};

}  // namespace sanvp::nic::tofu
