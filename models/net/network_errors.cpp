/// Bit errors on channels (TIMING.md, "Bit errors" and "Links that send again").

#include <cstdint>

#include "models/net/network.hpp"

namespace sanvp::net {

namespace {

/// Most attempts of a packet on one link: a link on which this many fail is as good as cut, and the run has to
/// continue.
constexpr std::int64_t most_attempts = 1000;

/// (1-e)^bits by repeated squaring: IEEE basic operations only, so the same on every machine.
double all_intact(const ChannelRules& rules, std::int64_t flits) {
  double power = 1 - rules.bit_error_rate;
  double result = 1;
  for (std::int64_t bits = flits * rules.flit_bits; bits != 0; bits >>= 1, power *= power)
    if ((bits & 1) != 0) result *= power;
  return result;
}

}  // namespace

/// Draws the bit errors that the packet meets on the hop's channel. If the link retransmits damaged packets, the header
/// starts later by the failed attempts. @return when it may start
std::int64_t Network::draw_bit_errors(Hop& hop, const ChannelRules& rules, std::int64_t earliest_ps) {
  const double intact = all_intact(rules, hop.length);
  if (!rules.retry) {
    hop.intact *= intact;
    return earliest_ps;
  }
  const Time attempt = rules.flit_time * (hop.length - 1) + rules.tail_time + rules.turnaround;
  Random& random = link_errors_[hop.channel];
  std::int64_t failed = 0;
  while (failed < most_attempts && random.uniform() >= intact) ++failed;
  retries_ += static_cast<std::uint64_t>(failed);
  return earliest_ps + failed * attempt.count();
}

/// The payload with one wrong bit. A copy: the sender, and other receivers of a broadcast, have the original.
std::shared_ptr<std::vector<std::byte>> Network::damaged(const std::vector<std::byte>& payload, Random& random) {
  auto copy = std::make_shared<std::vector<std::byte>>(payload);
  constexpr std::uint64_t bits_per_byte = 8;
  const std::uint64_t bit = random.below(copy->size() * bits_per_byte);
  (*copy)[bit / bits_per_byte] ^= std::byte{1} << static_cast<int>(bit % bits_per_byte);
  return copy;
}

}  // namespace sanvp::net
