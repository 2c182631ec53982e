#include "tests/support/difference.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <exception>
#include <typeinfo>

#include "models/net/policy.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::test {
namespace {

std::string to_text(const Outcome& outcome) {
  std::string text =
      fmt::format("injected {} delivered {} sent {}", outcome.injected_ps, outcome.delivered_ps, outcome.sent_ps);
  if (outcome.lost) text += " lost";
  if (outcome.marked) text += " marked";
  for (const Outcome::Arrival& arrival : outcome.arrivals) text += fmt::format(" ({} at {})", arrival.host, arrival.ps);
  return text;
}

/// Instants of an outcome, in the order of a packet's life.
bool differs_before(const Outcome& flit, const Outcome& worm, std::int64_t& first_ps) {
  if (flit == worm) return false;
  std::int64_t ps = INT64_MAX;
  const auto look = [&](std::int64_t a, std::int64_t b) {
    if (a == b) return;
    ps = std::min(ps, std::min(a < 0 ? INT64_MAX : a, b < 0 ? INT64_MAX : b));
  };
  look(flit.injected_ps, worm.injected_ps);
  look(flit.delivered_ps, worm.delivered_ps);
  look(flit.sent_ps, worm.sent_ps);
  if (ps > first_ps) return false;
  first_ps = ps;
  return true;
}

/// A case without some of its shipments.
Case without(const Case& one, std::size_t from, std::size_t count) {
  Case less = one;
  const auto first = less.shipments.begin() + static_cast<std::ptrdiff_t>(from);
  less.shipments.erase(first, first + static_cast<std::ptrdiff_t>(std::min(count, one.shipments.size() - from)));
  return less;
}

/// A case of only those units and channels that packets pass; ports keep their numbers.
Case without_unused(const Case& one, const Result& result) {
  Case less = one;
  less.wiring = {};
  const auto used = [&](std::size_t c) {
    const int reverse = one.wiring.channels[c].reverse;
    return result.statistics[c].packets > 0 ||
           (reverse >= 0 && result.statistics[static_cast<std::size_t>(reverse)].packets > 0);
  };
  std::vector<int> new_nic(one.wiring.nics.size(), -1);
  std::vector<int> new_switch(one.wiring.switches.size(), -1);
  std::vector<int> old_switch;
  const auto keep = [&](const net::Terminal& end) {
    const auto unit = static_cast<std::size_t>(end.unit);
    if (end.kind == net::Terminal::Kind::nic) {
      new_nic[unit] = 0;
    } else {
      new_switch[unit] = 0;
    }
  };
  for (std::size_t c = 0; c < one.wiring.channels.size(); ++c)
    if (used(c)) keep(one.wiring.channels[c].from), keep(one.wiring.channels[c].to);
  for (const Shipment& shipment : one.shipments) {
    new_nic[static_cast<std::size_t>(shipment.source)] = 0;
    new_nic[static_cast<std::size_t>(shipment.destination)] = 0;
  }
  for (std::size_t n = 0; n < new_nic.size(); ++n)
    if (new_nic[n] == 0) new_nic[n] = less.wiring.add_nic(one.wiring.nics[n].name, one.wiring.nics[n].rules);
  for (std::size_t s = 0; s < new_switch.size(); ++s) {
    if (new_switch[s] != 0) continue;
    const auto& unit = one.wiring.switches[s];
    new_switch[s] = less.wiring.add_switch(unit.name, static_cast<int>(unit.out.size()), unit.rules);
    less.wiring.switches.back().repeater = unit.repeater;
    old_switch.push_back(static_cast<int>(s));
  }
  std::vector<int> new_channel(one.wiring.channels.size(), -1);
  const auto renumbered = [&](net::Terminal end) {
    end.unit = (end.kind == net::Terminal::Kind::nic ? new_nic : new_switch)[static_cast<std::size_t>(end.unit)];
    return end;
  };
  for (std::size_t c = 0; c < one.wiring.channels.size(); ++c) {
    if (!used(c)) continue;
    const auto& channel = one.wiring.channels[c];
    new_channel[c] = less.wiring.add_channel(renumbered(channel.from), renumbered(channel.to), channel.rules);
    less.wiring.channels.back().failed = channel.failed;
  }
  for (std::size_t c = 0; c < new_channel.size(); ++c)
    if (const int reverse = one.wiring.channels[c].reverse; new_channel[c] >= 0 && reverse >= 0)
      less.wiring.channels[static_cast<std::size_t>(new_channel[c])].reverse =
          new_channel[static_cast<std::size_t>(reverse)];
  std::erase_if(less.failures, [&](const Failure& f) { return new_channel[static_cast<std::size_t>(f.channel)] < 0; });
  for (Failure& failure : less.failures) failure.channel = new_channel[static_cast<std::size_t>(failure.channel)];
  for (Shipment& shipment : less.shipments) {
    shipment.source = new_nic[static_cast<std::size_t>(shipment.source)];
    shipment.destination = new_nic[static_cast<std::size_t>(shipment.destination)];
    if (shipment.descend)
      shipment.descend = [old_switch, descend = shipment.descend](int s) {
        return descend(old_switch[static_cast<std::size_t>(s)]);
      };
  }
  return less;
}

/// The name under which a policy is registered.
template <class Part, class Policy>
std::string name_of(const Policy& policy) {
  ParameterSet defaults;
  for (const auto& [name, part] : Registry<Part>::all())
    if (const auto built = part.build({defaults, "switch"}); typeid(*built) == typeid(policy)) return name;
  return "unknown";
}

}  // namespace

