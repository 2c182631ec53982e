/// Networks as text: one's own graph in, any machine's graph out. One statement per line, `#` comments:
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

/// Throws UserError with file and line where the text is no network: unknown or incomplete statements, numbers out of
/// range, ports used twice, a switch cabled to itself, missing hosts, hosts that cannot reach each other.
/// @param name stands in messages
Graph parse_graph(std::string_view text, const std::string& name);
Graph read_graph_file(const std::string& path);

/// The text that parse_graph reads back to the same network, its links in the same order. Names, coordinates and
/// family are not kept. Throws UserError for a graph beyond the format: hosts with several ports or cabled directly.
std::string to_text(const Graph& graph);

}  // namespace sanvp::topologies
