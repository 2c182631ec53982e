/// `sanvp run --check-mpi`: gets each call of MPI of each rank as it begins and as it ends (hal_check), and tells what
/// is wrong. It takes no simulated time and changes nothing.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/host/services.hpp"
#include "platform/mpi_check/finding.hpp"
#include "platform/mpi_check/job.hpp"

namespace sanvp::mpi_check {

class Checker {
 public:
  /// @param ranks        of each job
  /// @param with_memory  loads and stores are checked, too
  explicit Checker(const std::vector<std::size_t>& ranks, bool with_memory);

  /// @returns whether the library must describe its objects first
  bool check(const host::Identity& identity, const host::CheckedProcess& process, const hal_checked_call& call);
  bool checks_memory() const { return with_memory_; }
  void check(const host::Identity& identity, const host::CheckedAccess& access);
  /// The library ends the process, since a call is wrong. @param message  "MPI_Send: the tag is -7 ... (MPI_ERR_TAG)"
  /// @param code  address of the call in the program's file; 0: not known
  void refused(const host::Identity& identity, const host::CheckedProcess& process, const std::string& message,
               std::uint64_t code);
  /// A process has ended. @param owes_finalize  neither MPI_Finalize nor PMPI_Finalize was called
  void ended(const host::Identity& identity, bool owes_finalize);
  void finish(Outcome outcome);

  bool has_errors() const;
  /// What was found, and a last line with the sum.
  std::vector<std::pair<Severity, std::string>> lines();
  nlohmann::ordered_json to_json();
  Table table();

 private:
  const Handler& handler_of(Rank& rank, std::uint64_t name);

  bool with_memory_;
  std::vector<std::unique_ptr<Job>> jobs_;
  std::set<std::string> texts_;  ///< to which sites refer
  Places places_;
};

}  // namespace sanvp::mpi_check
