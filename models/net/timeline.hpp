/// Couples the event queue of the network models to the SystemC kernel: one SC_THREAD handles its instants, from which
/// all calls of models to others' modules come.
///
/// How far it leads the kernel is said in its constructor. Without a lead it handles each instant at the kernel's time:
/// it does not matter what acts from outside, or how. With one, it handles instant after instant on its own until the
/// kernel has something due before the next one, then hands back. If nothing outside can act in between, this is exact,
/// and 20 million events may cost a few dozen activations. The software of hosts, which is on the timeline's run queue,
/// needs none.
///
/// Ties: at an instant at which all have something to do, the network comes first, then the run queue, then the kernel.
/// What these then send at that instant opens it once more (with another update phase), after the network's own
/// events of the instant.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>

#include "models/net/event_queue.hpp"
#include "models/net/kernel_activity.hpp"
#include "models/net/module.hpp"
#include "models/net/run_queue.hpp"

namespace sanvp::net {

/// How far a timeline runs ahead of the kernel.
enum class Lead : std::uint8_t {
  none,          ///< not at all
  to_next_event  ///< to the kernel's next timed event. A promise: what is outside acts only in processes that the
                 ///< kernel's timed events call. It does not hold where a program steps (sc_start in a loop) and
                 ///< touches a model between the steps, for threads of the computer (async_request_update), and where a
                 ///< bus target that a card has called notifies a delta cycle.
};

class Timeline : public sc_core::sc_module {
 public:
  /// Several timelines may live in one simulation.
  explicit Timeline(const sc_core::sc_module_name& name, Lead lead = Lead::none);

  EventQueue& queue() { return queue_; }
  RunQueue& run_queue() { return run_queue_; }
  const RunQueue& run_queue() const { return run_queue_; }

  /// To be called after something was scheduled from outside, by a process of the kernel.
  void wake();
  /// Schedules from outside. An error (see fail) if the timeline has led too far, or waits in a bus target.
  void schedule(const Event& event) {
    if (was_suspended() || event.ps < queue_.now_ps()) refuse(Time{event.ps});
    queue_.schedule(event);
    wake();
  }

  /// Handles in place what is due until the kernel's present time: for a call from outside that comes before the
  /// timeline's turn. So the network comes first at an instant, in whichever order the kernel calls its processes. In
  /// calls that come from the timeline itself, or from a Step, it does nothing.
  void catch_up() {
    if (!running_) catch_up_outside();
  }
  /// Whether the running process may wait() until the timeline has handled more.
  bool caller_may_wait() const;

  /// While it exists, a process other than the timeline's runs a step of a model (WaitingBus).
  class Step {
   public:
    explicit Step(Timeline& timeline) : timeline_(timeline) { timeline_.running_ = timeline_.in_step_ = true; }
    ~Step() { timeline_.running_ = timeline_.in_step_ = false; }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    Timeline& timeline_;
  };

  /// Whether a call that the timeline has made has called wait(), so that the kernel has run meanwhile. Only a
  /// WaitingBus makes that right.
  bool was_suspended() const { return running_ && !in_step_ && sc_core::sc_delta_count() != running_since_; }

  /// Local time less the kernel's: the delay annotation of calls that models make while the timeline runs ahead.
  sc_core::sc_time ahead() const { return to_sc_time(std::max(queue_.now() - kernel_now(), Time{0})); }

  /// Instants after `limit` stay in the queue. Without it a timeline that leads runs on past the end of
  /// sc_start(duration).
  void hold_after(Time limit) { limit_ = limit; }

  /// Called every few hundred instants; if it returns false, the timeline pauses the simulation (sc_pause).
  void watch(std::function<bool()> keep_going) { keep_going_ = std::move(keep_going); }

  /// Called once in every `interval`, after all that happens by then, as long as anything is still to happen; if it
  /// returns false, the timeline pauses the simulation. Unlike with watch(), it does not matter which instants have
  /// events. While nothing happens, two calls stand for all.
  void look_every(Time interval, std::function<bool()> look) {
    look_interval_ = look_at_ = interval;
    look_ = std::move(look);
  }

  /// Ends the run when only background events are left in the queue and this returns true.
  void end_when(std::function<bool()> is_over) { is_over_ = std::move(is_over); }

  /// Pauses the simulation (sc_pause) after the round of the run queue that is under way.
  void pause();

  /// sc_start for the program whose run this is: for `duration`, or until nothing is left to do. Unlike sc_start, it
  /// throws a model's exception as it is, when the kernel has returned.
  void run(Time duration = never);

  /// Ends the run, since a model has thrown an exception, which cannot pass through the kernel unharmed. In a program
  /// that calls sc_start itself, it is reported as SC_ERROR of type `report_type`; without a handler, SystemC throws
  /// that report out of sc_start.
  void fail(std::exception_ptr failure);
  static constexpr const char* report_type = "/sanvp/model";

  /// How often the kernel had to call.
  std::uint64_t activations() const { return activations_; }

 private:
  Time next() { return is_over() ? never : std::min(queue_.next(), run_queue_.next()); }
  bool is_over() {
    return queue_.is_idle() && !queue_.empty() && run_queue_.empty() && kernel_.next() == never && is_over_ &&
           is_over_();
  }
  void advance();
  void wait_for_next();
  void refuse(Time at);
  void catch_up_outside();
  void run_guarded(Lead lead);
  void run_instants(Lead lead);
  bool may_go_on();
  bool take_look(Time due);

  Lead lead_;
  EventQueue queue_;
  RunQueue run_queue_{queue_};
  KernelActivity kernel_;
  sc_core::sc_event wake_{"wake"};
  Time limit_ = never;
  std::function<bool()> keep_going_;
  std::function<bool()> look_;
  std::function<bool()> is_over_;
  Time look_interval_ = never;
  Time look_at_ = never;
  Time due_at_look_{-1};  ///< what was due next when it was last called
  std::exception_ptr failure_;
  bool throws_failures_ = false;  ///< run() will
  std::uint64_t instants_ = 0;
  std::uint64_t activations_ = 0;
  std::uint64_t running_since_ = 0;  ///< the kernel's delta cycle
  bool running_ = false;
  bool in_step_ = false;
  bool paused_ = false;
};

}  // namespace sanvp::net
