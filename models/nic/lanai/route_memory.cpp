#include "models/nic/lanai/route_memory.hpp"

#include <algorithm>

namespace sanvp::nic::lanai {

using topologies::End;

Registers<RouteMemory> RouteMemory::registers() {
  return {{.name = "Routes",
           .window = LANAI_BAR_REGISTERS,
           .offset = LANAI_REG_ROUTES,
           .read = get<&RouteMemory::address>,
           .write = put<&RouteMemory::set_address>,
           .meaning = "SRAM address of the route table, struct lanai_route [RouteNodes][LANAI_ROUTES]",
           .source = "assumed"},
          {.name = "RouteNodes",
           .window = LANAI_BAR_REGISTERS,
           .offset = LANAI_REG_ROUTE_NODES,
           .read = get<&RouteMemory::nodes>,
           .write = put<&RouteMemory::set_nodes>,
           .meaning = "its number of nodes",
           .source = "assumed"}};
}

std::optional<Way> follow(const topologies::Graph& graph, int from, std::span<const std::uint8_t> bytes) {
  Way way;
  End at = graph.peer(End::host(from));
  bool sent_on = false;
  std::vector<int> passed;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (!at.is_switch() || (bytes[i] & LANAI_ROUTE_PORT) == 0) return {};
    topologies::Step step;
    step.port = bytes[i] & ~LANAI_ROUTE_PORT;
    step.strip = 1;
    if (sent_on) step.strip += LANAI_IN_TRANSIT_HEADER;
    way.bytes += step.strip;
    const int channel = graph.channel_from(End::switch_(at.index, step.port));
    if (std::find(passed.begin(), passed.end(), channel) != passed.end()) return {};
    passed.push_back(channel);
    const End next = graph.peer(End::switch_(at.index, step.port));
    step.in_transit = i + 1 < bytes.size() && bytes[i + 1] == LANAI_ROUTE_IN_TRANSIT;
    sent_on = step.in_transit;
    if (step.in_transit) {
      if (!next.is_host()) return {};
      ++i;  // and continues at the same switch
    } else {
      at = next;
    }
    way.route.steps.push_back(step);
  }
  if (!at.is_host() || sent_on) return {};
  way.destination = at.index;
  return way;
}

std::optional<lanai_route> encode(const topologies::Route& route, int id) {
  lanai_route entry{};
  entry.id = static_cast<std::uint8_t>(id);
  for (const topologies::Step& step : route.steps) {
    if (entry.length + 2U > LANAI_ROUTE_BYTES || step.port >= LANAI_ROUTE_PORT) return {};
    entry.bytes[entry.length++] = static_cast<std::uint8_t>(LANAI_ROUTE_PORT | step.port);
    if (step.in_transit) entry.bytes[entry.length++] = LANAI_ROUTE_IN_TRANSIT;
  }
  return entry;
}

int RouteMemory::alternatives(int, int destination) const {
  if (destination < 0 || destination >= static_cast<int>(nodes_)) return 0;
  int count = 0;
  while (count < static_cast<int>(LANAI_ROUTES) && load(destination, count).length > 0) ++count;
  return count;
}

void RouteMemory::route(int source, int destination, int alternative, topologies::Route& route) const {
  const lanai_route entry = load(destination, alternative);
  const auto way = follow(graph_, source, {entry.bytes, entry.length});
  route = way ? way->route : topologies::Route{};
}

}  // namespace sanvp::nic::lanai
