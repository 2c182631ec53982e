/// A kind of breakpoint on the machine: one file each in this folder, registered by name.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platform/inspection/inspection.hpp"

namespace sanvp {

/// What watches for a breakpoint, for its lifetime.
class Watch {
 public:
  Watch() = default;
  virtual ~Watch() = default;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  /// A sentence without its end: "gdb stops at 80us".
  virtual std::string text() const = 0;
};

/// What a watch may use.
struct Watched {
  const Machine& machine;
  Cluster& cluster;
  jobs::JobRun& jobs;
};

struct Breakpoint {
  static constexpr const char* kind() { return "breakpoint"; }
  /// Called at the instant at which the machine is to stop. @param what  has happened; empty: nothing is
  /// to be said
  using Hit = std::function<void(const std::string& what)>;
  using Words = std::vector<std::string>;

  std::string name;
  std::string form;     ///< "packet SRC DST [delivered]"
  std::string meaning;  ///< "gdb stops when ..."
  /// Watches from now on. Throws UserError for words that are not possible.
  std::function<std::shared_ptr<Watch>(const Watched&, const Words& words, Hit hit)> set;
};

/// Place of messages.
inline constexpr const char* break_place = "monitor break";

/// Calls `look` at `at`, or now if that is over, if the watch still exists then.
template <class Of, class Look>
void look_at(Cluster& cluster, Time at, const std::shared_ptr<Of>& watch, Look look) {
  cluster.look_at(at, [weak = std::weak_ptr<Of>(watch), look = std::move(look)] {
    if (const std::shared_ptr<Of> still = weak.lock()) look(*still);
    return true;
  });
}

}  // namespace sanvp
