/// Small networks built by hand, for closed-form tests: all cables have the same rules unless stated otherwise.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/case.hpp"

namespace sanvp::test {

using net::Terminal;

inline Terminal nic(int host) { return {Terminal::Kind::nic, host, 0}; }
inline Terminal port(int switch_, int port) { return {Terminal::Kind::switch_, switch_, port}; }

/// T and D, and a buffer that never becomes full unless stated otherwise.
inline net::ChannelRules link_rules(std::int64_t flit_ps, std::int64_t delay_ps,
                                    net::FlowControl flow = net::Credits{.buffer = 4096}) {
  net::ChannelRules rules;
  rules.flit_time = rules.tail_time = Time{flit_ps};
  rules.delay = Time{delay_ps};
  rules.flow = flow;
  return rules;
}

/// Hosts 0..n-1 at ports 0..n-1 of one switch.
inline Case star(int hosts, const net::ChannelRules& cable, const net::SwitchRules& rules = {},
                 const net::NicRules& nic_rules = {}) {
  Case one;
  one.wiring.add_switch("s0", hosts, rules);
  for (int h = 0; h < hosts; ++h) {
    one.wiring.add_nic("h" + std::to_string(h), nic_rules);
    one.wiring.connect(nic(h), port(0, h), cable, cable);
  }
  return one;
}

/// Switches in a row (or ring) with a host each at port 0; port 1 leads to the switch before, port 2 to the next.
inline Case row(int switches, const net::ChannelRules& cable, const net::SwitchRules& rules = {},
                const net::NicRules& nic_rules = {}, bool ring = false) {
  Case one;
  for (int s = 0; s < switches; ++s) {
    one.wiring.add_switch("s" + std::to_string(s), 3, rules);
    one.wiring.add_nic("h" + std::to_string(s), nic_rules);
    one.wiring.connect(nic(s), port(s, 0), cable, cable);
  }
  for (int s = 0; s + 1 < switches + (ring ? 1 : 0); ++s)
    one.wiring.connect(port(s, 2), port((s + 1) % switches, 1), cable, cable);
  return one;
}

inline topologies::Route by_ports(std::initializer_list<int> ports) {
  topologies::Route route;
  for (const int p : ports) route.steps.push_back({.port = static_cast<std::uint16_t>(p)});
  return route;
}

/// Adds a packet. @return its index in the results
inline std::size_t ship(Case& one, std::int64_t ps, int source, int destination, int flits, topologies::Route route) {
  Shipment shipment;
  shipment.time = Time{ps};
  shipment.source = source;
  shipment.destination = destination;
  shipment.flits = flits;
  shipment.route = std::move(route);
  one.shipments.push_back(std::move(shipment));
  return one.shipments.size() - 1;
}

/// In a star the port is the host's number.
inline std::size_t ship_in_star(Case& one, std::int64_t ps, int source, int destination, int flits) {
  return ship(one, ps, source, destination, flits, by_ports({destination}));
}

/// Runs the case in both fidelities and checks both results.
template <class Check>
void in_both(const Case& one, Check check) {
  for (const auto fidelity : {net::Fidelity::flit, net::Fidelity::worm}) {
    INFO((fidelity == net::Fidelity::flit ? "fidelity flit" : "fidelity worm"));
    check(run_case(one, fidelity));
  }
}

}  // namespace sanvp::test
