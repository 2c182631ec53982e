// Windows: made and freed, and accessed.
#include <utility>

#include "platform/mpi_check/epochs.hpp"
#include "platform/mpi_check/job.hpp"
#include "sw/abi/mpi_numbers.h"

namespace sanvp::mpi_check {

/// All ranks of the window call it; the window's communicator is as one of them sees it.
void enter_together(Job& job, Rank& rank, Call& call, const Window& window, std::vector<Argument> arguments) {
  Communicator own = *window.communicator;
  own.rank = own.rank_of(rank.number);
  if (own.rank >= 0) job.enter_together(rank, call, own, std::move(arguments));
}

namespace {

// ---- made and freed ----

/// Places of arguments; below 0: the call lacks it.
struct Made {
  int base, bytes, unit;
  std::size_t handle;
  bool is_allocated = false;  ///< the base is a place for it
  bool is_shared = false;
};
constexpr Made created{0, 1, 2, 5}, allocated{4, 0, 1, 5, true}, shared{4, 0, 1, 5, true, true}, dynamic{-1, -1, -1, 2};

template <const Made* at>
void end_create(Job& job, Rank& rank, Call& call) {
  const auto made = rank.value<std::uint64_t>(call[at->handle]);
  if (call.result != MPI_SUCCESS || made == 0) return;
  Window::Member member;
  member.made = call.site;
  member.is_dynamic = at->base < 0;
  member.is_shared = at->is_shared;
  if (at->base >= 0) {
    member.bytes = call[static_cast<std::size_t>(at->bytes)];
    member.unit = call[static_cast<std::size_t>(at->unit)];
    member.base = call[static_cast<std::size_t>(at->base)];
    if (at->is_allocated) member.base = rank.value<std::uint64_t>(member.base);
    member.is_users = !at->is_allocated;
    member.stack = call.stack;
  }
  job.windows.add(job, rank, made, member);
}

const Handlers create({"MPI_Win_create"}, nullptr, end_create<&created>);
const Handlers allocate({"MPI_Win_allocate"}, nullptr, end_create<&allocated>);
const Handlers allocate_shared({"MPI_Win_allocate_shared"}, nullptr, end_create<&shared>);
const Handlers create_dynamic({"MPI_Win_create_dynamic"}, nullptr, end_create<&dynamic>);
const Handlers attach({"MPI_Win_attach"}, nullptr, [](Job& job, Rank& rank, Call& call) {
  if (call.result == MPI_SUCCESS) job.windows.attach(rank, call[1], call[2]);
});
const Handlers detach({"MPI_Win_detach"}, nullptr, [](Job& job, Rank& rank, Call& call) {
  if (call.result == MPI_SUCCESS) job.windows.detach(rank, call[1]);
});

void begin_free(Job& job, Rank& rank, Call& call) {
  const auto handle = rank.value<std::uint64_t>(call[0]);
  const auto window = job.windows.of(rank.number, handle);
  if (!window) return;
  const Window::Member& own = window->member(window->rank_of(rank));
  if (!own.locks.empty() || own.has_lock_all || own.has_started) return;  // the library refuses it
  job.windows.end(job, rank, *window, -1);
  job.windows.free_buffers(job, rank, *window, -1);
  job.windows.remove(rank, handle);
  enter_together(job, rank, call, *window, {});
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
  int result = -1;      ///< that is fetched; with counts, then its count and type
};
constexpr Places plain{0, 1, 2, 3, 5, 6, 7}, accumulate{0, 1, 2, 3, 5, 6, 8, 7},
    get_accumulate{0, 1, 2, 6, 8, 9, 11, 10, false, 3}, fetch{0, 0, 2, 3, 0, 2, 6, 5, true, 1},
    compare_swap{0, 0, 3, 4, 0, 3, 6, -1, true, 2};

template <Way way, const Places* at>
void access(Job& job, Rank& rank, Call& call) {
  if (call.result != MPI_SUCCESS) return;
  Access made;
  made.site = call.site;
  made.fetches = way == Way::get || at->is_one || call.handler->name.find("et_acc") != std::string::npos;
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
  if (made.operation == "MPI_NO_OP" && !made.fetches)
    job.report(Severity::error, "operation that only fetches", {call.site},
               "{0} has MPI_NO_OP, which only MPI_Get_accumulate, MPI_Rget_accumulate and MPI_Fetch_and_op take",
               "name an operation that changes the target, or fetch");
  if (made.operation == "MPI_NO_OP") made.local = {};
  if (at->result >= 0) {
    const auto result = static_cast<std::size_t>(at->result);
    made.result_buffer = call[result];
    made.result = at->is_one                      ? made.data
                  : call.integer(result + 1) >= 0 ? rank.data(call[result + 1], call[result + 2])
                                                  : Data{};
  }
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
const Handlers get_accumulations({"MPI_Get_accumulate", "MPI_Rget_accumulate"}, nullptr,
                                 access<Way::accumulate, &get_accumulate>);
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

}  // namespace
}  // namespace sanvp::mpi_check
