/// Traffic patterns: which node sends what to which node. One file each in patterns/, registered by name.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/core/random.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/time.hpp"
#include "topologies/graph.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::traffic {

/// One message to send, in the form of the Macramé testbed's traffic nodes: destination, length, delay.
struct Descriptor {
  int destination = 0;
  std::optional<std::int64_t> bytes{};  ///< empty: drawn from the message sizes (`--bytes`)
  Time delay{0};                        ///< see Pattern::Pace
  bool read = false;                    ///< the node sends a short request, and the destination returns the data
  int flow_class = 0;                   ///< index in Pattern::classes()
};

/// Lets the arrival of a message affect other nodes.
class Reactions {
 public:
  /// Tells that a node without a next message has one now.
  virtual void wake(int node) = 0;

 protected:
  ~Reactions() = default;
};

class Pattern {
 public:
  /// When a node's next message is generated.
  enum class Pace : std::uint8_t {
    load,    ///< by the load and `--arrivals`, even if the network cannot keep up
    listed,  ///< the descriptor's delay after the generation of the previous one, from time 0, even if the network
             ///< cannot keep up
    closed,  ///< the descriptor's delay after the delivery of the previous one, from time 0
  };
  /// How long the pattern lasts.
  enum class Extent : std::uint8_t {
    steady,   ///< endless and stationary: measured in steady state
    growing,  ///< grows from a first message until `--packets` are generated: the whole run is measured
    finite,   ///< ends by itself: the whole run is measured
  };

  virtual ~Pattern() = default;

  /// The node's next message. Empty if it has no more messages, or none before wake().
  /// @param random  the node's own generator
  virtual std::optional<Descriptor> next(int node, Random& random) = 0;

  /// Whether the node generates messages by itself; other nodes are silent, and no load is attributed to them.
  virtual bool sends(int /*node*/) const { return true; }
  virtual Pace pace() const { return Pace::load; }
  /// Whether next() depends only on the node and its random numbers, and every sending node sends for ever: then equal
  /// random numbers give equal messages.
  virtual bool is_repeatable() const { return false; }
  virtual Extent extent() const { return Extent::steady; }
  /// Pace::closed: messages of a node that are under way at once.
  virtual int window() const { return 1; }
  /// Names of the classes that latency and throughput are also measured by; empty if there is one.
  virtual std::vector<std::string> classes() const { return {}; }
  /// Called when a message has been delivered completely.
  virtual void arrived(int /*source*/, int /*destination*/, Reactions& /*reactions*/) {}
};

/// What a pattern is built from. `parameters` is section [pattern]; the graph outlives the pattern.
struct PatternContext {
  const topologies::Graph& graph;
  const Parameters& parameters;
  std::uint64_t seed = 1;
  std::string line{};                         ///< `file:line` that names it, if a file runs several patterns
  std::vector<std::string>* notes = nullptr;  ///< receives what the user should know

  int nodes() const { return graph.host_count(); }
  /// Adds a note for each of the parameters that is given.
  /// @param why  such as "does nothing without --messages"
  void note_idle(std::initializer_list<const char*> names, const std::string& why) const;
};

struct PatternPart {
  static constexpr const char* kind() { return "pattern"; }
  std::string name;
  std::string summary;
  std::function<std::unique_ptr<Pattern>(const PatternContext&)> build;
};

/// A node drawn uniformly from 0..nodes-1 except `self`.
inline int any_other(int self, int nodes, Random& random) {
  const auto drawn = static_cast<int>(random.below(static_cast<std::uint64_t>(nodes - 1)));
  return drawn < self ? drawn : drawn + 1;
}

/// Throws UserError if no node sends.
/// @param place  where the pattern is named
void require_sender(const Pattern& pattern, int nodes, const std::string& place);

/// Throws UserError if the machine has fewer than `least` nodes.
void require_nodes(const PatternContext& context, const std::string& pattern, int least);

/// Hosts on the same switch as `host` or on a directly connected switch, in ascending order.
std::vector<int> neighbours(const topologies::Graph& graph, int host);

}  // namespace sanvp::traffic
