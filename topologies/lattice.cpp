#include "topologies/lattice.hpp"

#include <algorithm>
#include <cstdlib>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/text.hpp"
#include "topologies/limits.hpp"
#include "topologies/unsuitable.hpp"

namespace sanvp::topologies {

namespace {

/// Numbers per axis in Graph::shape, which holds all sizes first, then all kinds, cables and names (letters), and last
/// the hosts per switch.
constexpr int numbers_per_axis = 4;
constexpr char names_of_three[] = "xyz";
constexpr char names_of_many[] = "abcdefghijklmnopqrstuvwxyz";
constexpr int most_axes = sizeof names_of_many - 1;

std::string axis_names(int count) {
  std::string names(count <= static_cast<int>(sizeof names_of_three) - 1 ? names_of_three : names_of_many, count);
  std::reverse(names.begin(), names.end());
  return names;
}

int groups(const Axis& axis) { return axis.size == 1 ? 0 : axis.kind == Axis::Kind::pair ? 1 : 2; }

void require(bool holds, const std::string& place, const std::string& cause, const std::string& cure) {
  if (!holds) throw UserError(place, cause, cure);
}

}  // namespace

Lattice::Lattice(std::string family, std::vector<Axis> axes, int hosts_per_switch, const std::string& place)
    : family_(std::move(family)), axes_(std::move(axes)), hosts_per_switch_(hosts_per_switch) {
  require(!axes_.empty() && axes_.size() <= most_axes, place, "it has " + std::to_string(axes_.size()) + " axes",
          "give from 1 to " + std::to_string(most_axes) + " sizes");
  require(hosts_per_switch >= 1, place, "a switch has no host", "give at least one host per switch");
  std::int64_t switches = 1;
  std::int64_t ports = hosts_per_switch;
  for (const Axis& axis : axes_) {
    const std::string name = std::string("axis ") + axis.name;
    require(axis.size >= 1, place, name + " has size " + std::to_string(axis.size), "give at least 1");
    require(axis.cables >= 1, place, name + " has no cables", "give at least one cable per direction");
    require(axis.kind != Axis::Kind::pair || axis.size <= 2, place, name + " is a pair of more than two points",
            "use a chain or a ring");
    switches *= axis.size;
    ports += std::int64_t{groups(axis)} * axis.cables;
    require(switches * hosts_per_switch_ <= most_hosts, place,
            "the network has more than " + std::to_string(most_hosts) + " hosts", "choose smaller sizes");
    require(ports <= most_ports, place, "the switches have more than " + std::to_string(most_ports) + " ports",
            "use fewer hosts per switch or cables per direction");
  }
  switch_count_ = static_cast<int>(switches);

  strides_.assign(axes_.size(), 1);
  for (int i = axis_count() - 2; i >= 0; --i) strides_[i] = strides_[i + 1] * axes_[i + 1].size;
  ports_ = hosts_per_switch_;
  for (const Axis& axis : axes_) {
    first_port_.push_back(ports_);
    first_port_.push_back(groups(axis) == 2 ? ports_ + axis.cables : ports_);
    ports_ += groups(axis) * axis.cables;
  }
  coordinates_.reserve(switch_count_ * axes_.size());
  for (int s = 0; s < switch_count_; ++s)
    for (int i = 0; i < axis_count(); ++i) coordinates_.push_back(s / strides_[i] % axes_[i].size);
}

Lattice Lattice::of(const Graph& graph, const std::string& reader) {
  const std::vector<int>& shape = graph.shape;
  const auto count = shape.size() / numbers_per_axis;
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < count; ++i)
    axes.push_back({static_cast<char>(shape[3 * count + i]), shape[i], static_cast<Axis::Kind>(shape[count + i]),
                    shape[2 * count + i]});
  // The shapes of other families hold other numbers: no letters at the positions of a lattice's names.
  const bool named = std::all_of(axes.begin(), axes.end(), [](const Axis& axis) {
    return axis.name >= 'a' && axis.name <= 'z' && axis.kind >= Axis::Kind::chain && axis.kind <= Axis::Kind::pair;
  });
  if (!named || count == 0 || shape.size() % numbers_per_axis != 1)
    throw UnsuitableGraph(reader, "the topology '" + graph.family + "' has no axes",
                          "use it on a grid, torus, processor_grid or tofu");
  Lattice lattice(graph.family, std::move(axes), shape.back(), reader);
  require(lattice.switch_count() == graph.switch_count() &&
              lattice.switch_count() * lattice.hosts_per_switch() == graph.host_count(),
          reader, "the topology '" + graph.family + "' is not what its shape says", "build it by its own builder");
  return lattice;
}

int Lattice::axis(char name) const {
  const auto found = std::find_if(axes_.begin(), axes_.end(), [name](const Axis& axis) { return axis.name == name; });
  return found == axes_.end() ? -1 : static_cast<int>(found - axes_.begin());
}

