/// A network as pure data: hosts, switches, and the cables between their ports. No simulation, no SystemC.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sanvp::topologies {

/// One end of a cable: a port of a host or of a switch. Hosts and switches each have their own numbers, from 0.
struct End {
  enum class Kind : std::uint8_t { none, host, switch_ };

  Kind kind = Kind::none;
  int index = -1;
  int port = -1;

  static End host(int index, int port = 0) { return {Kind::host, index, port}; }
  static End switch_(int index, int port) { return {Kind::switch_, index, port}; }

  bool is_host() const { return kind == Kind::host; }
  bool is_switch() const { return kind == Kind::switch_; }
  explicit operator bool() const { return kind != Kind::none; }
  auto operator<=>(const End&) const = default;
};

/// A bidirectional cable. It consists of two channels: 2*link from `a` to `b`, and 2*link+1 from `b` to `a`.
struct Link {
  End a;
  End b;
  int link_class = 0;  ///< index into Graph::link_classes(); the class sets the rate and the delay
};

/// Built with add_host, add_switch and connect, which throw UserError where a port is used twice or does not exist.
class Graph {
 public:
  struct Node {
    std::string name;
    std::vector<int> coordinates;  ///< set by the builder, which defines what they mean (level, row, column, layer...)
    std::vector<int> link_at;      ///< per port: link index, or -1 if no cable is plugged in
  };

  int add_host(std::string name, std::vector<int> coordinates = {}, int ports = 1);
  int add_switch(std::string name, int ports, std::vector<int> coordinates = {});
  /// @return the link's index
  int connect(End a, End b, const std::string& link_class = "link");
  /// Unplugs a cable at both ends. links() keeps its entry, so that the other links keep their numbers.
  void unplug(int link);
  /// Whether no cable has been unplugged, and whether a given one has not.
  bool whole() const { return unplugged_ == 0; }
  bool plugged(int link) const;
  /// Whether every two switches that the builder joined still have a cable between them.
  bool joined_as_built() const;

  /// Ports of each host. Host h is seen as several hosts by routings if it has more (host_ports.hpp).
  int host_ports = 1;
  /// Then: each port has a network of its own, a plane; else any port leads to all.
  bool has_planes = false;
  /// Then: one of the planes; or the whole, with a host for each port: port p of host h is host h * host_ports + p.
  std::shared_ptr<const Graph> by_port{};

  /// The builder's family ("fat_tree", "torus", ...) and sizes, for routings that compute routes from them.
  std::string family = "custom";
  std::vector<int> shape;

  const std::vector<Node>& hosts() const { return hosts_; }
  const std::vector<Node>& switches() const { return switches_; }
  const std::vector<Link>& links() const { return links_; }
  const std::vector<std::string>& link_classes() const { return link_classes_; }

  int host_count() const { return static_cast<int>(hosts_.size()); }
  int switch_count() const { return static_cast<int>(switches_.size()); }
  int link_count() const { return static_cast<int>(links_.size()); }
  int channel_count() const { return 2 * link_count(); }

  const Node& node(End end) const;
  /// The other end of the cable plugged in at `end`; an empty End where there is no cable or no such port.
  End peer(End end) const;
  /// The channel that leaves `end`, or -1.
  int channel_from(End end) const;
  End channel_source(int channel) const;
  End channel_target(int channel) const;

  /// "switch name.port" or "host name", for messages.
  std::string describe(End end) const;
  /// "from -> to", for messages.
  std::string describe_channel(int channel) const;

 private:
  Node* find(End end);

  std::vector<Node> hosts_;
  std::vector<Node> switches_;
  std::vector<Link> links_;
  std::vector<std::string> link_classes_;
  int unplugged_ = 0;
};

}  // namespace sanvp::topologies
