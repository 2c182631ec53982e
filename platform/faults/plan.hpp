/// Section [fault]: which parts of a machine fail during a run, and when.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/core/time.hpp"
#include "topologies/failures.hpp"

namespace sanvp {
class ParameterSet;
class Parameters;
}  // namespace sanvp

namespace sanvp::faults {

/// A part that fails as a whole: a cable, a switch, or a computer with its card.
struct Part {
  enum class Kind : std::uint8_t { link, switch_, node };
  Kind kind = Kind::link;
  int number = 0;

  auto operator<=>(const Part&) const = default;
};
constexpr int part_kinds = 3;

/// "link", "switch" or "node".
const char* name_of(Part::Kind kind);
/// "link 12".
std::string to_text(const Part& part);

struct Event {
  Time at{0};
  Part part;
  bool down = true;  ///< false: it is repaired
};

/// Adds the events of --fault to those of the section.
void add_events(const std::vector<std::string>& events, ParameterSet& parameters);

/// The parts that can fail.
struct Stock {
  const topologies::Graph& graph;
  int hosts_per_node = 1;              ///< ports of a card, each a host of the graph
  const topologies::Failures& failed;  ///< failed from the start, until an event repairs them

  int count(Part::Kind kind) const;
};

struct Plan {
  /// Exponentially distributed times of each part of a kind. mtbf 0: it does not fail at random.
  struct Chance {
    Time mtbf{0};
    Time mttr{0};  ///< 0: never repaired
  };

  std::vector<Event> listed{};  ///< in order of time
  std::array<Chance, part_kinds> chances{};
  std::uint64_t seed = 1;

  const Chance& chance(Part::Kind kind) const { return chances[static_cast<std::size_t>(kind)]; }
  /// Whether nothing fails during the run.
  bool empty() const;
  /// Whether a node that went down comes up again.
  bool repairs_nodes() const;

  /// Declares and reads the section. Throws UserError for parts that the machine does not have and for events without
  /// effect.
  static Plan read(const Parameters& section, const Stock& stock, std::uint64_t seed);
};

}  // namespace sanvp::faults
