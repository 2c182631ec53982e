/// Which packets a congested switch marks (TIMING.md, "Marks"): a file each in models/policies/marking.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "models/net/rules.hpp"
#include "platform/core/registry.hpp"

namespace sanvp {
class Parameters;
class Random;
}  // namespace sanvp

namespace sanvp::net {

/// For rules that do not mark all packets from a threshold on. It keeps no state of its own.
class MarkingPolicy {
 public:
  virtual ~MarkingPolicy() = default;
  /// @param queue  of the output, in flits; at least Marking::threshold
  /// @param random  this switch's own generator for marks
  virtual bool marks(std::int64_t queue, Random& random) const = 0;
};

/// Reads its parameters from section [switch].
struct MarkingPart {
  static constexpr const char* kind() { return "marking policy"; }
  std::string name;
  std::string summary;
  std::function<Marking(const Parameters&, int flit_bytes)> build;
};

}  // namespace sanvp::net
