/// The folder of --out and its manifest, which says "running" from the start and the outcome after any kind of end.
#pragma once

#include <chrono>
#include <exception>
#include <optional>

#include "platform/commands/command.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/results.hpp"

namespace sanvp::commands {

class RunFolder {
 public:
  /// Creates the folder, so that an invalid name is an error before the run; does nothing without --out.
  /// @param parameters  all parameters that the run has read
  RunFolder(const Invocation& invocation, ParameterSet parameters);

  bool is_wanted() const { return folder_.has_value(); }
  void write(const std::string& name, const Table& table) const;
  void write(const StatisticsTable& statistics) const;
  /// A file of this name.
  void write_text(const std::string& name, const std::string& contents) const;
  /// NAME.json
  void write(const std::string& name, const nlohmann::ordered_json& json) const;
  /// @param message  cause of a failure
  void ended(const std::string& status, Time simulated, const std::string& message = {}) const;
  /// From now on results go to another folder; parameters replace those that they name.
  void enter(const std::string& path, const ParameterSet& parameters);
  /// Adds parameters that the run has read.
  void add(const ParameterSet& parameters) { parameters_ = parameters_.with(parameters); }

  /// Runs `work`. Exceptions pass through, but the manifest then says "failed" and the cause.
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
