/// Going back: positions of a run, and its past states, from which it is executed again up to a position. Execution is
/// deterministic, so that a position names one state of the whole simulator.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/cpu/riscv/gdb/thread_id.hpp"

namespace sanvp::riscv::gdb {

/// Before an instruction of the thread whose stretch it is. A stretch is a call of Server::run: a thread executes.
struct Position {
  std::uint64_t stretch = 0;   ///< its number, from 1; of those of all processes
  std::uint64_t executed = 0;  ///< instructions of the thread since its start
  /// After the last instruction of a stretch, in what happens before the next one.
  static constexpr std::uint64_t after_all = UINT64_MAX;
  auto operator<=>(const Position&) const = default;
};

/// Past states of the simulator, each of which another process keeps (platform/snapshots).
class Snapshots {
 public:
  /// What a process gets that begins at one.
  struct Begin {
    std::string order{};
    int client = -1;  ///< descriptor of the connection, which may be younger than the state
  };
  virtual ~Snapshots() = default;
  /// Keeps the present state as the last one. @return nothing; in a process that begins there later: what it gets
  virtual std::optional<Begin> keep() = 0;
  virtual void drop(std::size_t number) = 0;
  /// Whether it is still kept: a process that begins at an earlier one does not know what has been dropped since.
  virtual bool is_there(std::size_t number) const = 0;
  /// Has a process begin at a snapshot, and ends this one. Those that were kept after it are dropped.
  [[noreturn]] virtual void continue_at(std::size_t number, const Begin& begin) = 0;
  /// Has a process begin there that only answers. @return its answer; empty if it has failed
  virtual std::string ask(std::size_t number, const std::string& order) = 0;
  /// In that process: answers, and ends it.
  [[noreturn]] virtual void answer(const std::string& text) = 0;
  /// The client has changed the state: what is printed from now on has not been printed before.
  virtual void state_has_changed() = 0;
  /// No more than so many are to be kept.
  virtual std::size_t most() const = 0;
};

/// What a process does that begins at a snapshot.
struct Order {
  enum class Do : std::uint8_t {
    go,   ///< execute up to the position, and serve the client there
    find  ///< answer where the last stop before the position is
  };
  Do what = Do::go;
  Position until{};
  std::int64_t time_ps = -1;  ///< not below 0: up to the first stretch that begins then or later, in place of `until`
  /// Not below 0: an instant after the end of stretch `until.stretch`. To go: that of a breakpoint on the machine; to
  /// find: such a breakpoint counts if its instant is earlier.
  std::int64_t instant_ps = -1;
  ThreadId thread{};          ///< to which the client's attention is drawn; any: that which executes there
  bool replies_text = false;  ///< to a monitor command, in place of a stop reply
  std::string reply{};        ///< that text, or the reason of the stop
  std::string said{};         ///< before the stop; empty: nothing
  std::string session{};      ///< Server::state

  std::string to_text() const;
  static Order parse(std::string_view text);
};

/// The stretches of a run so far, and its snapshots.
class History {
 public:
  explicit History(Snapshots& snapshots) : snapshots_(snapshots) {}

  /// A thread's stretch begins.
  void begin_stretch(ThreadId thread, std::uint64_t executed) { stretches_.push_back({thread, executed}); }
  std::uint64_t stretch() const { return stretches_.size(); }
  /// Whether enough has been executed since the last snapshot.
  bool wants_snapshot() const;
  /// Keeps the present state: a stretch has just begun. @return what it gets, in a process that begins there
  std::optional<Snapshots::Begin> keep(std::int64_t time_ps);
  bool has_snapshot_here() const { return !marks_.empty() && marks_.back().stretch == stretch(); }

  /// One instruction of a thread before now; nothing if it has executed none since the first snapshot.
  std::optional<Position> before(ThreadId thread, std::uint64_t executed) const;
  /// The thread of the stretch before the present one; nothing if this is the first.
  std::optional<ThreadId> previous_thread() const {
    return stretches_.size() < 2 ? std::nullopt : std::optional(stretches_[stretches_.size() - 2].thread);
  }

  /// Ends this process; another one continues at the last snapshot before the order's position, or time.
  /// @param client  descriptor of the connection
  [[noreturn]] void go(const Order& order, int client);
  /// The answer of the latest snapshot before `until` from which a process finds a stop; empty if there is no stop.
  std::string find(Order order);
  /// The first position to which it goes.
  Position first() const { return {marks_.front().stretch, stretches_[marks_.front().stretch - 1].begin}; }
  bool is_empty() const { return marks_.empty(); }
  Snapshots& snapshots() { return snapshots_; }
  /// Drops all: a client has gone, or has changed the state.
  void forget();

 private:
  struct Stretch {
    ThreadId thread;
    std::uint64_t begin;  ///< instructions of the thread before it
  };
  struct Mark {
    std::uint64_t stretch;
    std::int64_t time_ps;
    double cpu_seconds;  ///< of all processes that have led there
  };
  void thin_out();
  void drop(std::size_t number);

  Snapshots& snapshots_;
  std::vector<Stretch> stretches_;
  std::vector<Mark> marks_;  ///< of the snapshots, in order
  double interval_ = 0;      ///< CPU seconds between snapshots, at least
};

}  // namespace sanvp::riscv::gdb
