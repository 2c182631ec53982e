// Collective operations, also nonblocking and persistent ones, and calls that all ranks of a communicator make.
#include <algorithm>
#include <cctype>

#include "platform/mpi_check/job.hpp"
#include "sw/abi/mpi_numbers.h"

namespace sanvp::mpi_check {
namespace {

constexpr std::uint64_t in_place = 1;  // MPI_IN_PLACE

using Blocks = std::vector<std::pair<std::uint64_t, Data>>;

/// A collective call, taken apart.
struct Operation {
  std::shared_ptr<const Communicator> communicator;
  std::shared_ptr<Part> part = std::make_shared<Part>();
  Blocks reads, writes;
  bool is_root() const { return communicator->rank == part->root; }
  auto size() const { return static_cast<std::size_t>(communicator->size); }
};

/// The arguments of a call, in its order.
class Arguments {
 public:
  Arguments(Rank& rank, const Call& call) : rank_(rank), call_(call) {}
  std::uint64_t operator[](std::size_t index) const { return call_[index]; }
  int integer(std::size_t index) const { return call_.integer(index); }
  /// Whether the library will refuse them: such a call is no part of a collective operation.
  bool are_invalid() const { return are_invalid_; }
  Data data(std::size_t count, std::size_t type) const {
    are_invalid_ |= integer(count) < 0 || (integer(count) > 0 && call_[type] == 0);
    return integer(count) >= 0 ? rank_.data(call_[count], call_[type]) : Data{};
  }
  /// By counts and, below 0 no, offsets; types: one, or one of each rank.
  std::vector<Data> each(std::size_t counts, std::size_t type, bool has_types, std::size_t ranks) const {
    const auto numbers = rank_.array<int>(call_[counts], ranks);
    const auto types = has_types ? rank_.array<std::uint64_t>(call_[type], ranks) : std::vector<std::uint64_t>{};
    std::vector<Data> all;
    for (std::size_t i = 0; i < numbers.size() && (!has_types || i < types.size()); ++i)
      all.push_back(numbers[i] < 0
                        ? Data{}
                        : rank_.data(static_cast<std::uint64_t>(numbers[i]), has_types ? types[i] : call_[type]));
    return all;
  }
  /// The data at offsets, in elements of their type or, with types of their own, in bytes.
  Blocks placed(std::uint64_t buffer, const std::vector<Data>& data, std::size_t offsets, bool in_bytes) const {
    const auto numbers = rank_.array<int>(call_[offsets], data.size());
    Blocks blocks;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (data[i])
        blocks.emplace_back(buffer + static_cast<std::uint64_t>(numbers[i] * (in_bytes ? 1 : data[i].type->extent)),
                            data[i]);
    return blocks;
  }
  std::string operation(std::size_t index) const { return rank_.operation(call_[index]); }

