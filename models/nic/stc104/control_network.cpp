#include "models/nic/stc104/control_network.hpp"

#include "models/nic/stc104/driver_tables.hpp"
#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::stc104 {

using topologies::End;
using topologies::Graph;
using topologies::Route;
using topologies::Step;

ControlNetwork::Rules ControlNetwork::Rules::read(const Parameters& parameters) {
  Rules rules;
  rules.access = parameters.time("access", 940ns, "of a message that reads or writes a switch's register",
                                 "assumed: 9 data tokens (header, command, address, value) and EOP at 100 Mbit/s");
  rules.hop = parameters.time("hop", 1us, "through a device of the control network", "FACTS 3.1: as for data");
  return rules;
}

ControlNetwork::ControlNetwork(const Rules& rules, const Graph& graph, const Graph& working, int header_bytes)
    : rules_(rules), graph_(graph), working_(working), header_bytes_(header_bytes), devices_(graph.switch_count()) {
  for (const auto& node : graph.switches())
    if (node.link_at.size() > STC104_LINKS)
      throw UserError(
          "nic.configure",
          "switch " + node.name + " has " + std::to_string(node.link_at.size()) + " links and an STC104 has 32",
          "give nic.configure=no: the switches then route by themselves");
}

ControlNetwork::Access ControlNetwork::peek(std::uint32_t address) const {
  const std::uint32_t device = address / STC104_DEVICE_BYTES;
  const auto value =
      device < devices_.size() ? devices_[device].read(address % STC104_DEVICE_BYTES) : std::optional<std::uint32_t>{};
  return {.value = value.value_or(0),
          .takes = 2 * (rules_.access + rules_.hop * static_cast<std::int64_t>(device + 1)),
          .good = value.has_value()};
}

ControlNetwork::Access ControlNetwork::poke(std::uint32_t address, std::uint32_t value) {
  const std::uint32_t device = address / STC104_DEVICE_BYTES;
  return {.takes = rules_.access,
          .good = device < devices_.size() && devices_[device].write(address % STC104_DEVICE_BYTES, value)};
}

std::string ControlNetwork::refusal(std::uint32_t address, std::size_t bytes, bool is_write) const {
  const RegisterTable& table = Stc104::register_map();
  const std::uint32_t device = address / STC104_DEVICE_BYTES;
  return "STC104 " + std::to_string(device) + ": " +
         table.refusal({.offset = address % STC104_DEVICE_BYTES, .bytes = bytes, .is_write = is_write}, table.sizes());
}

bool ControlNetwork::walk(int source, int destination, std::uint32_t header, Random& random, Route& route) const {
  route = {};
  End at = graph_.peer(End::host(source));
  std::optional<std::uint32_t> random_header;
  // Universal routing may pass a switch in both phases.
  const int most = 2 * graph_.switch_count();
  while (at.is_switch() && static_cast<int>(route.steps.size()) < most) {
    const Stc104& device = devices_[at.index];
    Step step;
    if (const auto range = device.randomises(at.port); range.count > 0) {
      random_header = range.first + static_cast<std::uint32_t>(random.below(range.count));
      step.prepend = static_cast<std::uint8_t>(header_bytes_);
    }
    if (random_header && device.own(at.port).holds(*random_header)) {
      random_header.reset();
      step.strip = static_cast<std::uint8_t>(header_bytes_);
    }
    const auto output = device.find(at.port, random_header.value_or(header));
    if (!output) return false;
    step.port = static_cast<std::uint16_t>(output->link);
    step.ports = static_cast<std::uint16_t>(output->links);
    if (output->deletes) step.strip = static_cast<std::uint8_t>(header_bytes_);
    route.steps.push_back(step);
    at = behind(at.index, *output);
  }
  return at.is_host() && at.index == destination;
}

/// Uses the first working link of the group: the steps after it are the same for all. If none works, the first link.
End ControlNetwork::behind(int switch_, const Stc104::Output& output) const {
  for (int link = output.link; link < output.link + output.links; ++link)
    if (const End peer = working_.peer(End::switch_(switch_, link))) return peer;
  return graph_.peer(End::switch_(switch_, output.link));
}

namespace {

std::uint32_t peer_word(const Graph& graph, const Graph& working, End at) {
  const End peer = graph.peer(at);
  const bool works = static_cast<bool>(working.peer(at));
  if (peer.is_host()) return works ? STC104_PEER_HOST(peer.index) : STC104_PEER_LOST_HOST(peer.index);
  if (peer.is_switch()) return works ? STC104_PEER_SWITCH(peer.index) : STC104_PEER_LOST_SWITCH(peer.index);
  return STC104_PEER_NONE;
}

}  // namespace

std::vector<std::uint32_t> describe_network(const Graph& graph, const Graph& working,
                                            const topologies::Routing& routing) {
  const auto uplinks = static_cast<std::uint32_t>(uplinks_of(graph, routing));
  std::vector<std::uint32_t> words{static_cast<std::uint32_t>(graph.host_count()),
                                   static_cast<std::uint32_t>(graph.switch_count()), uplinks};
  for (int s = 0; s < graph.switch_count(); ++s)
    for (int port = 0; port < static_cast<int>(STC104_LINKS); ++port)
      words.push_back(peer_word(graph, working, End::switch_(s, port)));
  return words;
}

}  // namespace sanvp::nic::stc104
