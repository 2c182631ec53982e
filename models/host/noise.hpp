/// Noise of the operating system: periodic daemons that take a CPU from the program for some time. Petrini, Kerbyson
/// and Pakin, SC2003, show what that costs programs in which ranks wait for each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/core/time.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::host {

struct DaemonSettings {
  std::string name;
  Time period{0};
  Time duration{0};
  std::optional<Time> phase{};  ///< nothing: random, different on each node
  bool on_all_cpus = false;     ///< false: on one CPU, one without a rank if there is such
};

/// Section [host.noise]. Throws UserError for values out of range.
std::vector<DaemonSettings> read_noise(const Parameters& noise);

/// The noise of one CPU, without simulated events: a closed form says when a daemon runs.
class Noise {
 public:
  Noise() = default;
  /// @param cpu    one of `cpus`, of which the first `busy` have ranks
  /// @param seed   of the run; seed and `node` determine the phases
  Noise(const std::vector<DaemonSettings>& daemons, int node, int cpu, int cpus, int busy, std::uint64_t seed);

  bool empty() const { return daemons_.empty(); }
  /// When work of `span` that begins at `begin` ends, interrupted by daemons. A daemon that runs at `begin` delays it,
  /// even if `span` is 0. If several overlap, the one that ends last counts.
  Time end_of(Time begin, Time span) const;

 private:
  struct Daemon {
    Time period, duration, phase;
  };
  Time next_free(Time at) const;
  Time next_begin(Time after) const;

  std::vector<Daemon> daemons_;
};

}  // namespace sanvp::host
