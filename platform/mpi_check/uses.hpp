/// Memory that the operations of a rank use while they are under way.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "platform/mpi_check/finding.hpp"
#include "platform/mpi_check/intervals.hpp"

namespace sanvp::mpi_check {

struct Use {
  std::vector<Bytes> blocks;
  bool is_written = false;
  Site site;
  std::uint64_t owner = 0;              ///< a request, or an access to a window
  std::optional<std::uint64_t> hash{};  ///< of what is read, when it began; of collective operations
  bool is_shared = false;               ///< with another, as is told: its bytes are not compared
};

class Uses {
 public:
  void add(Use use);
  void release(std::uint64_t owner);
  /// A use of the same memory, if one of the two writes it; null if none exists.
  Use* other(const Use& use);
  std::vector<const Use*> of(std::uint64_t owner) const;

 private:
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, Use> by_number_;
  std::multimap<std::uint64_t, std::uint64_t> by_owner_;
  Intervals read_, written_;
};

}  // namespace sanvp::mpi_check
