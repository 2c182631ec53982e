/// Export of networks to other programs: Graphviz and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "topologies/graph.hpp"
#include "topologies/routing/check.hpp"

namespace sanvp::topologies {

/// An undirected graph for Graphviz (`neato`, `sfdp`): switches as boxes, hosts as dots, a colour per link class.
std::string to_dot(const Graph& graph);

/// {family, shape, hosts: [{name, coordinates}], switches: [{name, ports, coordinates}],
///  links: [{a, b, class}]} with ends {host|switch, port}.
nlohmann::ordered_json to_json(const Graph& graph);

/// Counts, path lengths and verdict, as in `sanvp check --json`.
nlohmann::ordered_json to_json(const CheckReport& report);

}  // namespace sanvp::topologies
