/// What else a node's CPUs do: daemons of its operating system, each with a period, which take a CPU from the program
/// for some time. How much that costs a program whose ranks wait for each other: Petrini, Kerbyson and Pakin, SC2003.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/core/parameters.hpp"

namespace sanvp::host {

struct DaemonSettings {
  std::string name;
  Time period{0};
  Time duration{0};
  std::optional<Time> phase{};  ///< nothing: by chance, another one on each node
  bool on_all_cpus = false;     ///< else on one: a CPU that no rank has, where the node has one
};

/// Section [host.noise]. Throws UserError for values out of range.
std::vector<DaemonSettings> read_noise(const Parameters& noise);

/// Of one CPU. Nothing is simulated: when a daemon runs is known in closed form.
class Noise {
 public:
  Noise() = default;
  /// @param cpu    of `cpus`; the first `busy` of them have ranks
  /// @param seed   of the run, with `node` it decides the phases
  Noise(const std::vector<DaemonSettings>& daemons, int node, int cpu, int cpus, int busy, std::uint64_t seed);

  bool empty() const { return daemons_.empty(); }
  /// When work of `span` that begins at `begin` is done: the daemons take their time in between. One that runs at
  /// `begin` is waited for, also with nothing to do. Where several run at once, the longest counts.
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
