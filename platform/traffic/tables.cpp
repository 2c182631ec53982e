#include "platform/traffic/tables.hpp"

#include <deque>
#include <string>

namespace sanvp::traffic {
namespace {

using net::Terminal;
using net::Wiring;

constexpr double ps_per_ns = 1e3;

double ns(std::int64_t ps) { return static_cast<double>(ps) / ps_per_ns; }
double mean_ns(std::int64_t ps, std::int64_t count) { return count == 0 ? 0 : ns(ps) / static_cast<double>(count); }
double share(std::int64_t ps, Time window) {
  return window == Time{0} ? 0 : static_cast<double>(ps) / static_cast<double>(window.count());
}

const std::string& unit_name(const Wiring& wiring, const Terminal& at) {
  return at.kind == Terminal::Kind::nic ? wiring.nics[at.unit].name : wiring.switches[at.unit].name;
}

/// Source of a channel; an output buffer counts as part of its switch.
Terminal origin(const Wiring& wiring, int channel) {
  Terminal from = wiring.channels[channel].from;
  while (from.kind == Terminal::Kind::switch_ && wiring.switches[from.unit].repeater)
    from = wiring.channels[wiring.switches[from.unit].in[0]].from;
  return from;
}

/// Headers that arrived on all links of each switch.
std::vector<Blocking> blocking_by_switch(const Measurement& run) {
  const Wiring& wiring = run.under_test().wiring;
  std::vector<Blocking> sums(wiring.switches.size());
  for (std::size_t c = 0; c < wiring.channels.size(); ++c)
    if (const Terminal to = wiring.channels[c].to; to.kind == Terminal::Kind::switch_)
      sums[to.unit].merge(run.blocking().by_channel()[c]);
  return sums;
}

}  // namespace

std::vector<int> switch_levels(const Wiring& wiring) {
  std::vector<int> level(wiring.switches.size(), 0);
  std::deque<int> open;
  const auto reach = [&](const Terminal& to, int distance) {
    if (to.kind != Terminal::Kind::switch_ || level[to.unit] > 0) return;
    level[to.unit] = distance;
    open.push_back(to.unit);
  };
  for (const auto& nic : wiring.nics)
    if (nic.out >= 0) reach(wiring.channels[nic.out].to, 1);
  while (!open.empty()) {
    const int unit = open.front();
    open.pop_front();
    for (const int channel : wiring.switches[unit].out) {
      if (channel < 0) continue;
      Terminal to = wiring.channels[channel].to;
      while (to.kind == Terminal::Kind::switch_ && wiring.switches[to.unit].repeater) {
        level[to.unit] = level[unit];
        to = wiring.channels[wiring.switches[to.unit].out[0]].to;
      }
      reach(to, level[unit] + 1);
    }
  }
  return level;
}

Table congestion_table(const Wiring& wiring, const std::vector<Blocking>& blocking, Time window) {
  Table table({"level", "from", "to", "from_port", "to_port", "headers", "wait_ns_total", "wait_ns_mean", "wait_ns_max",
               "head_wait_ns_total", "queue_length", "delay_ns_total"});
  const auto levels = switch_levels(wiring);
  for (std::size_t c = 0; c < wiring.channels.size(); ++c) {
    const Terminal to = wiring.channels[c].to;
    if (to.kind != Terminal::Kind::switch_ || wiring.switches[to.unit].repeater) continue;
    const Terminal from = origin(wiring, static_cast<int>(c));
    const Blocking& waits = blocking[c];
    table.add({std::int64_t{levels[to.unit]}, unit_name(wiring, from), unit_name(wiring, to), std::int64_t{from.port},
               std::int64_t{to.port}, waits.headers, ns(waits.effective_ps), mean_ns(waits.effective_ps, waits.headers),
               ns(waits.longest_ps), ns(waits.head_ps), share(waits.head_ps, window), ns(waits.delay_ps)});
  }
  return table;
}

Table congestion_table(const Measurement& run) {
  return congestion_table(run.under_test().wiring, run.blocking().by_channel(), run.meter().window());
}

Table link_table(const Measurement& run) {
  Table table({"channel", "packets", "flits", "use", "held", "wait_for_it_ns_total", "wait_for_it_ns_mean",
               "wait_for_it_ns_max"});
  const Wiring& wiring = run.under_test().wiring;
  const Time window = run.meter().window();
  for (std::size_t c = 0; c < wiring.channels.size(); ++c) {
    const net::ChannelStatistics& one = run.channel(static_cast<int>(c));
    const auto packets = static_cast<std::int64_t>(one.packets);
    table.add({wiring.channels[c].name, packets, static_cast<std::int64_t>(one.flits), share(one.busy_ps, window),
               share(one.held_ps, window), ns(one.wait_ps), mean_ns(one.wait_ps, packets), ns(one.longest_wait_ps)});
  }
  return table;
}

Table node_table(const Measurement& run) {
  Table table(
      {"node", "name", "offered_MBps", "accepted_MBps", "received_MBps", "source_queue_mean", "source_queue_max"});
  const Time window = run.meter().window();
  constexpr double ps_per_us = 1e6;  // bytes per microsecond are MB/s
  const double window_us = static_cast<double>(window.count()) / ps_per_us;
  const auto rate = [&](std::int64_t bytes) { return window_us > 0 ? static_cast<double>(bytes) / window_us : 0; };
  const auto& nodes = run.meter().nodes();
  for (std::size_t n = 0; n < nodes.size(); ++n)
    table.add({static_cast<std::int64_t>(n), run.under_test().wiring.nics[n].name, rate(nodes[n].offered_bytes),
               rate(nodes[n].accepted_bytes), rate(nodes[n].received_bytes), nodes[n].source_queue_mean,
               nodes[n].source_queue_most});
  return table;
}

StatisticsTable statistics(const Measurement& run) {
  StatisticsTable table;
  const Meter& meter = run.meter();
  const Wiring& wiring = run.under_test().wiring;
  table.add("network", "warm_up", "ns", in_ns(meter.opened()));
  table.add("network", "window", "ns", in_ns(meter.window()));
  table.add("network", "latency", "ns", meter.latency_ps(), ps_per_ns);
  table.add("network", "network_latency", "ns", meter.network_latency_ps(), ps_per_ns);
  table.add("network", "effective_blocking", "ns", meter.blocked_ps(), ps_per_ns);
  table.add("network", "head_blocking", "ns", meter.head_blocked_ps(), ps_per_ns);
  table.add("network", "in_transit_hosts.mean", "1", meter.in_transit_hosts().mean());
  table.add("network", "in_transit_pool.max", "B", run.pool_most_bytes());
  table.add("network", "in_transit_pool.spilled", "1", run.spilled());
  table.add("network", "packets_lost", "1", meter.packets_lost());
  table.add("network", "packets_corrupt", "1", meter.packets_corrupt());
  table.add("network", "link_retries", "1", static_cast<std::int64_t>(run.link_retries()));
  const auto by_switch = blocking_by_switch(run);
  for (std::size_t s = 0; s < wiring.switches.size(); ++s) {
    const std::string& name = wiring.switches[s].name;
    const Blocking& one = by_switch[s];
    table.add(name, "headers", "1", one.headers);
    table.add(name, "effective_blocking.mean", "ns", mean_ns(one.effective_ps, one.headers));
    table.add(name, "effective_blocking.max", "ns", ns(one.longest_ps));
    table.add(name, "head_blocking.mean", "ns", mean_ns(one.head_ps, one.headers));
    table.add(name, "queue_length.mean", "1", share(one.head_ps, meter.window()));
  }
  return table;
}

}  // namespace sanvp::traffic