std::optional<Difference> first_difference(const Case& one) {
  const Result flit = run_case(one, net::Fidelity::flit);
  Result worm;
  try {
    worm = run_case(one, net::Fidelity::worm);
  } catch (const std::exception& error) {
    return Difference{0, std::string("worm fails: ") + error.what()};
  }
  std::optional<Difference> found;
  std::int64_t first_ps = INT64_MAX;
  for (std::size_t i = 0; i < one.shipments.size(); ++i)
    if (differs_before(flit.outcomes[i], worm.outcomes[i], first_ps) ||
        (!found && flit.outcomes[i] != worm.outcomes[i]))
      found = {i, fmt::format("packet {}: flit {}, worm {}", i, to_text(flit.outcomes[i]), to_text(worm.outcomes[i]))};
  if (!found && flit.left_over != worm.left_over)
    found = {0, fmt::format("left over: flit {}, worm {}", flit.left_over, worm.left_over)};
  return found;
}

Case shrink(Case one, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  const auto in_time = [&] { return std::chrono::steady_clock::now() < end; };
  const auto accept = [&](Case smaller) {
    try {
      if (!in_time() || !first_difference(smaller)) return false;
    } catch (const std::exception&) {
      return false;  // not a valid case any more
    }
    one = std::move(smaller);
    return true;
  };
  for (bool progress = true; progress && in_time();) {
    progress = false;
    for (std::size_t part = std::max<std::size_t>(1, one.shipments.size() / 2); part > 0; part /= 2)
      for (std::size_t from = 0; from < one.shipments.size();)
        if (accept(without(one, from, part)))
          progress = true;
        else
          from += part;
    for (std::size_t i = 0; i < one.failures.size();) {
      Case less = one;
      less.failures.erase(less.failures.begin() + static_cast<std::ptrdiff_t>(i));
      if (accept(std::move(less)))
        progress = true;
      else
        ++i;
    }
    // Fewer flits, no abandoned packets, no choice of outputs.
    for (std::size_t i = 0; i < one.shipments.size(); ++i) {
      const int flits = one.shipments[i].flits;
      for (const int fewer : {1, 2, flits / 4, flits / 2, flits - 1}) {
        if (fewer < 1 || fewer >= one.shipments[i].flits) continue;
        Case less = one;
        less.shipments[i].flits = fewer;
        if (!accept(std::move(less))) continue;
        progress = true;
        break;
      }
      const auto plainer = [&](auto change) {
        Case less = one;
        change(less.shipments[i]);
        progress |= accept(std::move(less));
      };
      if (one.shipments[i].abandoned != never) plainer([](Shipment& s) { s.abandoned = never; });
      if (one.shipments[i].priority != 0) plainer([](Shipment& s) { s.priority = 0; });
      for (std::size_t step = 0; step < one.shipments[i].route.steps.size(); ++step) {
        if (one.shipments[i].route.steps[step].ports > 1) plainer([&](Shipment& s) { s.route.steps[step].ports = 1; });
        if (one.shipments[i].route.steps[step].strip > 0) plainer([&](Shipment& s) { s.route.steps[step].strip = 0; });
        if (one.shipments[i].route.steps[step].prepend > 0)
          plainer([&](Shipment& s) { s.route.steps[step].prepend = 0; });
      }
    }
    // Simpler rules, everywhere at once, then channel by channel.
    const auto for_all = [&](auto change, auto differs) {
      if (!differs(one)) return;
      Case less = one;
      change(less);
      progress |= accept(std::move(less));
    };
    const auto nics = [&](auto change) {
      for_all(
          [&](Case& c) {
            for (auto& nic : c.wiring.nics) change(nic.rules);
          },
          [&](const Case& c) {
            net::NicRules plain = c.wiring.nics.front().rules;
            change(plain);
            return !(plain == c.wiring.nics.front().rules);
          });
    };
    nics([](net::NicRules& r) { r.gap = Time{0}; });
    nics([](net::NicRules& r) { r.circuit = false; });
    nics([](net::NicRules& r) { r.answers = false; });
    nics([](net::NicRules& r) { r.acknowledge = Time{0}; });
    const auto switches = [&](auto change) {
      for (std::size_t s = 0; s < one.wiring.switches.size(); ++s) {
        Case less = one;
        change(less.wiring.switches[s].rules);
        if (!(less.wiring.switches[s].rules == one.wiring.switches[s].rules)) progress |= accept(std::move(less));
      }
    };
    switches([](net::SwitchRules& r) { r.arbitration = net::arbitration_policy("fifo"); });
    switches([](net::SwitchRules& r) { r.selection = net::output_selection_policy("first"); });
    switches([](net::SwitchRules& r) { r.routing = Time{0}; });
    switches([](net::SwitchRules& r) { r.setup = Time{0}; });
    switches([](net::SwitchRules& r) { r.store_and_forward = r.software_router = false; });
    switches([](net::SwitchRules& r) { r.hosts_last = false; });
    switches([](net::SwitchRules& r) { r.marking = {}; });
    const auto channels = [&](auto change) {
      for (std::size_t c = 0; c < one.wiring.channels.size(); ++c) {
        Case less = one;
        change(less.wiring.channels[c].rules);
        if (!(less.wiring.channels[c].rules == one.wiring.channels[c].rules)) progress |= accept(std::move(less));
      }
    };
    channels([](net::ChannelRules& r) { r.tail_lead = Time{0}; });
    channels([](net::ChannelRules& r) {
      r.tail_time = r.flit_time;
      r.tail_lead = Time{0};
    });
    channels([](net::ChannelRules& r) { r.flow = net::Credits{.buffer = 64, .return_delay = Time{1000}}; });
    channels([](net::ChannelRules& r) {
      if (auto* credits = std::get_if<net::Credits>(&r.flow)) credits->batch = 1;
    });
    channels([](net::ChannelRules& r) {
      r.flit_time = r.tail_time = r.delay = Time{1000};
      r.tail_lead = Time{0};
    });
    channels([](net::ChannelRules& r) { r.delay = r.flit_time; });
    channels([](net::ChannelRules& r) { r.virtual_channels = 2; });
    channels([](net::ChannelRules& r) { r.virtual_channels = 1; });
    channels([](net::ChannelRules& r) { r.wire = r.control_hop = Time{0}; });
    Case less = without_unused(one, run_case(one, net::Fidelity::flit));
    if (less.wiring.channels.size() < one.wiring.channels.size()) progress |= accept(std::move(less));
  }
  return one;
}

