#include "platform/mpi_check/windows.hpp"

#include <algorithm>
#include <utility>

#include "platform/mpi_check/job.hpp"

namespace sanvp::mpi_check {
namespace {

const char* name_of(Way way) {
  if (way == Way::get) return "reads";
  return way == Way::put ? "writes" : "updates";
}

}  // namespace

std::shared_ptr<Window> Windows::of(int rank, std::uint64_t handle) const {
  const auto found = by_handle_.find({rank, handle});
  return found != by_handle_.end() ? found->second : nullptr;
}

void Windows::add(Rank& rank, std::uint64_t handle, const Window::Member& member) {
  const auto comm = rank.value<std::uint64_t>(handle + rank.layout->window_comm);
  rank.forget_communicator(comm);
  const auto communicator = rank.communicator(comm);
  if (!communicator) return;
  auto& known = by_context_[{communicator->context, communicator->processes.front()}];
  auto window = known.lock();
  if (!window) {
    window = std::make_shared<Window>();
    window->communicator = communicator;
    window->members.resize(static_cast<std::size_t>(communicator->size));
    known = window;
  }
  Window::Member& own = window->members[static_cast<std::size_t>(communicator->rank)];
  const int open_locks = own.open_locks;  // other ranks may be further on
  own = member;
  own.open_locks = open_locks;
  by_handle_[{rank.number, handle}] = window;
}

void Windows::begin(Job& job, Rank& rank, std::uint64_t handle, Access access) {
  access.owner = 2 * next_++ + 1;  // odd, as no handle is
  const auto window = of(rank.number, handle);
  if (!window || access.target < 0 || access.target >= window->communicator->size) return;
  access.origin = window->communicator->rank_of(rank.number);
  const Window::Member& own = window->members[static_cast<std::size_t>(access.origin)];
  const Window::Member& target = window->members[static_cast<std::size_t>(access.target)];
  access.address = target.is_dynamic ? access.address : target.base + access.address * target.unit;
  const auto lock = own.locks.find(access.target);
  access.epoch = own.has_lock_all || lock != own.locks.end() ? Epoch::lock
                 : own.has_started                           ? Epoch::group
                                                             : Epoch::fence;
  access.is_exclusive = lock != own.locks.end() && lock->second;
  access.fence = own.fences;
  if (auto blocks = access.data.blocks(access.address)) access.blocks = std::move(*blocks);
  if (Access* const other = window->accesses.conflict(access)) {
    access.has_conflict = other->has_conflict = true;
    // Benchmarks put the same again and again.
    const bool is_benchmark =
        access.origin == other->origin && access.site.place() == other->site.place() && access.way == other->way;
    job.report(is_benchmark ? Severity::warning : Severity::error, "conflicting accesses", {access.site, other->site},
               std::string("{0} ") + name_of(access.way) + " memory of rank " +
                   std::to_string(window->communicator->process(access.target)) + " that {1} of rank " +
                   std::to_string(other->site.rank) + " " + name_of(other->way) + " in the same epoch",
               "put a fence, a flush or another epoch between them, or accumulate by one operation");
  }
  if (access.way != Way::get) access.hash = rank.hash(access.buffer, access.local, access.local.bytes());
  if (auto used = job.use(rank, access.site, {{access.buffer, access.local}}, access.way == Way::get))
    Job::hold(rank, {std::move(*used)}, access.owner);
  window->accesses.add(std::move(access));
}

/// The origin may use its buffer again.
void Windows::free_buffer(Job& job, Rank& rank, Access& access) {
  const bool is_shared = Job::is_shared(rank, access.owner);
  Job::release(rank, access.owner);
  const auto before = std::exchange(access.hash, std::nullopt);
  if (is_shared) return;
  const auto now = before ? rank.hash(access.buffer, access.local, access.local.bytes()) : std::nullopt;
  if (now && *now != *before)
    job.report(Severity::error, "buffer changed", {access.site},
               "{0}: its buffer was changed before the epoch was over",
               "leave the buffer alone until the call that ends the epoch, or a flush");
  else
    access.put = before;
}

void Windows::close(Job& job, Rank& rank, Window& window, int target) {
  window.accesses.close(window.communicator->rank_of(rank.number), target,
                        [&](Access& access) { free_buffer(job, rank, access); });
}

void Windows::end_request(Job& job, Rank& rank, std::uint64_t request) {
  for (const auto& [key, window] : by_handle_) {
    if (key.first != rank.number) continue;
    Access* const access = window->accesses.of_request(rank.number, request);
    if (access == nullptr) continue;
    free_buffer(job, rank, *access);
    if (access->way != Way::put && access->fetches)
      window->accesses.erase(*access);  // it is over at the target, too
    else
      window->accesses.end_request(*access);
    return;
  }
}

void Windows::verify(Job& job, Rank& rank, Window& window, Epoch epoch) {
  const int self = window.communicator->rank_of(rank.number);
  const std::uint64_t fences = window.members[static_cast<std::size_t>(self)].fences;
  const auto is_put = [&](const AccessKind& kind) {
    return kind.epoch == epoch && kind.way == Way::put && (epoch != Epoch::fence || kind.fence == fences);
  };
  for (const Access* const put : window.accesses.at(self, is_put)) {
    const Access& access = *put;
    if (access.has_conflict || !(access.hash || access.put)) continue;
    if (window.accesses.is_overwritten(access) || access.data.bytes() != access.local.bytes()) continue;
    const auto now = rank.hash(access.address, access.data, access.data.bytes());
    if (now && *now != (access.hash ? *access.hash : *access.put))
      job.report(Severity::error, "window written locally", {access.site},
                 "{0} has written memory of rank " + std::to_string(rank.number) +
                     " which that rank has written itself in the same epoch",
                 "store to the window only when no other rank may write there");
  }
}

void Windows::finish(Job& job) const {
  for (const auto& [key, window] : by_handle_) {
    const Window::Member& own = window->members[static_cast<std::size_t>(window->communicator->rank_of(key.first))];
    if (!own.locks.empty() || own.has_lock_all || own.has_started)
      job.report(Severity::error, "epoch left open", {own.opened}, "{0} opened an epoch that was never closed",
                 "call MPI_Win_unlock, MPI_Win_unlock_all or MPI_Win_complete");
  }
}

}  // namespace sanvp::mpi_check
