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

/// A case as small as can be found by leaving out packets, failures, units and channels, shortening packets and making
/// rules plainer, that still differs. Precondition: `one` does. @param seconds  to search for at most
Case shrink(Case one, double seconds);

/// All of a case, to be read, and to be made into a test.
std::string to_text(const Case& one);

}  // namespace sanvp::test
