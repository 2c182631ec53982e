/// Route tables as text: reads a user's routes and writes any routing's. One statement per line, `#` comments:
///   route SRC DST ID PORT PORT ... [/ PORT ...]
/// The statement gives one output port per switch. `/` follows a port that leads to an in-transit host; the next port
/// is of the same switch again. A pair may have several routes, distinguished by ID.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "topologies/routing/route_table.hpp"

namespace sanvp::topologies {

/// Throws UserError with file and line where a route does not lead from SRC to DST over cables of `graph`.
/// @param name  names the text in messages
std::unique_ptr<RouteTable> parse_routes(const Graph& graph, std::string_view text, const std::string& name);
std::unique_ptr<RouteTable> read_route_file(const Graph& graph, const std::string& path);

/// Text from which parse_routes reads the same routes. Throws UserError for a routing that the format cannot express:
/// groups, virtual channels, header deletion.
std::string to_text(const Graph& graph, const Routing& routing);

}  // namespace sanvp::topologies
