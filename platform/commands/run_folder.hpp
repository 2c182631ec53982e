/// The folder of --out, and the manifest in it: "running" from the beginning, and how it ended whatever happens.
#pragma once

#include <chrono>
#include <exception>
#include <optional>

#include "platform/commands/command.hpp"
#include "platform/core/results.hpp"

namespace sanvp::commands {

class RunFolder {
 public:
  /// Makes the folder, so that a bad name is found out before the run; nothing without --out.
  /// @param parameters  all that the run has read
  RunFolder(const Invocation& invocation, ParameterSet parameters);

  bool is_wanted() const { return folder_.has_value(); }
  void write(const std::string& name, const Table& table) const;
  void write(const StatisticsTable& statistics) const;
  /// @param message  why it did not end well
  void ended(const std::string& status, Time simulated, const std::string& message = {}) const;
  /// More that the run has read.
  void add(const ParameterSet& parameters) { parameters_ = parameters_.with(parameters); }

  /// Does the work. What it throws goes on, but the manifest says "failed" and why.
  template <class Work>
  auto watch(Work work) const {
    try {
      return work();
    } catch (const std::exception& error) {
      write_manifest("failed", Time{0}, error.what());
      throw;
    }
  }

 private:
  void write_manifest(const std::string& status, Time simulated, const std::string& message) const;

  const Invocation& invocation_;
  ParameterSet parameters_;
  std::optional<ResultFolder> folder_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace sanvp::commands