std::string to_text(const Case& one) {
  std::string text = one.description + "\n";
  const auto end = [&](const net::Terminal& at) {
    return at.kind == net::Terminal::Kind::nic ? fmt::format("nic {}", at.unit)
                                               : fmt::format("switch {} port {}", at.unit, at.port);
  };
  for (std::size_t n = 0; n < one.wiring.nics.size(); ++n) {
    const net::NicRules& r = one.wiring.nics[n].rules;
    text += fmt::format("nic {}: slots {} gap {} from {}{}{} acknowledge {} detect {} reprogram {}\n", n, r.slots,
                        r.gap.count(), static_cast<int>(r.gap_from), r.circuit ? " circuit" : "",
                        r.answers ? " answers" : "", r.acknowledge.count(), r.detect.count(), r.reprogram.count());
  }
  for (std::size_t s = 0; s < one.wiring.switches.size(); ++s) {
    const auto& unit = one.wiring.switches[s];
    text += fmt::format("switch {}: R {} S {} arbitration {} (age {}) selection {} marks from {}{}{}{}{}\n", s,
                        unit.rules.routing.count(), unit.rules.setup.count(),
                        name_of<net::ArbitrationPart>(*unit.rules.arbitration), unit.rules.age_threshold.count(),
                        name_of<net::OutputSelectionPart>(*unit.rules.selection), unit.rules.marking.threshold,
                        unit.rules.hosts_last ? " hosts last" : "",
                        unit.rules.store_and_forward ? " store and forward" : "",
                        unit.rules.software_router ? " software router" : "", unit.repeater ? " repeater" : "");
  }
  for (std::size_t c = 0; c < one.wiring.channels.size(); ++c) {
    const auto& channel = one.wiring.channels[c];
    const net::ChannelRules& r = channel.rules;
    text += fmt::format("channel {}: {} -> {} (reverse {}): T {} tail {} lead {} D {} hop {} VCs {}{}", c,
                        end(channel.from), end(channel.to), channel.reverse, r.flit_time.count(), r.tail_time.count(),
                        r.tail_lead.count(), r.delay.count(), r.control_hop.count(), r.virtual_channels,
                        r.hold ? " hold" : "");
    if (const auto* credits = std::get_if<net::Credits>(&r.flow))
      text += fmt::format(" credits {} batch {} return {} token {} wire {}", credits->buffer, credits->batch,
                          credits->return_delay.count(), credits->token_time.count(), r.wire.count());
    text += "\n";
  }
  for (const Failure& failure : one.failures)
    text += fmt::format("failure of channel {} at {}{}\n", failure.channel, failure.time.count(),
                        failure.repaired == never ? "" : fmt::format(", repaired at {}", failure.repaired.count()));
  if (one.answer > Time{0}) text += fmt::format("answers after {}\n", one.answer.count());
  for (std::size_t i = 0; i < one.shipments.size(); ++i) {
    const Shipment& s = one.shipments[i];
    text += fmt::format("packet {}: at {} from {} to {}, {} flits, priority {}, ports", i, s.time.count(), s.source,
                        s.destination, s.flits, s.priority);
    for (const topologies::Step& step : s.route.steps)
      text +=
          fmt::format(" {}+{}{}{}{}", step.port, step.ports, step.strip > 0 ? fmt::format("-{}", step.strip) : "",
                      step.prepend > 0 ? fmt::format("^{}", step.prepend) : "", step.in_transit ? " in transit" : "");
    if (s.descend) text += fmt::format(" then broadcast, {} copies", s.copies);
    if (s.abandoned != never) text += fmt::format(" abandoned at {}", s.abandoned.count());
    text += "\n";
  }
  return text;
}

}  // namespace sanvp::test
