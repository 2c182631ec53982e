#include "models/nic/elan3/routes.hpp"

#include <algorithm>
#include <cassert>
#include <optional>

#include "models/nic/elan3/path_routes.hpp"
#include "topologies/fat_tree.hpp"
#include "topologies/routing/fat_tree_broadcast.hpp"
#include "topologies/routing/tree_steps.hpp"

namespace sanvp::nic::elan3 {
namespace {

using Kind = RouteElement::Kind;

constexpr std::size_t nibbles_per_flit = 4;
constexpr std::uint32_t elite_ports = 8;      // QsNET paper 2.2
constexpr std::uint32_t default_timeout = 3;  // FACTS 1.1, output timeout select

/// The nibbles of flits 1 and following, in order.
class Nibbles {
 public:
  Nibbles(const RouteFlits& record, std::size_t next)
      : record_(record), next_(next), end_(nibbles_per_flit * flits()) {}

  bool empty() const { return next_ == end_; }
  /// 0, which has no meaning, at the end.
  std::uint32_t take() { return empty() ? 0 : at(next_++); }
  bool padded() const {
    for (std::size_t i = 0; i < next_; ++i)
      if (at(i) == 0) return false;
    return true;
  }

 private:
  std::size_t flits() const { return static_cast<std::size_t>(route_flits(record_)) - 1; }
  std::uint32_t at(std::size_t i) const {
    return record_.flits[1 + i / nibbles_per_flit] >> (i % nibbles_per_flit * 4) & 0xfu;
  }

  const RouteFlits& record_;
  std::size_t next_;
  std::size_t end_;
};

RouteElement port(std::uint32_t number) { return {Kind::port, static_cast<std::uint8_t>(number), 0}; }
RouteElement range(std::uint32_t bottom, std::uint32_t top) {
  return {Kind::range, static_cast<std::uint8_t>(bottom), static_cast<std::uint8_t>(top)};
}

std::optional<RouteElement> first_element(std::uint16_t flit) {
  const std::uint32_t code = flit & E3_ELEMENT_MASK;
  if (code >= E3_ELEMENT_RANGE(0, 0)) return range(code & 7u, code >> 3 & 7u);
  if (code < elite_ports) return port(code);
  switch (code) {
    case E3_ELEMENT_ADAPTIVE:
      return RouteElement{Kind::adaptive};
    case E3_ELEMENT_TREE_UP:
      return RouteElement{Kind::tree_up};
    case E3_ELEMENT_MY_LINK:
      return RouteElement{Kind::my_link};
    default:
      return {};
  }
}

std::optional<RouteElement> next_element(Nibbles& nibbles) {
  const std::uint32_t nibble = nibbles.take();
  if ((nibble & 8u) != 0) return port(nibble & 7u);
  if ((nibble & 4u) != 0) {
    if (nibbles.empty()) return {};
    const std::uint32_t second = nibbles.take();
    return range((nibble & 3u) | (second & 1u) << 2, second >> 1);
  }
  switch (nibble) {
    case E3_NIBBLE_ADAPTIVE:
      return RouteElement{Kind::adaptive};
    case E3_NIBBLE_TREE_UP:
      return RouteElement{Kind::tree_up};
    case E3_NIBBLE_MY_LINK:
      return RouteElement{Kind::my_link};
    default:
      return {};
  }
}

/// Follows a packet while its route elements are consumed: the switches in which it may be, by level, and the hosts
/// that are still below. It makes no difference which of a level's replicas an adaptive ascent reaches (kary_tree.hpp).
class Walk {
 public:
  Walk(const topologies::KaryTree& tree, int source) : tree_(tree), source_(source) {}

  /// @return false if the element is invalid at this position
  bool take(const RouteElement& element) {
    if (level_ < 0) return false;  // already at a host
    switch (element.kind) {
      case Kind::adaptive:
        return climb({.port = up(0), .ports = static_cast<std::uint16_t>(ups())});
      case Kind::tree_up:
        return climb({.port = up(0)});
      case Kind::my_link:
        return !descending_ && descend(digit(source_, level_), digit(source_, level_));
      case Kind::port:
        if (element.bottom < tree_.arity) return ranges_ == 0 && descend(element.bottom, element.bottom);
        return element.bottom < tree_.arity + ups() && climb({.port = up(element.bottom - tree_.arity)});
      case Kind::range:
        ++ranges_;
        return descend(element.bottom, element.top);
    }
    return false;
  }

  /// The complete path; null if it does not end at a host, or has no first or no last host.
  std::unique_ptr<Way> way() {
    if (level_ >= 0 || low_ > high_) return nullptr;
    auto way = std::make_unique<Way>();
    // The route does not say which of the permitted ports is preferred: that is by destination, as in
    // fat_tree_adaptive.
    for (std::size_t i = 0; i < up_.size(); ++i)
      if (up_[i].ports > 1) up_[i].preferred = static_cast<std::uint16_t>(tree_.spread(low_, static_cast<int>(i)));
    way->route.steps = std::move(up_);
    way->route.steps.insert(way->route.steps.end(), down_.begin(), down_.end());
    way->destination = low_;
    way->branches = high_ - low_ + 1;
    if (ranges_ > 0) {
      const topologies::BroadcastRoute broadcast{tree_, source_, low_, high_, 0};
      way->descends = true;
      way->descend = [broadcast](int switch_) {
        const topologies::Step copies = broadcast.descend_range(switch_);
        return std::pair<int, int>{copies.port, copies.ports};
      };
    }
    return way;
  }

