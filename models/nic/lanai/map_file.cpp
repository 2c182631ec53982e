#include "models/nic/lanai/map_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "models/nic/lanai/route_memory.hpp"
#include "platform/core/error.hpp"
#include "sw/abi/registers/lanai.h"

namespace sanvp::nic::lanai {
namespace {

using topologies::Route;
using topologies::Step;

constexpr int most_hosts = 1024;  // of the control program's route table: sw/gm/lcp.h, LCP_MOST_NODES
static_assert(LANAI_EEPROM_MAP + most_hosts * LANAI_ROUTES * sizeof(lanai_route) <= LANAI_EEPROM_BYTES);

/// A route names each port.
void require_no_choice(const Route& route, int from, int to) {
  if (route.has_choice())
    throw UserError("routing.paths",
                    fmt::format("the route from host {} to host {} leaves a choice of paths to the first switch, and a "
                                "Myrinet's names each port",
                                from, to),
                    "choose routing.paths=minimal or valiant");
}

/// A route byte names a port, so switches choose any free virtual channel.
void require_no_virtual_channels(const Route& route, int from, int to) {
  const auto names_one = [](std::uint8_t vc) { return vc != 0 && vc != Step::any_vc; };
  if (names_one(route.source_vc) || std::ranges::any_of(route.steps, names_one, &Step::vc))
    throw UserError(
        "routing.type",
        fmt::format("the route from host {} to host {} changes virtual channels to stay free from deadlock, "
                    "and a LANai's route bytes name ports only",
                    from, to),
        "choose a routing that needs none, such as ud");
}

lanai_route table_entry(const NicNetwork& network, int from, int to, int alternative) {
  Route route;
  network.routing.route(from, to, alternative, route);
  require_no_choice(route, from, to);
  require_no_virtual_channels(route, from, to);
  const auto entry = encode(route, network.routing.route_id(from, to, alternative));
  if (!entry)
    throw UserError("lanai",
                    fmt::format("the route from host {} to host {} is too long for the card's table", from, to),
                    fmt::format("an entry has {} bytes", LANAI_ROUTE_BYTES));
  if (!follow(network.graph, from, std::span(entry->bytes, entry->length)))
    throw UserError(
        "routing.type",
        fmt::format("the route from host {} to host {} passes a cable twice, and a packet of Myrinet's would "
                    "wait for its own tail",
                    from, to),
        "choose another routing, such as ud");
  return *entry;
}

/// Through the host's switch and back.
lanai_route entry_to_itself(const topologies::Graph& graph, int host) {
  const topologies::End seat = graph.peer(topologies::End::host(host));
  lanai_route entry{};
  if (seat.is_switch()) entry.bytes[entry.length++] = static_cast<std::uint8_t>(LANAI_ROUTE_PORT | seat.port);
  return entry;
}

}  // namespace

std::vector<std::byte> map_file(const NicNetwork& network, int host) {
  const int hosts = network.graph.host_count();
  if (hosts > most_hosts)
    throw UserError("lanai", fmt::format("the card's route table has no room for {} hosts", hosts),
                    fmt::format("use at most {}", most_hosts));
  const lanai_eeprom identity{.magic = LANAI_EEPROM_MAGIC,
                              .node = static_cast<std::uint32_t>(host),
                              .nodes = static_cast<std::uint32_t>(hosts)};
  std::vector<std::byte> image(LANAI_EEPROM_MAP + std::size_t{identity.nodes} * LANAI_ROUTES * sizeof(lanai_route));
  std::memcpy(image.data(), &identity, sizeof identity);
  for (int to = 0; to < hosts; ++to) {
    std::byte* row = image.data() + LANAI_EEPROM_MAP + std::size_t(to) * LANAI_ROUTES * sizeof(lanai_route);
    const int count = to == host ? 1 : std::min(network.routing.alternatives(host, to), static_cast<int>(LANAI_ROUTES));
    for (int i = 0; i < count; ++i, row += sizeof(lanai_route)) {
      const lanai_route entry = to == host ? entry_to_itself(network.graph, host) : table_entry(network, host, to, i);
      std::memcpy(row, &entry, sizeof entry);
    }
  }
  return image;
}

}  // namespace sanvp::nic::lanai
