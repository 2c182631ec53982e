#include "tests/support/random_network.hpp"

#include <algorithm>

namespace sanvp::test {
namespace {

using net::Terminal;

int between(Random& random, int low, int high) {
  return low + static_cast<int>(random.below(static_cast<std::uint64_t>(high - low + 1)));
}

bool chance(Random& random, double probability) { return random.uniform() < probability; }

net::ChannelRules random_channel(Random& random, const CaseOptions& options, int longest_packet) {
  net::ChannelRules rules;
  const int flit_ps = between(random, 1, 4) * 250;
  rules.flit_time = Time{flit_ps};
  rules.tail_time = chance(random, 0.3) ? Time{std::max(1, flit_ps * 2 / 5)} : rules.flit_time;
  rules.delay = Time{flit_ps + between(random, 0, 12) * 125};
  rules.wire = Time{between(random, 0, 8) * 125};
  rules.control_hop = Time{between(random, 1, 40) * 125};
  rules.virtual_channels = options.virtual_channels;
  if (options.stop_go) {
    net::StopGo flow;
    flow.signal_delay = Time{between(random, 0, 10) * 125};
    flow.stop = between(random, 1, 60);
    flow.go = between(random, 1, flow.stop);
    const auto on_the_way = (rules.delay + flow.signal_delay - Time{1}) / rules.flit_time;
    flow.buffer = flow.stop + 1 + static_cast<int>(on_the_way) + between(random, 0, 3);
    rules.flow = flow;
  } else {
    net::Credits flow;
    static constexpr int sizes[] = {1, 2, 3, 4, 5, 8, 13, 16, 32, 64, 100, 128, 256};
    flow.buffer = sizes[random.below(std::size(sizes))];
    flow.batch = chance(random, 0.5) ? 1 : between(random, 1, std::min(flow.buffer, 8));
    flow.return_delay = Time{between(random, 0, 10) * 125};
    if (options.tokens) flow.token_time = Time{flit_ps * 2 / 5};
    if (options.store_and_forward) flow.buffer = std::max(flow.buffer, longest_packet + flow.batch);
    rules.flow = flow;
  }
  return rules;
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

  net::SwitchRules rules;
  rules.routing = Time{between(random, 0, 6) * 125};
  rules.setup = Time{between(random, 0, 6) * 125};
  rules.arbitration = static_cast<net::Arbitration>(random.below(5));
  rules.age_threshold = Time{between(random, 0, 200) * 1000};
  rules.choice = static_cast<net::Choice>(random.below(7));
  rules.store_and_forward = options.store_and_forward;
  rules.software_router = options.store_and_forward && chance(random, 0.5);

  net::NicRules nic;
  nic.slots = between(random, 1, std::max(1, options.virtual_channels));
  nic.gap = Time{between(random, 0, 20) * 125 * between(random, 0, 1)};
  nic.gap_from = static_cast<net::NicRules::GapFrom>(random.below(3));
  nic.circuit = options.circuits;
  nic.acknowledge = Time{between(random, 0, 20) * 125};
  nic.detect = Time{between(random, 0, 50) * 125};
  nic.reprogram = Time{between(random, 0, 50) * 125};
  if (options.in_transit && chance(random, 0.3)) nic.pool_flits = longest * between(random, 1, 3);

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
  for (int h = 0; h < switches * hosts_each; ++h) {
    wiring.add_nic("host" + std::to_string(h), nic);
    wiring.connect({Terminal::Kind::nic, h, 0}, {Terminal::Kind::switch_, h / hosts_each, h % hosts_each},
                   random_channel(random, options, longest), random_channel(random, options, longest));
  }
  for (int s = 1; s < switches; ++s)
    for (int c = 0; c < cables; ++c)
      wiring.connect({Terminal::Kind::switch_, s, group(s, parent[s]) + c},
                     {Terminal::Kind::switch_, parent[s], group(parent[s], s) + c},
                     random_channel(random, options, longest), random_channel(random, options, longest));

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

namespace {

class Ledger final : public net::Endpoint, public net::EventHandler {
 public:
  Ledger(const Case& one, net::Network& network, net::EventQueue& queue, Result& result)
      : case_(one), network_(network), result_(result) {
    result_.outcomes.resize(one.shipments.size());
    for (std::size_t n = 0; n < one.wiring.nics.size(); ++n) network.attach(static_cast<int>(n), *this);
    for (std::size_t i = 0; i < one.shipments.size(); ++i)
      queue.schedule({.ps = one.shipments[i].time.count(), .handler = this, .unit = static_cast<std::uint32_t>(i)});
  }

  void handle(const net::Event& event) override {
    const Shipment& shipment = case_.shipments[event.unit];
    net::Packet& packet = network_.make_packet();
    packet.source = shipment.source;
    packet.destination = shipment.destination;
    packet.flits = shipment.flits;
    packet.priority = shipment.priority;
    packet.route = shipment.route;
    packet.tag = event.unit;
    network_.send(packet);
  }
  void injected(net::Packet& packet) override { of(packet).injected_ps = network_.now().count(); }
  void delivered(net::Packet& packet, int host) override {
    of(packet).delivered_ps = network_.now().count();
    if (host == packet.destination) ++of(packet).deliveries;
  }
  void sent(net::Packet& packet) override { of(packet).sent_ps = network_.now().count(); }
  void lost(net::Packet& packet) override { of(packet).lost = true; }

 private:
  Outcome& of(const net::Packet& packet) { return result_.outcomes[static_cast<std::size_t>(packet.tag)]; }

  const Case& case_;
  net::Network& network_;
  Result& result_;
};

}  // namespace

Result run_case(const Case& one, net::Fidelity fidelity) {
  net::EventQueue queue;
  net::Network network{one.wiring, queue, fidelity, 1};
  Result result;
  Ledger ledger{one, network, queue, result};
  while (queue.run_until(Time{std::int64_t{1} << 50})) {
  }
  result.events = queue.processed();
  result.left_over = network.in_flight();
  if (result.left_over > 0) result.deadlock = network.find_deadlock();
  return result;
}

}  // namespace sanvp::test
