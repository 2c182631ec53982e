/// Route tables as text: one's own routes in, any table out. One statement per line, `#` comments:
///   route SRC DST ID PORT PORT ... [/ PORT ...]
///   random
/// One output port per switch; `/` follows a port that leads to an in-transit host, after which the same switch is
/// passed once more. A pair may have several routes, told apart by ID; `random`: senders draw one for each packet.
///
/// A PORT is `FIRST[..LAST][@PREFERRED][vVC][+PUT][-REMOVED]`, such as `4..7@5v1`: the switch takes a free one of ports
/// FIRST to LAST (the preferred one, where it has no choice to make), on virtual channel VC alone, puts PUT header
/// flits in front and removes REMOVED. SRC is `HOST[.PORT][vVC]`: the host's port and virtual channel of the injection.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "topologies/routing/route_table.hpp"

namespace sanvp::topologies {

/// Throws UserError with file and line where a route does not lead from SRC to DST over cables of `graph`. Of a group
/// of ports, the preferred one is followed here; `check` follows them all.
/// @param name stands in messages
std::unique_ptr<RouteTable> parse_routes(const Graph& graph, std::string_view text, const std::string& name);
std::unique_ptr<RouteTable> read_route_file(const Graph& graph, const std::string& path);

/// The text that parse_routes reads back to the same routes. Throws UserError for hardware broadcasts, which no route
/// file has.
std::string to_text(const Graph& graph, const Routing& routing);

}  // namespace sanvp::topologies
