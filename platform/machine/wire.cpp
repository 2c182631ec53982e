#include "platform/machine/wire.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "platform/core/error.hpp"

namespace sanvp {
namespace {

using net::Terminal;
using net::Wiring;
using topologies::End;
using topologies::Graph;

constexpr int bits_per_byte = 8;

class Builder {
 public:
  Builder(const Graph& graph, const std::vector<LinkClass>& links, const switches::SwitchModel& switch_,
          const nic::NicModel& nic)
      : graph_(graph), links_(links), switch_(switch_), nic_(nic) {}

  Wiring build() {
    wiring_.host_ports = graph_.host_ports;
    for (int port = 0; port < graph_.host_ports; ++port)
      for (int host = 0; host < graph_.host_count(); ++host) wiring_.add_nic(text(End::host(host, port)), nic_.rules);
    net::SwitchRules rules = switch_.rules;
    if (switch_.output_buffer) rules.marking = {};  // the output buffers mark
    for (const auto& node : graph_.switches())
      wiring_.add_switch(node.name, static_cast<int>(node.link_at.size()), rules);
    if (switch_.output_buffer) add_repeaters();
    for (int channel = 0; channel < graph_.channel_count(); ++channel) add_link_channel(channel);
    for (const auto& [end, repeater] : repeaters_)
      name(wiring_.add_channel({Terminal::Kind::switch_, end.index, end.port}, {Terminal::Kind::switch_, repeater, 0},
                               crossbar_rules()),
           text(end) + " crossbar");
    return std::move(wiring_);
  }

 private:
  void add_repeaters() {
    net::SwitchRules none;
    none.marking = switch_.rules.marking;
    for (int s = 0; s < graph_.switch_count(); ++s) {
      const auto& node = graph_.switches()[s];
      for (int port = 0; port < static_cast<int>(node.link_at.size()); ++port) {
        if (node.link_at[port] < 0) continue;
        const int repeater = wiring_.add_switch(text(End::switch_(s, port)) + " output", 1, none);
        wiring_.switches[repeater].repeater = true;
        repeaters_.emplace(End::switch_(s, port), repeater);
      }
    }
  }

  void add_link_channel(int channel) {
    const End from = graph_.channel_source(channel);
    const End to = graph_.channel_target(channel);
    const auto& rules = link_rules(links_[graph_.links()[channel / 2].link_class], to.is_switch());
    name(wiring_.add_channel(source(from), terminal(to), rules), text(from) + "->" + text(to));
    wiring_.channels[channel].reverse = channel ^ 1;
  }

  net::ChannelRules link_rules(const LinkClass& link, bool to_switch) const {
    const Time flow_through = to_switch ? switch_.flow_through : Time{0};
    net::ChannelRules rules;
    rules.flit_time = link.flit_time;
    rules.tail_time = link.tail_time;
    rules.delay = link.delay + flow_through + (link.whole_flit ? link.flit_time : Time{0});
    rules.tail_lead = link.whole_flit ? link.flit_time - link.tail_time : Time{0};
    rules.wire = link.delay;
    rules.control_hop = switch_.control_token + link.delay + flow_through;
    rules.virtual_channels = switch_.virtual_channels;
    if (!to_switch && nic_.input_channels > 0)
      rules.virtual_channels = std::min(rules.virtual_channels, nic_.input_channels);
    rules.hold = switch_.hold;
    rules.flow = switch_.flow;
    if (auto* stop_go = std::get_if<net::StopGo>(&rules.flow); stop_go != nullptr && switch_.signals_take_link_delay)
      stop_go->signal_delay = link.delay;
    rules.flit_bits = bits_per_byte * switch_.flit_bytes;
    rules.bit_error_rate = link.bit_error_rate;
    rules.retry = link.retry;
    rules.turnaround = link.turnaround;
    return rules;
  }

  net::ChannelRules crossbar_rules() const {
    const auto& buffer = *switch_.output_buffer;
    net::ChannelRules rules;
    rules.flit_time = rules.tail_time = buffer.flit_time;
    rules.delay = buffer.delay;
    rules.flow = buffer.flow;
    rules.virtual_channels = switch_.virtual_channels;
    rules.flit_bits = bits_per_byte * switch_.flit_bytes;
    return rules;
  }

  Terminal terminal(End end) const {
    if (end.is_host()) return {Terminal::Kind::nic, wiring_.nic(end.index, end.port), 0};
    return {Terminal::Kind::switch_, end.index, end.port};
  }
  /// Source of a channel: the output buffer, if there is one.
  Terminal source(End end) const {
    const auto found = repeaters_.find(end);
    return found == repeaters_.end() ? terminal(end) : Terminal{Terminal::Kind::switch_, found->second, 0};
  }

  std::string text(End end) const {
    const std::string& node = graph_.node(end).name;
    return end.is_host() && graph_.host_ports == 1 ? node : node + "." + std::to_string(end.port);
  }
  void name(int channel, std::string text) { wiring_.channels[channel].name = std::move(text); }

  const Graph& graph_;
  const std::vector<LinkClass>& links_;
  const switches::SwitchModel& switch_;
  const nic::NicModel& nic_;
  Wiring wiring_;
  std::map<End, int> repeaters_;
};

void fail(const Graph& graph, const topologies::Failures& failures, Wiring& wiring) {
  for (const int link : topologies::failed_links(graph, failures))
    wiring.channels[2 * link].failed = wiring.channels[2 * link + 1].failed = true;
  // Channels that lead to an output buffer whose cable has failed: the crossbar in front chooses another output, if it
  // can.
  const auto repeater_of = [&](const Terminal& end) {
    return end.kind == Terminal::Kind::switch_ && wiring.switches[end.unit].repeater ? end.unit : -1;
  };
  std::set<int> cut_off;
  for (const auto& channel : wiring.channels)
    if (channel.failed) cut_off.insert(repeater_of(channel.from));
  for (auto& channel : wiring.channels)
    if (const int repeater = repeater_of(channel.to); repeater >= 0 && cut_off.contains(repeater))
      channel.failed = true;
}

}  // namespace

net::Wiring wire(const Graph& graph, const std::vector<LinkClass>& links, const switches::SwitchModel& switch_,
                 const nic::NicModel& nic, const topologies::Failures& failures) {
  Wiring wiring = Builder(graph, links, switch_, nic).build();
  fail(graph, failures, wiring);
  return wiring;
}

}  // namespace sanvp
