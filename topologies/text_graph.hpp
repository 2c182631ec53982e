/// Networks as text: reads a user's graph and writes any machine's. One statement per line, `#` comments:
///   switches N                      how many switches, first
///   ports P                         ports of each switch, before the first cable
///   host H SWITCH PORT [CLASS]      cable from host H to a switch; hosts are numbered from 0
///   link SWA PA SWB PB [CLASS]      cable between two switches
/// CLASS names the link class (default "link"), which has the rate and the delay.
#pragma once

#include <string>
#include <string_view>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// Throws UserError with file and line if the text is not a network: unknown or incomplete statements, numbers out
/// of range, ports used twice, a switch cabled to itself, missing hosts, hosts that cannot reach each other.
/// @param name  names the text in messages
Graph parse_graph(std::string_view text, const std::string& name);
Graph read_graph_file(const std::string& path);

/// Text from which parse_graph builds the same network, with its links in the same order. Names, coordinates and family
/// are not kept. Throws UserError for a graph that the format cannot express: hosts with several ports, or cabled
/// directly.
std::string to_text(const Graph& graph);

}  // namespace sanvp::topologies
