/// Posted writes of blocks to main memory. The inputter issues a request for each and continues while the bus moves
/// them, as long as free requests are left (QsNET paper 2.1); later users of the bus wait for them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "platform/core/time.hpp"

namespace sanvp::nic::elan3 {

class PostedWrites {
 public:
  /// @param requests  maximum number under way at once
  explicit PostedWrites(int requests) : over_(static_cast<std::size_t>(requests)) {}

  /// Adds blocks that request the bus at `at`; the bus has moved the last of them at `done`.
  /// @return when the last of them gets a request
  Time post(int blocks, Time at, Time done) {
    const Time begin = std::max(at, last_);  // after earlier blocks
    Time issued = at;
    for (int i = 1; i <= blocks; ++i) {
      issued = std::max(issued, over_[next_]);
      over_[next_] = begin + (done - begin) * i / blocks;
      next_ = (next_ + 1) % over_.size();
    }
    last_ = done;
    return issued;
  }

 private:
  std::vector<Time> over_;  // by request: when the bus has finished it
  std::size_t next_ = 0;    // the request that is finished first
  Time last_{0};
};

}  // namespace sanvp::nic::elan3
