#include "topologies/routing/check.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <optional>

#include "platform/core/error.hpp"
#include "platform/core/random.hpp"
#include "topologies/connected.hpp"
#include "topologies/routing/relation_walk.hpp"
#include "topologies/routing/split_routes.hpp"
#include "topologies/routing/walk.hpp"

namespace sanvp::topologies {
namespace {

constexpr std::size_t most_examples = 5;
constexpr std::int64_t pairs_between_news = 4096;
/// Limits the memory of the heads of routes, about 100 bytes each.
constexpr std::size_t most_heads = std::size_t{1} << 20;

class Checker {
 public:
  Checker(const Graph& graph, const Routing& routing, const CheckOptions& options)
      : graph_(graph),
        routing_(routing),
        split_routes_(dynamic_cast<const SplitRoutes*>(&routing)),
        options_(options),
        dependencies_(graph, options.virtual_channels),
        walk_(graph, options, dependencies_) {
    if (const Relation* relation = routing.relation(); relation != nullptr)
      relation_.emplace(graph, *relation, options, dependencies_);
    report_.hosts = graph.host_count();
    report_.switches = graph.switch_count();
    report_.links = graph.link_count();
    for (const std::vector<int>& group : options.groups) report_.pairs += pairs_of(group.size());
    if (options.groups.empty()) report_.pairs = pairs_of(graph.hosts().size());
    report_.random_alternative = routing.random_alternative();
  }

  CheckReport run() {
    if (options_.only.empty()) {
      if (options_.groups.empty()) all_pairs(all_hosts());
      for (const std::vector<int>& group : options_.groups) all_pairs(group);
    } else {
      for (std::size_t i = 0; i < options_.only.size(); ++i) {
        if (i == 0 || options_.only[i].destination != options_.only[i - 1].destination)
          next_destination(options_.only[i].destination);
        follow(options_.only[i]);
      }
    }
    report_.dependencies = dependencies_.count();
    if (relation_)
      prove_relation();
    else
      report_.cycle = cycle();
    if (report_.deadlock_free() && options_.pools_hold_back) {
      for (const int channel : walk_.to_in_transit_hosts()) dependencies_.add_host(channel);
      report_.pool_cycle = cycle();
    }
    return std::move(report_);
  }

 private:
  std::vector<std::string> cycle() const {
    std::vector<std::string> names;
    for (const auto& vertex : dependencies_.cycle()) names.push_back(name_of(vertex));
    return names;
  }

  void prove_relation() {
    std::vector<Dependencies::Vertex> cycle;
    report_.proof = relation_->prove(cycle);
    for (const auto& vertex : cycle) report_.cycle.push_back(name_of(vertex));
  }

  std::string name_of(const Dependencies::Vertex& vertex) const {
    return graph_.describe_channel(vertex.channel) +
           (options_.virtual_channels > 1 ? ", vc " + std::to_string(vertex.vc) : "");
  }

  static std::int64_t pairs_of(std::size_t hosts) {
    const auto count = static_cast<std::int64_t>(hosts);
    return count * (count - 1);
  }

  std::vector<int> all_hosts() const {
    std::vector<int> hosts(graph_.host_count());
    std::iota(hosts.begin(), hosts.end(), 0);
    return hosts;
  }

  void all_pairs(const std::vector<int>& hosts) {
    for (const int destination : shuffled(hosts)) {
      if (work() >= options_.work) break;
      next_destination(destination);
      for (const int source : hosts)
        if (source != destination) pair(source, destination);
    }
  }

  void follow(const RouteUse& use) {
    const int alternatives = routing_.alternatives(use.source, use.destination);
    for (int alternative = 0; alternative < alternatives; ++alternative) {
      if (use.alternative != RouteUse::every && use.alternative != alternative) continue;
      routing_.route(use.source, use.destination, alternative, route_);
      outcome_of(use.source, nullptr);
      ++report_.routes_checked;
    }
  }

