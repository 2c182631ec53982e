/// Interval labelling, the routing of the STC104 (FACTS.md 3.2). Every host has a number, its label. Every switch holds
/// ordered, disjoint intervals of labels. The interval that contains a header's label names the output link, or the
/// first of a group of adjacent links.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platform/core/time.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::topologies {

/// Labels low <= label < high leave by one of `ports` adjacent outputs, the first of which is `port`.
struct Interval {
  int low = 0;
  int high = 0;
  int port = 0;
  int ports = 1;
  int strip = 0;  ///< header flits deleted at this output (header deletion)

  bool operator==(const Interval&) const = default;
};

/// The table of one switch. Labels in no interval are not served, which is the STC104's invalid flag.
class IntervalTable {
 public:
  /// Appends the next interval. An empty one (low == high) is ignored, and one that continues the last one with the
  /// same output extends it. Throws UserError if the interval is reversed or overlaps an earlier one.
  void add(const Interval& interval);

  /// The interval that contains `label`, or nullptr.
  const Interval* find(int label) const;
  const std::vector<Interval>& intervals() const { return intervals_; }

 private:
  std::vector<Interval> intervals_;
};

/// The labels and tables of a whole machine.
struct IntervalLabelling {
  std::vector<int> labels;            ///< per host
  std::vector<IntervalTable> tables;  ///< per switch
};

/// Labels one family of graphs; registered under that family's name (Graph::family) by a routing file of the family.
struct IntervalLabeller {
  static constexpr const char* kind() { return "interval labelling"; }
  std::string name;
  std::string summary;
  std::function<IntervalLabelling(const Graph&, const Parameters&)> build;
};

/// Routes any graph by walking its interval tables. The walk follows the first port of a group, so all ports of a group
/// must lead to switches with the same further steps. A pair has no route (alternatives() is 0) if its walk ends at no
/// interval or at another host, or never ends. Throws UserError if the labelling does not fit the graph.
std::unique_ptr<Routing> interval_routing(const Graph& graph, IntervalLabelling labelling);

}  // namespace sanvp::topologies
