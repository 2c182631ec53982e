/// Route tables as text: reads a user's routes and writes any routing's. One statement per line, `#` comments:
///   route SRC DST ID PORT PORT ... [/ PORT ...] [| PORT PORT ...]
///   random
///   threshold FLITS
/// The statement gives one output port per switch. `/` follows a port that leads to an in-transit host; the next port
/// is of the same switch again. `|` begins a second path from the first switch on, which takes the one with the shorter
/// queue (UGAL). A pair may have several routes, distinguished by ID; `random`: senders draw one for
/// each packet. `threshold`: the second path is taken if its queue is shorter by these flits times cables.
///
/// A PORT is `FIRST[..LAST][@PREFERRED][vVC[..LAST]][+PUT][-REMOVED]`, such as `4..7@5v1`: the switch takes a free one
/// of ports FIRST to LAST (the preferred one, if it does not choose), only on virtual channel VC or those up to LAST,
/// adds PUT header flits and removes REMOVED. SRC is `HOST[.PORT][vVC]`: the host's port and virtual channel of the
/// injection.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "topologies/routing/route_table.hpp"

namespace sanvp::topologies {

/// Throws UserError with file and line if a route does not lead from SRC to DST over cables of `graph`. In a group of
/// ports it follows the preferred one; `check` follows all.
/// @param name  names the text in messages
std::unique_ptr<RouteTable> parse_routes(const Graph& graph, std::string_view text, const std::string& name);
std::unique_ptr<RouteTable> read_route_file(const Graph& graph, const std::string& path);

/// Text from which parse_routes reads the same routes. Throws UserError for hardware broadcasts, which the format
/// cannot express.
std::string to_text(const Graph& graph, const Routing& routing);

}  // namespace sanvp::topologies
