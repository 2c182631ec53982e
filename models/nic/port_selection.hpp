/// Which port of a host with several a packet leaves by: the plane or rail. A file each in models/nic/ports.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "platform/core/registry.hpp"

namespace sanvp {
class Parameters;
class Random;
}  // namespace sanvp

namespace sanvp::nic {

/// A packet at its NIC.
struct PortChoice {
  std::uint32_t served = 0;  ///< a bit for each port that leads to the destination; not empty
  int next = 0;              ///< the port after that of the packet before
  int destination = 0;
  std::span<const std::int64_t> under_way;  ///< per port: flits of this host's packets that have not arrived

  bool serves(int port) const { return (served >> port & 1U) != 0; }
  int ports() const { return static_cast<int>(under_way.size()); }
};

/// One object serves all NICs: it keeps no state of its own.
class PortSelection {
 public:
  virtual ~PortSelection() = default;
  /// @param random  this host's own generator
  virtual int select(const PortChoice& choice, Random& random) const = 0;
};

/// Reads its parameters from section [nic].
struct PortSelectionPart {
  static constexpr const char* kind() { return "port selection"; }
  std::string name;
  std::string summary;
  std::function<std::shared_ptr<const PortSelection>(const Parameters&)> build;
};

}  // namespace sanvp::nic
