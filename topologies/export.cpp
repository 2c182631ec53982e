#include "topologies/export.hpp"

#include <array>
#include <nlohmann/json.hpp>

namespace sanvp::topologies {
namespace {

using Json = nlohmann::ordered_json;

std::string id(End end) { return (end.is_host() ? "h" : "s") + std::to_string(end.index); }

/// A quoted Graphviz string.
std::string label(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

Json end_json(End end) { return {{end.is_host() ? "host" : "switch", end.index}, {"port", end.port}}; }

Json lengths_json(const PathLengths& lengths) {
  return {{"diameter", lengths.diameter()},
          {"mean_distance", lengths.mean()},
          {"mean_in_transit_hosts", lengths.mean_in_transit_hosts()},
          {"histogram", lengths.histogram}};
}

}  // namespace

std::string to_dot(const Graph& graph) {
  // The palette of Okabe and Ito, which colour-blind readers can tell apart.
  constexpr std::array colours{"#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};
  std::string text = "graph " + label(graph.family) + " {\n  node [shape=box];\n";
  for (int s = 0; s < graph.switch_count(); ++s)
    text += "  s" + std::to_string(s) + " [label=" + label(graph.switches()[s].name) + "];\n";
  for (int h = 0; h < graph.host_count(); ++h)
    text += "  h" + std::to_string(h) + " [shape=point, xlabel=" + label(graph.hosts()[h].name) + "];\n";
  for (const Link& link : graph.links())
    text += "  " + id(link.a) + " -- " + id(link.b) + " [class=" + label(graph.link_classes()[link.link_class]) +
            ", color=\"" + colours[static_cast<std::size_t>(link.link_class) % colours.size()] + "\"];\n";
  return text + "}\n";
}

Json to_json(const Graph& graph) {
  Json json{{"family", graph.family}, {"shape", graph.shape}};
  if (graph.host_ports > 1) json["host_ports"] = graph.host_ports;
  Json& hosts = json["hosts"] = Json::array();
  for (const auto& host : graph.hosts()) hosts.push_back({{"name", host.name}, {"coordinates", host.coordinates}});
  Json& switches = json["switches"] = Json::array();
  for (const auto& node : graph.switches())
    switches.push_back({{"name", node.name}, {"ports", node.link_at.size()}, {"coordinates", node.coordinates}});
  Json& links = json["links"] = Json::array();
  for (const Link& link : graph.links())
    links.push_back(
        {{"a", end_json(link.a)}, {"b", end_json(link.b)}, {"class", graph.link_classes()[link.link_class]}});
  return json;
}

Json to_json(const CheckReport& report) {
  Json json{{"verdict", report.verdict()},
            {"hosts", report.hosts},
            {"switches", report.switches},
            {"links", report.links},
            {"pairs", report.pairs},
            {"pairs_checked", report.pairs_checked},
            {"pairs_unserved", report.pairs_unserved},
            {"unserved_examples", report.examples},
            {"routes", report.routes_checked},
            {"routes_broken", report.routes_broken},
            {"most_alternatives", report.most_alternatives},
            {"random_alternative", report.random_alternative},
            {"channel_dependencies", report.dependencies},
            {"cycle", report.cycle},
            {"pool_cycle", report.pool_cycle}};
  json.update(lengths_json(report.lengths()));
  if (!report.random_alternative && report.by_alternative.size() > 1)
    for (const PathLengths& lengths : report.by_alternative) json["by_alternative"].push_back(lengths_json(lengths));
  return json;
}

}  // namespace sanvp::topologies
