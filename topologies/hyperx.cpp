#include "topologies/hyperx.hpp"

#include <algorithm>
#include <cstdint>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "topologies/lattice.hpp"
#include "topologies/limits.hpp"
#include "topologies/parts.hpp"
#include "topologies/unsuitable.hpp"

namespace sanvp::topologies {
namespace {

constexpr const char* family = "hyperx";
constexpr std::size_t numbers_before_sizes = 2;

}  // namespace

HyperX::HyperX(std::vector<int> sizes, int hosts_per_switch, int cables, const std::string& place)
    : sizes_(std::move(sizes)), strides_(sizes_.size(), 1), hosts_per_switch_(hosts_per_switch), cables_(cables) {
  std::int64_t switches = 1;
  std::int64_t ports = hosts_per_switch;
  for (const int size : sizes_) {
    first_port_.push_back(static_cast<int>(ports));
    switches *= size;
    ports += std::int64_t{size - 1} * cables;
    if (switches * hosts_per_switch > most_hosts)
      throw UserError(place, "the network has more than " + std::to_string(most_hosts) + " hosts",
                      "choose smaller sizes");
    if (ports > most_ports)
      throw UserError(place, "the switches have more than " + std::to_string(most_ports) + " ports",
                      "use smaller axes, or fewer hosts per switch or cables");
  }
  switch_count_ = static_cast<int>(switches);
  ports_ = static_cast<int>(ports);
  for (int axis = axes() - 2; axis >= 0; --axis) strides_[axis] = strides_[axis + 1] * sizes_[axis + 1];
}

HyperX HyperX::of(const Graph& graph, const std::string& reader) {
  if (graph.family != family || graph.shape.size() <= numbers_before_sizes)
    throw UnsuitableGraph(reader, "the topology '" + graph.family + "' is not a HyperX", "use it on topology hyperx");
  return {std::vector<int>(graph.shape.begin() + numbers_before_sizes, graph.shape.end()), graph.shape[0],
          graph.shape[1], reader};
}

int HyperX::port(int switch_, int axis, int to) const {
  const int number = to < coordinate(switch_, axis) ? to : to - 1;
  return first_port_[axis] + number * cables_;
}

Graph HyperX::graph() const {
  Graph graph;
  graph.family = family;
  graph.shape = {hosts_per_switch_, cables_};
  graph.shape.insert(graph.shape.end(), sizes_.begin(), sizes_.end());
  for (int at = 0; at < switch_count_; ++at) {
    std::string name = "switch";
    std::vector<int> coordinates;
    for (int axis = 0; axis < axes(); ++axis) {
      coordinates.push_back(coordinate(at, axis));
      name += (axis == 0 ? " " : ".") + std::to_string(coordinates.back());
    }
    graph.add_switch(std::move(name), ports_, coordinates);
    for (int h = 0; h < hosts_per_switch_; ++h) {
      const int host = graph.add_host("host " + std::to_string(at * hosts_per_switch_ + h), coordinates);
      graph.connect(End::host(host), End::switch_(at, h), "host");
    }
  }
  for (int from = 0; from < switch_count_; ++from)
    for (int axis = 0; axis < axes(); ++axis)
      for (int to = coordinate(from, axis) + 1; to < sizes_[axis]; ++to) {
        const int other = moved(from, axis, to);
        for (int cable = 0; cable < cables_; ++cable)
          graph.connect(End::switch_(from, port(from, axis, to) + cable),
                        End::switch_(other, port(other, axis, coordinate(from, axis)) + cable), "cable");
      }
  return graph;
}

static const Registration<TopologyPart> registration{
    {family, "switches at the points of a box, each joined to all others of its rows (flattened butterfly, hypercube)",
     [](const Parameters& parameters, std::uint64_t) {
       const char* source = "Ahn et al., SC 2009, section 2";
       const std::string sizes = parameters.text("sizes", "4x4", "switches along each axis", source);
       const auto hosts = parameters.count("hosts_per_switch", 4, "hosts on each switch (T)", source, 1, most_ports);
       const auto cables =
           parameters.count("cables", 1, "cables between two switches of a row (K)", source, 1, most_ports);
       const std::string place = parameters.place("sizes");
       return HyperX(parse_sizes(sizes, place), static_cast<int>(hosts), static_cast<int>(cables), place).graph();
     }}};

}  // namespace sanvp::topologies
