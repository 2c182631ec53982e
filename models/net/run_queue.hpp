/// The run queue of host software: actors that run at instants of a timeline, after all events of the network there. It
/// is separate from the event queue, so that it does not affect the network's order within an instant.
#pragma once

#include <cstdint>
#include <vector>

#include "models/net/event_queue.hpp"

namespace sanvp::net {

class RunQueue;

/// Has at most one instant at which it acts next. @invariant  not destroyed while it acts
class Actor {
 public:
  explicit Actor(RunQueue& run_queue);
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;

 protected:
  virtual ~Actor();
  virtual void act() = 0;
  std::uint32_t number() const { return number_; }

 private:
  friend class RunQueue;
  RunQueue& run_queue_;
  std::uint32_t number_;  ///< in the order of construction
  std::int64_t due_ps_;
};

/// Order within an instant: actors in the order of their construction; those that are scheduled for the same
/// instant meanwhile act after them, in another round (as in SystemC's delta cycles).
class RunQueue {
 public:
  explicit RunQueue(EventQueue& queue) : queue_(queue) {}

  Time now() const { return queue_.now(); }
  /// The instant `span` from now; `never` if that exceeds the range of Time.
  Time after(Time span) const { return span < never - now() ? now() + span : never; }
  /// The actor acts then, or earlier if it was scheduled earlier. @param at  not earlier than now; `never`: nothing
  /// changes
  void schedule(Actor& actor, Time at);
  /// Fast-forward: if nothing happens until `at`, nor at it, time advances to it, and the running actor, which would
  /// act again only then, may continue at once. It counts as a round. @param at  later than now
  bool fast_forward_to(Time at);

  bool empty() const { return due_.empty(); }
  /// Entries, stale ones included.
  std::size_t size() const { return due_.size(); }
  /// Instant of the next one, or `never`.
  Time next() const { return due_.empty() ? never : Time{due_.back().ps}; }
  /// All that are due at the next instant act. Precondition: not empty, and the queue has nothing before it.
  void run_round();
  /// Rounds so far: tells what was announced in this one from what was announced before.
  std::uint64_t rounds() const { return rounds_; }

 private:
  friend class Actor;
  struct Due {
    std::int64_t ps;
    std::uint32_t number;
  };
  struct ComesAfter {
    bool operator()(const Due& a, const Due& b) const { return a.ps != b.ps ? a.ps > b.ps : a.number > b.number; }
  };
  bool is_stale(const Due& due) const;
  void sweep();
  Actor& take();
  static void act(Actor& actor);

  EventQueue& queue_;
  // The first one last: most waits are short. An entry that its actor has superseded is stale, and never the first.
  std::vector<Due> due_;
  std::vector<Actor*> actors_;  // by number; those that are gone, too
  std::vector<Actor*> now_;     // of the round under way
  std::uint64_t rounds_ = 0;
};

}  // namespace sanvp::net
