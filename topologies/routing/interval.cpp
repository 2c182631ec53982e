#include "topologies/routing/interval.hpp"

#include <algorithm>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/text.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/up_down_tables.hpp"
#include "topologies/unsuitable.hpp"

namespace sanvp::topologies {

void IntervalTable::add(const Interval& interval) {
  const std::string place = "interval [" + std::to_string(interval.low) + ", " + std::to_string(interval.high) + ")";
  if (interval.low > interval.high) throw UserError(place, "its ends are reversed", "give the lower label first");
  if (interval.port < 0 || interval.ports < 1)
    throw UserError(place, "it leads to no port", "give a port and a group of one port or more");
  if (interval.low == interval.high) return;
  if (!intervals_.empty()) {
    Interval& last = intervals_.back();
    if (interval.low < last.high)
      throw UserError(place, "it overlaps the one before, which ends at " + std::to_string(last.high),
                      "add intervals in ascending order");
    if (interval.low == last.high && interval.port == last.port && interval.ports == last.ports &&
        interval.strip == last.strip) {
      last.high = interval.high;
      return;
    }
  }
  intervals_.push_back(interval);
}

const Interval* IntervalTable::find(int label) const {
  const auto after = std::upper_bound(intervals_.begin(), intervals_.end(), label,
                                      [](int wanted, const Interval& interval) { return wanted < interval.low; });
  if (after == intervals_.begin()) return nullptr;
  const Interval& candidate = *(after - 1);
  return label < candidate.high ? &candidate : nullptr;
}

namespace {

class IntervalRouting : public Routing {
 public:
  IntervalRouting(const Graph& graph, IntervalLabelling labelling) : graph_(graph), labelling_(std::move(labelling)) {
    require_fit(static_cast<int>(labelling_.labels.size()), graph.host_count(), "labels", "hosts");
    require_fit(static_cast<int>(labelling_.tables.size()), graph.switch_count(), "tables", "switches");
    for (int switch_ = 0; switch_ < graph.switch_count(); ++switch_) require_cabled(switch_);
  }

  int alternatives(int source, int destination) const override {
    Route scratch;
    return source != destination && walk(source, destination, scratch) ? 1 : 0;
  }

  void route(int source, int destination, int, Route& route) const override { walk(source, destination, route); }

 private:
  static void require_fit(int given, int needed, const std::string& what, const std::string& of) {
    if (given != needed)
      throw UserError("interval labelling",
                      std::to_string(given) + " " + what + " for " + std::to_string(needed) + " " + of,
                      "give one for each");
  }

  void require_cabled(int switch_) const {
    for (const Interval& interval : labelling_.tables[switch_].intervals()) {
      for (int port = interval.port; port < interval.port + interval.ports; ++port) {
        const End out = End::switch_(switch_, port);
        if (!graph_.peer(out))
          throw UserError(graph_.describe(out), "an interval leads to it but nothing is plugged in there",
                          "correct the interval's port or group size");
      }
    }
  }

  /// Walks the tables and stores the steps in `route`.
  /// @return whether the walk ends at the destination
  bool walk(int source, int destination, Route& route) const {
    const int label = labelling_.labels[destination];
    route.steps.clear();
    route.source_port = 0;
    route.source_vc = Step::any_vc;
    End at = graph_.peer(End::host(source));
    // A walk longer than the number of switches has passed one of them twice, so it never ends.
    while (at.is_switch() && static_cast<int>(route.steps.size()) < graph_.switch_count()) {
      const Interval* interval = labelling_.tables[at.index].find(label);
      if (interval == nullptr) return false;
      Step step;
      step.port = static_cast<std::uint16_t>(interval->port);
      step.ports = static_cast<std::uint16_t>(interval->ports);
      step.strip = static_cast<std::uint8_t>(interval->strip);
      route.steps.push_back(step);
      at = graph_.peer(End::switch_(at.index, interval->port));
    }
    return at.is_host() && at.index == destination;
  }

  const Graph& graph_;
  IntervalLabelling labelling_;
};

std::unique_ptr<Routing> build(const Graph& graph, const Parameters& parameters, std::uint64_t) {
  const auto& labellers = Registry<IntervalLabeller>::all();
  const auto labeller = labellers.find(graph.family);
  if (labeller == labellers.end())
    throw UnsuitableGraph("routing interval", "the topology '" + graph.family + "' has no interval labelling",
                          "use it on one of " + listed(Registry<IntervalLabeller>::names()));
  IntervalLabelling labelling = labeller->second.build(graph, parameters);
  if (!graph.whole()) return up_down_tables(graph);
  return interval_routing(graph, std::move(labelling));
}

const Registration<RoutingPart> registration{
    {.name = "interval",
     .summary =
         "walks the interval tables of an STC104 network (clos, grid); where parts have failed, tables of the rest",
     .build = build,
     .avoids_failures = true}};

}  // namespace

std::unique_ptr<Routing> interval_routing(const Graph& graph, IntervalLabelling labelling) {
  return std::make_unique<IntervalRouting>(graph, std::move(labelling));
}

}  // namespace sanvp::topologies
