#include "topologies/routing/relation_walk.hpp"

#include <algorithm>
#include <bit>
#include <unordered_set>

namespace sanvp::topologies {

using Kind = Walk::Outcome::Kind;

RelationWalk::RelationWalk(const Graph& graph, const Relation& relation, const CheckOptions& options,
                           Dependencies& dependencies)
    : graph_(graph),
      relation_(relation),
      dependencies_(dependencies),
      virtual_channels_(options.virtual_channels),
      cabled_(vc_set(0, static_cast<std::uint8_t>(options.virtual_channels))),
      failed_(graph.channel_count(), false),
      escapes_(static_cast<std::size_t>(graph.channel_count()) * options.virtual_channels, false) {
  for (const int link : failed_links(graph, options.failures)) failed_[2 * link] = failed_[2 * link + 1] = true;
}

void RelationWalk::next_destination(int destination) {
  destination_ = destination;
  seen_.clear();
}

/// The channel that leaves a switch at a port, or -1 if none works.
int RelationWalk::output(int at, int port) const {
  const int channel = graph_.channel_from(End::switch_(at, port));
  return channel >= 0 && !failed_[channel] ? channel : -1;
}

void RelationWalk::take_candidates(const Place& place, std::vector<Candidate>& to) const {
  const End at = graph_.channel_target(place.channel);
  to.clear();
  relation_.candidates(
      {.switch_ = at.index, .in_port = at.port, .vc = place.vc, .destination = destination_, .state = place.state}, to);
}

Walk::Outcome RelationWalk::follow(int source, const Route& route, Walk::Outcome* longest) {
  const End port = End::host(source, route.source_port);
  const int channel = graph_.channel_from(port);
  if (channel < 0) return {Kind::no_cable, port};
  if (failed_[channel]) return {Kind::no_port_left, port};
  const Place first{channel, 0, route.state};
  starts_.push_back({destination_, channel, route.state});
  const Seen& seen = visit(first);
  Walk::Outcome outcome = seen.outcome;
  ++outcome.links;
  if (longest != nullptr && seen.longest > seen.outcome.links) *longest = {outcome.kind, outcome.end, seen.longest + 1};
  return outcome;
}

const RelationWalk::Seen& RelationWalk::visit(const Place& place) {
  const auto [found, is_new] = seen_.try_emplace(key(place));
  Seen& seen = found->second;  // stays where it is when others are added
  const End at = graph_.channel_target(place.channel);
  if (!is_new) {
    if (seen.open) seen.outcome = {Kind::goes_round, at};
    return seen;
  }
  seen.outcome = {Kind::no_port_left, at};
  if (!at.is_switch()) {
    seen.outcome.kind = at.index == destination_ ? Kind::arrives : Kind::undecided;
    seen.open = false;
    return seen;
  }
  std::vector<Candidate> candidates;
  take_candidates(place, candidates);
  bool any = false;
  for (const Candidate& candidate : candidates) visit_candidate(place, candidate, seen, any);
  const bool escapes = std::ranges::any_of(candidates, [&](const Candidate& one) {
    const int out = output(at.index, one.port);
    return out >= 0 && (one.escape || graph_.channel_target(out).is_host());
  });
  if (!escapes && always_escapes_) {
    always_escapes_ = false;
    without_escape_ = graph_.describe_channel(place.channel);
  }
  seen.open = false;
  return seen;
}

/// @param any  whether an earlier candidate of the place works
void RelationWalk::visit_candidate(const Place& place, const Candidate& candidate, Seen& seen, bool& any) {
  const int at = graph_.channel_target(place.channel).index;
  for (int port = candidate.port; port < candidate.port + candidate.ports; ++port) {
    ++work_;
    const int out = output(at, port);
    if (out < 0) continue;
    const bool leads_to_switch = graph_.channel_target(out).is_switch();
    if (!leads_to_switch)
      for (int vc = 0; vc < virtual_channels_; ++vc) dependencies_.add({place.channel, place.vc}, port, vc);
    for (VcSet left = leads_to_switch ? vcs_of(candidate) : 1; left != 0; left &= left - 1) {
      const int vc = std::countr_zero(left);
      if (leads_to_switch) {
        dependencies_.add({place.channel, place.vc}, port, vc);
        if (candidate.escape) escapes_[static_cast<std::size_t>(out) * virtual_channels_ + vc] = true;
      }
      const Seen& next = visit({out, vc, candidate.state});
      Walk::Outcome outcome = next.outcome;
      ++outcome.links;
      seen.longest = std::max(seen.longest, next.longest + 1);
      if (!any ||
          (seen.outcome.kind == Kind::arrives && (outcome.kind != Kind::arrives || outcome.links < seen.outcome.links)))
        seen.outcome = outcome;
      any = true;
    }
  }
}

/// What packets may hold and wait for, if they wait for escapes only. Its vertices are virtual channels, which stand
/// for all packets on them, and places, each for packets of one destination and state: those on exclusive virtual
/// channels that are no escapes, where a header is always in front.
class RelationWalk::Escapes {
 public:
  explicit Escapes(RelationWalk& walk)
      : walk_(walk), next_(static_cast<std::size_t>(walk.graph_.channel_count()) * walk.virtual_channels_) {
    for (const Start& start : walk.starts_) {
      if (start.destination != walk_.destination_) places_.clear();
      walk_.destination_ = start.destination;
      add({start.channel, 0, start.state});
    }
  }

