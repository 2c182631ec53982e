#include "platform/faults/outages.hpp"

#include <utility>

#include "models/net/network.hpp"

namespace sanvp::faults {

Outages::Outages(const Plan& plan, const Stock& stock, net::Network& network, net::EventQueue& queue)
    : stock_(stock),
      network_(network),
      queue_(queue),
      schedule_(plan, stock),
      has_plan_(!plan.empty()),
      causes_(static_cast<std::size_t>(stock.graph.link_count())) {
  for (const int link : stock.failed.links) is_down_[{Part::Kind::link, link}] = true;
  for (const int unit : stock.failed.switches) is_down_[{Part::Kind::switch_, unit}] = true;
  for (const auto& [part, is_down] : is_down_)
    for (const int link : links_of(part)) ++causes_[link];
  find_down();
  network.observe_packets(&account_);
  schedule_next();
}

void Outages::schedule_next() {
  const Time next = schedule_.next();
  if (next != never && scheduled_.insert(next).second)
    queue_.schedule_background({.ps = next.count(), .handler = this, .kind = net::Network::outage_kind});
}

void Outages::follow(const Plan& plan) {
  has_plan_ = has_plan_ || !plan.empty();
  schedule_ = Schedule(plan, stock_);
  while (schedule_.next() <= queue_.now()) schedule_.take();
  schedule_next();
}

void Outages::handle(const net::Event&) {
  queue_.end_background();
  scheduled_.erase(queue_.now());
  while (schedule_.next() == queue_.now()) {
    const Event event = schedule_.take();
    bool& is_down = is_down_[event.part];
    if (std::exchange(is_down, event.down) == event.down) continue;  // a listed part may already be down by chance
    account_.begin(event, description(event.part), queue_.now());
    change(event);
    find_down();
    for (const Listener& listener : listeners_) listener(event, down_);
  }
  schedule_next();
}

void Outages::change(const Event& event) {
  for (const int link : links_of(event.part)) {
    const bool worked = causes_[link] == 0;
    causes_[link] += event.down ? 1 : -1;
    if (worked == (causes_[link] == 0)) continue;
    for (const int channel : channels_of(link)) worked ? network_.fail(channel) : network_.repair(channel);
  }
}

std::vector<int> Outages::links_of(const Part& part) const {
  std::vector<int> links;
  const auto add = [&links](const topologies::Graph::Node& node) {
    for (const int link : node.link_at)
      if (link >= 0) links.push_back(link);
  };
  if (part.kind == Part::Kind::link) links.push_back(part.number);
  if (part.kind == Part::Kind::switch_) add(stock_.graph.switches()[part.number]);
  for (int port = 0; part.kind == Part::Kind::node && port < stock_.hosts_per_node; ++port)
    add(stock_.graph.hosts()[part.number * stock_.hosts_per_node + port]);
  return links;
}

/// Both directions; if a switch has output buffers, also the channels that lead to them (platform/machine/wire.cpp).
std::vector<int> Outages::channels_of(int link) const {
  const net::Wiring& wiring = network_.wiring();
  std::vector<int> channels{2 * link, 2 * link + 1};
  for (const int channel : {2 * link, 2 * link + 1}) {
    const net::Terminal from = wiring.channels[channel].from;
    if (from.kind == net::Terminal::Kind::switch_ && wiring.switches[from.unit].repeater)
      channels.push_back(wiring.switches[from.unit].in[0]);
  }
  return channels;
}

void Outages::find_down() {
  down_ = {};
  for (const auto& [part, is_down] : is_down_) {
    if (!is_down) continue;
    if (part.kind == Part::Kind::switch_)
      down_.switches.push_back(part.number);
    else
      for (const int link : links_of(part)) down_.links.push_back(link);
  }
}

/// The part's name in the graph, in addition to its number.
std::string Outages::description(const Part& part) const {
  if (part.kind == Part::Kind::switch_) return stock_.graph.switches()[part.number].name;
  if (part.kind == Part::Kind::node) return stock_.graph.hosts()[part.number * stock_.hosts_per_node].name;
  return stock_.graph.describe_channel(2 * part.number);
}

}  // namespace sanvp::faults
