#include "platform/goal/program.hpp"

#include <algorithm>
#include <array>
#include <ostream>

namespace sanvp::goal {

bool is_collective(std::string_view name) {
  constexpr std::array names{
      "barrier",  "bcast",     "gather", "gatherv",   "scatter", "scatterv", "allgather",      "allgatherv",
      "alltoall", "alltoallv", "reduce", "allreduce", "scan",    "exscan",   "reduce_scatter", "reduce_scatter_block"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

Rank::Rank(std::vector<Operation> operations, const std::vector<Dependence>& dependences,
           std::vector<Collective> collectives)
    : operations_(std::move(operations)),
      collectives_(std::move(collectives)),
      predecessors_(operations_.size()),
      first_(operations_.size() + 1),
      successors_(dependences.size()) {
  for (const Dependence& one : dependences) {
    ++predecessors_[one.after];
    ++first_[one.before + 1];
  }
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (const Dependence& one : dependences)
    successors_[next[one.before]++] = {.operation = one.after & INT32_MAX, .at_start = one.at_start};
}

void Rank::scale_calcs(double ratio) {
  constexpr double most_ns = static_cast<double>(INT64_MAX / 4) / 1000;  // as in a file (reader)
  for (Operation& one : operations_)
    if (one.kind == Kind::calc)
      one.size = static_cast<std::uint64_t>(std::min(static_cast<double>(one.size) * ratio, most_ns) + 0.5);
}

std::vector<std::uint32_t> Rank::circle() const {
  // What is left when operations without predecessors have been taken away again and again has a circle.
  std::vector<std::uint32_t> left = predecessors_;
  std::vector<std::uint32_t> free;
  for (std::uint32_t i = 0; i < size(); ++i)
    if (left[i] == 0) free.push_back(i);
  std::size_t taken = 0;
  while (taken < free.size()) {
    const std::uint32_t one = free[taken++];
    for (const Successor* next = successors_begin(one); next != successors_end(one); ++next)
      if (--left[next->operation] == 0) free.push_back(next->operation);
  }
  if (taken == size()) return {};
  // Each operation that is left waits for another one that is left: going from one to the next comes back.
  std::vector<std::uint32_t> waits_for(size());
  for (std::uint32_t i = 0; i < size(); ++i)
    if (left[i] > 0)
      for (const Successor* next = successors_begin(i); next != successors_end(i); ++next)
        if (left[next->operation] > 0) waits_for[next->operation] = i;
  auto one = static_cast<std::uint32_t>(
      std::find_if(left.begin(), left.end(), [](std::uint32_t count) { return count > 0; }) - left.begin());
  for (std::uint32_t i = 0; i < size(); ++i) one = waits_for[one];  // it is on a circle now
  std::vector<std::uint32_t> circle{one};
  for (std::uint32_t next = waits_for[one]; next != one; next = waits_for[next]) circle.push_back(next);
  return circle;
}

namespace {

std::string number(std::uint32_t value) { return value == any ? "-1" : std::to_string(value); }

void write_sizes(const char* what, const std::vector<std::uint64_t>& sizes, std::ostream& out) {
  if (sizes.empty()) return;
  out << ' ' << what;
  for (const std::uint64_t size : sizes) out << ' ' << size << 'b';
}

void write_collective(const Collective& one, std::ostream& out) {
  out << "collective " << one.name;
  write_sizes("gives", one.gives, out);
  write_sizes("takes", one.takes, out);
  if (one.root != any) out << " root " << one.root;
  if (one.communicator != 0) out << " comm " << one.communicator;
}

void write_operation(const Operation& one, const Rank& rank, std::ostream& out) {
  switch (one.kind) {
    case Kind::send:
      out << "send " << one.size << "b to " << number(one.partner) << " tag " << number(one.tag);
      break;
    case Kind::receive:
      out << "recv " << one.size << "b from " << number(one.partner) << " tag " << number(one.tag);
      break;
    case Kind::calc:
      out << "calc " << one.size;
      break;
    case Kind::collective:
      write_collective(rank.collectives()[one.size], out);
      break;
  }
  if (one.cpu != 0) out << " cpu " << int{one.cpu};
  if (one.interface != 0) out << " nic " << int{one.interface};
}

}  // namespace

bool has_collectives(const Program& program) {
  return std::any_of(program.ranks.begin(), program.ranks.end(),
                     [](const Rank& rank) { return !rank.collectives().empty(); });
}

std::string describe(const Operation& one) {
  if (one.kind == Kind::calc) return "calc of " + std::to_string(one.size) + " ns";
  if (one.kind == Kind::collective) return "collective operation";
  const bool is_send = one.kind == Kind::send;
  const std::string partner = one.partner == any ? "any rank" : "rank " + std::to_string(one.partner);
  const std::string tag = one.tag == any ? "any tag" : "tag " + std::to_string(one.tag);
  return (is_send ? "send of " : "recv of ") + std::to_string(one.size) + " bytes " + (is_send ? "to " : "from ") +
         partner + ", " + tag;
}

void write_program(const Program& program, std::ostream& out) {
  out << "num_ranks " << program.ranks.size() << "\n";
  for (std::size_t i = 0; i < program.communicators.size(); ++i) {
    out << "comm " << i + 1 << " {";
    for (const std::uint32_t rank : program.communicators[i]) out << ' ' << rank;
    out << " }\n";
  }
  for (std::size_t r = 0; r < program.ranks.size(); ++r) {
    const Rank& rank = program.ranks[r];
    out << "\nrank " << r << " {\n";
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      out << "l" << i + 1 << ": ";
      write_operation(rank[i], rank, out);
      out << "\n";
    }
    for (std::uint32_t i = 0; i < rank.size(); ++i)
      for (const Successor* next = rank.successors_begin(i); next != rank.successors_end(i); ++next)
        out << "l" << next->operation + 1 << (next->at_start ? " irequires l" : " requires l") << i + 1 << "\n";
    out << "}\n";
  }
}

}  // namespace sanvp::goal
