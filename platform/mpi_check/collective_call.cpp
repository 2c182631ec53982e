#include "platform/mpi_check/collective_call.hpp"

#include <cctype>
#include <map>

#include "sw/abi/mpi_numbers.h"

namespace sanvp::mpi_check {
namespace {

constexpr std::uint64_t in_place = 1;  // MPI_IN_PLACE

using Blocks = CollectiveCall::Blocks;
using Operation = CollectiveCall;

/// The arguments of a call, in its order.
class Arguments {
 public:
  Arguments(Rank& rank, const std::vector<std::uint64_t>& words) : rank_(rank), call_(words) {}
  std::uint64_t operator[](std::size_t index) const { return call_.at(index); }
  int integer(std::size_t index) const { return static_cast<int>(static_cast<std::int64_t>(call_.at(index))); }
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
  const std::vector<std::uint64_t>& call_;
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

}  // namespace

std::optional<CollectiveCall> CollectiveCall::read(Rank& rank, const std::string& call,
                                                   const std::vector<std::uint64_t>& words) {
  const auto found = kinds_by_call().find(call);
  if (found == kinds_by_call().end()) return {};
  const Kind& kind = *found->second;
  CollectiveCall read;
  read.name = kind.name;
  read.is_blocking = call == std::string("MPI_") + kind.name;
  read.communicator = rank.communicator(words.at(kind.communicator));
  if (!read.communicator || read.communicator->is_inter) return read;
  const Arguments arguments(rank, words);
  kind.read(arguments, read);
  read.part->is_from_root = kind.read == broadcast || kind.read == scatter || kind.read == scatter_by_rank;
  read.is_valid = !arguments.are_invalid() && read.part->root < read.communicator->size;
  return read;
}

std::vector<std::string> CollectiveCall::names(bool blocking) {
  std::vector<std::string> all;
  for (const auto& [name, kind] : kinds_by_call())
    if ((name == std::string("MPI_") + kind->name) == blocking) all.push_back(name);
  return all;
}

}  // namespace sanvp::mpi_check
