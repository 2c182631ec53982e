#include "tests/support/random_network.hpp"

#include <algorithm>
#include <iterator>

namespace sanvp::test {

using net::Terminal;

namespace {

/// A channel out of a switch becomes two, with a buffer of its own in between, as behind the crossbar of a real switch.
void add_output_buffers(Random& random, const CaseOptions& options, net::Wiring& wiring, int longest) {
  const int channels = static_cast<int>(wiring.channels.size());
  for (int c = 0; c < channels; ++c) {
    if (wiring.channels[c].from.kind != Terminal::Kind::switch_ || chance(random, 0.5)) continue;
    const Terminal to = wiring.channels[c].to;
    const int buffer = wiring.add_switch(wiring.channels[c].name + " output", 1, {});
    wiring.switches[buffer].repeater = true;
    wiring.add_channel({Terminal::Kind::switch_, buffer, 0}, to, random_channel(random, options, longest));
    wiring.channels[c].to = {Terminal::Kind::switch_, buffer, 0};
    wiring.switches[buffer].in[0] = c;
  }
}

}  // namespace

Case random_case(Random& random, const CaseOptions& options) {
  Case result;
  net::Wiring& wiring = result.wiring;
  const int switches = between(random, 1, 7);
  const int hosts_each = between(random, 1, 3);
  const int cables = between(random, 1, 3);
  static constexpr int lengths[] = {1, 2, 3, 7, 20, 64, 130, 500, 1500, 4096};
  const int length_classes = between(random, 1, static_cast<int>(std::size(lengths)));
  const int longest = lengths[length_classes - 1];

  const net::SwitchRules rules = random_switch(random, options);
  const net::NicRules nic = random_nic(random, options, longest);

  // Ports: hosts first, then per neighbour a group of cables. A tree: switch s > 0 hangs on an earlier one.
  std::vector<int> parent(static_cast<std::size_t>(switches), -1);
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(switches));
  for (int s = 1; s < switches; ++s) {
    parent[s] = between(random, 0, s - 1);
    neighbours[s].push_back(parent[s]);
    neighbours[parent[s]].push_back(s);
  }
  for (int s = 0; s < switches; ++s)
    wiring.add_switch("sw" + std::to_string(s), hosts_each + cables * static_cast<int>(neighbours[s].size()), rules);
  const auto group = [&](int from, int to) {
    const auto& list = neighbours[from];
    return hosts_each + cables * static_cast<int>(std::find(list.begin(), list.end(), to) - list.begin());
  };
  const auto cable = [&](Terminal a, Terminal b) {
    const net::ChannelRules backward = random_channel(random, options, longest);
    wiring.connect(a, b, random_channel(random, options, longest), backward);
  };
  for (int h = 0; h < switches * hosts_each; ++h) {
    wiring.add_nic("host" + std::to_string(h), nic);
    cable({Terminal::Kind::nic, h, 0}, {Terminal::Kind::switch_, h / hosts_each, h % hosts_each});
  }
  for (int s = 1; s < switches; ++s)
    for (int c = 0; c < cables; ++c)
      cable({Terminal::Kind::switch_, s, group(s, parent[s]) + c},
            {Terminal::Kind::switch_, parent[s], group(parent[s], s) + c});

  if (options.repeaters) add_output_buffers(random, options, wiring, longest);
  if (options.failures)
    for (int failures = between(random, 1, 3); failures > 0; --failures) {
      const int channel = between(random, 0, static_cast<int>(wiring.channels.size()) - 1);
      if (wiring.channels[channel].from.kind == Terminal::Kind::switch_)
        result.failures.push_back({Time{between(random, 0, 400) * 1000}, channel});
    }

  const auto next_towards = [&](int at, int target) {
    for (int up = target; up >= 0; up = parent[up])
      if (up != 0 && parent[up] == at) return up;
    return parent[at];
  };
  const auto append_path = [&](topologies::Route& route, int at, int host, bool in_transit) {
    const int target = host / hosts_each;
    while (at != target) {
      const int next = next_towards(at, target);
      topologies::Step step;
      step.port = static_cast<std::uint16_t>(group(at, next));
      step.ports = static_cast<std::uint16_t>(cables);
      step.preferred = static_cast<std::uint16_t>(random.below(static_cast<std::uint64_t>(cables)));
      if (options.header_changes) {
        step.strip = static_cast<std::uint8_t>(random.below(2));
        step.prepend = static_cast<std::uint8_t>(random.below(3) == 0 ? 1 : 0);
      }
      route.steps.push_back(step);
      at = next;
    }
    topologies::Step last;
    last.port = static_cast<std::uint16_t>(host % hosts_each);
    last.in_transit = in_transit;
    route.steps.push_back(last);
  };

  const int hosts = switches * hosts_each;
  const int packets = hosts < 2 ? 0 : between(random, 1, longest > 1000 ? 40 : 120);
  // From nearly empty to far past saturation.
  const double spread_ps = 250.0 * longest * packets * (random.uniform() < 0.5 ? 0.05 : 2 * random.uniform());
  for (int i = 0; i < packets; ++i) {
    Shipment one;
    one.time = Time{static_cast<std::int64_t>(spread_ps * random.uniform()) / 125 * 125};
    one.source = between(random, 0, hosts - 1);
    do one.destination = between(random, 0, hosts - 1);
    while (one.destination == one.source);
    one.flits = lengths[random.below(static_cast<std::uint64_t>(length_classes))];
    if (options.header_changes) one.flits += 8;
    one.priority = chance(random, 0.1) ? 1 : 0;
    int at = one.source / hosts_each;
    if (options.in_transit && chance(random, 0.5)) {
      const int via = between(random, 0, hosts - 1);
      append_path(one.route, at, via, true);
      at = via / hosts_each;
    }
    append_path(one.route, at, one.destination, false);
    result.shipments.push_back(one);
  }
  std::stable_sort(result.shipments.begin(), result.shipments.end(),
                   [](const Shipment& a, const Shipment& b) { return a.time < b.time; });
  result.description = std::to_string(switches) + " switches, " + std::to_string(hosts) + " hosts, " +
                       std::to_string(cables) + " cables, " + std::to_string(packets) + " packets up to " +
                       std::to_string(longest) + " flits";
  return result;
}

}  // namespace sanvp::test