int Lattice::neighbour(int switch_, int axis, Run::Way way) const {
  const auto& [name, size, kind, cables] = axes_[axis];
  const int step = way == Run::Way::up ? 1 : -1;
  int target = coordinate(switch_, axis) + step;
  if (target < 0 || target >= size) {
    if (kind != Axis::Kind::ring || size == 1) return -1;
    target -= step * size;
  }
  return switch_ + (target - coordinate(switch_, axis)) * strides_[axis];
}

bool Lattice::joined(const Graph& working, int cables_needed) const {
  for (int at = 0; at < switch_count_; ++at)
    for (int axis = 0; axis < axis_count(); ++axis)
      for (const Run::Way way : {Run::Way::up, Run::Way::down}) {
        if (neighbour(at, axis, way) < 0) continue;
        int working_cables = 0;
        for (int cable = 0; cable < axes_[axis].cables; ++cable)
          working_cables += working.peer(End::switch_(at, port(axis, way) + cable)) ? 1 : 0;
        if (working_cables < std::min(cables_needed, axes_[axis].cables)) return false;
      }
  return true;
}

Run Lattice::run(int axis, int from, int to, Wrap wrap, Run::Way tie) const {
  const int size = axes_[axis].size;
  const Run::Way direct = from <= to ? Run::Way::up : Run::Way::down;
  const int hops = std::abs(to - from);
  const int hops_around = size - hops;
  // Hops from `from` to the end of the axis at which the opposite direction crosses the wrap cable.
  const int before_wrap = direct == Run::Way::up ? from : size - 1 - from;
  const bool may_wrap = axes_[axis].kind == Axis::Kind::ring && hops > 0 &&
                        (wrap == Wrap::shortest || (wrap == Wrap::first_hop && before_wrap == 0));
  if (may_wrap && (hops_around < hops || (hops_around == hops && tie != direct)))
    return {direct == Run::Way::up ? Run::Way::down : Run::Way::up, hops_around, before_wrap};
  return {direct, hops, hops};
}

Graph Lattice::graph() const {
  Graph graph;
  graph.family = family_;
  for (const Axis& axis : axes_) graph.shape.push_back(axis.size);
  for (const Axis& axis : axes_) graph.shape.push_back(static_cast<int>(axis.kind));
  for (const Axis& axis : axes_) graph.shape.push_back(axis.cables);
  for (const Axis& axis : axes_) graph.shape.push_back(axis.name);
  graph.shape.push_back(hosts_per_switch_);

  for (int s = 0; s < switch_count_; ++s) {
    std::string name = "switch ";
    std::vector<int> coordinates;
    for (int i = 0; i < axis_count(); ++i) {
      name += axes_[i].name + std::to_string(coordinate(s, i));
      coordinates.push_back(coordinate(s, i));
    }
    for (int h = 0; h < hosts_per_switch_; ++h)
      graph.add_host("host " + std::to_string(s * hosts_per_switch_ + h), coordinates);
    graph.add_switch(std::move(name), ports_, std::move(coordinates));
  }
  for (int host = 0; host < graph.host_count(); ++host)
    graph.connect(End::host(host), End::switch_(switch_of(host), host_port(host)), "host");
  for (int s = 0; s < switch_count_; ++s)
    for (int i = 0; i < axis_count(); ++i) {
      const int other = neighbour(s, i, Run::Way::up);
      if (other < 0) continue;
      for (int cable = 0; cable < axes_[i].cables; ++cable)
        graph.connect(End::switch_(s, port(i, Run::Way::up) + cable),
                      End::switch_(other, port(i, Run::Way::down) + cable), "cable");
    }
  return graph;
}

std::string Lattice::port_name(int port) const {
  if (port < hosts_per_switch_) return "host " + std::to_string(port);
  for (int i = 0; i < axis_count(); ++i) {
    const Axis& axis = axes_[i];
    const int offset = port - this->port(i, Run::Way::up);
    if (offset < 0 || offset >= groups(axis) * axis.cables) continue;
    const char* way = groups(axis) == 1 ? "" : offset < axis.cables ? "+" : "-";
    return axis.name + std::string(way) + " cable " + std::to_string(offset % axis.cables);
  }
  return "port " + std::to_string(port);
}

std::vector<Axis> make_axes(const std::vector<int>& sizes, Axis::Kind kind, int cables) {
  const int count = std::min<int>(static_cast<int>(sizes.size()), most_axes);
  const std::string names = axis_names(count);
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < sizes.size(); ++i) axes.push_back({names[i % count], sizes[i], kind, cables});
  return axes;
}

std::vector<int> parse_sizes(const std::string& text, const std::string& place) {
  std::vector<int> sizes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const std::int64_t size = parse_count(text.substr(begin, end - begin), place);
    require(size >= 1 && size <= most_hosts, place, in_quotes(text) + " has a size out of range",
            "sizes go from 1 to " + std::to_string(most_hosts));
    sizes.push_back(static_cast<int>(size));
    begin = end + 1;
  }
  return sizes;
}

}  // namespace sanvp::topologies
