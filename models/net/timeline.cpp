#include "models/net/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "models/net/kept_stack.hpp"
#include "platform/core/error.hpp"
#include "platform/core/units.hpp"

namespace sanvp::net {
namespace {

constexpr std::uint64_t instants_between_looks = 256;  // a look costs some 10 ns, an instant some 50
constexpr int stack_bytes = 8 << 20;                   // as Linux gives a program: models were made for that

std::string acting_process() {
  const sc_core::sc_process_handle process = sc_core::sc_get_current_process_handle();
  return process.valid() ? fmt::format("process {}", process.name()) : "the program, between two sc_start(),";
}

}  // namespace

Timeline::Timeline(const sc_core::sc_module_name& name, Lead lead) : sc_module(name), lead_(lead) {
  if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS))
    throw UserError(this->name(), "the kernel's time resolution is not 1 ps", "do not call sc_set_time_resolution");
  SANVP_HAS_PROCESS(Timeline);
  SC_THREAD(advance);
  set_stack_size(stack_bytes);
}

void Timeline::wake() {
  if (!running_ || in_step_) wake_.notify(sc_core::SC_ZERO_TIME);
}

void Timeline::refuse(Time at) {
  const UserError error = was_suspended() ? UserError(name(), "a bus target that a card has called calls wait()",
                                                      "put a nic::WaitingBus between card and target")
                                          : UserError(name(),
                                                      fmt::format("{} acts at {}, but the timeline leads, and is at {}",
                                                                  acting_process(), to_text(at), to_text(queue_.now())),
                                                      "construct it with net::Lead::none");
  if (running_ && !was_suspended()) throw error;
  fail(std::make_exception_ptr(error));
}

bool Timeline::caller_may_wait() const {
  if (running_) return false;
  const sc_core::sc_curr_proc_kind kind = sc_core::sc_get_current_process_handle().proc_kind();
  return kind == sc_core::SC_THREAD_PROC_ || kind == sc_core::SC_CTHREAD_PROC_;
}

void Timeline::catch_up_outside() {
  const Time now = kernel_now();
  if (next() <= std::min(now, limit_)) {
    run_guarded(Lead::none);
    wake();
  }
  if (queue_.now() < now && next() > now) queue_.advance_to(now);
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
  {
    [[maybe_unused]] const KeptStack stack{};
    if (duration == never)
      sc_core::sc_start();
    else
      sc_core::sc_start(to_sc_time(duration), sc_core::SC_EXIT_ON_STARVATION);
  }
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

void Timeline::run_instants(Lead lead) {
  const bool leads = lead == Lead::to_next_event;
  const Time last = std::min(limit_, leads ? never - Time{1} : kernel_now());
  for (;;) {
    // With other processes about, the kernel is asked after every instant.
    const Time end = leads && kernel_.is_alone() ? std::min(last, look_at_) + Time{1} : Time{0};
    const Time of_queue = queue_.next();
    const Time of_run_queue = run_queue_.next();
    const Time due = std::min(of_queue, of_run_queue);
    if (due > last || (leads && due > kernel_.next()) || is_over()) return;
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

void Timeline::run_guarded(Lead lead) {
  running_ = true;
  running_since_ = sc_core::sc_delta_count();
  paused_ = false;
  std::exception_ptr failure;
  try {
    run_instants(lead);
  } catch (const sc_core::sc_unwind_exception&) {
    throw;  // the kernel ends the calling process
  } catch (...) {
    failure = std::current_exception();
  }
  running_ = false;
  if (failure) fail(std::move(failure));
}

void Timeline::wait_for_next() {
  const Time due = next();
  if (failure_ || due == never || due > limit_)
    wait(wake_);
  else if (due > kernel_now())
    wait(to_sc_time(due - kernel_now()), wake_);
  else
    wait(sc_core::SC_ZERO_TIME, wake_);
}

void Timeline::advance() {
  for (;;) {
    ++activations_;
    if (lead_ == Lead::to_next_event) kernel_.begin();
    run_guarded(lead_);
    wait_for_next();
  }
}

}  // namespace sanvp::net
