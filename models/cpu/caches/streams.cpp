#include "models/cpu/caches/streams.hpp"

#include <algorithm>

namespace sanvp::cpu {

bool Streams::continues(std::uint64_t address) {
  if (streams_.empty()) return false;
  const std::uint64_t line = address & ~(line_bytes_ - 1);
  const auto found = std::find_if(streams_.begin(), streams_.end(), [line](const Stream& stream) {
    return stream.above == line || stream.below == line;
  });
  const bool is_known = found != streams_.end();
  // The one that has not gone on for the longest time ends for a new one.
  std::rotate(streams_.begin(), is_known ? found : streams_.end() - 1, is_known ? found + 1 : streams_.end());
  streams_.front() = {next(line, line_bytes_), next(line, -line_bytes_)};
  return is_known;
}

/// The next line of which it is told. Addresses begin again at 2^64.
std::uint64_t Streams::next(std::uint64_t line, std::uint64_t step_bytes) const {
  do line += step_bytes;
  while (!sample_.has(line));
  return line;
}

}  // namespace sanvp::cpu
