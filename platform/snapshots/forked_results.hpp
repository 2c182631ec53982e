/// Results that copies of the simulator compute, several at once: one process each, begun with what is in memory then.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace sanvp {

class ForkedResults {
 public:
  /// @param interrupt  the signal of which this process has been told, and which it passes on; 0: none
  explicit ForkedResults(std::function<int()> interrupt) : interrupt_(std::move(interrupt)) {}
  /// Ends the processes whose results have not been taken.
  ~ForkedResults();
  ForkedResults(const ForkedResults&) = delete;
  ForkedResults& operator=(const ForkedResults&) = delete;

  /// Begins to compute `compute()` in a process of its own, where standard output and error must stay unused. Does
  /// nothing if the computer grants no process: take() then returns no result.
  void begin(const std::string& name, const std::function<std::string()>& compute);
  bool has_begun(const std::string& name) const { return children_.contains(name); }
  /// Processes that still compute.
  std::size_t running() const;
  /// Waits for a result. Empty if none has begun, or if its process failed: the caller computes it itself, and meets
  /// the same failure.
  /// @param on_end  called when another process ends meanwhile; it may begin further ones
  std::optional<std::string> take(const std::string& name, const std::function<void()>& on_end);
  /// Ends the processes whose results are not wanted.
  void drop_unless(const std::function<bool(const std::string& name)>& is_wanted);

 private:
  struct Child {
    pid_t process;
    int pipe;  ///< its reading end; -1 when the process has ended
    std::string result{};
    bool has_failed = false;
  };
  /// Waits until a process sends something, and takes it. @return whether one has ended
  bool read_some();

  std::function<int()> interrupt_;
  bool passed_on_ = false;
  std::map<std::string, Child> children_;
};

/// The processors that taskset, a container or a batch system leaves to this process.
std::size_t processors();

}  // namespace sanvp