  std::int64_t work() const { return relation_ ? relation_->work() : walk_.work(); }
  void next_destination(int destination) {
    walk_.next_destination();
    if (relation_) relation_->next_destination(destination);
  }
  const Walk::Head& head_of(int source, int alternative) {
    if (static_cast<std::size_t>(alternative) >= most_heads / report_.hosts) {
      head_ = walk_.split(*split_routes_, source, alternative);
      return head_;
    }
    const std::size_t place = static_cast<std::size_t>(alternative) * report_.hosts + source;
    if (heads_.size() <= place) heads_.resize(static_cast<std::size_t>(alternative + 1) * report_.hosts);
    if (heads_[place].source < 0) heads_[place] = walk_.split(*split_routes_, source, alternative);
    return heads_[place];
  }
  /// The end of a route. @param second  as in outcome_of
  Walk::Outcome follow(int source, int destination, int alternative, Walk::Outcome* second) {
    const Walk::Head* head = nullptr;
    if (split_routes_ != nullptr) {
      head = &head_of(source, alternative);
      if (head->rest >= 0 && walk_.remembers(head->rest)) return walk_.follow(*head);
    }
    routing_.route(source, destination, alternative, route_);
    if (head != nullptr && head->rest >= 0) return walk_.follow(*head, route_);
    return outcome_of(source, second);
  }
  /// The end of route_. @param second  the end of a second path, or of the longest way
  Walk::Outcome outcome_of(int source, Walk::Outcome* second) {
    return relation_ ? relation_->follow(source, route_, second) : walk_.follow(source, route_, second);
  }

  /// In random order, so that the destinations examined before the work limit are a fair sample.
  std::vector<int> shuffled(std::vector<int> order) const {
    Random random(options_.seed, "check.destinations");
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[random.below(i)], order[i - 1]);
    return order;
  }

  /// Whichever of pairs and work is closer to its end.
  double share() const {
    return std::max(static_cast<double>(report_.pairs_checked) / static_cast<double>(report_.pairs),
                    static_cast<double>(work()) / static_cast<double>(options_.work));
  }

  void pair(int source, int destination) {
    if (++report_.pairs_checked % pairs_between_news == 0 && options_.progress)
      options_.progress(report_.pairs_checked, share());
    const int alternatives = routing_.alternatives(source, destination);
    report_.most_alternatives = std::max(report_.most_alternatives, alternatives);
    if (static_cast<int>(report_.by_alternative.size()) < alternatives) report_.by_alternative.resize(alternatives);
    int broken = 0;
    Walk::Outcome reason;
    for (int alternative = 0; alternative < alternatives; ++alternative) {
      Walk::Outcome second;
      const Walk::Outcome outcome = follow(source, destination, alternative, &second);
      ++report_.routes_checked;
      if (second.links > 0 && second.kind == Walk::Outcome::Kind::arrives) add(report_.second_paths, second.links);
      if (outcome.kind == Walk::Outcome::Kind::arrives && outcome.end.index == destination) {
        add(report_.by_alternative[alternative], outcome.links);
      } else if (broken++ == 0) {
        reason = outcome;
      }
    }
    report_.routes_broken += broken;
    const bool one_will_do = !options_.failures.empty() && !routing_.random_alternative();
    if (alternatives > 0 && (one_will_do ? broken < alternatives : broken == 0)) return;
    ++report_.pairs_unserved;
    if (report_.examples.size() < most_examples)
      report_.examples.push_back(graph_.describe(End::host(source)) + " to " + graph_.describe(End::host(destination)) +
                                 ": " +
                                 (alternatives == 0 ? why_unserved(source, destination) : describe(graph_, reason)));
  }

  std::string why_unserved(int source, int destination) {
    if (parts_.empty()) parts_ = connected_parts(working_part(graph_, options_.failures));
    if (parts_[source] != parts_[destination]) return not_joined;
    return routing_.why_unserved(source, destination);
  }

  void add(PathLengths& lengths, int links) const {
    if (static_cast<int>(lengths.histogram.size()) <= links) lengths.histogram.resize(links + 1);
    ++lengths.histogram[links];
    lengths.in_transit_hosts += route_.in_transit_hosts();
  }

  const Graph& graph_;
  const Routing& routing_;
  const SplitRoutes* split_routes_;  ///< the same, if its routes share steps
  const CheckOptions& options_;
  Dependencies dependencies_;
  Walk walk_;
  std::optional<RelationWalk> relation_;
  Route route_;
  std::vector<Walk::Head> heads_;  ///< by alternative, then by source
  Walk::Head head_;                ///< one of those beyond most_heads
  std::vector<int> parts_;         ///< connected_parts, once they are asked for
  CheckReport report_;
};

std::string decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

}  // namespace

