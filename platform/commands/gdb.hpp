/// `--gdb` and `--on-crash` of `sanvp run`: gdb's remote protocol for the ranks whose programs are for RISC-V.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/cpu/riscv/gdb/server.hpp"
#include "platform/breakpoints/breakpoints.hpp"
#include "platform/commands/command.hpp"
#include "platform/commands/going_back.hpp"
#include "platform/inspection/inspection.hpp"
#include "platform/machine/cluster.hpp"

namespace sanvp::commands {

void add_gdb_options(boost::program_options::options_description_easy_init add);

class Gdb {
 public:
  /// Throws UserError if no program can be debugged, or the options contradict each other.
  Gdb(const Invocation& invocation, const std::vector<Program>& programs);
  Gdb(Gdb&& other) noexcept;
  ~Gdb();

  /// Listens, says how to connect, and debugs the ranks from now on. Does nothing without these options.
  /// @param jobs        of `inspected`, which breakpoints watch
  /// @param going_back  outlives it, as do the others
  void serve(const Inspected& inspected, jobs::JobRun& jobs, GoingBack& going_back);
  /// Called now and then during the run. @returns false when the client has ended it
  bool lets_go_on();
  bool has_ended_run() const { return server_ != nullptr && server_->is_killed(); }
  /// The run is over, its processes are still there.
  void finish();

 private:
  class Stops;
  void add_subjects(const Inspected& inspected, const std::vector<int>& nodes);
  void add_breakpoints(const Inspected& inspected, jobs::JobRun& jobs);

  std::string how_to_connect() const;
  std::optional<riscv::gdb::AtCrash> at_crash() const;

  int port_ = -1;  ///< -1: without a debugger
  bool waits_ = false;
  bool only_at_crash_ = false;
  std::optional<Time> wait_at_crash_{};  ///< --on-crash
  std::string program_;                  ///< the first that can be debugged
  std::unique_ptr<riscv::gdb::Server> server_;
  std::unique_ptr<Stops> stops_;
};

}  // namespace sanvp::commands
