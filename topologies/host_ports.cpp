#include "topologies/host_ports.hpp"

#include <string>

#include "platform/core/error.hpp"

namespace sanvp::topologies {

Graph with_planes(Graph plane, int planes) {
  Graph graph;
  graph.family = plane.family + " planes";
  graph.shape = {planes};
  graph.shape.insert(graph.shape.end(), plane.shape.begin(), plane.shape.end());
  graph.host_ports = planes;
  graph.has_planes = true;
  for (const Graph::Node& host : plane.hosts()) graph.add_host(host.name, host.coordinates, planes);
  for (int p = 0; p < planes; ++p)
    for (const Graph::Node& unit : plane.switches()) {
      std::vector<int> coordinates{p};
      coordinates.insert(coordinates.end(), unit.coordinates.begin(), unit.coordinates.end());
      graph.add_switch("plane " + std::to_string(p) + " " + unit.name, static_cast<int>(unit.link_at.size()),
                       std::move(coordinates));
    }
  for (int p = 0; p < planes; ++p) {
    const auto end = [&](End in_plane) {
      return in_plane.is_host() ? End::host(in_plane.index, p)
                                : End::switch_(p * plane.switch_count() + in_plane.index, in_plane.port);
    };
    for (const Link& link : plane.links())
      graph.connect(end(link.a), end(link.b), plane.link_classes()[link.link_class]);
  }
  graph.by_port = std::make_shared<const Graph>(std::move(plane));
  return graph;
}

Graph with_ports(Graph cards, int ports) {
  Graph graph;
  graph.family = cards.family;
  graph.shape = cards.shape;
  graph.host_ports = ports;
  for (int host = 0; host < cards.host_count() / ports; ++host)
    graph.add_host("host " + std::to_string(host), {host}, ports);
  for (const Graph::Node& unit : cards.switches())
    graph.add_switch(unit.name, static_cast<int>(unit.link_at.size()), unit.coordinates);
  const auto end = [&](End card) { return card.is_host() ? End::host(card.index / ports, card.index % ports) : card; };
  for (const Link& link : cards.links()) graph.connect(end(link.a), end(link.b), cards.link_classes()[link.link_class]);
  graph.by_port = std::make_shared<const Graph>(std::move(cards));
  return graph;
}

Graph network_of_port(const Graph& working, int port) {
  Graph graph = *working.by_port;
  const int first = working.has_planes ? port * graph.link_count() : 0;
  for (int link = 0; link < graph.link_count(); ++link)
    if (!working.plugged(first + link)) graph.unplug(link);
  return graph;
}

Failures failures_of_port(const Graph& graph, int port, const Failures& failures) {
  if (!graph.has_planes) return failures;
  const auto take = [port](const std::vector<int>& from, int size, std::vector<int>& to) {
    for (const int one : from)
      if (one / size == port) to.push_back(one % size);
  };
  Failures of_port;
  take(failures.links, graph.by_port->link_count(), of_port.links);
  take(failures.switches, graph.by_port->switch_count(), of_port.switches);
  return of_port;
}

}  // namespace sanvp::topologies
