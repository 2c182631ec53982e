#include "models/net/timeline.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "platform/core/error.hpp"

namespace sanvp::net {
namespace {

constexpr std::uint64_t instants_between_looks = 256;  // a look costs some 10 ns, an instant some 50

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

bool Timeline::may_go_on() {
  if (++instants_ % instants_between_looks == 0 && keep_going_ && !keep_going_()) pause();
  return !paused_;
}

/// @param due  when something happens next, after the look
bool Timeline::take_look(Time due) {
  queue_.advance_to(look_at_);
  if (!look_()) pause();
  const bool is_second = std::exchange(due_at_look_, due) == due;
  const std::int64_t more = is_second ? (due - Time{1} - look_at_) / look_interval_ : 1;
  look_at_ += std::max<std::int64_t>(more, 1) * std::min(look_interval_, never - look_at_);
  return !paused_;
}

void Timeline::pause() {
  paused_ = true;
  queue_.set_horizon(Time{0});
  sc_core::sc_pause();
}

void Timeline::run(Time duration) {
  throws_failures_ = true;
  if (duration == never)
    sc_core::sc_start();
  else
    sc_core::sc_start(to_sc_time(duration), sc_core::SC_EXIT_ON_STARVATION);
  throws_failures_ = false;
  if (failure_) std::rethrow_exception(failure_);
}

void Timeline::fail(std::exception_ptr failure) {
  failure_ = std::move(failure);
  sc_core::sc_pause();
  if (throws_failures_) return;
  std::string text = "an exception of an unknown type";
  try {
    std::rethrow_exception(failure_);
  } catch (const std::exception& exception) {
    text = exception.what();
  } catch (...) {
  }
  SC_REPORT_ERROR(report_type, text.c_str());
}

void Timeline::run_ahead() {
  kernel_.begin();
  // With other processes about, the kernel is asked after every instant.
  const Time last = std::min(limit_, never - Time{1});
  for (;;) {
    const Time end = kernel_.is_alone() ? std::min(last, look_at_) + Time{1} : Time{0};
    const Time of_queue = queue_.next();
    const Time of_run_queue = run_queue_.next();
    const Time due = std::min(of_queue, of_run_queue);
    if (due == never || due > limit_ || due > kernel_.next() || is_over()) return;
    if (due > look_at_) {
      if (!take_look(due)) return;
    } else if (of_queue == due) {
      queue_.set_horizon(std::min(of_run_queue, end));
      do {
        queue_.run_instant();
        if (!may_go_on()) return;
      } while (queue_.is_before_horizon() && !queue_.is_idle() && kernel_.is_alone());
    } else {
      queue_.set_horizon(end);
      run_queue_.run_round();
      if (!may_go_on()) return;
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
  std::exception_ptr failure;
  try {
    run_ahead();
  } catch (...) {
    failure = std::current_exception();
  }
  running_ = false;
  if (failure) fail(std::move(failure));
  set_next_trigger();
}

}  // namespace sanvp::net
