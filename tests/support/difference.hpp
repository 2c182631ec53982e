/// Whether `worm` and `flit` agree on a case, packet by packet, and the smallest case on which they do not.
#pragma once

#include <optional>
#include <string>

#include "tests/support/case.hpp"

namespace sanvp::test {

/// The earliest packet of a case that the fidelities treat differently.
struct Difference {
  std::size_t packet = 0;
  std::string text;  ///< its times in both
};

std::optional<Difference> first_difference(const Case& one);

/// The smallest case found that still differs, by removing packets, failures, units and channels, shortening packets
/// and simplifying rules. Precondition: `one` differs. @param seconds  time limit of the search
Case shrink(Case one, double seconds);

/// The whole case as text, for reading and for writing a test.
std::string to_text(const Case& one);

}  // namespace sanvp::test
