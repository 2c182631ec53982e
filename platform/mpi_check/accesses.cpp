#include "platform/mpi_check/accesses.hpp"

#include <algorithm>
#include <utility>

namespace sanvp::mpi_check {
namespace {

constexpr std::size_t first_look = 4096, first_look_groups = 64;
constexpr std::size_t most = 1U << 18;  // that are over, at one process: memory is bounded

bool only_reads(const AccessKind& access) { return access.way == Way::get || access.operation == "MPI_NO_OP"; }

/// Reads may meet, and so may accumulations of the same operation on elements of the same type.
bool may_meet(const AccessKind& one, const AccessKind& other) {
  if (one.is_local && other.is_local) return true;  // that is about buffers (uses)
  if (only_reads(one) && only_reads(other)) return true;
  if (one.way != Way::accumulate || other.way != Way::accumulate) return false;
  if (one.basic != nullptr && other.basic != nullptr && one.basic != other.basic) return false;
  return only_reads(one) || only_reads(other) || one.operation == other.operation || one.operation.empty() ||
         other.operation.empty();
}

}  // namespace

void Accesses::add(Access access) {
  const std::uint64_t number = access.number;
  Memory& memory = by_process_[access.process];
  Group& group = memory.groups[access];
  ++memory.accesses;
  group.numbers.insert(number);
  group.places.add(access.blocks, number);
  if (access.request != 0) by_request_[{access.site.rank, access.request}] = number;
  by_number_.emplace(number, std::move(access));
}

void Accesses::remove(std::uint64_t number) {
  const auto found = by_number_.find(number);
  if (const auto request = by_request_.find({found->second.site.rank, found->second.request});
      request != by_request_.end() && request->second == number)
    by_request_.erase(request);
  --by_process_.at(found->second.process).accesses;
  by_number_.erase(found);
}

Access* Accesses::numbered(std::uint64_t number) {
  const auto found = by_number_.find(number);
  return found != by_number_.end() ? &found->second : nullptr;
}

std::vector<Access*> Accesses::conflicts(const Access& access, const Test& is_ordered) {
  std::vector<Access*> all;
  const auto memory = by_process_.find(access.process);
  if (memory == by_process_.end()) return all;
  for (const auto& [kind, group] : memory->second.groups) {
    if (may_meet(access, kind) || is_ordered(kind)) continue;
    if (const auto found = group.places.find(access.blocks)) all.push_back(&by_number_.at(*found));
  }
  return all;
}

Access* Accesses::conflict(const Access& access, const Test& is_ordered) {
  const std::vector<Access*> all = conflicts(access, is_ordered);
  const auto first =
      std::min_element(all.begin(), all.end(), [](const Access* a, const Access* b) { return a->number < b->number; });
  return first != all.end() ? *first : nullptr;
}

bool Accesses::has_remote(int process, const Test& is_ordered) const {
  const auto memory = by_process_.find(process);
  if (memory == by_process_.end()) return false;
  const auto& groups = memory->second.groups;
  return std::any_of(groups.begin(), groups.end(),
                     [&](const auto& group) { return !group.first.is_local && !is_ordered(group.first); });
}

bool Accesses::is_overwritten(const Access& access) const {
  const auto memory = by_process_.find(access.process);
  if (memory == by_process_.end()) return false;
  const auto& groups = memory->second.groups;
  return std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
    const AccessKind& kind = group.first;
    return kind.way != Way::get && (kind.over == 0 || kind.over > access.number) &&
           group.second.places.find(access.blocks, access.number);
  });
}

bool Accesses::has_write(int process, const Test& holds) const {
  const auto memory = by_process_.find(process);
  if (memory == by_process_.end()) return false;
  const auto& groups = memory->second.groups;
  return std::any_of(groups.begin(), groups.end(),
                     [&](const auto& group) { return !only_reads(group.first) && holds(group.first); });
}

Access* Accesses::of_request(int process, std::uint64_t request) {
  const auto found = by_request_.find({process, request});
  return found != by_request_.end() ? &by_number_.at(found->second) : nullptr;
}

