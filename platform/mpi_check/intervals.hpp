/// Blocks of memory that operations use, found by where they lie.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "platform/mpi_check/datatype.hpp"

namespace sanvp::mpi_check {

/// Adding, removing and finding a block takes time logarithmic in their number, as long as those of similar length
/// hardly overlap each other or are equal.
class Intervals {
 public:
  void add(const std::vector<Bytes>& blocks, std::uint64_t number);
  void remove(const std::vector<Bytes>& blocks, std::uint64_t number);
  /// Takes all of `other`, which is empty then.
  void take(Intervals& other);
  /// The number of an operation that uses a byte of these blocks; of several at one place, the lowest.
  /// @param except  is not looked for
  std::optional<std::uint64_t> find(const std::vector<Bytes>& blocks, std::uint64_t except = UINT64_MAX) const;

 private:
  using Place = std::pair<std::int64_t, std::int64_t>;  ///< begin, end
  using Numbers = std::set<std::uint64_t>;
  std::optional<std::uint64_t> find(const Bytes& block, std::uint64_t except) const;

  /// By the binary logarithm of their length: a block that reaches into another one begins at most so far before it.
  std::map<int, std::map<Place, Numbers>> by_length_;
  std::size_t count_ = 0;
};

}  // namespace sanvp::mpi_check