 private:
  Rank& rank_;
  const Call& call_;
  mutable bool are_invalid_ = false;
};

Flow to_all(const Data& data) { return {.kind = Flow::Kind::same_for_all, .data = data, .each = {}}; }
Flow to_root(const Data& data) { return {.kind = Flow::Kind::only_root, .data = data, .each = {}}; }
Flow by_rank(std::vector<Data> each) { return {.kind = Flow::Kind::by_rank, .data = {}, .each = std::move(each)}; }

/// `ranks` times the data, one behind the other.
Data times(Data data, std::size_t ranks) {
  data.count *= ranks;
  return data;
}

void barrier(const Arguments&, Operation&) {}

void broadcast(const Arguments& call, Operation& operation) {
  operation.part->root = call.integer(3);
  operation.part->reduced = call.data(1, 2);
  (operation.is_root() ? operation.reads : operation.writes).emplace_back(call[0], operation.part->reduced);
}

void gather(const Arguments& call, Operation& operation) {
  operation.part->root = call.integer(6);
  if (call[0] != in_place) {
    operation.part->gives = to_root(call.data(1, 2));
    operation.reads.emplace_back(call[0], call.data(1, 2));
  }
  if (!operation.is_root()) return;
  operation.part->takes = to_all(call.data(4, 5));
  operation.writes.emplace_back(call[3], times(call.data(4, 5), operation.size()));
}

void gather_by_rank(const Arguments& call, Operation& operation) {
  operation.part->root = call.integer(7);
  if (call[0] != in_place) {
    operation.part->gives = to_root(call.data(1, 2));
    operation.reads.emplace_back(call[0], call.data(1, 2));
  }
  if (!operation.is_root()) return;
  auto each = call.each(4, 6, false, operation.size());
  operation.writes = call.placed(call[3], each, 5, false);
  operation.part->takes = by_rank(std::move(each));
}

void scatter(const Arguments& call, Operation& operation) {
  operation.part->root = call.integer(6);
  if (call[3] != in_place) {
    operation.part->takes = to_root(call.data(4, 5));
    operation.writes.emplace_back(call[3], call.data(4, 5));
  }
  if (!operation.is_root()) return;
  operation.part->gives = to_all(call.data(1, 2));
  operation.reads.emplace_back(call[0], times(call.data(1, 2), operation.size()));
}

void scatter_by_rank(const Arguments& call, Operation& operation) {
  operation.part->root = call.integer(7);
  if (call[4] != in_place) {
    operation.part->takes = to_root(call.data(5, 6));
    operation.writes.emplace_back(call[4], call.data(5, 6));
  }
  if (!operation.is_root()) return;
  auto each = call.each(1, 3, false, operation.size());
  operation.reads = call.placed(call[0], each, 2, false);
  operation.part->gives = by_rank(std::move(each));
}

void all_gather(const Arguments& call, Operation& operation) {
  if (call[0] != in_place) {
    operation.part->gives = to_all(call.data(1, 2));
    operation.reads.emplace_back(call[0], call.data(1, 2));
  } else {
    operation.part->gives = to_all(call.data(4, 5));
  }
  operation.part->takes = to_all(call.data(4, 5));
  operation.writes.emplace_back(call[3], times(call.data(4, 5), operation.size()));
}

void all_gather_by_rank(const Arguments& call, Operation& operation) {
  auto each = call.each(4, 6, false, operation.size());
  if (call[0] != in_place) {
    operation.part->gives = to_all(call.data(1, 2));
    operation.reads.emplace_back(call[0], call.data(1, 2));
  }
  operation.writes = call.placed(call[3], each, 5, false);
  operation.part->takes = by_rank(std::move(each));
}

void all_to_all(const Arguments& call, Operation& operation) {
  const bool is_in_place = call[0] == in_place;
  operation.part->gives = to_all(is_in_place ? call.data(4, 5) : call.data(1, 2));
  operation.part->takes = to_all(call.data(4, 5));
  if (!is_in_place) operation.reads.emplace_back(call[0], times(call.data(1, 2), operation.size()));
  operation.writes.emplace_back(call[3], times(call.data(4, 5), operation.size()));
}

template <bool has_types>
void all_to_all_by_rank(const Arguments& call, Operation& operation) {
  auto takes = call.each(5, 7, has_types, operation.size());
  operation.writes = call.placed(call[4], takes, 6, has_types);
  auto gives = takes;
  if (call[0] != in_place) {
    gives = call.each(1, 3, has_types, operation.size());
    operation.reads = call.placed(call[0], gives, 2, has_types);
  }
  operation.part->gives = by_rank(std::move(gives));
  operation.part->takes = by_rank(std::move(takes));
}

void use_of_reduction(const Arguments& call, Operation& operation, const Data& read, const Data& written) {
  if (call[0] != in_place) operation.reads.emplace_back(call[0], read);
  operation.writes.emplace_back(call[1], written);
}

void reduce(const Arguments& call, Operation& operation) {
  operation.part->root = call.integer(5);
  operation.part->operation = call.operation(4);
  operation.part->reduced = call.data(2, 3);
  const Data& data = operation.part->reduced;
  if (operation.is_root())
    use_of_reduction(call, operation, data, data);
  else
    operation.reads.emplace_back(call[0], data);
}

void all_reduce(const Arguments& call, Operation& operation) {
  operation.part->operation = call.operation(4);
  operation.part->reduced = call.data(2, 3);
  use_of_reduction(call, operation, operation.part->reduced, operation.part->reduced);
}

void reduce_scatter_block(const Arguments& call, Operation& operation) {
  operation.part->operation = call.operation(4);
  operation.part->reduced = call.data(2, 3);
  const Data all = times(operation.part->reduced, operation.size());
  use_of_reduction(call, operation, all, call[0] == in_place ? all : operation.part->reduced);
}

void reduce_scatter(const Arguments& call, Operation& operation) {
  operation.part->operation = call.operation(4);
  const auto each = call.each(2, 3, false, operation.size());
  if (each.empty()) return;
  Data all = each.front();
  for (std::size_t i = 1; i < each.size(); ++i) all.count += each[i].count;
  operation.part->reduced = all;
  use_of_reduction(call, operation, all,
                   call[0] == in_place ? all : each[static_cast<std::size_t>(operation.communicator->rank)]);
}

using Reader = void (*)(const Arguments&, Operation&);
struct Kind {
  const char* name;
  std::size_t communicator;  ///< place of the argument
  Reader read;
};
constexpr Kind kinds[] = {{"Barrier", 0, barrier},
                          {"Bcast", 4, broadcast},
                          {"Gather", 7, gather},
                          {"Gatherv", 8, gather_by_rank},
                          {"Scatter", 7, scatter},
                          {"Scatterv", 8, scatter_by_rank},
                          {"Allgather", 6, all_gather},
                          {"Allgatherv", 7, all_gather_by_rank},
                          {"Alltoall", 6, all_to_all},
                          {"Alltoallv", 8, all_to_all_by_rank<false>},
                          {"Alltoallw", 8, all_to_all_by_rank<true>},
                          {"Reduce", 6, reduce},
                          {"Allreduce", 5, all_reduce},
                          {"Reduce_scatter", 5, reduce_scatter},
                          {"Reduce_scatter_block", 5, reduce_scatter_block},
                          {"Scan", 5, all_reduce},
                          {"Exscan", 5, all_reduce},
                          {"Neighbor_allgather", 6, barrier},
                          {"Neighbor_allgatherv", 7, barrier},
                          {"Neighbor_alltoall", 6, barrier},
                          {"Neighbor_alltoallv", 8, barrier},
                          {"Neighbor_alltoallw", 8, barrier}};

std::string nonblocking_name(const char* name) {
  std::string lower = name;
  lower[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(lower[0])));
  return "MPI_I" + lower;
}

const std::map<std::string, const Kind*>& kinds_by_call() {
  static const std::map<std::string, const Kind*> all = [] {
    std::map<std::string, const Kind*> by_name;
    for (const Kind& kind : kinds)
      for (const std::string& name :
           {std::string("MPI_") + kind.name, nonblocking_name(kind.name), std::string("MPI_") + kind.name + "_init"})
        by_name[name] = &kind;
    return by_name;
  }();
  return all;
}

bool is_prepared(const Call& call) { return call.handler->name.ends_with("_init"); }

void check_buffers(Job& job, const Operation& operation, const Call& call) {
  for (const auto& [read_at, read] : operation.reads)
    for (const auto& [written_at, written] : operation.writes)
      if (read && written) {
        job.compare_buffers(call.site, read_at, read, written_at, written);
        if (operation.reads.size() > 1 && operation.writes.size() > 1) return;  // by the first pair alone
      }
}

std::vector<Use> uses_of(Job& job, Rank& rank, const Operation& operation, const Call& call) {
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
  const Kind& kind = *kinds_by_call().at(call.handler->name);
  Operation operation;
  operation.communicator = rank.communicator(call[kind.communicator]);
  call.learns_all = operation.communicator && operation.communicator->is_inter;
  if (!operation.communicator || operation.communicator->is_inter) return;
  call.communicator = operation.communicator;
  operation.part->site = call.site;
  const Arguments arguments(rank, call);
  kind.read(arguments, operation);
  if (arguments.are_invalid() || operation.part->root >= operation.communicator->size) return;
  check_buffers(job, operation, call);
  job.check_operation(call.site, operation.part->operation, operation.part->reduced);
  call.uses = uses_of(job, rank, operation, call);
  const auto slot = job.collectives.enter(*operation.communicator, operation.part);
  operation.part->is_from_root = kind.read == broadcast || kind.read == scatter || kind.read == scatter_by_rank;
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

std::vector<std::string> names(bool blocking) {
  std::vector<std::string> all;
  for (const auto& [name, kind] : kinds_by_call())
    if ((name == std::string("MPI_") + kind->name) == blocking) all.push_back(name);
  return all;
}

const Handlers blocking(names(true), begin<true>, nullptr);
const Handlers nonblocking(names(false), begin<false>, end);

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
