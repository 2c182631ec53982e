#include "models/net/wiring.hpp"

#include <algorithm>

#include "platform/core/error.hpp"

namespace sanvp::net {

int Wiring::add_nic(std::string name, const NicRules& rules) {
  nics.push_back({.name = std::move(name), .rules = rules});
  return static_cast<int>(nics.size()) - 1;
}

int Wiring::add_switch(std::string name, int ports, const SwitchRules& rules) {
  switches.push_back({.name = std::move(name),
                      .rules = rules,
                      .in = std::vector<int>(static_cast<std::size_t>(ports), -1),
                      .out = std::vector<int>(static_cast<std::size_t>(ports), -1)});
  return static_cast<int>(switches.size()) - 1;
}

int Wiring::add_channel(Terminal from, Terminal to, const ChannelRules& rules) {
  const auto describe = [&](Terminal t) {
    return t.kind == Terminal::Kind::nic ? nics[t.unit].name : switches[t.unit].name + "." + std::to_string(t.port);
  };
  const int channel = static_cast<int>(channels.size());
  channels.push_back({.name = describe(from) + "->" + describe(to), .from = from, .to = to, .rules = rules});
  (from.kind == Terminal::Kind::nic ? nics[from.unit].out : switches[from.unit].out.at(from.port)) = channel;
  (to.kind == Terminal::Kind::nic ? nics[to.unit].in : switches[to.unit].in.at(to.port)) = channel;
  return channel;
}

int Wiring::connect(Terminal a, Terminal b, const ChannelRules& forward, const ChannelRules& backward) {
  const int channel = add_channel(a, b, forward);
  add_channel(b, a, backward);
  channels[channel].reverse = channel + 1;
  channels[channel + 1].reverse = channel;
  return channel;
}

void Wiring::validate() const {
  const auto require = [](bool good, const std::string& place, const std::string& cause, const std::string& cure) {
    if (!good) throw UserError(place, cause, cure);
  };
  for (const Channel& channel : channels) {
    const ChannelRules& rules = channel.rules;
    const std::string& name = channel.name;
    require(rules.flit_time > Time{0}, name, "the flit time is not positive", "give the link a rate");
    require(rules.tail_time > Time{0}, name, "the tail time is not positive", "give it the flit time");
    require(rules.delay > Time{0}, name, "the delay is not positive", "give the link a delay of at least 1ps");
    require(rules.tail_lead < rules.flit_time && rules.tail_lead < rules.delay && -rules.tail_lead < rules.tail_time,
            name, "a tail would overtake the flit before it, or be overtaken",
            "let it lead by the flit time less its own");
    require(rules.virtual_channels >= 1 && rules.virtual_channels <= most_virtual_channels, name,
            std::to_string(rules.virtual_channels) + " virtual channels are given", "choose 1 to 16");
    require(rules.exclusive == 0 || channel.to.kind == Terminal::Kind::switch_, name,
            "it ends at a NIC, which takes packets at once",
            "give channels between switches exclusive virtual channels");
    require(rules.bit_error_rate >= 0 && rules.bit_error_rate < 1, name, "the bit error rate is not in [0, 1)",
            "give the probability per bit");
    require(rules.turnaround >= Time{0}, name, "the turn-around of a link that sends again is negative",
            "give it 0 or more");
    require(buffer_flits(rules.flow) >= 1, name, "the buffer holds no flit", "give it at least one");
    if (const auto* credits = std::get_if<Credits>(&rules.flow)) {
      require(credits->batch >= 1 && credits->batch <= credits->buffer, name,
              "credits come in batches of " + std::to_string(credits->batch) + ", the buffer holds " +
                  std::to_string(credits->buffer) + " flits",
              "make the batch at most the buffer");
    } else {
      const auto& rule = std::get<StopGo>(rules.flow);
      require(rule.go >= 1 && rule.go <= rule.stop && rule.stop < rule.buffer, name,
              "STOP/GO thresholds " + std::to_string(rule.stop) + "/" + std::to_string(rule.go) +
                  " do not fit a buffer of " + std::to_string(rule.buffer) + " flits",
              "choose 1 <= go <= stop < buffer");
      // The STOP goes out when stop+1 flits are there; what starts before it binds arrives after it.
      const std::int64_t on_the_way = (rules.delay + rule.signal_delay - Time{1}) / rules.flit_time;
      require(rule.stop + 1 + on_the_way <= rule.buffer, name,
              std::to_string(on_the_way) + " flits may still arrive after a STOP at " + std::to_string(rule.stop) +
                  ", the buffer holds " + std::to_string(rule.buffer),
              "enlarge the buffer or lower the threshold");
    }
  }
  const bool has_circuits = std::any_of(nics.begin(), nics.end(), [](const Nic& nic) { return nic.rules.circuit; });
  for (const Nic& nic : nics)
    require(nic.rules.slots >= 1, nic.name, "the NIC has no slot for a packet", "give it at least one slot");
  for (const Switch& one : switches)
    require(!has_circuits || !one.rules.store_and_forward, one.name,
            "it stores a whole packet before it forwards it (switch.store_and_forward), and circuits (nic.circuit) end "
            "their packets only when these have arrived",
            "choose another switch.type or nic.type");
}

}  // namespace sanvp::net
