/// A collective call of MPI, taken apart: what each rank gives to which rank, and takes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/mpi_check/collectives.hpp"
#include "platform/mpi_check/rank.hpp"

namespace sanvp::mpi_check {

struct CollectiveCall {
  using Blocks = std::vector<std::pair<std::uint64_t, Data>>;  ///< by their addresses

  const char* name = "";     ///< of the operation: "Allgatherv", also of MPI_Iallgatherv and MPI_Allgatherv_init
  bool is_blocking = false;  ///< it is over with its call
  bool is_valid = false;     ///< the library accepts it, and it is among the ranks of one group
  std::shared_ptr<const Communicator> communicator;
  std::shared_ptr<Part> part = std::make_shared<Part>();
  Blocks reads, writes;

  bool is_root() const { return communicator->rank == part->root; }
  std::size_t size() const { return static_cast<std::size_t>(communicator->size); }

  /// Nothing if the call is no collective operation. @param words  its arguments
  static std::optional<CollectiveCall> read(Rank& rank, const std::string& call,
                                            const std::vector<std::uint64_t>& words);
  /// The calls that read() takes apart, blocking ones or the others.
  static std::vector<std::string> names(bool blocking);
};

}  // namespace sanvp::mpi_check
