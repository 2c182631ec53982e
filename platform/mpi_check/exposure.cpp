// Memory of windows compared over an epoch: what loads and stores of its owner have done there, which no call tells.
#include <algorithm>
#include <cstring>
#include <utility>

#include "platform/mpi_check/job.hpp"
#include "sw/abi/mpi_numbers.h"

namespace sanvp::mpi_check {
namespace {

constexpr std::uint64_t most_bytes = 1U << 20;  // of a window that is kept for comparison

}  // namespace

std::optional<std::uint64_t> Windows::hash_at_target(Job& job, const Access& access) {
  const Rank& target = job.ranks[static_cast<std::size_t>(access.process)];
  if (target.process == nullptr || access.data.bytes() != access.local.bytes()) return {};
  return target.hash(access.address, access.data, access.data.bytes());
}

void Windows::report_store(Job& job, Access& access, const char* what) const {
  if (access.has_conflict || accesses_.is_overwritten(access)) return;
  access.has_conflict = true;
  job.report(Severity::error, "window written locally", {access.site},
             std::string("{0} has ") + what + " memory of " + text_of({access.process}) +
                 " which that rank has written itself in the same epoch",
             "store to the window only when no other rank may access what is written");
}

/// The get is under way until now: whatever has written there meanwhile has met it.
void Windows::check_get(Job& job, Access& access) {
  if (!access.seen) return;
  const auto now = hash_at_target(job, access);
  if (now && *now != *access.seen) report_store(job, access, "read");
  if (!access.has_conflict && !job.ranks[static_cast<std::size_t>(access.actor)].has_threads &&
      !accesses_.is_overwritten(access))
    access.came = now;
}

void Windows::verify(Job& job, Rank& rank, Window& window, Epoch epoch) {
  const Window::Member& own = window.member(window.rank_of(rank));
  const auto is_put = [&](const AccessKind& kind) {
    return kind.window == window.number && kind.epoch == epoch && kind.way == Way::put &&
           (epoch != Epoch::fence || kind.fence == own.fences);
  };
  for (Access* const put : accesses_.at(rank.number, is_put)) {
    const auto wanted = put->hash ? put->hash : put->put;
    if (put->is_verified || put->has_conflict || !wanted || put->data.bytes() != put->local.bytes()) continue;
    put->is_verified = true;
    if (accesses_.is_overwritten(*put)) continue;
    const auto now = rank.hash(put->address, put->data, put->data.bytes());
    if (now && *now != *wanted) report_store(job, *put, "written");
  }
}

void Windows::begin_exposure(const Rank& rank, Window& window, Epoch epoch) {
  Window::Member& own = window.member(window.rank_of(rank));
  own.snapshot.reset();
  if (own.base == 0 || own.bytes == 0 || own.bytes > most_bytes || own.is_shared || own.is_dynamic) return;
  Window::Member::Snapshot made{.bytes = rank.array<std::byte>(own.base, own.bytes),
                                .fence = own.fences,
                                .order = 2 * next_,
                                .is_of_group = epoch == Epoch::group};
  if (!made.bytes.empty()) own.snapshot = std::move(made);
}

void Windows::compare_with_snapshot(Job& job, Access& access, const Window::Member& target) {
  const auto& kept = target.snapshot;
  if (!kept || kept->is_of_group != (access.epoch == Epoch::group)) return;
  if (access.epoch == Epoch::fence ? kept->fence != access.fence : access.number < kept->order) return;
  const Rank& owner = job.ranks[static_cast<std::size_t>(access.process)];
  for (const Bytes& block : access.blocks) {
    const auto offset = static_cast<std::uint64_t>(block.begin) - target.base;
    const auto bytes = static_cast<std::size_t>(block.count);
    if (offset > kept->bytes.size() || bytes > kept->bytes.size() - offset) return;
    const auto now = owner.array<std::byte>(static_cast<std::uint64_t>(block.begin), bytes);
    if (now.size() != bytes || std::memcmp(now.data(), kept->bytes.data() + offset, bytes) == 0) continue;
    report_store(job, access, "read");
    return;
  }
}

/// Before the rank can have left the epoch: as a target, and as an origin.
void Windows::check_read(Job& job, const Rank& rank, Window& window, Epoch epoch) {
  const int self = window.rank_of(rank);
  const std::uint64_t fences = window.member(self).fences;
  const auto is_get = [&](const AccessKind& kind) {
    return kind.window == window.number && kind.epoch == epoch && kind.way == Way::get && !kind.is_local &&
           (epoch != Epoch::fence || kind.fence == fences);
  };
  for (Access* const get : accesses_.at(rank.number, is_get)) compare_with_snapshot(job, *get, window.member(self));
  const auto is_own = [&](const AccessKind& kind) {
    return is_get(kind) && kind.actor == rank.number && kind.over == 0;
  };
  for (Access* const get : accesses_.at(-1, is_own)) compare_with_snapshot(job, *get, window.member(get->target));
}

void Windows::check_nostore(Job& job, const Rank& rank, Window& window, const Site& site) {
  const Window::Member& own = window.member(window.rank_of(rank));
  const Bytes all{static_cast<std::int64_t>(own.base), static_cast<std::int64_t>(own.bytes)};
  if (const auto mark = own.fence_time > 0 ? rank.shadow.find({all}, false, own.fence_time - 1) : std::nullopt) {
    job.report(
        Severity::error, "broken assertion", {site, mark->site},
        "{0} promises by MPI_MODE_NOSTORE that its rank has not written its window since the last fence, and {1} "
        "has",
        "leave MPI_MODE_NOSTORE out");
    return;
  }
  const auto& kept = own.snapshot;
  if (!kept || kept->is_of_group || kept->fence != own.fences) return;
  const auto is_remote = [&](const AccessKind& kind) {
    return !kind.is_local && (kind.over == 0 || kind.over > kept->order);
  };
  if (accesses_.has_write(rank.number, is_remote)) return;
  const auto now = rank.array<std::byte>(own.base, own.bytes);
  if (now.empty() || now == kept->bytes) return;
  job.report(
      Severity::error, "broken assertion", {site},
      "{0} promises by MPI_MODE_NOSTORE that its rank has not written its window since the last fence, and it has",
      "leave MPI_MODE_NOSTORE out");
}

/// A window made of a variable of a function has been at or above the end of the stack when it was made; if it is below
/// the present one, the function has returned.
void Windows::check_memory(Job& job, const Rank& rank, const Call& call) {
  if (rank.process == nullptr) return;
  for (auto at = by_handle_.lower_bound({rank.number, 0}); at != by_handle_.end() && at->first.first == rank.number;
       ++at) {
    Window::Member& own = at->second->member(at->second->rank_of(rank));
    if (own.is_told || !own.is_users || own.bytes == 0) continue;
    const bool has_returned =
        !rank.has_threads && own.stack != 0 && call.stack != 0 && own.base >= own.stack && own.base < call.stack;
    const bool is_freed = !rank.process->checked_is_allocated(own.base);
    if (!has_returned && !is_freed) continue;
    own.is_told = true;
    job.report(Severity::error, "window without memory", {call.site, own.made},
               std::string("before {0}, the memory of the window of {1} was ") +
                   (is_freed ? "freed" : "left: its function has returned"),
               "keep the memory until MPI_Win_free");
  }
}

}  // namespace sanvp::mpi_check
