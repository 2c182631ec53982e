#include "topologies/routing/walk.hpp"

#include <algorithm>
#include <bit>

namespace sanvp::topologies {

using Kind = Walk::Outcome::Kind;

Walk::Walk(const Graph& graph, const CheckOptions& options, Dependencies& dependencies)
    : graph_(graph),
      dependencies_(dependencies),
      cabled_(vc_set(0, static_cast<std::uint8_t>(options.virtual_channels))),
      failed_(graph.channel_count(), false),
      usual_(graph.switch_count()),
      asked_(graph.channel_count()) {
  for (int channel = 0; channel < graph.channel_count(); ++channel) target_.push_back(graph.channel_target(channel));
  for (int at = 0; at < graph.switch_count(); ++at) {
    first_out_.push_back(out_.size());
    const int ports = static_cast<int>(graph.switches()[at].link_at.size());
    for (int port = 0; port < ports; ++port) out_.push_back(graph.channel_from(End::switch_(at, port)));
  }
  first_out_.push_back(out_.size());
  for (const int link : failed_links(graph, options.failures)) failed_[2 * link] = failed_[2 * link + 1] = true;
}

void Walk::next_destination() {
  suffixes_.clear();
  suffix_of_.clear();
  shared_.clear();
  suffixes_of_shared_.clear();
  outcomes_.clear();
  outcome_of_.clear();
  if (++destination_ == 0) {  // wrapped around after four thousand million destinations
    std::fill(usual_.begin(), usual_.end(), Usual{});
    destination_ = 1;
  }
}

Walk::Suffix Walk::share(std::span<const Step> steps) {
  work_ += static_cast<std::int64_t>(steps.size());
  // Paths from neighbours to one destination end alike.
  const auto [same_end, shared_end] =
      std::ranges::mismatch(steps.rbegin(), steps.rend(), shared_.rbegin(), shared_.rend());
  suffixes_of_shared_.resize(static_cast<std::size_t>(same_end - steps.rbegin()));
  Suffix suffix = suffixes_of_shared_.empty() ? 0 : suffixes_of_shared_.back();
  for (auto step = same_end; step != steps.rend(); ++step) {
    // Header changes and preferences of a step do not affect which ports the worm may take.
    const std::uint64_t key = std::uint64_t{step->port} | std::uint64_t{step->ports} << 16 |
                              std::uint64_t{step->vc} << 32 | std::uint64_t{step->in_transit} << 40 |
                              std::uint64_t{step->vcs} << 48;
    const auto fresh = static_cast<Suffix>(suffixes_.size() + 1);
    const Suffix longer = suffix_of_.find_or_insert({key, suffix}, fresh);
    if (longer == fresh) suffixes_.push_back({*step, suffix});
    suffix = longer;
    suffixes_of_shared_.push_back(suffix);
  }
  shared_.assign(steps.begin(), steps.end());
  return suffix;
}

Walk::Outcome Walk::follow(int source, const Route& route, Outcome* second) {
  const End port = End::host(source, route.source_port);
  const int channel = graph_.channel_from(port);
  if (channel < 0) return {Kind::no_cable, port};
  if (failed_[channel]) return {Kind::no_port_left, port};
  const VcSet vcs = vc_set(route.source_vc, 1);
  if (!exists(vcs)) return {Kind::no_such_vc, port};
  const Outcome first = arrive(channel, vcs, false, share(route.first_path()));
  if (!route.has_choice() || first.kind != Kind::arrives) return first;
  const Outcome other = arrive(channel, vcs, false, share(route.second_path()));
  if (second != nullptr) *second = other;
  if (other.kind != Kind::arrives) return other;
  return other.end == first.end ? first : Outcome{Kind::undecided, other.end};
}

Walk::Outcome Walk::arrive(int channel, VcSet vcs, bool in_transit, Suffix suffix) {
  const End at = target_[channel];
  Outcome outcome;
  if (at.is_switch()) {
    if (in_transit) return {Kind::no_host, at};
    if (suffix == 0) return {Kind::no_step_left, at};
    outcome = pass_switch(channel, vcs, suffix);
  } else if (in_transit) {
    if (suffix == 0) return {Kind::stays, at};
    // The host takes the whole worm, which holds no channel any more when it goes back over the same cable.
    to_in_transit_hosts_.insert(channel);
    outcome = arrive(channel ^ 1, all_vcs, false, suffix);
  } else {
    outcome = suffix == 0 ? Outcome{Kind::arrives, at} : Outcome{Kind::goes_on, at};
  }
  ++outcome.links;
  return outcome;
}

std::uint32_t Walk::find_or_insert_outcome(int at, Suffix suffix, std::uint32_t index) {
  Usual& usual = usual_[at];
  if (usual.destination != destination_) {
    usual = {suffix, index, destination_};
    return index;
  }
  if (usual.suffix == suffix) return usual.outcome;
  return outcome_of_.find_or_insert({static_cast<std::uint64_t>(at), suffix}, index);
}

Walk::Outcome Walk::pass_switch(int channel, VcSet vcs, Suffix suffix) {
  const Node node = suffixes_[suffix - 1];
  const int at = target_[channel].index;
  depend(channel, vcs, node.step);
  // What comes after a switch is the same whichever way a worm came to it.
  const auto fresh = static_cast<std::uint32_t>(outcomes_.size());
  const auto found = find_or_insert_outcome(at, suffix, fresh);
  if (found != fresh) return outcomes_[found];
  outcomes_.emplace_back();

  Outcome outcome{Kind::no_port_left, End::switch_(at, node.step.port)};
  bool first = true;
  for (int port = node.step.port; port < node.step.port + node.step.ports; ++port, ++work_) {
    const int out = output(at, port);
    Outcome choice{Kind::no_cable, End::switch_(at, port)};
    if (out >= 0) {
      if (failed_[out]) continue;
      if (const VcSet next = vc_set(node.step); exists(next))
        choice = arrive(out, next, node.step.in_transit, node.next);
      else
        choice.kind = Kind::no_such_vc;
    }
    if (first) {
      outcome = choice;
    } else if (outcome.kind == Kind::arrives) {
      const int links = std::min(outcome.links, choice.links);
      if (choice.kind != Kind::arrives)
        outcome = choice;
      else if (choice.end.index != outcome.end.index)
        outcome.kind = Kind::undecided;
      outcome.links = links;
    }
    first = false;
  }
  return outcomes_[found] = outcome;
}

void Walk::depend(int channel, VcSet vcs, const Step& step) {
  const VcSet next = vc_set(step) & cabled_;
  const Asked asked{step.port, step.ports, next, vcs & cabled_};
  if (asked_[channel] == asked) return;
  asked_[channel] = asked;
  const int at = target_[channel].index;
  for (int port = step.port; port < step.port + step.ports; ++port) {
    const int out = output(at, port);
    if (out < 0 || failed_[out]) continue;
    for (VcSet from = asked.vcs; from != 0; from &= from - 1)
      for (VcSet to = next; to != 0; to &= to - 1)
        dependencies_.add({channel, std::countr_zero(from)}, port, std::countr_zero(to));
  }
}

std::string describe(const Graph& graph, const Walk::Outcome& outcome) {
  const std::string end = graph.describe(outcome.end);
  switch (outcome.kind) {
    case Kind::arrives:
      return "arrives at " + end;
    case Kind::no_cable:
      return "nothing is plugged in at " + end;
    case Kind::no_port_left:
      return outcome.end.is_host() ? "the cable of " + end + " has failed"
                                   : "all cables that the route may take have failed, from " + end + " on";
    case Kind::no_step_left:
      return "the route ends on the way, at " + end;
    case Kind::no_host:
      return "there is no in-transit host at the end of the cable, but " + end;
    case Kind::goes_on:
      return "the route continues after it has reached " + end;
    case Kind::stays:
      return "the route ends at in-transit host " + end;
    case Kind::no_such_vc:
      return "a virtual channel is asked for at " + end + " that does not exist";
    case Kind::goes_round:
      return "a packet may go round for ever, by way of " + end;
    case Kind::undecided:
      return "permitted ports or paths lead to different hosts, one of them " + end;
  }
  return {};
}

}  // namespace sanvp::topologies
