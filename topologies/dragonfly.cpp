#include "topologies/dragonfly.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "topologies/limits.hpp"
#include "topologies/parts.hpp"
#include "topologies/unsuitable.hpp"

namespace sanvp::topologies {
namespace {

constexpr const char* family = "dragonfly";
constexpr std::size_t numbers_in_shape = 4;

const std::vector<std::string>& arrangements() {
  static const std::vector<std::string> names{"relative", "absolute", "circulant", "palm-tree"};
  return names;
}

}  // namespace

Dragonfly::Dragonfly(int hosts_per_switch, int switches_per_group, int global_cables, int groups,
                     const std::string& place, Arrangement arrangement)
    : hosts_per_switch_(hosts_per_switch),
      switches_per_group_(switches_per_group),
      global_cables_(global_cables),
      groups_(groups),
      arrangement_(arrangement) {
  const std::int64_t global_ports = std::int64_t{switches_per_group} * global_cables;
  if (groups == 0) groups_ = static_cast<int>(global_ports + 1);
  if (groups_ > 1 && global_ports < groups_ - 1)
    throw UserError(place,
                    "a group of " + std::to_string(switches_per_group) + " switches with " +
                        std::to_string(global_cables) + " global cables each cannot reach " +
                        std::to_string(groups_ - 1) + " other groups",
                    "use at most " + std::to_string(global_ports + 1) + " groups, or more global cables");
  if (std::int64_t{groups_} * switches_per_group * hosts_per_switch > most_hosts)
    throw UserError(place, "the network has more than " + std::to_string(most_hosts) + " hosts",
                    "choose smaller sizes");
  if (hosts_per_switch + switches_per_group - 1 + global_cables > most_ports)
    throw UserError(place, "the switches have more than " + std::to_string(most_ports) + " ports",
                    "use fewer hosts, switches in a group or global cables");
  cables_between_groups_ = groups_ > 1 ? static_cast<int>(global_ports / (groups_ - 1)) : 0;
}

Dragonfly Dragonfly::of(const Graph& graph, const std::string& reader) {
  if (graph.family != family || graph.shape.size() < numbers_in_shape)
    throw UnsuitableGraph(reader, "the topology '" + graph.family + "' is not a dragonfly",
                          "use it on topology dragonfly");
  const bool is_relative = graph.shape.size() == numbers_in_shape;
  return {
      graph.shape[0], graph.shape[1],
      graph.shape[2], graph.shape[3],
      reader,         is_relative ? Arrangement::relative : static_cast<Arrangement>(graph.shape[numbers_in_shape])};
}

int Dragonfly::local_port(int from, int to) const {
  const int number = to % switches_per_group_;
  return hosts_per_switch_ + (number < from % switches_per_group_ ? number : number - 1);
}

int Dragonfly::global_port_number(int from_group, int to_group, int cable) const {
  const int further_on = (to_group - from_group + groups_) % groups_;
  int port = further_on - 1;
  if (arrangement_ == Arrangement::absolute) port = to_group < from_group ? to_group : to_group - 1;
  if (arrangement_ == Arrangement::palm_tree) port = groups_ - further_on - 1;
  if (arrangement_ == Arrangement::circulant)
    port = 2 * further_on <= groups_ ? 2 * (further_on - 1) : 2 * (groups_ - further_on - 1) + 1;
  return cable * (groups_ - 1) + port;
}

Dragonfly::Gateway Dragonfly::gateway(int from_group, int to_group, int cable) const {
  const int near = global_port_number(from_group, to_group, cable);
  const int far = global_port_number(to_group, from_group, cable);
  return {.switch_ = from_group * switches_per_group_ + near / global_cables_,
          .port = hosts_per_switch_ + switches_per_group_ - 1 + near % global_cables_,
          .far_switch = to_group * switches_per_group_ + far / global_cables_};
}

Graph Dragonfly::graph() const {
  Graph graph;
  graph.family = family;
  graph.shape = {hosts_per_switch_, switches_per_group_, global_cables_, groups_};
  if (arrangement_ != Arrangement::relative) graph.shape.push_back(static_cast<int>(arrangement_));
  const int ports = hosts_per_switch_ + switches_per_group_ - 1 + global_cables_;
  for (int at = 0; at < switch_count(); ++at) {
    const int group = group_of(at);
    const int number = at % switches_per_group_;
    graph.add_switch("group " + std::to_string(group) + " switch " + std::to_string(number), ports, {group, number});
    for (int h = 0; h < hosts_per_switch_; ++h) {
      const int host = graph.add_host("host " + std::to_string(at * hosts_per_switch_ + h), {group, number, h});
      graph.connect(End::host(host), End::switch_(at, h), "host");
    }
  }
  for (int from = 0; from < switch_count(); ++from)
    for (int to = from + 1; group_of(from) == group_of(to) && to < switch_count(); ++to)
      graph.connect(End::switch_(from, local_port(from, to)), End::switch_(to, local_port(to, from)), "cable");
  for (int from = 0; from < groups_; ++from)
    for (int to = from + 1; to < groups_; ++to)
      for (int cable = 0; cable < cables_between_groups_; ++cable) {
        const Gateway there = gateway(from, to, cable);
        const Gateway back = gateway(to, from, cable);
        graph.connect(End::switch_(there.switch_, there.port), End::switch_(back.switch_, back.port), "global");
      }
  return graph;
}

static const Registration<TopologyPart> registration{
    {family, "groups of switches joined all to all, and every two groups by separate cables",
     [](const Parameters& parameters, std::uint64_t) {
       const char* source = "Kim et al., ISCA 2008, section 3 (72 hosts: figure 5)";
       const auto hosts = parameters.count("hosts_per_switch", 2, "hosts on each switch (p)", source, 1, most_ports);
       const auto switches =
           parameters.count("switches_per_group", 4, "switches of a group (a)", source, 1, most_ports);
       const auto cables =
           parameters.count("global_cables", 2, "cables of each switch to other groups (h)", source, 1, most_ports);
       const auto groups =
           parameters.count("groups", 0, "groups (g); 0: as many as can be joined, a * h + 1", source, 0, most_hosts);
       const std::string arrangement =
           parameters.choice("arrangement", "relative", arrangements(),
                             "to which groups the global cables of a group's switches lead, in order",
                             "Camarero et al., ACM TACO 11(4), 2014; Hastings et al., CLUSTER 2015");
       const auto number = std::ranges::find(arrangements(), arrangement) - arrangements().begin();
       return Dragonfly(static_cast<int>(hosts), static_cast<int>(switches), static_cast<int>(cables),
                        static_cast<int>(groups), parameters.place("groups"),
                        static_cast<Dragonfly::Arrangement>(number))
           .graph();
     }}};

}  // namespace sanvp::topologies
