// Waiting for requests, testing, starting and freeing them.
#include <algorithm>

#include "platform/mpi_check/job.hpp"
#include "sw/abi/mpi_numbers.h"

namespace sanvp::mpi_check {
namespace {

/// The arguments of a call that are its requests: one at an address, or so many.
struct Place {
  int count;  ///< of the argument with their number; below 0: one
  int requests;
  int statuses;   ///< one for each request; below 0: none that are needed
  bool is_array;  ///< of statuses
};

std::vector<std::uint64_t> handles_of(const Rank& rank, const Call& call, const Place& place) {
  const int count = place.count < 0 ? 1 : call.integer(static_cast<std::size_t>(place.count));
  if (count <= 0) return {};
  return rank.array<std::uint64_t>(call[static_cast<std::size_t>(place.requests)], static_cast<std::size_t>(count));
}

template <const Place* place>
void begin(Job&, Rank& rank, Call& call) {
  call.handles = handles_of(rank, call, *place);
  for (const std::uint64_t handle : call.handles) {
    const auto& request = call.requests.emplace_back(rank.request(handle));
    if (request && request->is_active)
      call.posts.insert(call.posts.end(), request->posts.begin(), request->posts.end());
  }
}

/// Whether the library may have used the request's memory again: it is over, and other threads are in calls.
bool may_be_another(const Rank& rank, const Call& call, std::uint64_t handle, const Request& request) {
  if (!rank.has_threads) return false;
  return rank.request(handle).get() != &request ||
         std::any_of(rank.calls.begin(), rank.calls.end(),
                     [&](const auto& other) { return other.second.thread != call.thread; });
}

/// What the library has kept in the request about the message that came.
/// @param is_kept  it is still there
void resolve(Job& job, Rank& rank, std::uint64_t handle, Request& request, std::uint64_t status, bool is_kept) {
  MPI_Status told{};
  const bool is_told = status != 0 && rank.read(status, &told, sizeof told);
  for (const auto& post : request.posts) {
    const auto message = std::dynamic_pointer_cast<Message>(post);
    if (!message) continue;
    if (request.was_cancelled) message->is_satisfied = true;  // it ends, this way or that
    const auto from = rank.value<std::uint32_t>(handle + rank.layout->request_from);
    const auto tag = rank.value<std::uint64_t>(handle + rank.layout->request_tag);
    const bool is_empty =
        from == 0 && tag == 0 && rank.value<std::uint64_t>(handle + rank.layout->request_got_bytes) == 0;
    if (request.was_cancelled && !is_told && !is_kept) job.mail.give_up(*message);
    if (request.was_cancelled && (is_told ? told.cancelled_ != 0 : !message->is_send && is_empty)) {
      job.mail.cancel(message);
      continue;
    }
    if (!message->is_open()) continue;
    if (!is_kept) {
      const int source = is_told && request.communicator ? request.communicator->process(told.MPI_SOURCE) : -1;
      if (source >= 0) {
        job.mail.resolve(message, source, told.MPI_TAG);
        continue;
      }
      job.mail.give_up(*message);
      job.mail.resolve(message);
      continue;
    }
    if (request.posts.size() > 1) {  // a send and a receive in one: the request itself knows of neither
      const int source = is_told && request.communicator ? request.communicator->process(told.MPI_SOURCE) : -1;
      source >= 0 ? job.mail.resolve(message, source, told.MPI_TAG) : job.mail.resolve(message);
      continue;
    }
    job.note_race(*message, static_cast<int>(from));
    job.mail.resolve(message, static_cast<int>(from), static_cast<int>(tag & 0x7fffffff));
  }
}

bool has_ended(const Rank& rank, std::uint64_t handle, const Request& request, std::uint64_t now) {
  if (now != handle) return true;
  return request.is_persistent && request.is_active && rank.value<int>(handle + rank.layout->request_active) == 0;
}

template <const Place* place, bool waits_for_all>
void end(Job& job, Rank& rank, Call& call) {
  const std::vector<std::uint64_t> now = handles_of(rank, call, *place);
  std::vector<std::shared_ptr<Post>> over;
  for (std::size_t i = 0; i < call.handles.size() && i < now.size(); ++i) {
    const std::uint64_t handle = call.handles[i];
    const auto& request = call.requests[i];
    if (!request || !has_ended(rank, handle, *request, now[i])) continue;
    const bool is_kept = !may_be_another(rank, call, handle, *request);
    std::uint64_t status = place->statuses < 0 ? 0 : call[static_cast<std::size_t>(place->statuses)];
    if (status != 0 && place->is_array) status += i * sizeof(MPI_Status);
    resolve(job, rank, handle, *request, status, is_kept);
    for (const auto& post : request->posts) {
      const auto message = std::dynamic_pointer_cast<Message>(post);
      if (!message || !message->any_source) over.push_back(post);
    }
    job.end_request(rank, *request);
    if (rank.request(handle) == request) job.windows.end_request(job, rank, handle);
    if (!request->is_persistent) rank.forget_request(handle, *request);
  }
  if (waits_for_all && !over.empty())
    job.synchronous.add(rank.number, call.thread, {.site = call.site, .begins = {}, .waits_for = std::move(over)});
}

constexpr Place wait{-1, 0, 1, false}, wait_all{0, 1, 2, true}, wait_any{0, 1, 3, false}, wait_some{0, 1, -1, false},
    test{-1, 0, 2, false}, test_all{0, 1, 3, true}, test_any{0, 1, 4, false}, single{-1, 0, -1, false},
    several{0, 1, -1, false};

const Handlers of_wait({"MPI_Wait"}, begin<&wait>, end<&wait, true>);
const Handlers of_wait_all({"MPI_Waitall"}, begin<&wait_all>, end<&wait_all, true>);
const Handlers of_wait_any({"MPI_Waitany"}, begin<&wait_any>, end<&wait_any, false>);
const Handlers of_wait_some({"MPI_Waitsome"}, begin<&wait_some>, end<&wait_some, false>);
const Handlers of_test({"MPI_Test"}, begin<&test>, end<&test, false>);
const Handlers of_test_all({"MPI_Testall"}, begin<&test_all>, end<&test_all, false>);
const Handlers of_test_any({"MPI_Testany"}, begin<&test_any>, end<&test_any, false>);
const Handlers of_test_some({"MPI_Testsome"}, begin<&wait_some>, end<&wait_some, false>);

// ---- start, cancel, free ----

std::shared_ptr<Post> started_post(Job& job, Rank& rank, const Call& call, Request& request) {
  if (request.is_collective) {
    auto part = std::make_shared<Part>();
    part->site = call.site;
    part->comm_rank = request.communicator->rank;
    if (const auto* const first = dynamic_cast<const Part*>(request.prepared_part.get())) {
      part->root = first->root;
      part->is_from_root = first->is_from_root;
    }
    Collectives::start(*request.collective, request.starts++, part);
    job.give(rank, *part);
    job.hold(rank, request.uses, request.id);
    return part;
  }
  if (!request.prepared) return nullptr;
  const Message& prepared = *request.prepared;
  auto message = std::make_shared<Message>();
  message->site = call.site;
  message->thread = rank.has_threads ? call.thread : 0;
  message->is_send = prepared.is_send;
  message->context = prepared.context;
  message->source = prepared.source;
  message->destination = prepared.destination;
  message->tag = prepared.tag;
  message->any_source = prepared.any_source;
  message->any_tag = prepared.any_tag;
  message->is_satisfied = prepared.is_satisfied;
  message->buffer = prepared.buffer;
  message->is_synchronous = prepared.is_synchronous;
  message->data = prepared.data;
  if (auto used = job.start_message(rank, message)) job.hold(rank, {std::move(*used)}, request.id);
  return message;
}

template <const Place* place>
void begin_start(Job& job, Rank& rank, Call& call) {
  std::vector<std::shared_ptr<Post>> started;
  for (const std::uint64_t handle : handles_of(rank, call, *place)) {
    const auto request = rank.request(handle);
    if (!request || !request->is_persistent || request->is_active) continue;
    request->is_active = true;
    request->was_cancelled = false;
    request->posts.clear();
    if (auto post = started_post(job, rank, call, *request)) {
      request->posts.push_back(post);
      started.push_back(std::move(post));
    }
  }
  job.synchronous.add(rank.number, call.thread, {.site = call.site, .begins = std::move(started), .waits_for = {}});
}

/// MPI-3.1, 5.12 and 11.3.5. @returns whether it is allowed
bool may_end_early(Job& job, const Call& call, const Request& request, const std::string& what) {
  if (!request.needs_wait || !request.is_active) return true;
  job.report(Severity::error, "request " + what, {call.site, request.site},
             "{0}: the request of {1} must not be " + what + " while the operation is under way",
             "complete it by MPI_Wait or MPI_Test");
  return false;
}

void begin_cancel(Job& job, Rank& rank, Call& call) {
  const auto request = rank.request(rank.value<std::uint64_t>(call[0]));
  if (request && may_end_early(job, call, *request, "cancelled")) request->was_cancelled = true;
}

void begin_free(Job& job, Rank& rank, Call& call) {
  call.handles = {rank.value<std::uint64_t>(call[0])};
  call.requests = {rank.request(call.handles.front())};
  if (const auto& request = call.requests.front()) may_end_early(job, call, *request, "freed");
}

void end_free(Job& job, Rank& rank, Call& call) {
  const auto& request = call.requests.at(0);
  if (!request || call.result != MPI_SUCCESS) return;
  for (const auto& post : request->posts)
    if (const auto message = std::dynamic_pointer_cast<Message>(post);
        message && !message->is_send && request->is_active)
      job.report(Severity::warning, "receive freed", {call.site, request->site},
                 "{0} frees {1} while it is under way: the program cannot know when its data are there",
                 "wait for the receive instead");
  job.release(rank, request->id);
  rank.forget_request(call.handles[0], *request);
}

const Handlers of_start({"MPI_Start"}, begin_start<&single>, nullptr);
const Handlers of_start_all({"MPI_Startall"}, begin_start<&several>, nullptr);
const Handlers of_cancel({"MPI_Cancel"}, begin_cancel, nullptr);
const Handlers of_free({"MPI_Request_free"}, begin_free, end_free);

}  // namespace
}  // namespace sanvp::mpi_check
