#include "platform/otf2/recorder.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

namespace sanvp::otf2 {
namespace {

constexpr std::uint32_t world = 0;
constexpr std::uint64_t tag_mask = 0x7fffffff;  // the context is above it (sw/mpi/base/communicator.h)
constexpr int context_shift = 32;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Calls that begin messages and return before they are over.
bool is_nonblocking(std::string_view call) { return call.starts_with("MPI_I") || call.starts_with("MPI_Start"); }

/// What a call with a peer does with that one's memory, if anything. `object` and `id` are the caller's.
std::optional<Event> access_of(std::string_view call) {
  const bool is_mpi = call.starts_with("MPI_");
  if (!is_mpi && !call.starts_with("shmem_")) return {};
  const auto atomic = [](Atomic type) { return Event{.tag = static_cast<std::uint32_t>(type), .kind = Kind::atomic}; };
  if (is_mpi) {
    if (call == "MPI_Put" || call == "MPI_Rput") return Event{.kind = Kind::put};
    if (call == "MPI_Get" || call == "MPI_Rget") return Event{.kind = Kind::get};
    if (call == "MPI_Accumulate" || call == "MPI_Raccumulate") return atomic(Atomic::accumulate);
    if (call == "MPI_Compare_and_swap") return atomic(Atomic::compare_and_swap);
    if (call == "MPI_Get_accumulate" || call == "MPI_Rget_accumulate" || call == "MPI_Fetch_and_op")
      return atomic(Atomic::fetch_and_accumulate);
    return {};
  }
  if (has(call, "compare_swap") || has(call, "cswap")) return atomic(Atomic::compare_and_swap);
  if (has(call, "swap")) return atomic(Atomic::swap);
  if (has(call, "fetch") || has(call, "fadd") || has(call, "finc")) return atomic(Atomic::fetch_and_accumulate);
  if (has(call, "_atomic_") || call.ends_with("_add") || call.ends_with("_inc") || call.ends_with("_set"))
    return atomic(Atomic::accumulate);
  if (has(call, "put") || call.ends_with("_p")) return Event{.kind = Kind::put};
  if (has(call, "get") || call.ends_with("_g")) return Event{.kind = Kind::get};
  return {};
}

/// Whether an access of SHMEM that returns data has them at the end of its call.
bool is_over_with_its_call(std::string_view call, const Event& access) {
  if (!call.starts_with("shmem_") || call.ends_with("_nbi")) return false;
  return access.kind == Kind::get ||
         (access.kind == Kind::atomic && access.tag != static_cast<std::uint32_t>(Atomic::accumulate));
}

/// Calls after which all accesses that the rank has begun are over, of MPI those to one window.
bool ends_accesses(std::string_view call) {
  constexpr std::array calls{"MPI_Win_fence",      "MPI_Win_flush",    "MPI_Win_flush_all", "MPI_Win_unlock",
                             "MPI_Win_unlock_all", "MPI_Win_complete", "MPI_Win_free",      "shmem_quiet",
                             "shmem_ctx_quiet",    "shmem_barrier",    "shmem_barrier_all", "shmem_finalize"};
  return std::find(calls.begin(), calls.end(), call) != calls.end();
}

bool is_meeting(std::string_view call) { return call == "shmem_barrier_all" || call == "shmem_sync_all"; }

std::optional<Collective> collective_of(const std::string& name) {
  static const std::map<std::string, Collective> all{{"Barrier", Collective::barrier},
                                                     {"Bcast", Collective::bcast},
                                                     {"Gather", Collective::gather},
                                                     {"Gatherv", Collective::gatherv},
                                                     {"Scatter", Collective::scatter},
                                                     {"Scatterv", Collective::scatterv},
                                                     {"Allgather", Collective::allgather},
                                                     {"Allgatherv", Collective::allgatherv},
                                                     {"Alltoall", Collective::alltoall},
                                                     {"Alltoallv", Collective::alltoallv},
                                                     {"Alltoallw", Collective::alltoallw},
                                                     {"Allreduce", Collective::allreduce},
                                                     {"Reduce", Collective::reduce},
                                                     {"Reduce_scatter", Collective::reduce_scatter},
                                                     {"Scan", Collective::scan},
                                                     {"Exscan", Collective::exscan},
                                                     {"Reduce_scatter_block", Collective::reduce_scatter_block}};
  const auto found = all.find(name);
  return found != all.end() ? std::optional(found->second) : std::nullopt;
}

std::uint64_t sum_of(const mpi_check::Flow& flow, const mpi_check::CollectiveCall& call) {
  std::uint64_t sum = 0;
  for (int rank = 0; rank < call.communicator->size; ++rank)
    if (const mpi_check::Data* const data = flow.with(rank, call.part->root)) sum += data->bytes();
  return sum;
}

/// Bytes that the rank sends and receives, as Score-P counts them.
std::pair<std::uint64_t, std::uint64_t> bytes_of(Collective operation, const mpi_check::CollectiveCall& call) {
  const std::uint64_t reduced = call.part->reduced.bytes();
  switch (operation) {
    case Collective::barrier:
      return {0, 0};
    case Collective::bcast:
      return {call.is_root() ? reduced * call.size() : 0, reduced};
    case Collective::reduce:
      return {reduced, call.is_root() ? reduced : 0};
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan:
      return {reduced, reduced};
    case Collective::reduce_scatter_block:
      return {reduced * call.size(), reduced};
    case Collective::reduce_scatter:
      return {reduced, call.writes.empty() ? 0 : call.writes.front().second.bytes()};
    case Collective::allgather:
    case Collective::allgatherv:
      return {call.part->gives.data.bytes(), sum_of(call.part->takes, call)};
    default:
      return {sum_of(call.part->gives, call), sum_of(call.part->takes, call)};
  }
}

}  // namespace

Recorder::Recorder(std::string machine, std::string program, std::vector<int> nodes)
    : CallObserver(nodes.size()), ranks_(nodes.size()) {
  recording_.machine = std::move(machine);
  recording_.program = std::move(program);
  recording_.nodes = std::move(nodes);
  Communicator& all = recording_.communicators.emplace_back("MPI_COMM_WORLD");
  all.ranks.resize(ranks_.size());
  std::iota(all.ranks.begin(), all.ranks.end(), 0);
}

Recorder::Rank* Recorder::rank_of(const host::Identity& process) {
  if (process.job != 0 || process.rank < 0 || static_cast<std::size_t>(process.rank) >= ranks_.size()) return nullptr;
  return &ranks_[static_cast<std::size_t>(process.rank)];
}

void Recorder::add(Rank& rank, Event event) {
  event.at = rank.at = std::max(rank.at, event.at);
  rank.events.push_back(event);
}

void Recorder::add_at_end(Rank& rank, const Event& event) {
  if (rank.thread || rank.must_leave)
    rank.at_end.push_back(event);
  else
    add(rank, event);
}

void Recorder::leave(Rank& rank) {
  if (!std::exchange(rank.must_leave, false)) return;
  for (const Event& event : rank.at_end) add(rank, event);
  rank.at_end.clear();
  if (rank.collective) add(rank, *rank.collective);
  rank.collective.reset();
  add(rank, {.object = rank.region, .kind = Kind::leave});
}

std::uint32_t Recorder::region_of(const char* name) {
  const auto known = regions_by_address_.find(name);
  if (known != regions_by_address_.end()) return known->second;
  const auto [found, is_new] = regions_.emplace(name, static_cast<std::uint32_t>(regions_.size()));
  if (is_new) recording_.regions.emplace_back(name);
  return regions_by_address_[name] = found->second;
}

// ---- calls ----

void Recorder::call_begins(const host::Identity& process, int thread, const char* name, int peer, std::uint64_t bytes,
                           Time at) {
  Rank* const rank = rank_of(process);
  if (rank == nullptr || rank->thread) return;
  leave(*rank);
  rank->thread = thread;
  rank->region = region_of(name);
  rank->is_nonblocking = is_nonblocking(name);
  rank->sends.clear();
  add(*rank, {.at = at, .object = rank->region, .kind = Kind::enter});
  if (rank->collective) add(*rank, {.kind = Kind::collective_begin});
  if (peer >= 0) begin_access(*rank, name, peer, bytes);
  if (is_meeting(name)) {
    const std::uint32_t window = window_of(*rank, name);
    add(*rank, {.object = window, .kind = Kind::meet});
    add_at_end(*rank, {.object = window, .kind = Kind::met});
  }
}

void Recorder::call_ends(const host::Identity& process, int thread, Time at) {
  Rank* const rank = rank_of(process);
  if (rank == nullptr || rank->thread != thread) return;
  const std::string& name = recording_.regions[rank->region];
  if (ends_accesses(name)) end_accesses(*rank, name);
  const Time busy = cable_busy_ ? cable_busy_(process.node) : Time{0};
  const Event traffic{.bytes = rank->bytes_sent, .id = static_cast<std::uint64_t>(busy.count()), .kind = Kind::traffic};
  if (!(traffic == std::exchange(rank->traffic, traffic))) add_at_end(*rank, traffic);
  rank->thread.reset();
  rank->must_leave = true;
  rank->at = std::max(rank->at, at);
  if (!rank->tells_calls) leave(*rank);
}

void Recorder::mpi_call_begins(mpi_check::Rank& known, const mpi_check::ObservedCall& call) {
  Rank& rank = ranks_[static_cast<std::size_t>(known.number)];
  rank.tells_calls = true;
  if (!world_context_)
    if (const auto all = known.communicator(known.layout->world)) world_context_ = all->context;
  leave(rank);
  if (rank.thread) return;  // another thread's call is drawn
  rank.window.reset();
  if (call.messages_on && !call.messages_on->is_inter)
    rank.communicators[call.messages_on->context] = communicator_of(*call.messages_on);
  if (has(call.name, "_create") || has(call.name, "_allocate") || call.words.empty()) {
    // the window is known at its end
  } else if (call.name == "MPI_Win_free") {
    if (const auto found = rank.windows.find(known.value<std::uint64_t>(call.words[0])); found != rank.windows.end())
      rank.window = found->second;
  } else {
    const std::size_t behind =
        call.name.starts_with("MPI_R") && call.words.size() > 1 ? 2 : 1;  // MPI_Rput: its request
    if (const auto found = rank.windows.find(call.words[call.words.size() - behind]); found != rank.windows.end())
      rank.window = found->second;
  }
  if (!call.collective || !call.collective->is_valid || !call.collective->is_blocking) return;
  const auto operation = collective_of(call.collective->name);
  if (!operation) return;
  const auto [sent, received] = bytes_of(*operation, *call.collective);
  const int root = call.collective->part->root;
  rank.bytes_sent += sent;
  rank.collective = Event{.bytes = sent,
                          .id = received,
                          .object = communicator_of(*call.collective->communicator),
                          .peer = root < 0 ? none : static_cast<std::uint32_t>(root),
                          .tag = static_cast<std::uint32_t>(*operation),
                          .kind = Kind::collective_end};
}

void Recorder::mpi_call_ends(mpi_check::Rank& known, const mpi_check::ObservedCall& call) {
  Rank& rank = ranks_[static_cast<std::size_t>(known.number)];
  if (!rank.must_leave) return;
  if (call.made != 0 && rank.sends.size() == 1) rank.sends_under_way[call.made] = rank.sends.front();
  if (call.name.starts_with("MPI_Start") && rank.sends.size() == call.requests.size())
    for (std::size_t i = 0; i < rank.sends.size(); ++i) rank.sends_under_way[call.requests[i]] = rank.sends[i];
  for (const std::uint64_t handle : call.over)
    if (const auto found = rank.sends_under_way.find(handle); found != rank.sends_under_way.end()) {
      add_at_end(rank, {.id = found->second, .kind = Kind::send_over});
      rank.sends_under_way.erase(found);
    }
  if (call.name.starts_with("MPI_Win_create") || call.name.starts_with("MPI_Win_allocate"))
    make_window(known, rank, call);
  if (call.name == "MPI_Win_free" && rank.window)
    add_at_end(rank, {.object = *rank.window, .kind = Kind::window_freed});
  rank.window.reset();
  leave(rank);
}

// ---- communicators and messages ----

std::uint32_t Recorder::communicator_of(const mpi_check::Communicator& known) {
  if (known.context == world_context_) return world;
  const auto number = static_cast<std::uint32_t>(recording_.communicators.size());
  const auto [found, is_new] = communicators_.emplace(std::pair{known.context, known.processes}, number);
  if (is_new)
    recording_.communicators.push_back(
        {"communicator " + std::to_string(number), {known.processes.begin(), known.processes.end()}});
  return found->second;
}

/// The communicator of a message, and its peer's rank there.
std::pair<std::uint32_t, std::uint32_t> Recorder::place_of(const Rank& rank, std::uint64_t tag, int peer) const {
  const auto context = rank.communicators.find(static_cast<std::uint32_t>(tag >> context_shift));
  if (context != rank.communicators.end()) {
    const auto& ranks = recording_.communicators[context->second].ranks;
    const auto found = std::find(ranks.begin(), ranks.end(), static_cast<std::uint64_t>(peer));
    if (found != ranks.end()) return {context->second, static_cast<std::uint32_t>(found - ranks.begin())};
  }
  return {world, static_cast<std::uint32_t>(peer)};
}

void Recorder::message_sent(const host::Identity& process, int to, std::uint64_t tag, std::uint64_t bytes) {
  Rank* const rank = rank_of(process);
  if (rank == nullptr || to < 0 || static_cast<std::size_t>(to) >= ranks_.size()) return;
  ranks_[static_cast<std::size_t>(to)].coming[{process.rank, tag}].push_back(bytes);
  rank->bytes_sent += bytes;
  const auto [communicator, peer] = place_of(*rank, tag, to);
  Event event{.bytes = bytes,
              .object = communicator,
              .peer = peer,
              .tag = static_cast<std::uint32_t>(tag & tag_mask),
              .kind = Kind::send};
  if (rank->is_nonblocking && rank->tells_calls) {
    event.kind = Kind::nonblocking_send;
    event.id = ++rank->ids;
    rank->sends.push_back(event.id);
  }
  add(*rank, event);
}

void Recorder::receive_posted(const host::Identity& process, std::uint64_t receive) {
  Rank* const rank = rank_of(process);
  if (rank == nullptr || !rank->is_nonblocking) return;
  const std::uint64_t id = rank->receives[receive] = ++rank->ids;
  add(*rank, {.id = id, .kind = Kind::receive_request});
}

void Recorder::message_over(const host::Identity& process, int from, int to, std::uint64_t tag, std::uint64_t receive) {
  Rank* const rank = rank_of(process);
  if (rank == nullptr) return;
  const auto request = rank->receives.find(receive);
  const std::uint64_t id = request != rank->receives.end() ? request->second : 0;
  if (request != rank->receives.end()) rank->receives.erase(request);
  if (from < 0 || receive == 0) {  // cancelled, a receive or a send
    if (id != 0) add_at_end(*rank, {.id = id, .kind = Kind::cancelled});
    if (receive == 0 && to >= 0 && static_cast<std::size_t>(to) < ranks_.size())
      if (auto& sent = ranks_[static_cast<std::size_t>(to)].coming[{process.rank, tag}]; !sent.empty()) sent.pop_back();
    return;
  }
  auto& coming = rank->coming[{from, tag}];
  const auto [communicator, peer] = place_of(*rank, tag, from);
  add_at_end(*rank, {.bytes = coming.empty() ? 0 : coming.front(),
                     .id = id,
                     .object = communicator,
                     .peer = peer,
                     .tag = static_cast<std::uint32_t>(tag & tag_mask),
                     .kind = id != 0 ? Kind::receive_over : Kind::receive});
  if (!coming.empty()) coming.pop_front();
}

// ---- memory of others ----

/// That of the call under way; of SHMEM, and of programs that do not tell of their calls, one of all ranks.
std::uint32_t Recorder::window_of(Rank& rank, const std::string& call) {
  if (rank.window) return *rank.window;
  const std::string name = call.starts_with("shmem_") ? "symmetric memory of SHMEM" : "windows of MPI";
  const auto [found, is_new] = plain_windows_.emplace(name, static_cast<std::uint32_t>(recording_.windows.size()));
  if (is_new) recording_.windows.push_back({name, world});
  return found->second;
}

void Recorder::make_window(mpi_check::Rank& known, Rank& rank, const mpi_check::ObservedCall& call) {
  if (call.words.size() < 2) return;
  // The communicator is in front of the window, or of that and the address that the library has allocated.
  const bool has_address = call.name.starts_with("MPI_Win_allocate") && call.words.size() > 2;
  const auto communicator = known.communicator(call.words[call.words.size() - (has_address ? 3 : 2)]);
  const auto handle = known.value<std::uint64_t>(call.words.back());
  if (!communicator || communicator->is_inter || handle == 0) return;
  const std::uint32_t of = communicator_of(*communicator);
  const auto number = static_cast<std::uint32_t>(recording_.windows.size());
  const auto [found, is_new] = windows_.emplace(std::pair{of, rank.windows_made[of]++}, number);
  if (is_new) recording_.windows.push_back({"window " + std::to_string(number), of});
  rank.windows[handle] = found->second;
  add_at_end(rank, {.object = found->second, .kind = Kind::window_made});
}

void Recorder::begin_access(Rank& rank, const std::string& name, int peer, std::uint64_t bytes) {
  std::optional<Event> access = access_of(name);
  if (!access) return;
  access->object = window_of(rank, name);
  access->peer = static_cast<std::uint32_t>(peer);
  access->bytes = bytes;
  access->id = ++rank.ids;
  if (access->kind == Kind::put) rank.bytes_sent += bytes;
  add(rank, *access);
  if (is_over_with_its_call(name, *access))
    add_at_end(rank, {.id = access->id, .object = access->object, .kind = Kind::access_over});
  else
    rank.accesses.push_back({access->object, access->id});
}

void Recorder::end_accesses(Rank& rank, const std::string& name) {
  const std::uint32_t window = window_of(rank, name);
  for (const Access& access : rank.accesses)
    if (access.window == window)
      add_at_end(rank, {.id = access.id, .object = access.window, .kind = Kind::accesses_over});
  std::erase_if(rank.accesses, [&](const Access& access) { return access.window == window; });
}

Recording Recorder::take() {
  recording_.events.clear();
  for (Rank& rank : ranks_) {
    if (rank.thread) {  // the run has ended within the call
      rank.collective.reset();
      rank.must_leave = true;
    }
    leave(rank);
    recording_.events.push_back(std::move(rank.events));
  }
  return std::move(recording_);
}

}  // namespace sanvp::otf2
