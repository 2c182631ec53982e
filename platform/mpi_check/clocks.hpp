/// Which acts of ranks are ordered: vector clocks. A rank's time advances with each act that others may learn of, as a
/// message or its part of a collective operation. A rank that has seen a time knows all that came before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sanvp::mpi_check {

using Clock = std::vector<std::uint64_t>;     ///< [rank in MPI_COMM_WORLD]; empty: nothing has been seen
using Moment = std::shared_ptr<const Clock>;  ///< what a rank had seen and done; null: clocks were not kept

/// Adds what another clock has seen.
void join(Clock& clock, const Clock& other);

class Clocks {
 public:
  explicit Clocks(std::size_t ranks) : ranks_(ranks) {}

  /// From now on: the job has a window.
  void keep();
  std::uint64_t now(int rank) const { return clocks_.empty() ? 0 : of(rank)[static_cast<std::size_t>(rank)]; }
  /// An act that others may learn of, with all that the rank has done before. Its time advances.
  Moment release(int rank);
  void acquire(int rank, const Moment& moment) {
    if (moment) acquire(rank, *moment);
  }
  void acquire(int rank, const Clock& clock);
  /// All that was done so far: if the cause of an order is not known.
  void acquire_all(int rank);
  /// The time of another that a rank has seen.
  std::uint64_t seen(int rank, int other) const {
    return clocks_.empty() ? UINT64_MAX : of(rank)[static_cast<std::size_t>(other)];
  }
  bool has_seen(int rank, int other, std::uint64_t time) const { return seen(rank, other) >= time; }
  bool have_all_seen(int other, std::uint64_t time) const;

 private:
  const Clock& of(int rank) const { return clocks_[static_cast<std::size_t>(rank)]; }
  Clock& of(int rank) { return clocks_[static_cast<std::size_t>(rank)]; }

  std::size_t ranks_;
  std::vector<Clock> clocks_;  ///< [rank]; empty: they are not kept
};

}  // namespace sanvp::mpi_check
