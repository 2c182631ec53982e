/// The pending events of one timeline: a timing wheel for the near future, a heap for the far one, and a sorted list
/// for the current slot. Pure C++: the SystemC side is timeline.hpp. An event costs no allocation.
#pragma once

#include <algorithm>
#include <array>
#include <coroutine>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/net/elision.hpp"
#include "platform/core/time.hpp"

namespace sanvp::net {

class EventHandler;

/// Something due at an instant. The order within an instant is a rule: by (kind, unit), never by the order of
/// scheduling.
struct Event {
  std::int64_t ps = 0;
  EventHandler* handler = nullptr;  ///< null: `subject` is the address of a coroutine to resume
  void* subject = nullptr;          ///< what the handler wants to find again
  std::uint32_t serial = 0;         ///< tells a stale event from a live one: the handler compares it with the subject's
  std::uint16_t kind = 0;           ///< the handler's own numbering
  std::uint32_t unit = 0;           ///< tie-break within (instant, kind)
};

/// An owner of events. Within one instant: first every event, then the update phase; both again while updates add
/// events for the same instant; then `close_instant` once (TIMING.md, "Order within one instant").
class EventHandler {
 public:
  virtual void handle(const Event& event) = 0;
  /// The update phase: phases 2 to 4. Called after all events of the instant that are known so far, if it was requested
  /// (EventQueue::request_update).
  virtual void update() {}
  /// Phase 5.
  virtual void close_instant() {}

 protected:
  ~EventHandler() = default;
};

class EventQueue {
 public:
  explicit EventQueue(Elision elision = elision_from_environment());

  Time now() const { return Time{now_}; }
  std::int64_t now_ps() const { return now_; }
  /// Whether an event is being handled: not an update after it, nor a call from outside, nor a NestedAction.
  bool is_in_event() const { return in_event_; }
  /// While it exists, nothing is dispatched inline and time stays as it is: what is called in the middle of an event is
  /// not its last action.
  class NestedAction {
   public:
    explicit NestedAction(EventQueue& queue) : queue_(queue), was_in_event_(std::exchange(queue.in_event_, false)) {}
    ~NestedAction() { queue_.in_event_ = was_in_event_; }
    NestedAction(const NestedAction&) = delete;
    NestedAction& operator=(const NestedAction&) = delete;

   private:
    EventQueue& queue_;
    bool was_in_event_;
  };

  /// `event.ps` must not be earlier than now.
  void schedule(const Event& event) {
    if (event.ps < now_) refuse(event.ps);
    ++scheduled_;
    const std::uint32_t node = new_node(event);
    const std::int64_t ahead = (event.ps >> slot_width_bits_) - current_slot_;
    if (ahead <= 0)
      insert_due(node);
    else if (ahead < slots)
      insert_near(node, event.ps);
    else
      insert_far(node);
  }

  /// Inline dispatch: whether an event of this instant would be the very next one if it were scheduled now. Then it
  /// counts as processed, and its cause may do at once what the event would.
  bool dispatch_inline(std::uint16_t kind, std::uint32_t unit);
  /// The same for an event of `at`, for callers outside of events too: a call from outside, or an update, has to open
  /// the instant first.
  bool dispatch_inline(Time at, std::uint16_t kind, std::uint32_t unit) {
    return in_event_ && at.count() == now_ && dispatch_inline(kind, unit);
  }
  /// Fast-forward: if nothing happens until `at`, nor at it, time advances to it, and the process that would have
  /// waited until then may continue at once. It counts as an event. @param at  later than now
  /// @return whether time has advanced
  bool fast_forward_to(Time at) { return may_fast_forward(at.count()) && end_instant_for(at.count()); }
  /// The same for what acts outside of events: nothing is counted.
  bool fast_forward_outside_to(Time at) {
    if (!elision_.permits(at.count()) || at >= next()) return false;
    elision_.count_step();
    advance_to(at);
    return true;
  }
  bool elides() const { return elision_.is_on(); }
  /// EventElision::set_horizon
  void set_horizon(Time at) { elision_.set_horizon(at.count()); }
  void lower_horizon(Time at) { elision_.lower_horizon(at.count()); }
  /// Whether an event comes before anything outside acts. Fast-forward may start again.
  bool is_before_horizon() {
    elision_.renew_steps();
    return next().count() < elision_.horizon_ps();
  }

  /// Makes the handler take part in update phases, in the order in which handlers were enrolled at construction of the
  /// system. @param closes close_instant() is wanted too: every instant has an update phase then
  void enroll(EventHandler& handler, bool closes = true);
  void withdraw(EventHandler& handler);
  /// Update all handlers that are enrolled, after the events of this instant.
  void request_update() { update_requested_ = true; }

  /// An event that does not keep a run going: if only such events are left, is_idle() holds.
  void schedule_background(const Event& event) {
    schedule(event);
    ++background_;
  }
  /// To be called by the handler of a background event.
  void end_background() { --background_; }

  bool empty() const { return pending() == 0; }
  bool is_idle() const { return pending() == background_; }
  /// Instant of the next event, or `never`.
  Time next() { return Time{due_.empty() ? peek_ps() : due_.back().ps}; }
  /// Sets the present time to `at`. @param at  not earlier than now, not later than next()
  void advance_to(Time at) { now_ = at.count(); }
  /// Processes the whole next instant. Precondition: not empty.
  void run_instant();
  /// Updates for what was done from outside at time `at` (not later than next()) without an event.
  void run_outside(Time at);
  /// Runs every instant up to and including `until`. @return false when the queue ran empty
  bool run_until(Time until);

