#include "models/net/timeline.hpp"

#include <algorithm>

#include "platform/core/error.hpp"

namespace sanvp::net {
namespace {

constexpr std::uint64_t instants_between_looks = 256;  // a look costs some 10 ns, an instant some 50

/// The next instant at which the kernel itself has something to do. @param now  its present time
Time kernel_due(const sc_core::sc_simcontext* kernel, Time now) {
  // Mostly it has nothing at all; that is asked at every instant, and without it there is nothing to reckon.
  if (!sc_core::sc_pending_activity(kernel)) return never;
  const Time pending = to_time(sc_core::sc_time_to_pending_activity(kernel));
  return pending >= never - now ? never : now + pending;
}

}  // namespace

Timeline::Timeline(sc_core::sc_module_name name) : sc_module(name) {
  if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS))
    throw UserError(this->name(), "the kernel's time resolution is not 1 ps", "do not call sc_set_time_resolution");
  SANVP_HAS_PROCESS(Timeline);
  SC_METHOD(advance);
}

void Timeline::wake() {
  if (!running_) wake_.notify(sc_core::SC_ZERO_TIME);
}

sc_core::sc_time Timeline::ahead() const {
  const Time ahead = queue_.now() - kernel_now();
  return ahead > Time{0} ? to_sc_time(ahead) : sc_core::SC_ZERO_TIME;
}

bool Timeline::may_go_on() {
  if (++instants_ % instants_between_looks == 0 && keep_going_ && !keep_going_()) pause();
  return !paused_;
}

void Timeline::pause() {
  paused_ = true;
  sc_core::sc_pause();
}

void Timeline::run_ahead() {
  const sc_core::sc_simcontext* const kernel = sc_core::sc_get_curr_simcontext();
  const Time kernel_time = kernel_now();  // it stands still meanwhile
  for (;;) {
    const Time of_queue = queue_.next();
    const Time of_agenda = agenda_.next();
    const Time due = std::min(of_queue, of_agenda);
    if (due == never || due > std::min(limit_, kernel_due(kernel, kernel_time))) return;
    if (of_queue == due) {
      queue_.run_instant();
      if (!may_go_on()) return;
    } else {
      agenda_.run_round();
      if (paused_) return;
    }
  }
}

void Timeline::set_next_trigger() {
  const Time due = next();
  if (failure_ || due == never || due > limit_)
    next_trigger(wake_);
  else if (due > kernel_now())
    next_trigger(to_sc_time(due - kernel_now()), wake_);
  else
    next_trigger(sc_core::SC_ZERO_TIME, wake_);
}

void Timeline::advance() {
  ++activations_;
  running_ = true;
  paused_ = false;
  try {
    run_ahead();
  } catch (...) {
    failure_ = std::current_exception();
    sc_core::sc_pause();
  }
  running_ = false;
  set_next_trigger();
}

}  // namespace sanvp::net
