/// `packets`, `link`, `switch`: what is under way in the network.
#include <algorithm>
#include <map>
#include <vector>

#include "platform/core/registry.hpp"
#include "platform/inspection/inspection.hpp"

namespace sanvp {
namespace {

using Json = Inspection::Json;

double ns(std::int64_t ps) { return in_ns(Time{ps}); }

std::string name_of(const Inspected& inspected, int channel) {
  return inspected.cluster.network().wiring().channels[static_cast<std::size_t>(channel)].name;
}

/// A node of the machine, of the host of its card.
int node_of(const Inspected& inspected, int host) { return host / inspected.machine.nic().ports; }

Json outputs_wanted(const Inspected& inspected, int unit, const net::Request& request) {
  Json channels = Json::array();
  const auto& out = inspected.cluster.network().wiring().switches[static_cast<std::size_t>(unit)].out;
  request.for_each_output([&](int output) {
    const int channel = out[static_cast<std::size_t>(output)];
    const bool is_wanted = request.committed < 0 || request.committed == output;
    if (channel >= 0 && is_wanted) channels.push_back(name_of(inspected, channel));
  });
  return channels;
}

/// A packet's hops that own channels, from its tail to its head.
using Hops = std::map<std::uint64_t, std::vector<const net::Hop*>>;

Hops owners(const Inspected& inspected) {
  Hops hops;
  inspected.cluster.network().visit_owners([&](const net::Hop& hop) { hops[hop.packet->id].push_back(&hop); });
  const auto earlier = [](const net::Hop* a, const net::Hop* b) {
    return std::pair(a->granted_ps, a->channel) < std::pair(b->granted_ps, b->channel);
  };
  for (auto& [packet, list] : hops) std::sort(list.begin(), list.end(), earlier);
  return hops;
}

Json packets(const Inspected& inspected, std::optional<int>) {
  const net::Network& network = inspected.cluster.network();
  struct Wait {
    int unit;
    const net::Request* request;
  };
  std::map<std::uint64_t, std::vector<Wait>> waits;
  network.visit_waiting([&](int unit, const net::Request& request) {
    waits[request.packet().id].push_back({unit, &request});
  });
  Json list = Json::array();
  for (const auto& [id, hops] : owners(inspected)) {
    const net::Packet& packet = *hops.front()->packet;
    Json one{{"packet", id},
             {"from", node_of(inspected, packet.source)},
             {"to", node_of(inspected, packet.destination)},
             {"flits", packet.flits},
             {"sent_ns", in_ns(packet.injected)},
             {"tail", name_of(inspected, hops.front()->channel)},
             {"head", name_of(inspected, hops.back()->channel)},
             {"channels", hops.size()}};
    if (const auto found = waits.find(id); found != waits.end()) {
      const Wait& first = found->second.front();
      one["waits_at"] = network.wiring().switches[static_cast<std::size_t>(first.unit)].name;
      one["waits_for"] = outputs_wanted(inspected, first.unit, *first.request);
      one["waits_since_ns"] = ns(first.request->since_ps);
    }
    list.push_back(std::move(one));
  }
  Json queued = Json::object();
  for (std::size_t host = 0; host < network.wiring().nics.size(); ++host)
    if (const std::size_t count = network.queued(static_cast<int>(host)); count > 0)
      queued[network.wiring().nics[host].name] = count;
  return {{"in_flight", network.in_flight()}, {"packets", list}, {"queued_at_cards", queued}};
}

/// The virtual channels of a channel that packets own.
Json owners_of(const Inspected& inspected, int channel) {
  Json list = Json::array();
  std::map<int, const net::Hop*> by_vc;
  inspected.cluster.network().visit_owners([&](const net::Hop& hop) {
    if (hop.channel == channel) by_vc[hop.vc] = &hop;
  });
  for (const auto& [vc, hop] : by_vc)
    list.push_back({{"vc", vc},
                    {"packet", hop->packet->id},
                    {"from", node_of(inspected, hop->packet->source)},
                    {"to", node_of(inspected, hop->packet->destination)},
                    {"since_ns", ns(hop->granted_ps)}});
  return list;
}

Json link(const Inspected& inspected, std::optional<int> number) {
  const auto links = inspected.machine.graph().link_count();
  if (!number) {
    Json busy = Json::array();
    std::map<int, int> owned;
    inspected.cluster.network().visit_owners([&](const net::Hop& hop) { ++owned[hop.channel]; });
    for (const auto& [channel, count] : owned)
      if (channel < 2 * links)
        busy.push_back({{"link", channel / 2}, {"channel", name_of(inspected, channel)}, {"packets", count}});
    return {{"busy", busy}};
  }
  const faults::Outages* const outages = inspected.cluster.outages();
  const auto is_in = [&](const std::vector<int>& failed) {
    return std::find(failed.begin(), failed.end(), *number) != failed.end();
  };
  const bool is_down = outages != nullptr ? is_in(outages->down().links) : is_in(inspected.machine.failures().links);
  Json json{{"link", *number}, {"works", !is_down}, {"directions", Json::array()}};
  for (const int channel : {2 * *number, 2 * *number + 1}) {
    const auto& wired = inspected.cluster.network().wiring().channels[static_cast<std::size_t>(channel)];
    json["directions"].push_back({{"channel", wired.name},
                                  {"virtual_channels", wired.rules.virtual_channels},
                                  {"owned_by", owners_of(inspected, channel)}});
  }
  return json;
}

Json switch_(const Inspected& inspected, std::optional<int> number) {
  const net::Network& network = inspected.cluster.network();
  Json all = Json::array();
  if (!number) {
    std::map<int, int> waiting;
    network.visit_waiting([&](int unit, const net::Request&) { ++waiting[unit]; });
    for (const auto& [unit, count] : waiting)
      all.push_back({{"switch", unit},
                     {"name", network.wiring().switches[static_cast<std::size_t>(unit)].name},
                     {"waiting_headers", count}});
    return {{"with_waiting_headers", all}};
  }
  const auto& unit = network.wiring().switches[static_cast<std::size_t>(*number)];
  Json json{{"switch", *number}, {"name", unit.name}, {"requests", Json::array()}, {"outputs", Json::array()}};
  network.visit_waiting([&](int of, const net::Request& request) {
    if (of != *number) return;
    json["requests"].push_back({{"packet", request.packet().id},
                                {"from", node_of(inspected, request.packet().source)},
                                {"to", node_of(inspected, request.packet().destination)},
                                {"input", request.in_port},
                                {"wants", outputs_wanted(inspected, of, request)},
                                {"since_ns", ns(request.since_ps)}});
  });
  for (std::size_t port = 0; port < unit.out.size(); ++port) {
    if (unit.out[port] < 0) continue;
    Json owned = owners_of(inspected, unit.out[port]);
    if (!owned.empty())
      json["outputs"].push_back({{"port", port}, {"channel", name_of(inspected, unit.out[port])}, {"owned_by", owned}});
  }
  return json;
}

const Registration<Inspection> of_packets{
    {.name = "packets",
     .summary = "packets: those under way, where tail and head are, what they wait for and since when",
     .look = packets}};
const Registration<Inspection> of_links{
    {.name = "link",
     .summary = "link [N]: the cables that packets use; of one both directions and the owners of its channels",
     .numbered = "link",
     .count = [](const Inspected& inspected) { return inspected.machine.graph().link_count(); },
     .look = link}};
const Registration<Inspection> of_switches{
    {.name = "switch",
     .summary = "switch [N]: those where headers wait; of one its requests, and the owners of its outputs",
     .numbered = "switch",
     .count = [](const Inspected& inspected) { return static_cast<int>(inspected.machine.graph().switches().size()); },
     .look = switch_}};

}  // namespace
}  // namespace sanvp