 private:
  int digit(int host, int level) const { return host / tree_.hosts_below(level - 1) % tree_.arity; }
  int ups() const { return tree_.up_links(level_); }
  std::uint16_t up(int port) const { return static_cast<std::uint16_t>(tree_.arity + port); }

  bool climb(const topologies::Step& step) {
    if (descending_ || level_ == tree_.levels - 1) return false;
    up_.push_back(step);
    ++level_;
    return true;
  }

  bool descend(int first, int last) {
    const int ports = level_ == tree_.levels - 1 ? tree_.top_arity : tree_.arity;
    if (first >= ports || last >= ports) return false;
    if (!descending_) {
      const int below = tree_.hosts_below(level_);
      low_ = high_ = source_ / below * below;
      descending_ = true;
    }
    const int below = tree_.hosts_below(level_ - 1);
    low_ += first * below;
    high_ += last * below;
    if (ranges_ == 0) down_.push_back({.port = static_cast<std::uint16_t>(first)});
    --level_;
    return true;
  }

  const topologies::KaryTree& tree_;
  int source_;
  int level_ = 0;  // of its current switch; -1: at a host
  bool descending_ = false;
  int ranges_ = 0;
  int low_ = 0, high_ = 0;
  std::vector<topologies::Step> up_, down_;
};

/// Sets the fields of the record other than the path itself.
void finish(Way& way, const RouteFlits& record) {
  way.priority = (record.flits[0] & E3_FLIT0_PRIORITY) != 0 ? 1 : 0;
  way.flits = route_flits(record);
}

std::vector<RouteElement> parse_wide_route(const RouteFlits& record) {
  std::vector<RouteElement> elements;
  for (std::size_t i = 0; i < E3_WIDE_HOPS; ++i) {
    const unsigned byte = record.flits[1 + i / 2] >> (i % 2 * 8) & 0xffu;
    if (byte == 0) break;
    elements.push_back(port(byte - 1));
  }
  return elements;
}

}  // namespace

RouteNetwork RouteNetwork::of(const topologies::Graph& graph, const topologies::Routing& routing) {
  return {.tree = topologies::is_fat_tree(graph) ? std::optional(topologies::fat_tree_geometry(graph)) : std::nullopt,
          .graph = graph,
          .routing = routing};
}

RouteFlits small_route(std::uint64_t entry) {
  RouteFlits record;
  for (std::size_t i = 0; i < E3_ROUTE_SMALL_FLITS; ++i) record.flits[i] = static_cast<std::uint16_t>(entry >> 16 * i);
  return record;
}

int route_flits(const RouteFlits& record) {
  int flits = 1;
  while (flits < static_cast<int>(E3_ROUTE_FLITS) && record.flits[static_cast<std::size_t>(flits)] != 0) ++flits;
  return flits;
}

std::vector<RouteElement> parse_route(const RouteFlits& record) {
  if ((record.flits[0] & E3_ELEMENT_MASK) == E3_ELEMENT_WIDE) return parse_wide_route(record);
  Nibbles nibbles(record, route_flits(record) == 1 ? 0 : record.flits[0] >> E3_FLIT0_FIRST_SHIFT & 3u);
  if (!nibbles.padded()) return {};
  std::vector<RouteElement> elements;
  for (std::optional<RouteElement> element = first_element(record.flits[0]);; element = next_element(nibbles)) {
    if (!element) return {};
    elements.push_back(*element);
    if (nibbles.empty()) return elements;
  }
}

std::unique_ptr<const Way> decode_route(const topologies::KaryTree& tree, int source, const RouteFlits& record) {
  Walk walk(tree, source);
  for (const RouteElement& element : parse_route(record))
    if (!walk.take(element)) return nullptr;
  auto way = walk.way();
  if (way != nullptr) finish(*way, record);
  return way;
}

std::unique_ptr<const Way> decode_route(const RouteNetwork& network, int source, const RouteFlits& record) {
  if (network.tree)
    if (auto way = decode_route(*network.tree, source, record)) return way;
  auto way = path_way(network, source, parse_route(record));
  if (way != nullptr) finish(*way, record);
  return way;
}

const Way* Routes::find(const RouteFlits& flits) {
  const auto [found, is_new] = ways_.try_emplace(flits);
  if (is_new) found->second = decode_route(network_, source_, flits);
  return found->second.get();
}

std::size_t Routes::Hash::operator()(const RouteFlits& record) const {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ull;  // 2^64 / golden ratio: spreads neighbours
  std::uint64_t hash = 0;
  for (const std::uint16_t flit : record.flits) hash = (hash ^ flit) * odd;
  return hash ^ hash >> 32;
}

RouteFlits encode_route(std::span<const RouteElement> elements, bool high_priority) {
  assert(!elements.empty());
  std::vector<std::uint32_t> nibbles;
  for (const RouteElement& element : elements.subspan(1)) switch (element.kind) {
      case Kind::adaptive:
        nibbles.push_back(E3_NIBBLE_ADAPTIVE);
        break;
      case Kind::tree_up:
        nibbles.push_back(E3_NIBBLE_TREE_UP);
        break;
      case Kind::my_link:
        nibbles.push_back(E3_NIBBLE_MY_LINK);
        break;
      case Kind::port:
        nibbles.push_back(E3_NIBBLE_PORT(element.bottom));
        break;
      case Kind::range:
        nibbles.push_back(E3_NIBBLE_RANGE_FIRST(element.bottom));
        nibbles.push_back(E3_NIBBLE_RANGE_SECOND(element.top, element.bottom));
    }
  const std::size_t pads = (nibbles_per_flit - nibbles.size() % nibbles_per_flit) % nibbles_per_flit;
  nibbles.insert(nibbles.begin(), pads, E3_NIBBLE_PAD);
  assert(nibbles.size() <= (E3_ROUTE_FLITS - 1) * nibbles_per_flit);

  const RouteElement& first = elements.front();
  const std::uint32_t code = first.kind == Kind::adaptive  ? E3_ELEMENT_ADAPTIVE
                             : first.kind == Kind::tree_up ? E3_ELEMENT_TREE_UP
                             : first.kind == Kind::my_link ? E3_ELEMENT_MY_LINK
                             : first.kind == Kind::range   ? E3_ELEMENT_RANGE(std::uint32_t{first.top}, first.bottom)
                                                           : E3_ELEMENT_PORT(std::uint32_t{first.bottom});
  RouteFlits record;
  record.flits[0] =
      static_cast<std::uint16_t>(code | (nibbles.empty() ? 0 : pads) << E3_FLIT0_FIRST_SHIFT |
                                 default_timeout << E3_FLIT0_TIMEOUT_SHIFT | (high_priority ? E3_FLIT0_PRIORITY : 0));
  for (std::size_t i = 0; i < nibbles.size(); ++i) {
    std::uint16_t& flit = record.flits[1 + i / nibbles_per_flit];
    flit = static_cast<std::uint16_t>(flit | nibbles[i] << i % nibbles_per_flit * 4);
  }
  return record;
}

RouteFlits encode_wide_route(std::span<const std::uint8_t> ports) {
  assert(!ports.empty() && ports.size() <= E3_WIDE_HOPS);
  RouteFlits record;
  record.flits[0] = static_cast<std::uint16_t>(E3_ELEMENT_WIDE | default_timeout << E3_FLIT0_TIMEOUT_SHIFT);
  for (std::size_t i = 0; i < ports.size(); ++i) {
    std::uint16_t& flit = record.flits[1 + i / 2];
    flit = static_cast<std::uint16_t>(flit | (ports[i] + 1u) << i % 2 * 8);
  }
  return record;
}

RouteFlits encode_unicast(const topologies::KaryTree& tree, int source, int destination) {
  const int top = tree.nca_level(source, destination);
  std::vector<RouteElement> elements(static_cast<std::size_t>(top), RouteElement{Kind::adaptive});
  for (int level = top; level >= 0; --level)
    elements.push_back(port(static_cast<std::uint32_t>(destination / tree.hosts_below(level - 1) % tree.arity)));
  return encode_route(elements);
}

RouteFlits encode_broadcast(const topologies::KaryTree& tree, int source, int low, int high) {
  const int top = std::max(tree.nca_level(source, low), tree.nca_level(source, high));
  std::vector<RouteElement> elements(static_cast<std::size_t>(top), RouteElement{Kind::tree_up});
  for (int level = top; level >= 0; --level) {
    const int below = tree.hosts_below(level - 1);
    elements.push_back(range(static_cast<std::uint32_t>(low / below % tree.arity),
                             static_cast<std::uint32_t>(high / below % tree.arity)));
  }
  return encode_route(elements);
}

std::uint64_t small_entry(const RouteFlits& record, std::uint32_t context) {
  assert(route_flits(record) <= static_cast<int>(E3_ROUTE_SMALL_FLITS));
  std::uint64_t entry = E3_ROUTE_VALID | static_cast<std::uint64_t>(context) << E3_ROUTE_CONTEXT_SHIFT;
  for (std::size_t i = 0; i < E3_ROUTE_SMALL_FLITS; ++i) entry |= std::uint64_t{record.flits[i]} << 16 * i;
  return entry;
}

std::uint64_t pointer_entry(std::uint32_t sdram_address, std::uint32_t context) {
  return E3_ROUTE_VALID | E3_ROUTE_POINTER | static_cast<std::uint64_t>(context) << E3_ROUTE_CONTEXT_SHIFT |
         sdram_address;
}

}  // namespace sanvp::nic::elan3
