// Windows: made and freed, accessed, and their epochs.
#include <algorithm>

#include "platform/mpi_check/job.hpp"
#include "sw/mpi/mpi_types.h"

namespace sanvp::mpi_check {
namespace {

// ---- made and freed ----

/// @param base, unit, handle  places of arguments; base below 0: dynamic
template <int base, int unit, int handle, bool is_allocated>
void end_create(Job& job, Rank& rank, Call& call) {
  const auto made = rank.value<std::uint64_t>(call[handle]);
  if (call.result != MPI_SUCCESS || made == 0) return;
  Window::Member member;
  member.is_dynamic = base < 0;
  if (base >= 0) {
    member.unit = call[static_cast<std::size_t>(unit)];
    member.base = call[static_cast<std::size_t>(base)];
    if (is_allocated) member.base = rank.value<std::uint64_t>(member.base);
  }
  job.windows.add(rank, made, member);
}

const Handlers create({"MPI_Win_create"}, nullptr, end_create<0, 2, 5, false>);
const Handlers allocate({"MPI_Win_allocate", "MPI_Win_allocate_shared"}, nullptr, end_create<4, 1, 5, true>);
const Handlers create_dynamic({"MPI_Win_create_dynamic"}, nullptr, end_create<-1, -1, 2, false>);

/// All ranks of the window call it; the window's communicator is as one of them sees it.
void enter_together(Job& job, Rank& rank, Call& call, const Window& window) {
  Communicator own = *window.communicator;
  own.rank = own.rank_of(rank.number);
  if (own.rank >= 0) job.enter_together(rank, call, own);
}

Window::Member* own(const Rank& rank, Window& window) {
  const int self = window.communicator->rank_of(rank.number);
  return self >= 0 ? &window.members[static_cast<std::size_t>(self)] : nullptr;
}

void begin_free(Job& job, Rank& rank, Call& call) {
  const auto handle = rank.value<std::uint64_t>(call[0]);
  const auto window = job.windows.of(rank.number, handle);
  if (!window) return;
  const Window::Member* const member = own(rank, *window);
  if (!member->locks.empty() || member->has_lock_all || member->has_started) return;  // the library refuses it
  Windows::close(job, rank, *window, -1);
  job.windows.remove(rank.number, handle);
  enter_together(job, rank, call, *window);
}
const Handlers free_window({"MPI_Win_free"}, begin_free, nullptr);

// ---- accesses ----

/// Places of arguments.
struct Places {
  std::size_t buffer, count, type;  ///< of the origin
  std::size_t target;               ///< then its displacement
  std::size_t remote_count, remote_type;
  std::size_t window;
  int operation = -1;
  bool is_one = false;  ///< one element: there are no counts
};
constexpr Places plain{0, 1, 2, 3, 5, 6, 7}, accumulate{0, 1, 2, 3, 5, 6, 8, 7},
    get_accumulate{0, 1, 2, 6, 8, 9, 11, 10}, fetch{0, 0, 2, 3, 0, 2, 6, 5, true},
    compare_swap{0, 0, 3, 4, 0, 3, 6, -1, true};

template <Way way, const Places* at>
void access(Job& job, Rank& rank, Call& call) {
  if (call.result != MPI_SUCCESS) return;
  Access made;
  made.site = call.site;
  made.fetches = way == Way::get || call.handler->name.find("get") != std::string::npos;
  if (call.words.size() == at->window + 2) made.request = rank.value<std::uint64_t>(call.words.back());
  made.way = way;
  made.target = call.integer(at->target);
  made.address = call[at->target + 1];
  if (!at->is_one && (call.integer(at->count) < 0 || call.integer(at->remote_count) < 0)) return;
  made.local = rank.data(at->is_one ? 1 : call[at->count], call[at->type]);
  made.data = rank.data(at->is_one ? 1 : call[at->remote_count], call[at->remote_type]);
  made.buffer = call[at->buffer];
  if (at->operation >= 0) made.operation = rank.operation(call[static_cast<std::size_t>(at->operation)]);
  if (!made.data || made.target < 0) return;
  job.check_operation(call.site, made.operation, made.data);
  if (made.operation == "MPI_NO_OP") made.local = {};
  if (made.local && made.local.count > 0) {
    const Agreement agreement = compare(made.local, made.data);
    if (agreement == Agreement::other || agreement == Agreement::shorter || agreement == Agreement::longer)
      job.report(Severity::error, agreement == Agreement::other ? "type mismatch" : "different counts", {call.site},
                 "{0} has " + made.local.text() + " of its own, and " + made.data.text() + " at the target",
                 "name the same data on both sides");
  }
  if (rank.has_threads && rank.requests.contains(made.request))  // it is over: its end is still to be told
    job.windows.end_request(job, rank, made.request);
  job.windows.begin(job, rank, call[at->window], std::move(made));
}

const Handlers puts({"MPI_Put", "MPI_Rput"}, nullptr, access<Way::put, &plain>);
const Handlers gets({"MPI_Get", "MPI_Rget"}, nullptr, access<Way::get, &plain>);
const Handlers accumulations({"MPI_Accumulate", "MPI_Raccumulate"}, nullptr, access<Way::accumulate, &accumulate>);
const Handlers get_accumulations({"MPI_Get_accumulate", "MPI_Rget_accumulate"},
                                 access<Way::accumulate, &get_accumulate>, nullptr);
const Handlers fetches({"MPI_Fetch_and_op"}, nullptr, access<Way::accumulate, &fetch>);
const Handlers swaps({"MPI_Compare_and_swap"}, nullptr, access<Way::accumulate, &compare_swap>);

// The requests of these calls are of the library's own operations: the program must wait for them.
void end_request_based(Job&, Rank& rank, Call& call) {
  const auto handle = rank.value<std::uint64_t>(call.words.back());
  if (call.result != MPI_SUCCESS || handle == 0) return;
  const auto request = rank.add_request(handle, call.site);
  request->is_active = request->needs_wait = true;
}
const Handlers request_based({"MPI_Rput", "MPI_Rget", "MPI_Raccumulate", "MPI_Rget_accumulate"}, nullptr,
                             end_request_based);

// ---- epochs ----

void begin_fence(Job& job, Rank& rank, Call& call) {
  if (const auto window = job.windows.of(rank.number, call[1])) enter_together(job, rank, call, *window);
}

void end_fence(Job& job, Rank& rank, Call& call) {
  const auto window = job.windows.of(rank.number, call[1]);
  if (!window || call.result != MPI_SUCCESS) return;
  Windows::close(job, rank, *window, -1);
  Windows::verify(job, rank, *window, Epoch::fence);
  ++own(rank, *window)->fences;
  std::uint64_t least = UINT64_MAX;
  for (const Window::Member& member : window->members) least = std::min(least, member.fences);
  window->accesses.drop(-1, [&](const AccessKind& kind) { return kind.epoch == Epoch::fence && kind.fence < least; });
}
const Handlers fence({"MPI_Win_fence"}, begin_fence, end_fence);

template <int window, class Change>
void change(Job& job, Rank& rank, Call& call, Change change) {
  const auto found = job.windows.of(rank.number, call[window]);
  if (found && call.result == MPI_SUCCESS) change(*found, *own(rank, *found));
}

const Handlers start({"MPI_Win_start"}, nullptr, [](Job& job, Rank& rank, Call& call) {
  change<2>(job, rank, call, [&](Window&, Window::Member& member) {
    member.has_started = true;
    member.opened = call.site;
  });
});
const Handlers complete({"MPI_Win_complete"}, nullptr, [](Job& job, Rank& rank, Call& call) {
  change<0>(job, rank, call, [&](Window& window, Window::Member& member) {
    member.has_started = false;
    Windows::close(job, rank, window, -1);
  });
});
void end_exposure(Job& job, Rank& rank, Call& call) {
  if (call.words.size() > 1 && rank.value<int>(call[1]) == 0) return;  // MPI_Win_test
  change<0>(job, rank, call, [&](Window& window, Window::Member&) {
    Windows::verify(job, rank, window, Epoch::group);
    window.accesses.end_exposure(window.communicator->rank_of(rank.number));
  });
}
const Handlers exposure({"MPI_Win_wait", "MPI_Win_test"}, nullptr, end_exposure);

/// The accesses of a rank in its lock of a target: they are over for all once no rank has a lock there.
void end_lock_at(Window& window, int origin, int target) {
  Window::Member& of_target = window.members[static_cast<std::size_t>(target)];
  --of_target.open_locks;
  window.accesses.drop(target, [&](const AccessKind& kind) {
    return kind.epoch == Epoch::lock && (of_target.open_locks <= 0 || (kind.origin == origin && kind.is_exclusive));
  });
}

const Handlers lock({"MPI_Win_lock"}, nullptr, [](Job& job, Rank& rank, Call& call) {
  change<3>(job, rank, call, [&](Window& window, Window::Member& member) {
    const int target = call.integer(1);
    if (target < 0) return;
    member.locks[target] = call.integer(0) == MPI_LOCK_EXCLUSIVE;
    member.opened = call.site;
    ++window.members[static_cast<std::size_t>(target)].open_locks;
  });
});
const Handlers unlock({"MPI_Win_unlock"}, nullptr, [](Job& job, Rank& rank, Call& call) {
  change<1>(job, rank, call, [&](Window& window, Window::Member& member) {
    const int target = call.integer(0);
    if (target < 0) return;
    Windows::close(job, rank, window, target);
    member.locks.erase(target);
    end_lock_at(window, window.communicator->rank_of(rank.number), target);
  });
});
const Handlers lock_all({"MPI_Win_lock_all"}, nullptr, [](Job& job, Rank& rank, Call& call) {
  change<1>(job, rank, call, [&](Window& window, Window::Member& member) {
    member.has_lock_all = true;
    member.opened = call.site;
    for (Window::Member& other : window.members) ++other.open_locks;
  });
});
const Handlers unlock_all({"MPI_Win_unlock_all"}, nullptr, [](Job& job, Rank& rank, Call& call) {
  change<0>(job, rank, call, [&](Window& window, Window::Member& member) {
    Windows::close(job, rank, window, -1);
    member.has_lock_all = false;
    const int self = window.communicator->rank_of(rank.number);
    for (std::size_t target = 0; target < window.members.size(); ++target)
      end_lock_at(window, self, static_cast<int>(target));
  });
});

/// Accesses that are flushed are ordered before what comes later: the program may say so to others.
void end_flush(Job& job, Rank& rank, std::uint64_t handle, int target) {
  const auto window = job.windows.of(rank.number, handle);
  if (!window) return;
  Windows::close(job, rank, *window, target);
  const int self = window->communicator->rank_of(rank.number);
  window->accesses.drop(target,
                        [&](const AccessKind& kind) { return kind.epoch == Epoch::lock && kind.origin == self; });
}
const Handlers flush({"MPI_Win_flush"}, nullptr,
                     [](Job& job, Rank& rank, Call& call) { end_flush(job, rank, call[1], call.integer(0)); });
const Handlers flush_all({"MPI_Win_flush_all"}, nullptr,
                         [](Job& job, Rank& rank, Call& call) { end_flush(job, rank, call[0], -1); });
/// Only this rank's buffers are free again.
const Handlers flush_local({"MPI_Win_flush_local"}, nullptr, [](Job& job, Rank& rank, Call& call) {
  if (const auto window = job.windows.of(rank.number, call[1])) Windows::close(job, rank, *window, call.integer(0));
});
const Handlers flush_local_all({"MPI_Win_flush_local_all"}, nullptr, [](Job& job, Rank& rank, Call& call) {
  if (const auto window = job.windows.of(rank.number, call[0])) Windows::close(job, rank, *window, -1);
});

}  // namespace
}  // namespace sanvp::mpi_check
