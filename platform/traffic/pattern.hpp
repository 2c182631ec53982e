/// Who sends what to whom: the traffic patterns, one file each in patterns/, registered by name.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/core/parameters.hpp"
#include "platform/core/random.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/time.hpp"
#include "topologies/graph.hpp"

namespace sanvp::traffic {

/// One message to send, as a traffic node of the Macramé testbed holds it: destination, length, delay.
struct Descriptor {
  int destination = 0;
  std::optional<std::int64_t> bytes{};  ///< nothing: drawn from the message sizes (`--bytes`)
  Time delay{0};                        ///< see Pattern::Pace
  bool read = false;                    ///< a short request goes out, and the destination sends the data back
};

/// What the arrival of a message sets off.
class Reactions {
 public:
  /// The node, which had no next message, has one now.
  virtual void wake(int node) = 0;

 protected:
  ~Reactions() = default;
};

class Pattern {
 public:
  /// When a node's next message is generated.
  enum class Pace : std::uint8_t {
    load,    ///< as the load and `--arrivals` say, whether or not the network keeps up
    listed,  ///< the descriptor's delay after the one before, whether or not the network keeps up; all begin at 0
    closed,  ///< the descriptor's delay after the delivery of the one before; all begin at 0
  };
  /// How long it goes on.
  enum class Extent : std::uint8_t {
    steady,   ///< for ever alike: it is measured when it has settled
    growing,  ///< from a first message on, until `--packets` are generated: all of it is measured
    finite,   ///< it ends by itself: all of it is measured
  };

  virtual ~Pattern() = default;

  /// The node's next message, or nothing: it has no more, or none until it is woken.
  /// @param random  the node's own
  virtual std::optional<Descriptor> next(int node, Random& random) = 0;

  /// Whether the node ever generates messages by itself; the others are silent, and no load is counted for them.
  virtual bool sends(int /*node*/) const { return true; }
  virtual Pace pace() const { return Pace::load; }
  /// next() depends on the node and its random numbers alone, and every node that sends does so for ever: the same
  /// numbers give the same messages again.
  virtual bool is_repeatable() const { return false; }
  virtual Extent extent() const { return Extent::steady; }
  /// A message has been delivered in full.
  virtual void arrived(int /*source*/, int /*destination*/, Reactions& /*reactions*/) {}
};

/// What a pattern is built from. `parameters` is section [pattern]; the graph outlives the pattern.
struct PatternContext {
  const topologies::Graph& graph;
  const Parameters& parameters;
  std::uint64_t seed = 1;

  int nodes() const { return graph.host_count(); }
};

struct PatternPart {
  static constexpr const char* kind() { return "pattern"; }
  std::string name;
  std::string summary;
  std::function<std::unique_ptr<Pattern>(const PatternContext&)> build;
};

/// A node drawn evenly from 0..nodes-1 without `self`.
inline int any_other(int self, int nodes, Random& random) {
  const auto drawn = static_cast<int>(random.below(static_cast<std::uint64_t>(nodes - 1)));
  return drawn < self ? drawn : drawn + 1;
}

/// Throws UserError where a pattern that needs `least` nodes has fewer.
void require_nodes(const PatternContext& context, const std::string& pattern, int least);

/// Hosts on the same switch as `host` or on a switch that is cabled to it, in ascending order.
std::vector<int> neighbours(const topologies::Graph& graph, int host);

}  // namespace sanvp::traffic
