/// Two switches with two cables between them, for what fails and is repaired.
#pragma once

#include <cstdint>
#include <string>

#include "tests/support/hand_network.hpp"

namespace sanvp::test {

/// Three hosts on each of two switches, and two cables between them, at ports 3 and 4: channels 12 and 14.
struct TwoSwitches {
  static constexpr std::int64_t flit_ps = 10, delay_ps = 10;

  Case one;
  int first_cable = 0;
  int second_cable = 0;

  explicit TwoSwitches(const net::NicRules& nic_rules = {}, const std::string& selection = "first") {
    const net::ChannelRules cable = link_rules(flit_ps, delay_ps, net::Credits{.buffer = 4});
    for (int s = 0; s < 2; ++s)
      one.wiring.add_switch("s" + std::to_string(s), 5, {.selection = net::output_selection_policy(selection)});
    for (int h = 0; h < 6; ++h) {
      one.wiring.add_nic("h" + std::to_string(h), nic_rules);
      one.wiring.connect(nic(h), port(h / 3, h % 3), cable, cable);
    }
    first_cable = one.wiring.connect(port(0, 3), port(1, 3), cable, cable);
    second_cable = one.wiring.connect(port(0, 4), port(1, 4), cable, cable);
  }

  std::size_t across(std::int64_t ps, int host, int flits, int ports = 1) {
    topologies::Route route = by_ports({3, host});
    route.steps[0].ports = static_cast<std::uint16_t>(ports);
    return ship(one, ps, host, host + 3, flits, route);
  }
  void fails(std::int64_t ps, int channel, Time repaired = never) {
    one.failures.push_back({Time{ps}, channel, repaired});
  }
};

}  // namespace sanvp::test