std::int64_t PathLengths::routes() const {
  return std::accumulate(histogram.begin(), histogram.end(), std::int64_t{0});
}

int PathLengths::diameter() const { return std::max(static_cast<int>(histogram.size()) - 1, 0); }

double PathLengths::mean() const {
  std::int64_t links = 0;
  for (std::size_t length = 0; length < histogram.size(); ++length)
    links += histogram[length] * static_cast<std::int64_t>(length);
  return routes() == 0 ? 0 : static_cast<double>(links) / static_cast<double>(routes());
}

double PathLengths::mean_in_transit_hosts() const {
  return routes() == 0 ? 0 : static_cast<double>(in_transit_hosts) / static_cast<double>(routes());
}

PathLengths CheckReport::lengths() const {
  PathLengths total;
  for (const PathLengths& one : by_alternative) {
    total.histogram.resize(std::max(total.histogram.size(), one.histogram.size()));
    for (std::size_t length = 0; length < one.histogram.size(); ++length)
      total.histogram[length] += one.histogram[length];
    total.in_transit_hosts += one.in_transit_hosts;
    if (!random_alternative) break;
  }
  return total;
}

std::string CheckReport::verdict() const {
  if (!deadlock_free()) return "deadlock";
  if (pairs_unserved > 0) return "pairs not served";
  return pool_cycle.empty() ? "deadlock-free" : "deadlock-free while pools have room";
}

namespace {

std::string lines_of(const char* what, const std::vector<std::string>& cycle) {
  if (cycle.empty()) return {};
  std::string text = what;
  for (const std::string& channel : cycle) text += "\n  " + channel;
  return text + "\n  and again from the first";
}

}  // namespace

std::string CheckReport::cycle_text() const { return lines_of("channels can wait for each other in a cycle:", cycle); }

std::string CheckReport::pool_cycle_text() const {
  return lines_of("channels can wait for each other in a cycle through full in-transit pools:", pool_cycle);
}

CheckReport check(const Graph& graph, const Routing& routing, const CheckOptions& options) {
  if (options.virtual_channels < 1 || options.virtual_channels >= Step::any_vc)
    throw UserError("check", std::to_string(options.virtual_channels) + " virtual channels", "choose 1 to 254");
  return Checker(graph, routing, options).run();
}

std::string to_text(const CheckReport& report) {
  const auto number = [](std::int64_t n) { return std::to_string(n); };
  std::string text = "hosts " + number(report.hosts) + ", switches " + number(report.switches) + ", links " +
                     number(report.links) + "\npairs " + number(report.pairs) +
                     (report.sampled() ? ", a sample of " + number(report.pairs_checked) + " checked" : "") +
                     ", not served " + number(report.pairs_unserved) + "\n";
  for (const std::string& example : report.examples) text += "  " + example + "\n";
  text += "routes " + number(report.routes_checked) + ", up to " + number(report.most_alternatives) + " per pair" +
          (report.random_alternative ? ", drawn at random" : "") + "\n";
  const auto line = [&](const std::string& what, const PathLengths& lengths) {
    text += what + ": diameter " + number(lengths.diameter()) + " links, mean " + decimal(lengths.mean()) +
            ", in-transit hosts " + decimal(lengths.mean_in_transit_hosts()) + "; links:routes";
    for (std::size_t links = 0; links < lengths.histogram.size(); ++links)
      if (lengths.histogram[links] > 0) text += " " + std::to_string(links) + ":" + number(lengths.histogram[links]);
    text += "\n";
  };
  constexpr std::size_t most_lines = 8;  // longer lists are ranges for a random draw
  if (report.random_alternative || report.by_alternative.size() > most_lines || report.by_alternative.size() < 2)
    line("distance", report.lengths());
  else
    for (std::size_t i = 0; i < report.by_alternative.size(); ++i)
      line("alternative " + std::to_string(i), report.by_alternative[i]);
  if (report.second_paths.routes() > 0)
    line(report.proof.empty() ? "detours, which a switch takes by its queues" : "longest ways", report.second_paths);
  text += "channel dependencies " + number(report.dependencies) + (report.proof.empty() ? "" : "; " + report.proof) +
          "\nverdict: " + report.verdict() + "\n";
  return text;
}

}  // namespace sanvp::topologies
