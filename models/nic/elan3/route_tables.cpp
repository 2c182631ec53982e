#include "models/nic/elan3/route_tables.hpp"

namespace sanvp::nic::elan3 {
namespace {

/// Broadcasts begin by the fixed up port, or with a range of ports (registers/elan3.h).
bool is_broadcast(const RouteFlits& record) {
  const unsigned first = record.flits[0] & E3_ELEMENT_MASK;
  return first == E3_ELEMENT_TREE_UP || (first & E3_ELEMENT_RANGE(0U, 0U)) != 0;
}

}  // namespace

const Way* RouteTables::small_way(std::uint32_t process, std::uint64_t entry) {
  if (process >= known_.size()) known_.resize(process + 1);
  Known& known = known_[process];
  if (known.entry != entry) known = {entry, routes_.find(small_route(entry))};
  return known.way;
}

RouteFlits RouteTables::record_at(std::uint64_t pointer) const {
  return {sdram_.load<std::array<std::uint16_t, E3_ROUTE_FLITS>>(static_cast<std::uint32_t>(pointer))};
}

Destination RouteTables::find(std::uint32_t context, std::uint32_t process) {
  Destination found{.fault = {E3_CAUSE_ROUTE, context, process, E3_PERM_NULL}};
  const e3_context record = mmu_.context(context);
  if (record.vp_table == 0 || process > record.vp_mask) return found;
  const auto entry = sdram_.load<std::uint64_t>(record.vp_table + std::uint64_t{process} * sizeof(std::uint64_t));
  found.fetches = 1;
  if ((entry & E3_ROUTE_VALID) == 0) return found;
  if ((entry & E3_ROUTE_POINTER) != 0) {
    found.way = routes_.find(record_at(entry));
    ++found.fetches;
  } else {
    found.way = small_way(process, entry);
  }
  found.context = E3_ROUTE_CONTEXT(entry);
  if (found.way != nullptr) found.fault = {};
  return found;
}

bool RouteTables::has_more_partners(std::uint32_t context, int count) const {
  const e3_context record = mmu_.context(context);
  if (record.vp_table == 0) return false;
  int routes = 0;
  for (std::uint32_t process = 0; process <= record.vp_mask && routes <= count; ++process) {
    const auto entry = sdram_.load<std::uint64_t>(record.vp_table + std::uint64_t{process} * sizeof(std::uint64_t));
    if ((entry & E3_ROUTE_VALID) != 0 &&
        !is_broadcast((entry & E3_ROUTE_POINTER) != 0 ? record_at(entry) : small_route(entry)))
      ++routes;
  }
  return routes > count;
}

void RouteTables::fetch_ahead(std::uint32_t context, std::uint32_t process) const {
  const std::uint64_t table = mmu_.context(context).vp_table;
  __builtin_prefetch(sdram_.find(table + std::uint64_t{process} * sizeof(std::uint64_t), sizeof(std::uint64_t)));
  if (process < known_.size()) __builtin_prefetch(known_[process].way);
}

}  // namespace sanvp::nic::elan3
