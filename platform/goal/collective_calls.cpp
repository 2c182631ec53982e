#include "platform/goal/collective_calls.hpp"

#include <algorithm>
#include <cctype>

namespace sanvp::goal {
namespace {

using mpi_check::CollectiveCall;
using mpi_check::Flow;

/// "allgatherv" of MPI_Allgatherv; types of their own do not count.
std::string name_of(const CollectiveCall& call) {
  std::string name = call.name;
  name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  return name == "alltoallw" ? "alltoallv" : name;
}

bool is_recorded(const mpi_check::ObservedCall& call) {
  return call.collective && call.collective->is_valid && call.collective->is_blocking &&
         is_collective(name_of(*call.collective));
}

std::vector<std::uint64_t> sizes_of(const Flow& flow) {
  if (flow.kind == Flow::Kind::none) return {};
  if (flow.kind != Flow::Kind::by_rank) return {flow.data.bytes()};
  std::vector<std::uint64_t> sizes;
  for (const mpi_check::Data& data : flow.each) sizes.push_back(data.bytes());
  return sizes;
}

/// What each rank gets of the sum.
std::vector<std::uint64_t> shares_of(mpi_check::Rank& rank, const mpi_check::ObservedCall& call) {
  constexpr std::size_t counts = 2, type = 3;  // arguments of MPI_Reduce_scatter
  std::vector<std::uint64_t> sizes;
  for (const int count : rank.array<int>(call.words.at(counts), call.collective->size()))
    sizes.push_back(rank.data(static_cast<std::uint64_t>(std::max(count, 0)), call.words.at(type)).bytes());
  return sizes;
}

}  // namespace

void CollectiveCalls::mpi_call_begins(mpi_check::Rank& rank, const mpi_check::ObservedCall& call) {
  if (call.collective && !call.collective->is_blocking && unrecordable_.empty()) unrecordable_ = call.name;
  if (!is_recorded(call)) return;
  const CollectiveCall& known = *call.collective;
  Collective made{.name = name_of(known), .gives = sizes_of(known.part->gives), .takes = sizes_of(known.part->takes)};
  if (known.part->reduced)
    made.gives = made.name == "reduce_scatter" ? shares_of(rank, call) : std::vector{known.part->reduced.bytes()};
  if (known.part->root >= 0) made.root = static_cast<std::uint32_t>(known.part->root);
  const auto& ranks = known.communicator->processes;
  recorder_.begin_collective(static_cast<std::uint32_t>(rank.number), std::move(made), {ranks.begin(), ranks.end()},
                             rank.process->checked_worked());
}

void CollectiveCalls::mpi_call_ends(mpi_check::Rank& rank, const mpi_check::ObservedCall& call) {
  if (is_recorded(call))
    recorder_.end_collective(static_cast<std::uint32_t>(rank.number), rank.process->checked_worked());
}

}  // namespace sanvp::goal
