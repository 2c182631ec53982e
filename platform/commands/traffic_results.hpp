/// Output of `sanvp traffic`: text, JSON, and a folder of tables.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "platform/commands/run_folder.hpp"
#include "platform/traffic/measurement.hpp"
#include "platform/traffic/saturation.hpp"

namespace sanvp::commands {

class TrafficResults {
 public:
  /// Creates the folder, so that an invalid name is an error before the run.
  TrafficResults(const Invocation& invocation, const Machine& machine, const ParameterSet& parameters);

  const RunFolder& folder() const { return folder_; }
  RunFolder& folder() { return folder_; }
  /// The tables of one run, as CSV by name; none without a folder.
  std::map<std::string, std::string> tables(const traffic::Measurement& run, const traffic::Spy* spy) const;
  /// These tables replace those of the previous run.
  void keep(std::map<std::string, std::string> tables) { tables_ = std::move(tables); }
  /// Writes the finished loads of a sweep, in case the program is killed.
  void write_so_far(const std::vector<traffic::Summary>& runs) const;
  /// @param message  cause of a failure
  void write(const std::vector<traffic::Summary>& runs, const traffic::Saturation* saturation,
             const std::string& message);

 private:
  /// Accepted payload as a share of the link rate; Summary::load_fraction also counts headers.
  double payload_load(const traffic::Summary& one) const;

  const Invocation& invocation_;
  const Machine& machine_;
  RunFolder folder_;
  std::map<std::string, std::string> tables_;
};

}  // namespace sanvp::commands
