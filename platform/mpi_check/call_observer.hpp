/// Tells of each call of MPI of a job as it begins and ends (hal_check), for recordings. It takes no simulated time and
/// changes nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/host/services.hpp"
#include "platform/mpi_check/collective_call.hpp"
#include "platform/mpi_check/rank.hpp"

namespace sanvp::mpi_check {

struct ObservedCall {
  std::string name;                                 ///< "MPI_Isend"
  std::vector<std::uint64_t> words;                 ///< its arguments
  std::optional<CollectiveCall> collective;         ///< what it is, if it is collective
  std::shared_ptr<const Communicator> messages_on;  ///< the communicator of a call with messages; null: it is none
  std::vector<std::uint64_t> requests;              ///< handles of requests that it was given, to wait for or to start
  std::vector<std::uint64_t> over;                  ///< at its end: those of them that are over with it
  std::uint64_t made = 0;                           ///< at its end: the request that it has made; 0: none
  std::int64_t result = 0;                          ///< at its end
};

class CallObserver {
 public:
  /// @param ranks  of the job
  explicit CallObserver(std::size_t ranks);
  virtual ~CallObserver() = default;
  CallObserver(const CallObserver&) = delete;
  CallObserver& operator=(const CallObserver&) = delete;

  /// @returns whether the library must describe its objects first
  bool check(const host::Identity& identity, const host::CheckedProcess& process, const hal_checked_call& call);

 protected:
  virtual void mpi_call_begins(Rank& rank, const ObservedCall& call) = 0;
  virtual void mpi_call_ends(Rank& rank, const ObservedCall& call) = 0;

 private:
  struct Known {
    Rank rank;
    std::unordered_map<std::uint64_t, std::string> names{};  ///< by their address
    std::map<std::uint64_t, ObservedCall> calls{};           ///< under way, by their id
  };
  void begin(Known& known, const hal_checked_call& call);
  void end(Known& known, const hal_checked_call& call);

  std::vector<Known> ranks_;
};

}  // namespace sanvp::mpi_check