  /// Empty if none exists.
  std::vector<Vertex> cycle() const {
    std::vector<int> incoming(next_.size(), 0);
    for (const auto& next : next_)
      for (const int to : next) ++incoming[to];
    std::vector<int> gone;
    for (std::size_t v = 0; v < next_.size(); ++v)
      if (incoming[v] == 0) gone.push_back(static_cast<int>(v));
    for (std::size_t i = 0; i < gone.size(); ++i)
      for (const int to : next_[gone[i]])
        if (--incoming[to] == 0) gone.push_back(to);
    std::vector<int> before(next_.size(), -1);
    int at = -1;
    for (std::size_t v = 0; v < next_.size(); ++v)
      if (incoming[v] > 0)
        for (const int to : next_[v])
          if (incoming[to] > 0) before[at = to] = static_cast<int>(v);
    if (at < 0) return {};
    // Every vertex that is left has one before it that is left.
    std::vector<bool> passed(next_.size(), false);
    for (; !passed[at]; at = before[at]) passed[at] = true;
    std::vector<Vertex> cycle;
    const int first = at;
    do {
      cycle.push_back(vertex_of(at));
      at = before[at];
    } while (at != first);
    std::ranges::reverse(cycle);
    return cycle;
  }

 private:
  bool is_shared(int channel, int vc) const {
    const bool leads_to_switch = walk_.graph_.channel_target(channel).is_switch();
    const bool is_exclusive = (walk_.relation_.exclusive_vcs() >> vc & 1U) != 0;
    return leads_to_switch && (!is_exclusive || walk_.escapes_[index(channel, vc)]);
  }
  std::size_t index(int channel, int vc) const {
    return static_cast<std::size_t>(channel) * walk_.virtual_channels_ + static_cast<std::size_t>(vc);
  }
  Vertex vertex_of(int v) const {
    const auto shared = static_cast<int>(walk_.escapes_.size());
    const int at = v < shared ? v : vertices_[v - shared];
    return {at / walk_.virtual_channels_, at % walk_.virtual_channels_};
  }

  /// @return the vertex of the place
  int add(const Place& place) {
    const auto [found, is_new] = places_.try_emplace(walk_.key(place), 0);
    const auto own = static_cast<int>(index(place.channel, place.vc));
    if (!is_new) return found->second;
    int vertex = own;
    const End at = walk_.graph_.channel_target(place.channel);
    const bool from_host = walk_.graph_.channel_source(place.channel).is_host();
    if (from_host || !is_shared(place.channel, place.vc)) {
      vertex = static_cast<int>(next_.size());
      next_.emplace_back();
      vertices_.push_back(own);
    }
    found->second = vertex;
    if (!at.is_switch()) return vertex;
    std::vector<Candidate> candidates;
    walk_.take_candidates(place, candidates);
    for (const Candidate& candidate : candidates)
      for (int port = candidate.port; port < candidate.port + candidate.ports; ++port) {
        const int out = walk_.output(at.index, port);
        if (out < 0 || !walk_.graph_.channel_target(out).is_switch()) continue;
        for (VcSet left = walk_.vcs_of(candidate); left != 0; left &= left - 1) {
          const int to = add({out, std::countr_zero(left), candidate.state});
          const auto shared = static_cast<int>(walk_.escapes_.size());
          const bool both_shared = vertex < shared && to < shared;
          const std::uint64_t edge = static_cast<std::uint64_t>(vertex) << 32 | static_cast<std::uint32_t>(to);
          if (!both_shared || edges_.insert(edge).second) next_[vertex].push_back(to);
        }
      }
    return vertex;
  }

  RelationWalk& walk_;
  std::vector<std::vector<int>> next_;             ///< per virtual channel, then per place
  std::vector<int> vertices_;                      ///< virtual channel of each place
  std::unordered_set<std::uint64_t> edges_;        ///< between virtual channels, each once
  std::unordered_map<std::uint64_t, int> places_;  ///< of this destination: their vertices
};

std::string RelationWalk::prove(std::vector<Vertex>& cycle) {
  cycle = dependencies_.cycle();
  if (cycle.empty()) return "no cycle over all states of packets";
  const bool any_escape = std::ranges::find(escapes_, true) != escapes_.end();
  if (!any_escape) return "no escape from cycles";
  if (!always_escapes_) return "no escape from " + without_escape_;
  cycle = Escapes(*this).cycle();
  if (!cycle.empty()) return "a cycle that escapes do not open";
  return "cycles of adaptive channels, from which escapes lead without a cycle (Duato)";
}

}  // namespace sanvp::topologies
