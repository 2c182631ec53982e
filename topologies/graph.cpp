#include "topologies/graph.hpp"

#include <algorithm>

#include "platform/core/error.hpp"
#include "topologies/limits.hpp"

namespace sanvp::topologies {

int Graph::add_host(std::string name, std::vector<int> coordinates, int ports) {
  hosts_.push_back({std::move(name), std::move(coordinates), std::vector<int>(ports, -1)});
  return host_count() - 1;
}

int Graph::add_switch(std::string name, int ports, std::vector<int> coordinates) {
  switches_.push_back({std::move(name), std::move(coordinates), std::vector<int>(ports, -1)});
  return switch_count() - 1;
}

int Graph::connect(End a, End b, const std::string& link_class) {
  if (link_count() == most_links)
    throw UserError("topology", "the network has more than " + std::to_string(most_links) + " cables",
                    "choose smaller sizes");
  if (a == b) throw UserError(describe(a), "a port cannot be cabled to itself", "name two different ports");
  for (const End end : {a, b}) {
    Node* node = find(end);
    if (node == nullptr || end.port < 0 || end.port >= static_cast<int>(node->link_at.size()))
      throw UserError(describe(end), "there is no such port",
                      node == nullptr ? "add the node before its cables"
                                      : "ports go from 0 to " + std::to_string(node->link_at.size() - 1));
    if (node->link_at[end.port] >= 0)
      throw UserError(describe(end), "the port is already cabled to " + describe(peer(end)), "use a free port");
  }
  auto known = std::find(link_classes_.begin(), link_classes_.end(), link_class);
  if (known == link_classes_.end()) known = link_classes_.insert(known, link_class);
  links_.push_back({a, b, static_cast<int>(known - link_classes_.begin())});
  const int link = link_count() - 1;
  for (const End end : {a, b}) find(end)->link_at[end.port] = link;
  return link;
}

void Graph::unplug(int link) {
  if (!plugged(link)) return;
  ++unplugged_;
  for (const End end : {links_.at(link).a, links_.at(link).b}) find(end)->link_at[end.port] = -1;
}

bool Graph::plugged(int link) const {
  const End end = links_.at(link).a;
  return node(end).link_at[end.port] == link;
}

bool Graph::joined_as_built() const {
  if (whole()) return true;
  for (int link = 0; link < link_count(); ++link) {
    const Link& cable = links_[link];
    if (plugged(link) || !cable.a.is_switch() || !cable.b.is_switch()) continue;
    const auto& beside = switches_[cable.a.index].link_at;
    const bool joined = std::ranges::any_of(beside, [&](int other) {
      return other >= 0 && (links_[other].a.is_switch() && links_[other].b.is_switch()) &&
             links_[other].a.index + links_[other].b.index == cable.a.index + cable.b.index;
    });
    if (!joined) return false;
  }
  return true;
}

Graph::Node* Graph::find(End end) {
  auto& nodes = end.is_host() ? hosts_ : switches_;
  return end && end.index >= 0 && end.index < static_cast<int>(nodes.size()) ? &nodes[end.index] : nullptr;
}

const Graph::Node& Graph::node(End end) const { return (end.is_host() ? hosts_ : switches_).at(end.index); }

End Graph::peer(End end) const {
  const int channel = channel_from(end);
  return channel < 0 ? End{} : channel_target(channel);
}

int Graph::channel_from(End end) const {
  const auto& nodes = end.is_host() ? hosts_ : switches_;
  if (!end || end.index < 0 || end.index >= static_cast<int>(nodes.size())) return -1;
  const auto& link_at = nodes[end.index].link_at;
  if (end.port < 0 || end.port >= static_cast<int>(link_at.size()) || link_at[end.port] < 0) return -1;
  const int link = link_at[end.port];
  return 2 * link + (links_[link].a == end ? 0 : 1);
}

End Graph::channel_source(int channel) const {
  const Link& link = links_.at(channel / 2);
  return channel % 2 == 0 ? link.a : link.b;
}

End Graph::channel_target(int channel) const {
  const Link& link = links_.at(channel / 2);
  return channel % 2 == 0 ? link.b : link.a;
}

std::string Graph::describe(End end) const {
  if (!end) return "nothing";
  const auto& nodes = end.is_host() ? hosts_ : switches_;
  const bool known = end.index >= 0 && end.index < static_cast<int>(nodes.size());
  const std::string name =
      known ? nodes[end.index].name : (end.is_host() ? "host " : "switch ") + std::to_string(end.index);
  return end.is_host() && end.port == 0 ? name : name + " port " + std::to_string(end.port);
}

std::string Graph::describe_channel(int channel) const {
  return describe(channel_source(channel)) + " -> " + describe(channel_target(channel));
}

}  // namespace sanvp::topologies
