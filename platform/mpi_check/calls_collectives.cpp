// Collective operations, also nonblocking and persistent ones, and calls that all ranks of a communicator make.
#include <algorithm>

#include "platform/mpi_check/collective_call.hpp"
#include "platform/mpi_check/job.hpp"
#include "sw/abi/mpi_numbers.h"

namespace sanvp::mpi_check {
namespace {

bool is_prepared(const Call& call) { return call.handler->name.ends_with("_init"); }

void check_buffers(Job& job, const CollectiveCall& operation, const Call& call) {
  for (const auto& [read_at, read] : operation.reads)
    for (const auto& [written_at, written] : operation.writes)
      if (read && written) {
        job.compare_buffers(call.site, read_at, read, written_at, written);
        if (operation.reads.size() > 1 && operation.writes.size() > 1) return;  // by the first pair alone
      }
}

std::vector<Use> uses_of(Job& job, Rank& rank, const CollectiveCall& operation, const Call& call) {
  std::vector<Use> uses;
  for (const auto& [blocks, is_written] : {std::pair(&operation.reads, false), std::pair(&operation.writes, true)})
    if (auto used = job.use(rank, call.site, *blocks, is_written)) {
      if (!is_written) used->hash = 0;  // as soon as the operation begins
      uses.push_back(std::move(*used));
    }
  return uses;
}

template <bool is_blocking>
void begin(Job& job, Rank& rank, Call& call) {
  const CollectiveCall operation = *CollectiveCall::read(rank, call.handler->name, call.words);
  call.learns_all = operation.communicator && operation.communicator->is_inter;
  if (!operation.communicator || operation.communicator->is_inter) return;
  call.communicator = operation.communicator;
  operation.part->site = call.site;
  if (!operation.is_valid) return;
  check_buffers(job, operation, call);
  job.check_operation(call.site, operation.part->operation, operation.part->reduced);
  call.uses = uses_of(job, rank, operation, call);
  const auto slot = job.collectives.enter(*operation.communicator, operation.part);
  operation.part->is_blocking = is_blocking;
  if (!is_prepared(call)) job.give(rank, *operation.part);
  call.posts = {operation.part};
  Synchronous::Step step{.site = call.site, .begins = call.posts, .waits_for = {}};
  if (is_blocking) step.waits_for = call.posts;
  job.synchronous.add(rank.number, call.thread, std::move(step));
}

void end(Job& job, Rank& rank, Call& call) {
  const auto handle = rank.value<std::uint64_t>(call.words.back());
  if (call.result != MPI_SUCCESS || handle == 0) return;
  const auto request = rank.add_request(handle, call.site);
  request->is_collective = request->needs_wait = true;
  request->communicator = call.communicator;
  request->learns_all = call.learns_all;
  if (is_prepared(call)) {
    request->is_persistent = true;
    if (!call.posts.empty()) request->prepared_part = call.posts.front();
    if (!call.posts.empty()) request->collective = std::static_pointer_cast<CollectiveSlot>(call.posts.front()->slot);
    if (!request->collective) request->is_collective = false;
    request->uses = std::move(call.uses);
  } else {
    request->is_active = true;
    request->posts = call.posts;
    job.hold(rank, std::move(call.uses), request->id);
  }
}

const Handlers blocking(CollectiveCall::names(true), begin<true>, nullptr);
const Handlers nonblocking(CollectiveCall::names(false), begin<false>, end);

// ---- reductions of one rank ----

void reduce_local(Job& job, Rank& rank, Call& call) {
  if (call.integer(2) < 0) return;
  const Data data = rank.data(call[2], call[3]);
  job.compare_buffers(call.site, call[0], data, call[1], data);
  job.check_operation(call.site, rank.operation(call[4]), data);
  job.use(rank, call.site, {{call[0], data}}, false);
  job.use(rank, call.site, {{call[1], data}}, true);
}
const Handlers local({"MPI_Reduce_local"}, reduce_local, nullptr);

// ---- calls that all ranks make ----

/// The argument of such a call that is its communicator.
const std::map<std::string, std::size_t>& communicator_places() {
  static const std::map<std::string, std::size_t> all{
      {"MPI_Comm_dup", 0},           {"MPI_Comm_dup_with_info", 0},
      {"MPI_Comm_create", 0},        {"MPI_Comm_split", 0},
      {"MPI_Comm_split_type", 0},    {"MPI_Cart_create", 0},
      {"MPI_Cart_sub", 0},           {"MPI_Graph_create", 0},
      {"MPI_Dist_graph_create", 0},  {"MPI_Dist_graph_create_adjacent", 0},
      {"MPI_Intercomm_create", 0},   {"MPI_Win_create", 4},
      {"MPI_Win_allocate", 3},       {"MPI_Win_allocate_shared", 3},
      {"MPI_Win_create_dynamic", 1}, {"MPI_File_open", 0}};
  return all;
}

std::vector<std::string> names_of_common_calls() {
  std::vector<std::string> all;
  for (const auto& [name, place] : communicator_places()) all.push_back(name);
  return all;
}

/// What must be the same in all ranks (MPI-3.1, 7.5).
std::vector<Argument> common_arguments(const Rank& rank, const Call& call) {
  const auto logical = [](std::vector<int> values) {
    for (int& value : values) value = value != 0 ? 1 : 0;
    return values;
  };
  constexpr std::size_t most = 1U << 20;
  const auto values = [&](std::size_t place, int count) {
    return rank.array<int>(call[place], std::min<std::size_t>(static_cast<std::size_t>(std::max(count, 0)), most));
  };
  const std::string& name = call.handler->name;
  if (name == "MPI_Cart_create")
    return {{"dims", values(2, call.integer(1))},
            {"periods", logical(values(3, call.integer(1)))},
            {"reorder", logical({call.integer(4)})}};
  if (name != "MPI_Graph_create") return {};
  std::vector<int> index = values(2, call.integer(1)), edges = values(3, index.empty() ? 0 : index.back());
  return {{"index", std::move(index)}, {"edges", std::move(edges)}, {"reorder", logical({call.integer(4)})}};
}

void begin_common(Job& job, Rank& rank, Call& call) {
  const auto communicator = rank.communicator(call[communicator_places().at(call.handler->name)]);
  if (communicator) job.enter_together(rank, call, *communicator, common_arguments(rank, call));
}

const Handlers common(names_of_common_calls(), begin_common, nullptr);
const Handlers duplicates(
    {"MPI_Comm_idup"},
    [](Job& job, Rank& rank, Call& call) {
      const auto communicator = rank.communicator(call[0]);
      if (!communicator || communicator->is_inter) return;
      auto part = std::make_shared<Part>();
      part->site = call.site;
      job.collectives.enter(*communicator, part);
      job.give(rank, *part);
      call.posts = {part};
      call.communicator = communicator;
      job.synchronous.add(rank.number, call.thread, {.site = call.site, .begins = {part}, .waits_for = {}});
    },
    end);

}  // namespace

void Job::check_operation(const Site& site, const std::string& operation, const Data& data) {
  if (operation.empty() || operation == "MPI_REPLACE" || operation == "MPI_NO_OP") return;
  if (const std::string* const characters = characters_in(data))
    report(Severity::error, "reduction of characters", {site},
           "{0} uses " + operation + " on " + *characters + ", whose elements are characters and no numbers",
           "use MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR or another type of integers");
}

void Job::enter_together(Rank& rank, Call& call, const Communicator& communicator, std::vector<Argument> arguments) {
  call.learns_all = communicator.is_inter;
  if (communicator.is_inter) return;
  auto part = std::make_shared<Part>();
  part->site = call.site;
  part->arguments = std::move(arguments);
  collectives.enter(communicator, part);
  part->is_blocking = true;
  give(rank, *part);
  call.posts = {part};
  synchronous.add(rank.number, call.thread, {.site = call.site, .begins = {part}, .waits_for = {part}});
}

}  // namespace sanvp::mpi_check
