#include "platform/mpi_check/accesses.hpp"

#include <algorithm>
#include <utility>

namespace sanvp::mpi_check {
namespace {

bool are_concurrent(const AccessKind& one, const AccessKind& other) {
  if (other.is_over) return false;
  if (one.epoch != other.epoch) return !other.is_closed;
  if (one.epoch == Epoch::fence) return one.fence == other.fence;
  if (one.epoch != Epoch::lock) return true;
  if (one.origin == other.origin) return !other.is_closed;
  return !one.is_exclusive && !other.is_exclusive;
}

/// Accumulations of the same operation may meet, reads may.
bool may_meet(const AccessKind& one, const AccessKind& other) {
  constexpr const char* no_operation = "MPI_NO_OP";
  const auto only_reads = [](const AccessKind& access) {
    return access.way == Way::get || access.operation == no_operation;
  };
  if (only_reads(one) && only_reads(other)) return true;
  if (one.way != Way::accumulate || other.way != Way::accumulate) return false;
  return one.operation == other.operation || one.operation.empty() || other.operation.empty() ||
         one.operation == no_operation || other.operation == no_operation;
}

}  // namespace

void Accesses::add(Access access) {
  const std::uint64_t number = access.owner;
  Group& group = by_target_[access.target][access];
  group.numbers.insert(number);
  group.places.add(access.blocks, number);
  if (access.request != 0) by_request_[{access.site.rank, access.request}] = number;
  by_owner_.emplace(number, std::move(access));
}

void Accesses::forget(std::uint64_t number) {
  const auto found = by_owner_.find(number);
  if (const auto request = by_request_.find({found->second.site.rank, found->second.request});
      request != by_request_.end() && request->second == number)
    by_request_.erase(request);
  by_owner_.erase(found);
}

void Accesses::erase(const Access& access) {
  const auto groups = by_target_.find(access.target);
  const auto group = groups->second.find(access);
  group->second.numbers.erase(access.owner);
  group->second.places.remove(access.blocks, access.owner);
  if (group->second.numbers.empty()) groups->second.erase(group);
  if (groups->second.empty()) by_target_.erase(groups);
  forget(access.owner);
}

Access* Accesses::conflict(const Access& access) {
  const auto groups = by_target_.find(access.target);
  if (groups == by_target_.end()) return nullptr;
  std::optional<std::uint64_t> first;
  for (const auto& [kind, group] : groups->second) {
    if (may_meet(access, kind) || !are_concurrent(access, kind)) continue;
    const auto found = group.places.find(access.blocks);
    if (found && (!first || *found < *first)) first = found;
  }
  return first ? &by_owner_.at(*first) : nullptr;
}

bool Accesses::is_overwritten(const Access& access) const {
  const auto groups = by_target_.find(access.target);
  return groups != by_target_.end() &&
         std::any_of(groups->second.begin(), groups->second.end(), [&](const auto& group) {
           return group.first.way != Way::get && group.second.places.find(access.blocks, access.owner);
         });
}

Access* Accesses::of_request(int process, std::uint64_t request) {
  const auto found = by_request_.find({process, request});
  return found != by_request_.end() ? &by_owner_.at(found->second) : nullptr;
}

void Accesses::end_request(Access& access) {
  by_request_.erase({access.site.rank, access.request});
  access.request = 0;
}

std::vector<const Access*> Accesses::at(int target, const std::function<bool(const AccessKind&)>& holds) const {
  std::vector<std::uint64_t> numbers;
  if (const auto groups = by_target_.find(target); groups != by_target_.end())
    for (const auto& [kind, group] : groups->second)
      if (holds(kind)) numbers.insert(numbers.end(), group.numbers.begin(), group.numbers.end());
  std::sort(numbers.begin(), numbers.end());
  std::vector<const Access*> accesses;
  for (const std::uint64_t number : numbers) accesses.push_back(&by_owner_.at(number));
  return accesses;
}

void Accesses::change(Groups& groups, const std::function<bool(const AccessKind&)>& holds, bool AccessKind::*flag) {
  std::vector<Groups::node_type> changed;
  for (auto at = groups.begin(); at != groups.end();) {
    const auto group = at++;
    if (group->first.*flag || !holds(group->first)) continue;
    for (const std::uint64_t number : group->second.numbers) by_owner_.at(number).*flag = true;
    changed.push_back(groups.extract(group));
  }
  for (Groups::node_type& node : changed) {
    node.key().*flag = true;
    if (node.key().is_closed && node.key().is_over) {
      for (const std::uint64_t number : node.mapped().numbers) forget(number);
      continue;
    }
    Group& known = groups[node.key()];
    Group& more = node.mapped();
    if (more.numbers.size() > known.numbers.size()) known.numbers.swap(more.numbers);
    known.numbers.merge(more.numbers);
    known.places.take(more.places);
  }
}

void Accesses::close(int origin, int target, const std::function<void(Access&)>& each) {
  const auto is_open = [origin](const AccessKind& kind) { return kind.origin == origin && !kind.is_closed; };
  std::vector<std::uint64_t> numbers;
  for (const auto& [at, groups] : by_target_)
    if (target < 0 || at == target)
      for (const auto& [kind, group] : groups)
        if (is_open(kind)) numbers.insert(numbers.end(), group.numbers.begin(), group.numbers.end());
  std::sort(numbers.begin(), numbers.end());
  for (const std::uint64_t number : numbers) each(by_owner_.at(number));
  for (auto& [at, groups] : by_target_)
    if (target < 0 || at == target) change(groups, is_open, &AccessKind::is_closed);
}

void Accesses::end_exposure(int target) {
  if (const auto groups = by_target_.find(target); groups != by_target_.end())
    change(
        groups->second, [](const AccessKind& kind) { return kind.epoch == Epoch::group; }, &AccessKind::is_over);
}

void Accesses::drop(int target, const std::function<bool(const AccessKind&)>& holds) {
  for (auto& [at, groups] : by_target_) {
    if (target >= 0 && at != target) continue;
    std::erase_if(groups, [&](const auto& group) {
      if (!holds(group.first)) return false;
      for (const std::uint64_t number : group.second.numbers) forget(number);
      return true;
    });
  }
  std::erase_if(by_target_, [](const auto& groups) { return groups.second.empty(); });
}

}  // namespace sanvp::mpi_check
