/// What `sanvp traffic` leaves behind: text, JSON, and a folder of tables.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "platform/commands/run_folder.hpp"
#include "platform/traffic/run.hpp"
#include "platform/traffic/saturation.hpp"

namespace sanvp::commands {

class TrafficResults {
 public:
  /// Makes the folder, so that a bad name is found out before the run.
  TrafficResults(const Invocation& invocation, const Machine& machine, const ParameterSet& parameters);

  const RunFolder& folder() const { return folder_; }
  /// Takes the tables of one run, instead of those it has.
  void keep(const traffic::Run& run, const traffic::Spy* spy);
  /// A sweep that is killed leaves the loads that it has finished.
  void write_so_far(const std::vector<traffic::Summary>& runs) const;
  /// @param message  why it did not end well
  void write(const std::vector<traffic::Summary>& runs, const traffic::Saturation* saturation,
             const std::string& message);

 private:
  /// Accepted payload as a share of the link's rate; Summary::load_fraction counts headers, too.
  double payload_load(const traffic::Summary& one) const;

  const Invocation& invocation_;
  const Machine& machine_;
  RunFolder folder_;
  std::map<std::string, Table> tables_;
  std::optional<StatisticsTable> statistics_;
};

}  // namespace sanvp::commands
