/// What lines of patterns' files have in common: which node sends to which.
#pragma once

#include <string>

#include "platform/core/statements.hpp"

namespace sanvp::traffic {

struct PairOfNodes {
  std::size_t source = 0;
  int destination = 0;
};

/// Words `first` and the next one: SRC DST. Throws UserError for a number that no node has, and for equal ones.
inline PairOfNodes read_pair(const Statements& lines, int first, int nodes) {
  const auto source = lines.integer(first, "node", 0, nodes - 1);
  const auto destination = lines.integer(first + 1, "node", 0, nodes - 1);
  if (source == destination) lines.fail("node " + std::to_string(source) + " sends to itself", "name another node");
  return {static_cast<std::size_t>(source), static_cast<int>(destination)};
}

}  // namespace sanvp::traffic
