/// The parts of its node's card that a process may access, as the card's driver has granted them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace sanvp::host {

/// Intervals of bus addresses.
class Grants {
 public:
  void add(std::uint64_t begin, std::size_t bytes);
  void remove(std::uint64_t begin, std::size_t bytes);
  /// Whether all of the bytes have been granted.
  bool allow(std::uint64_t begin, std::size_t bytes) const;

 private:
  std::map<std::uint64_t, std::uint64_t> ends_;  ///< by beginning; the intervals neither overlap nor touch
};

}  // namespace sanvp::host
