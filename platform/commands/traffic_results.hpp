/// What `sanvp traffic` leaves behind: text, JSON, and a folder of tables.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "platform/commands/command.hpp"
#include "platform/core/results.hpp"
#include "platform/traffic/run.hpp"
#include "platform/traffic/saturation.hpp"

namespace sanvp::commands {

class TrafficResults {
 public:
  /// Makes the folder, so that a bad name is found out before the run.
  TrafficResults(const Invocation& invocation, const Machine& machine, const ParameterSet& parameters);

  /// Takes the tables of one run, instead of those it has.
  void keep(const traffic::Run& run, const traffic::Spy* spy);
  void write(const std::vector<traffic::Summary>& runs, const traffic::Saturation* saturation);

 private:
  void write_manifest(const std::string& status, Time simulated) const;

  const Invocation& invocation_;
  const Machine& machine_;
  ParameterSet parameters_;  ///< the machine's and the command's
  std::optional<ResultFolder> folder_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::map<std::string, Table> tables_;
  std::optional<StatisticsTable> statistics_;
};

}  // namespace sanvp::commands