  std::uint64_t processed() const { return processed_; }
  std::size_t pending() const { return scheduled_ - processed_; }

 private:
  static constexpr int slot_bits = 14;
  static constexpr std::int64_t slots = std::int64_t{1} << slot_bits;

  // A slot is a list of nodes; freed nodes are used again at once, so that they stay in the cache.
  struct Node {
    Event event;
    std::uint32_t next = 0;
  };
  static constexpr std::uint32_t nil = UINT32_MAX;
  // Instead of a slot: not looked for yet, or none exists.
  static constexpr std::int64_t unknown = -1;
  static constexpr std::int64_t none = INT64_MAX;

  /// An event of the current slot. Its rank is kind, unit, and which of equal ones was scheduled first.
  struct Due {
    std::int64_t ps = 0;
    std::uint64_t rank = 0;
    std::uint32_t node = 0;
  };
  /// An event beyond the wheel. Among equal ones, the first scheduled has the lowest turn: a heap is not stable.
  struct Far {
    Event event;
    std::uint64_t turn = 0;
  };
  static bool far_after(const Far& a, const Far& b);
  /// Compared as one number of 128 bits: no branch to mispredict.
  static bool comes_after(const Due& a, const Due& b) {
    __extension__ using Wide = unsigned __int128;
    const auto key = [](const Due& due) { return Wide{static_cast<std::uint64_t>(due.ps)} << 64 | due.rank; };
    return key(a) > key(b);
  }

  [[noreturn]] static void refuse(std::int64_t ps);
  bool is_due() const { return !due_.empty() && due_.back().ps == now_; }
  /// With many pending, something nearly always comes before: looking at the current slot alone is enough.
  bool may_fast_forward(std::int64_t ps) const {
    return (due_.empty() ? empty() : due_.back().ps > ps) && elision_.permits(ps);
  }
  bool end_instant_for(std::int64_t ps);
  void update();
  void handle_next();
  std::int64_t peek_ps();
  std::uint32_t new_node(const Event& event);
  void add_nodes();
  void insert_near(std::uint32_t node, std::int64_t ps);
  void insert_far(std::uint32_t node);
  void insert_due(std::uint32_t node);
  void add_due(std::uint32_t node);
  void sort_due();
  void refill();
  void refill_from(std::int64_t slot);
  std::int64_t bring_near(std::int64_t near_slot);
  [[gnu::noinline]] void gather(std::uint32_t node);  // out of the path of most slots, which have one event
  void look_ahead(std::size_t index);
  void free(std::uint32_t node);
  std::int64_t next_slot();
  std::int64_t occupied_after(std::int64_t slot) const;
  void fit_slots();
  void spread_crowd();
  void set_slot_width(int bits);

  static std::size_t index_of(std::int64_t slot) { return static_cast<std::size_t>(slot & (slots - 1)); }

  std::int64_t now_ = 0;
  EventElision elision_;
  bool update_requested_ = false;
  bool in_event_ = false;
  std::int64_t current_slot_ = 0;     // absolute slot number the cursor stands on; in an event not before now_
  std::int64_t next_slot_ = unknown;  // the next one of the wheel that holds events
  std::int64_t far_slot_ = none;      // from this one on the wheel reaches the first event beyond it
  std::uint64_t scheduled_ = 0;
  std::uint64_t processed_ = 0;
  std::size_t background_ = 0;
  static constexpr int first_width = 11;  // slots of 2,048 ps at first; fit_slots() finds what suits the traffic
  int slot_width_bits_ = first_width;
  std::uint32_t free_node_ = nil;
  std::vector<Due> due_;  // events of the current slot, the next one last
  static constexpr std::size_t few = 16;
  std::array<Due, few> unsorted_;  // sort_due() works on this copy
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> wheel_;
  std::vector<EventHandler*> updated_;
  std::vector<EventHandler*> closers_;  // of these
  std::uint64_t refills_ = 0;           // since fit_slots() looked last ...
  std::uint64_t companions_ = 0;        // ... and the events they brought, less one each
  std::uint64_t instants_ = 0;          // ... and the instants these made up
  std::uint64_t far_inserts_ = 0;       // ... and the events that were beyond the wheel
  std::int64_t looked_at_slot_ = 0;     // ... where the cursor stood then
  std::array<std::uint64_t, slots / 64> occupied_{};
  std::vector<Far> far_;  // min-heap
};

// An event that is made up for schedule() goes into its node member by member, never through memory before: a wide load
// from narrow stores would stall. So nothing takes its address.
inline std::uint32_t EventQueue::new_node(const Event& event) {
  if (free_node_ == nil) add_nodes();
  const std::uint32_t node = free_node_;
  free_node_ = nodes_[node].next;
  nodes_[node].event = event;
  return node;
}

inline void EventQueue::insert_near(std::uint32_t node, std::int64_t ps) {
  const std::int64_t slot = ps >> slot_width_bits_;
  const std::size_t index = index_of(slot);
  if (slot < next_slot_) next_slot_ = slot;
  nodes_[node].next = wheel_[index];
  wheel_[index] = node;
  occupied_[index / 64] |= std::uint64_t{1} << (index % 64);
}

}  // namespace sanvp::net
