#include "topologies/routing/walk.hpp"

#include <algorithm>
#include <bit>

namespace sanvp::topologies {

using Kind = Walk::Outcome::Kind;

Walk::Walk(const Graph& graph, const CheckOptions& options, Dependencies& dependencies)
    : graph_(graph),
      dependencies_(dependencies),
      virtual_channels_(options.virtual_channels),
      cabled_(vc_set(0, static_cast<std::uint8_t>(options.virtual_channels))),
      failed_(graph.channel_count(), false),
      usual_(graph.switch_count()),
      asked_(static_cast<std::size_t>(graph.channel_count()) * options.virtual_channels) {
  for (int channel = 0; channel < graph.channel_count(); ++channel) target_.push_back(graph.channel_target(channel));
  for (int at = 0; at < graph.switch_count(); ++at) {
    first_out_.push_back(out_.size());
    const int ports = static_cast<int>(graph.switches()[at].link_at.size());
    for (int port = 0; port < ports; ++port) out_.push_back(graph.channel_from(End::switch_(at, port)));
  }
  first_out_.push_back(out_.size());
  for (int host = 0; host < graph.host_count(); ++host) injection_.push_back(graph.channel_from(End::host(host)));
  for (const int link : failed_links(graph, options.failures)) failed_[2 * link] = failed_[2 * link + 1] = true;
}

void Walk::next_destination() {
  suffixes_.assign(1, {});
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
  for (auto step = same_end; step != steps.rend(); ++step)
    suffixes_of_shared_.push_back(suffix = lengthen(number_of(*step), suffix));
  shared_.assign(steps.begin(), steps.end());
  return suffix;
}

std::uint32_t Walk::number_of(const Step& step) {
  // Header changes and preferences of a step do not affect which ports the worm may take.
  const std::uint64_t key = std::uint64_t{step.port} | std::uint64_t{step.ports} << 16 | std::uint64_t{step.vc} << 32 |
                            std::uint64_t{step.in_transit} << 40 | std::uint64_t{step.vcs} << 48;
  const std::uint32_t number = step_of_.find_or_insert(key, static_cast<std::uint32_t>(steps_.size()));
  if (number == steps_.size()) steps_.push_back(step);
  return number;
}

Walk::Suffix Walk::lengthen(std::uint32_t step, Suffix suffix) {
  constexpr std::uint32_t most_in_list = 8;
  Suffix longer = suffixes_[suffix].longer;
  while (longer != 0 && suffixes_[longer].step != step) longer = suffixes_[longer].sibling;
  if (longer != 0) return longer;
  const auto fresh = static_cast<Suffix>(suffixes_.size());
  if (suffixes_[suffix].longer_ones == most_in_list) {
    longer = suffix_of_.find_or_insert(std::uint64_t{step} << 32 | suffix, fresh);
    if (longer == fresh) suffixes_.push_back({.step = step, .next = suffix});
    return longer;
  }
  ++suffixes_[suffix].longer_ones;
  suffixes_.push_back({.step = step, .next = suffix, .sibling = suffixes_[suffix].longer});
  return suffixes_[suffix].longer = fresh;
}

int Walk::inject(int source, int port, std::uint8_t vc, Outcome& failure) const {
  const End from = End::host(source, port);
  const int channel = port == 0 ? injection_[source] : graph_.channel_from(from);
  if (channel < 0)
    failure = {Kind::no_cable, from};
  else if (failed_[channel])
    failure = {Kind::no_port_left, from};
  else if (!exists(vc_set(vc, 1)))
    failure = {Kind::no_such_vc, from};
  else
    return channel;
  return -1;
}

Walk::Outcome Walk::follow(int source, const Route& route, Outcome* second) {
  Outcome failure;
  const int channel = inject(source, route.source_port, route.source_vc, failure);
  if (channel < 0) return failure;
  const VcSet vcs = vc_set(route.source_vc, 1);
  const Outcome first = arrive(channel, vcs, false, share(route.first_path()));
  if (!route.has_choice() || first.kind != Kind::arrives) return first;
  const Outcome other = arrive(channel, vcs, false, share(route.second_path()));
  if (second != nullptr) *second = other;
  if (other.kind != Kind::arrives) return other;
  return other.end == first.end ? first : Outcome{Kind::undecided, other.end};
}

Walk::Head Walk::split(const SplitRoutes& routing, int source, int alternative) {
  Route route;
  Head head;
  head.source = source;
  head.rest = routing.split(source, alternative, route);
  head.source_port = route.source_port;
  head.source_vc = route.source_vc;
  for (auto step = route.steps.rbegin(); step != route.steps.rend(); ++step) head.steps.push_back(number_of(*step));
  return head;
}

Walk::Outcome Walk::follow(const Head& head) {
  Outcome failure;
  const int channel = inject(head.source, head.source_port, head.source_vc, failure);
  if (channel < 0) return failure;
  const SharedRest& rest = rests_[head.rest];
  work_ += static_cast<std::int64_t>(head.steps.size()) + rest.steps;
  Suffix suffix = rest.suffix;
  for (const std::uint32_t step : head.steps) suffix = lengthen(step, suffix);
  return arrive(channel, vc_set(head.source_vc, 1), false, suffix);
}

Walk::Outcome Walk::follow(const Head& head, const Route& route) {
  Outcome failure;
  const int channel = inject(head.source, head.source_port, head.source_vc, failure);
  if (channel < 0) return failure;
  const Suffix all = share(route.steps);
  const std::size_t steps = route.steps.size() - head.steps.size();
  if (rests_.size() <= static_cast<std::size_t>(head.rest)) rests_.resize(head.rest + 1);
  rests_[head.rest] = {steps == 0 ? 0 : suffixes_of_shared_[steps - 1], static_cast<std::uint32_t>(steps),
                       destination_};
  return arrive(channel, vc_set(head.source_vc, 1), false, all);
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
  Node& node = suffixes_[suffix];
  if (node.at == at) return node.outcome;
  if (node.at < 0) {
    node.at = at;
    node.outcome = index;
    return index;
  }
  Usual& usual = usual_[at];
  if (usual.destination != destination_) {
    usual = {suffix, index, destination_};
    return index;
  }
  if (usual.suffix == suffix) return usual.outcome;
  return outcome_of_.find_or_insert(std::uint64_t{suffix} << 32 | static_cast<std::uint32_t>(at), index);
}

Walk::Outcome Walk::pass_switch(int channel, VcSet vcs, Suffix suffix) {
  const Suffix rest = suffixes_[suffix].next;
  const int at = target_[channel].index;
  depend(channel, vcs, suffixes_[suffix].step);
  // What comes after a switch is the same whichever way a worm came to it.
  const auto fresh = static_cast<std::uint32_t>(outcomes_.size());
  const auto found = find_or_insert_outcome(at, suffix, fresh);
  if (found != fresh) return outcomes_[found];
  outcomes_.emplace_back();

  const Step step = steps_[suffixes_[suffix].step];
  Outcome outcome{Kind::no_port_left, End::switch_(at, step.port)};
  bool first = true;
  for (int port = step.port; port < step.port + step.ports; ++port, ++work_) {
    const int out = output(at, port);
    Outcome choice{Kind::no_cable, End::switch_(at, port)};
    if (out >= 0) {
      if (failed_[out]) continue;
      if (const VcSet next = vc_set(step); exists(next))
        choice = arrive(out, next, step.in_transit, rest);
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

void Walk::add_dependencies(int channel, VcSet vcs, const Step& step) {
  const VcSet next = vc_set(step) & cabled_;
  const int at = target_[channel].index;
  for (int port = step.port; port < step.port + step.ports; ++port) {
    const int out = output(at, port);
    if (out < 0 || failed_[out]) continue;
    for (VcSet from = vcs; from != 0; from &= from - 1)
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
