/// Route tables as text: one's own routes in, any table out. One statement per line, `#` comments:
///   route SRC DST ID PORT PORT ... [/ PORT ...]
/// One output port per switch; `/` follows a port that leads to an in-transit host, after which the same switch is
/// passed once more. A pair may have several routes, told apart by ID.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "topologies/routing/route_table.hpp"

namespace sanvp::topologies {

/// Throws UserError with file and line where a route does not lead from SRC to DST over cables of `graph`.
/// @param name stands in messages
std::unique_ptr<RouteTable> parse_routes(const Graph& graph, std::string_view text, const std::string& name);
std::unique_ptr<RouteTable> read_route_file(const Graph& graph, const std::string& path);

/// The text that parse_routes reads back to the same routes. Throws UserError for a routing beyond the format: groups,
/// virtual channels, header deletion.
std::string to_text(const Graph& graph, const Routing& routing);

}  // namespace sanvp::topologies
