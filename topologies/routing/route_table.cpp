#include "topologies/routing/route_table.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sanvp::topologies {

void RouteTable::append(int source, int destination, int id, const std::vector<Step>& steps, int source_port) {
  append(source, destination, id, Route{.steps = steps, .source_port = static_cast<std::uint8_t>(source_port)});
}

void RouteTable::append(int source, int destination, int id, const Route& route) {
  const int last_source = static_cast<int>(first_of_source_.size()) - 1;
  const bool ascending =
      source > last_source || (source == last_source &&
                               std::pair(destination, id) > std::pair(entries_.back().destination, entries_.back().id));
  if (source < 0 || !ascending) throw std::logic_error("routes are appended in order of source, destination and id");
  first_of_source_.resize(source + 1, entries_.size());
  entries_.push_back(
      {destination, id, static_cast<std::uint32_t>(steps_.size()), route.source_port, route.source_vc, route.second});
  steps_.insert(steps_.end(), route.steps.begin(), route.steps.end());
  any_choice_ |= route.has_choice();
  const auto needs = [this](std::uint8_t vc) {
    if (vc != Step::any_vc) virtual_channels_ = std::max(virtual_channels_, vc + 1);
  };
  needs(route.source_vc);
  for (const Step& step : route.steps) {
    needs(step.vc);
    passes_hosts_ |= step.in_transit;
  }
}

std::pair<std::size_t, std::size_t> RouteTable::range(int source, int destination) const {
  const auto sources = static_cast<int>(first_of_source_.size());
  if (source < 0 || source >= sources) return {0, 0};
  const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(first_of_source_[source]);
  const auto end = source + 1 < sources ? entries_.begin() + static_cast<std::ptrdiff_t>(first_of_source_[source + 1])
                                        : entries_.end();
  const auto [first, last] = std::equal_range(
      begin, end,
      Entry{.destination = destination, .id = 0, .first_step = 0, .source_port = 0, .source_vc = 0, .second = 0},
      [](const Entry& a, const Entry& b) { return a.destination < b.destination; });
  return {first - entries_.begin(), last - entries_.begin()};
}

int RouteTable::alternatives(int source, int destination) const {
  const auto [first, last] = range(source, destination);
  return static_cast<int>(last - first);
}

void RouteTable::route(int source, int destination, int alternative, Route& route) const {
  const std::size_t index = range(source, destination).first + alternative;
  const Entry& entry = entries_.at(index);
  const std::size_t end = index + 1 < entries_.size() ? entries_[index + 1].first_step : steps_.size();
  route.source_port = entry.source_port;
  route.source_vc = entry.source_vc;
  route.second = entry.second;
  route.steps.assign(steps_.begin() + entry.first_step, steps_.begin() + static_cast<std::ptrdiff_t>(end));
}

int RouteTable::route_id(int source, int destination, int alternative) const {
  return entries_.at(range(source, destination).first + alternative).id;
}

}  // namespace sanvp::topologies
