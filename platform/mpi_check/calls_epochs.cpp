// Epochs of windows: fences, groups, locks and flushes.
#include <algorithm>
#include <utility>

#include "platform/mpi_check/epochs.hpp"
#include "platform/mpi_check/job.hpp"
#include "sw/abi/mpi_numbers.h"

namespace sanvp::mpi_check {
namespace {

template <int window, class Change>
void change(Job& job, Rank& rank, Call& call, Change change) {
  const auto found = job.windows.of(rank.number, call[window]);
  if (found && call.result == MPI_SUCCESS) change(*found, found->member(found->rank_of(rank)));
}

/// The begin of a call that ends the rank's accesses to a target, below 0: to all. Others may know of it before the
/// call returns.
Moment end_accesses(Job& job, Rank& rank, Window& window, int target) {
  job.windows.end(job, rank, window, target);
  return job.clocks.release(rank.number);
}

// ---- fences ----

int has(int assertion, int flag) { return (assertion & flag) != 0 ? 1 : 0; }

void begin_fence(Job& job, Rank& rank, Call& call) {
  const auto window = job.windows.of(rank.number, call[1]);
  if (!window) return;
  const int assertion = call.integer(0);
  Window::Member& own = window->member(window->rank_of(rank));
  job.windows.check_read(job, rank, *window, Epoch::fence);
  if ((assertion & MPI_MODE_NOSTORE) != 0) job.windows.check_nostore(job, rank, *window, call.site);
  job.windows.end(job, rank, *window, -1);
  own.fence_promises[own.fences + 1] = {assertion, call.site};
  own.fence_promises.erase(own.fence_promises.begin(), own.fence_promises.lower_bound(own.fences));
  // If one rank gives them, all must (MPI-3.1, 11.5.5).
  enter_together(job, rank, call, *window,
                 {{"MPI_MODE_NOPRECEDE", {has(assertion, MPI_MODE_NOPRECEDE)}},
                  {"MPI_MODE_NOSUCCEED", {has(assertion, MPI_MODE_NOSUCCEED)}}});
}

void end_fence(Job& job, Rank& rank, Call& call) {
  change<1>(job, rank, call, [&](Window& window, Window::Member& own) {
    job.windows.free_buffers(job, rank, window, -1);
    job.windows.verify(job, rank, window, Epoch::fence);
    ++own.fences;
    own.fence_time = job.clocks.now(rank.number);
    job.windows.begin_exposure(rank, window, Epoch::fence);
  });
}
const Handlers fence({"MPI_Win_fence"}, begin_fence, end_fence);

// ---- groups ----

std::vector<int> members_of(const Rank& rank, const Window& window, std::uint64_t group) {
  std::vector<int> members;
  for (const int process : rank.group(group))
    if (const int member = window.communicator->rank_of(process); member >= 0) members.push_back(member);
  return members;
}

/// MPI_MODE_NOCHECK: the post has been made, with the same assertion (MPI-3.1, 11.5.5).
void check_started(Job& job, const Call& call, const Window& window, int self, const std::vector<int>& targets) {
  for (const int target : targets) {
    const auto posts = window.posts.find({target, self});
    const bool has_post = posts != window.posts.end() && !posts->second.empty();
    const int process = window.communicator->process(target);
    if (!has_post) {
      job.report(Severity::error, "broken assertion", {call.site},
                 "{0} promises by MPI_MODE_NOCHECK that rank " + std::to_string(process) +
                     " has called MPI_Win_post, and it has not",
                 "wait for a message behind MPI_Win_post, or leave MPI_MODE_NOCHECK out");
      return;
    }
    const Window::Promise& promise = posts->second.front().promise;
    if ((promise.assertion & MPI_MODE_NOCHECK) != 0) continue;
    job.report(Severity::error, "broken assertion", {call.site, promise.site},
               "{0} has MPI_MODE_NOCHECK, and {1} of rank " + std::to_string(process) + " has it not",
               "give it on both sides, or on none");
    return;
  }
}

void begin_start(Job& job, Rank& rank, Call& call) {
  const auto window = job.windows.of(rank.number, call[2]);
  if (window && (call.integer(1) & MPI_MODE_NOCHECK) != 0)
    check_started(job, call, *window, window->rank_of(rank), members_of(rank, *window, call[0]));
}

const Handlers start({"MPI_Win_start"}, begin_start, [](Job& job, Rank& rank, Call& call) {
  change<2>(job, rank, call, [&](Window& window, Window::Member& own) {
    own.has_started = true;
    own.started = members_of(rank, window, call[0]);
    own.awaited = {own.started.begin(), own.started.end()};
    own.post_promises.clear();
    own.opened = call.site;
  });
});

void begin_complete(Job& job, Rank& rank, Call& call) {
  const auto window = job.windows.of(rank.number, call[0]);
  if (!window) return;
  const int self = window->rank_of(rank);
  const Window::Member& own = window->member(self);
  if (!own.has_started) return;
  job.windows.check_read(job, rank, *window, Epoch::group);
  const Moment moment = end_accesses(job, rank, *window, -1);
  for (const int target : own.started) window->completes[{target, self}].push_back(moment);
}
const Handlers complete({"MPI_Win_complete"}, begin_complete, [](Job& job, Rank& rank, Call& call) {
  change<0>(job, rank, call, [&](Window& window, Window::Member& own) {
    for (const int target : own.started) job.windows.enter(job, rank, window, target);
    own.has_started = false;
    job.windows.free_buffers(job, rank, window, -1);
  });
});

void begin_post(Job& job, Rank& rank, Call& call) {
  const auto window = job.windows.of(rank.number, call[2]);
  if (!window) return;
  const int self = window->rank_of(rank);
  Window::Member& own = window->member(self);
  if (!own.posted.empty()) return;  // the library refuses it
  own.posted = members_of(rank, *window, call[0]);
  job.windows.begin_exposure(rank, *window, Epoch::group);
  const Moment moment = job.clocks.release(rank.number);
  for (const int origin : own.posted) window->posts[{self, origin}].push_back({moment, {call.integer(1), call.site}});
}
const Handlers post({"MPI_Win_post"}, begin_post, nullptr);

void begin_exposed(Job& job, Rank& rank, Call& call) {
  if (const auto window = job.windows.of(rank.number, call[0]))
    job.windows.check_read(job, rank, *window, Epoch::group);
}
void end_exposed(Job& job, Rank& rank, Call& call) {
  if (call.words.size() > 1 && rank.value<int>(call[1]) == 0) return;  // MPI_Win_test
  change<0>(job, rank, call, [&](Window& window, Window::Member& own) {
    const int self = window.rank_of(rank);
    for (const int origin : own.posted) {
      auto& completes = window.completes[{self, origin}];
      if (completes.empty()) continue;
      job.clocks.acquire(rank.number, completes.front());
      completes.pop_front();
    }
    own.posted.clear();
    job.windows.verify(job, rank, window, Epoch::group);
    own.snapshot.reset();
  });
}
const Handlers exposure({"MPI_Win_wait", "MPI_Win_test"}, begin_exposed, end_exposed);

// ---- locks ----

/// MPI_MODE_NOCHECK: no other rank holds a lock that would keep this one out.
void check_unchecked(Job& job, const Call& call, Window& window, int self, int target, bool is_exclusive) {
  for (const auto& [other, held] : window.lock(target).holders) {
    if (other == self || !(held.is_exclusive || is_exclusive)) continue;
    job.report(Severity::error, "broken assertion", {call.site},
               "{0} promises by MPI_MODE_NOCHECK that no other rank locks rank " +
                   std::to_string(window.communicator->process(target)) + ", and rank " +
                   std::to_string(window.communicator->process(other)) + " does",
               "leave MPI_MODE_NOCHECK out");
    return;
  }
}

void take_lock(Job& job, const Rank& rank, Window& window, int target, Window::Held held) {
  Window::Lock& lock = window.lock(target);
  lock.holders[window.rank_of(rank)] = held;
  if (!held.is_checked) return;
  job.clocks.acquire(rank.number, lock.exclusive);
  if (held.is_exclusive) job.clocks.acquire(rank.number, lock.shared);
}

void give_lock(const Rank& rank, Window& window, int target, const Moment& moment) {
  Window::Lock& lock = window.lock(target);
  const auto held = lock.holders.find(window.rank_of(rank));
  if (held == lock.holders.end()) return;
  if (moment && held->second.is_checked) join(held->second.is_exclusive ? lock.exclusive : lock.shared, *moment);
  lock.holders.erase(held);
}

const Handlers lock({"MPI_Win_lock"}, nullptr, [](Job& job, Rank& rank, Call& call) {
  change<3>(job, rank, call, [&](Window& window, Window::Member& own) {
    const int target = call.integer(1);
    if (target < 0) return;
    const Window::Held held{.is_exclusive = call.integer(0) == MPI_LOCK_EXCLUSIVE,
                            .is_checked = (call.integer(2) & MPI_MODE_NOCHECK) == 0};
    if (!held.is_checked) check_unchecked(job, call, window, window.rank_of(rank), target, held.is_exclusive);
    own.locks[target] = held;
    own.opened = call.site;
    take_lock(job, rank, window, target, held);
  });
});

void begin_unlock(Job& job, Rank& rank, Call& call) {
  const auto window = job.windows.of(rank.number, call[1]);
  const int target = call.integer(0);
  if (!window || !window->member(window->rank_of(rank)).locks.contains(target)) return;
  give_lock(rank, *window, target, end_accesses(job, rank, *window, target));
}
const Handlers unlock({"MPI_Win_unlock"}, begin_unlock, [](Job& job, Rank& rank, Call& call) {
  change<1>(job, rank, call, [&](Window& window, Window::Member& own) {
    const int target = call.integer(0);
    if (target < 0) return;
    job.windows.free_buffers(job, rank, window, target);
    own.locks.erase(target);
  });
});

const Handlers lock_all({"MPI_Win_lock_all"}, nullptr, [](Job& job, Rank& rank, Call& call) {
  change<1>(job, rank, call, [&](Window& window, Window::Member& own) {
    own.has_lock_all = true;
    own.is_all_checked = (call.integer(0) & MPI_MODE_NOCHECK) == 0;
    own.opened = call.site;
    const int self = window.rank_of(rank);
    own.touched = {self};
    take_lock(job, rank, window, self, {.is_exclusive = false, .is_checked = own.is_all_checked});
  });
});

void begin_unlock_all(Job& job, Rank& rank, Call& call) {
  const auto window = job.windows.of(rank.number, call[0]);
  if (!window) return;
  const Window::Member& own = window->member(window->rank_of(rank));
  if (!own.has_lock_all) return;
  const Moment moment = end_accesses(job, rank, *window, -1);
  for (const int target : own.touched) {
    if (moment && own.is_all_checked) join(window->lock(target).shared, *moment);
    window->lock(target).holders.erase(window->rank_of(rank));
  }
}
const Handlers unlock_all({"MPI_Win_unlock_all"}, begin_unlock_all, [](Job& job, Rank& rank, Call& call) {
  change<0>(job, rank, call, [&](Window& window, Window::Member& own) {
    job.windows.free_buffers(job, rank, window, -1);
    own.has_lock_all = false;
  });
});

// ---- flushes ----

template <int handle, bool is_to_one>
void end_flush(Job& job, Rank& rank, Call& call) {
  change<handle>(job, rank, call, [&](Window& window, Window::Member&) {
    const int target = is_to_one ? call.integer(0) : -1;
    if (is_to_one && target < 0) return;
    job.windows.end(job, rank, window, target);
    job.windows.free_buffers(job, rank, window, target);
  });
}
const Handlers flush({"MPI_Win_flush"}, nullptr, end_flush<1, true>);
const Handlers flush_all({"MPI_Win_flush_all"}, nullptr, end_flush<0, false>);

/// Only this rank's buffers are free again: nothing is known of the target.
template <int handle, bool is_to_one>
void end_flush_local(Job& job, Rank& rank, Call& call) {
  change<handle>(job, rank, call, [&](Window& window, Window::Member&) {
    const int target = is_to_one ? call.integer(0) : -1;
    if (!is_to_one || target >= 0) job.windows.free_buffers(job, rank, window, target);
  });
}
const Handlers flush_local({"MPI_Win_flush_local"}, nullptr, end_flush_local<1, true>);
const Handlers flush_local_all({"MPI_Win_flush_local_all"}, nullptr, end_flush_local<0, false>);

// ---- looking at memory ----

const Handlers sync({"MPI_Win_sync"}, nullptr, [](Job&, Rank& rank, Call&) {
  for (auto& [code, look] : rank.looks) look.is_synchronised = true;
  rank.latest_loads.clear();
});

}  // namespace
}  // namespace sanvp::mpi_check
