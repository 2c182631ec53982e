#include "models/nic/tofu/one_path.hpp"

#include <algorithm>

namespace sanvp::nic::tofu {
namespace {

using topologies::End;
using topologies::Graph;
using topologies::Route;
using topologies::Step;

int working_port(const Graph& working, int at, const Step& step, int turn) {
  for (int i = 0; i < step.ports; ++i) {
    const int port = step.port + (turn + i) % step.ports;
    if (working.peer(End::switch_(at, port))) return port;
  }
  return step.port;
}

void choose_ports(const Graph& working, int source, int turn, Route& route) {
  End at = working.peer(End::host(source));
  for (Step& step : route.steps) {
    if (!at.is_switch()) return;
    step.port = static_cast<std::uint16_t>(working_port(working, at.index, step, turn));
    step.ports = 1;
    step.preferred = 0;
    at = working.peer(End::switch_(at.index, step.port));
  }
}

}  // namespace

void keep_to_one_path(const Graph& working, int source, int turn, Route& route) {
  if (route.has_choice()) {
    route.steps.resize(route.second);
    route.second = 0;
  }
  if (std::ranges::any_of(route.steps, [](const Step& step) { return step.ports > 1; }))
    choose_ports(working, source, turn, route);
  if (route.source_vc == Step::any_vc) route.source_vc = 0;
  for (std::size_t i = 0; i + 1 < route.steps.size(); ++i) {
    if (route.steps[i].vc == Step::any_vc) route.steps[i].vc = 0;
    route.steps[i].vcs = 1;
  }
}

}  // namespace sanvp::nic::tofu
