/// What software asks of the run as a whole, beyond its node.
#pragma once

#include <string>
#include <string_view>

#include "platform/core/time.hpp"

namespace sanvp::host {

/// Which process of which job; rank -1: a node's driver.
struct Identity {
  int job = 0;
  int rank = -1;
  int ranks = 0;
  int node = 0;
  int nodes = 0;
  int process = -1;  ///< among those of its node
  const int* rank_nodes = nullptr;
  const int* rank_processes = nullptr;
};

class Services {
 public:
  /// The value of a software's parameter. The text lives as long as the services.
  virtual const char* setting(const char* key, const char* fallback, const char* documentation, const char* source) = 0;
  virtual void metric(const Identity& who, const char* name, double value, const char* unit) = 0;
  /// A line of what it prints, without its end.
  virtual void output(const Identity& who, bool is_error, std::string_view line) = 0;
  /// It has ended by itself. Status 0: all is well.
  virtual void ended(const Identity& who, int status, Time at) = 0;
  /// The same, and its job has ended with it: what becomes of the job's other processes does not count.
  virtual void ended_job(const Identity& who, int status, Time at) = 0;
  /// It cannot go on, and neither can its job.
  virtual void failed(const Identity& who, const std::string& why, Time at) = 0;
  /// Its node went down, and it with it.
  virtual void died(const Identity&, Time /*at*/) {}
  /// What a process has to call before its end; null: nothing, or it has.
  virtual void owes(const Identity&, const char* /*call*/) {}
  /// Messages of programs, for what is left of them at the end.
  virtual void message_sent(const Identity&, int /*to*/) {}
  virtual void message_over(const Identity&, int /*to*/) {}
  /// A message of a program that offers traffic has arrived; and the time that the program measures.
  virtual void accepted(const Identity&, double /*bytes*/, Time /*from*/, Time /*until*/) {}
  virtual void measures(const Identity&, Time /*from*/, Time /*until*/) {}
  /// Called now and then while some process only tests for messages that do not come.
  virtual void tests_without_progress() {}

 protected:
  ~Services() = default;
};

}  // namespace sanvp::host