void Accesses::end_request(Access& access) {
  by_request_.erase({access.site.rank, access.request});
  access.request = 0;
}

std::vector<std::uint64_t> Accesses::numbers(int process, const Test& holds) const {
  std::vector<std::uint64_t> found;
  for (const auto& [at, memory] : by_process_)
    if (process < 0 || at == process)
      for (const auto& [kind, group] : memory.groups)
        if (holds(kind)) found.insert(found.end(), group.numbers.begin(), group.numbers.end());
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<Access*> Accesses::at(int process, const Test& holds) {
  std::vector<Access*> accesses;
  for (const std::uint64_t number : numbers(process, holds)) accesses.push_back(&by_number_.at(number));
  return accesses;
}

void Accesses::change(int process, const Test& holds, const std::function<void(AccessKind&)>& to) {
  for (auto& [at, memory] : by_process_) {
    if (process >= 0 && at != process) continue;
    std::vector<Groups::node_type> changed;
    for (auto next = memory.groups.begin(); next != memory.groups.end();) {
      const auto group = next++;
      if (holds(group->first)) changed.push_back(memory.groups.extract(group));
    }
    for (Groups::node_type& node : changed) {
      to(node.key());
      for (const std::uint64_t number : node.mapped().numbers) to(by_number_.at(number));
      Group& known = memory.groups[node.key()];
      Group& more = node.mapped();
      if (more.numbers.size() > known.numbers.size()) known.numbers.swap(more.numbers);
      known.numbers.merge(more.numbers);
      known.places.take(more.places);
    }
  }
}

void Accesses::change_one(Access& access, const std::function<void(AccessKind&)>& to) {
  Groups& groups = by_process_.at(access.process).groups;
  const auto group = groups.find(access);
  group->second.numbers.erase(access.number);
  group->second.places.remove(access.blocks, access.number);
  if (group->second.numbers.empty()) groups.erase(group);
  to(access);
  Group& other = groups[access];
  other.numbers.insert(access.number);
  other.places.add(access.blocks, access.number);
}

void Accesses::free_buffers(int process, const Test& holds, const Each& each) {
  const auto is_held = [&](const AccessKind& kind) { return !kind.is_freed && holds(kind); };
  for (const std::uint64_t number : numbers(process, is_held)) each(by_number_.at(number));
  change(process, is_held, [](AccessKind& kind) { kind.is_freed = true; });
}

void Accesses::free_buffer(Access& access) {
  change_one(access, [](AccessKind& kind) { kind.is_freed = true; });
}

void Accesses::end(int process, const Test& holds, std::uint64_t time, std::uint64_t order, const Each& each) {
  const auto is_open = [&](const AccessKind& kind) { return kind.over == 0 && holds(kind); };
  for (const std::uint64_t number : numbers(process, is_open)) each(by_number_.at(number));
  change(process, is_open, [&](AccessKind& kind) {
    kind.ended = time;
    kind.over = order;
  });
}

void Accesses::end(Access& access, std::uint64_t time, std::uint64_t order) {
  change_one(access, [&](AccessKind& kind) {
    kind.ended = time;
    kind.over = order;
  });
}

void Accesses::forget(int process, const Test& is_known) {
  const auto found = by_process_.find(process);
  if (found == by_process_.end()) return;
  Memory& memory = found->second;
  if (memory.accesses < std::max(memory.next_look, first_look) &&
      memory.groups.size() < std::max(memory.next_look_groups, first_look_groups))
    return;
  const bool is_full = memory.accesses > most;
  std::erase_if(memory.groups, [&](const auto& group) {
    const AccessKind& kind = group.first;
    if (kind.over == 0 || !kind.is_freed || !(is_full || is_known(kind))) return false;
    for (const std::uint64_t number : group.second.numbers) remove(number);
    return true;
  });
  memory.next_look = 2 * memory.accesses;
  memory.next_look_groups = 2 * memory.groups.size();
}

}  // namespace sanvp::mpi_check
