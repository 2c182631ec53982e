/// `--log` and `--log-file` of `run`: what the machine's parts do, as lines (docs/log.md).
#pragma once

#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "platform/commands/command.hpp"
#include "platform/core/log.hpp"
#include "platform/machine/cluster.hpp"

namespace sanvp::commands {

void add_log_options(boost::program_options::options_description_easy_init add);

class LogFile {
 public:
  /// Throws UserError for an object that the machine has not, or a file that cannot be written.
  LogFile(const Invocation& invocation, const Machine& machine);
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  /// @param before  called before a line on standard error
  void before_line(std::function<void()> before) { before_line_ = std::move(before); }
  /// For the run's trace; null without --log.
  std::unique_ptr<TraceFormat> format() const;
  /// Logs packets and stores to registers as long as what it returns exists. @param cluster  outlives that
  std::shared_ptr<void> begin(Cluster& cluster) const;
  /// Completes the file, and notes objects that have done nothing. Throws UserError if the file could not be written.
  void close();

 private:
  class Cards;
  void write(const std::string& line);

  int ports_;           ///< hosts of the network for each card
  std::string path_{};  ///< empty: standard error
  std::ofstream file_{};
  std::function<void()> before_line_{};
  std::map<std::string, std::string> cards_{};  ///< names of the cards, by board of a trace
  std::optional<Log> log_{};                    ///< nothing without --log
};

}  // namespace sanvp::commands
