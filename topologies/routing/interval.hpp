/// Interval labelling, as the STC104 routes (FACTS.md 3.2): every host has a number, its label; every switch holds
/// ordered, disjoint intervals of labels; the interval that holds a header's label names the output link, or the first
/// of a group of adjacent ones.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platform/core/parameters.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

/// Labels low <= label < high leave by one of `ports` adjacent outputs that start at `port`.
struct Interval {
  int low = 0;
  int high = 0;
  int port = 0;
  int ports = 1;
  int strip = 0;  ///< header flits deleted at this output (header deletion)

  bool operator==(const Interval&) const = default;
};

/// What one switch holds. Labels in no interval are not served, as with the STC104's invalid flag.
class IntervalTable {
 public:
  /// Appends the next interval; an empty one (low == high) is left out, and one that goes on where the last ended
  /// with the same output extends it. Throws UserError where it is reversed or overlaps what was added before.
  void add(const Interval& interval);

  /// The interval that holds `label`, or nullptr.
  const Interval* find(int label) const;
  const std::vector<Interval>& intervals() const { return intervals_; }

 private:
  std::vector<Interval> intervals_;
};

/// A whole machine's labels and tables.
struct IntervalLabelling {
  std::vector<int> labels;            ///< per host
  std::vector<IntervalTable> tables;  ///< per switch
};

/// Labels one family of graphs; registered under that family's name (Graph::family) by the family's routing file.
struct IntervalLabeller {
  static constexpr const char* kind() { return "interval labelling"; }
  std::string name;
  std::string summary;
  std::function<IntervalLabelling(const Graph&, const Parameters&)> build;
};

/// Routes any graph by walking its interval tables. The walk follows the first port of a group, so every port of a
/// group must lead to switches that hold the same steps. A pair whose walk ends in no interval, at another host, or in
/// a circle has no route (alternatives() is 0). Throws UserError where the labelling does not fit the graph.
std::unique_ptr<Routing> interval_routing(const Graph& graph, IntervalLabelling labelling);

}  // namespace sanvp::topologies
