#include "models/nic/elan3/path_routes.hpp"

#include <algorithm>

namespace sanvp::nic::elan3 {
namespace {

using topologies::End;
using topologies::Route;
using topologies::Step;

/// Whether `permitted` uses the same ports as `steps`.
bool permits(const Route& permitted, const std::vector<Step>& steps) {
  return std::ranges::equal(permitted.steps, steps, [](const Step& group, const Step& one) {
    return one.port >= group.port && one.port < group.port + group.ports;
  });
}

void take_virtual_channels(const Route& from, Route& to) {
  to.source_vc = from.source_vc;
  for (std::size_t i = 0; i < to.steps.size(); ++i) {
    to.steps[i].vc = from.steps[i].vc;
    to.steps[i].vcs = from.steps[i].vcs;
  }
}

}  // namespace

std::unique_ptr<Way> path_way(const RouteNetwork& network, int source, const std::vector<RouteElement>& elements) {
  auto way = std::make_unique<Way>();
  End at = network.graph.peer(End::host(source));
  for (const RouteElement& element : elements) {
    if (element.kind != RouteElement::Kind::port || !at.is_switch()) return nullptr;
    way->route.steps.push_back({.port = element.bottom});
    at = network.graph.peer(End::switch_(at.index, element.bottom));
  }
  if (!at.is_host()) return nullptr;
  way->destination = at.index;

  Route route;
  const int alternatives = at.index == source ? 0 : network.routing.alternatives(source, at.index);
  for (int i = 0; i < alternatives; ++i) {
    network.routing.route(source, at.index, i, route);
    if (!permits(route, way->route.steps)) continue;
    take_virtual_channels(route, way->route);
    break;
  }
  return way;
}

}  // namespace sanvp::nic::elan3
