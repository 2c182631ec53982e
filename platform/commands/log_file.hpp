/// `--log` and `--log-file` of `run`, `traffic` and `replay`: what the machine's parts do, as lines (docs/log.md).
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

/// A network whose packets are logged.
struct LoggedNetwork {
  std::size_t hosts = 0;
  std::function<Time()> now;
  std::function<void(net::PacketObserver&)> observe, forget;
  std::function<nic::RegisterWatch*(int node)> registers{};  ///< of its card; empty: no cards
};

class LogFile {
 public:
  /// What there is of the machine: without its nodes, there are cards and switches.
  enum class Around : std::uint8_t { nodes, network_alone };
  /// Throws UserError for an object that the machine has not, or a file that cannot be written.
  LogFile(const Invocation& invocation, const Machine& machine, Around around = Around::nodes);
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  /// @param before  called before a line on standard error
  void before_line(std::function<void()> before) { before_line_ = std::move(before); }
  /// For the run's trace; null without --log.
  std::unique_ptr<TraceFormat> format() const;
  /// Logs packets and stores to registers as long as what it returns exists. @param cluster  outlives that
  std::shared_ptr<void> begin(Cluster& cluster) const;
  /// The same where no nodes are around the network.
  std::shared_ptr<void> begin(LoggedNetwork network) const;
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
