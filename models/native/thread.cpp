// The checked longjmp refuses to jump out of frames on a fiber's stack.
#undef _FORTIFY_SOURCE

#include "models/native/thread.hpp"

#include <getopt.h>

#include <cerrno>
#include <cmath>
#include <utility>

#include "models/native/interrupts.hpp"

namespace sanvp::native {
namespace {

// Short enough for a user who waits; no real program computes for so long without a call of the simulator (A).
constexpr Time warning_timeout = 10'000ms;

constexpr std::size_t page_bytes = 4096;  // of the simulating computer (x86-64)

}  // namespace

Thread::Thread(net::RunQueue& run_queue, std::size_t stack_bytes, std::function<void()> body, Streams streams)
    : Actor(run_queue),
      run_queue_(run_queue),
      state_{.streams = streams},
      fiber_(stack_bytes, [this] { run(); }),
      body_(std::move(body)) {}

void Thread::act() {
  if (waits_for_ != nullptr) std::exchange(waits_for_, nullptr)->end_wait(*this);
  if (is_stopped_) return;
  fiber_.resume();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

/// Leaves a gap below the simulator's own frames: what a program writes beyond an array in its main() lands there, also
/// in builds with AddressSanitizer.
[[gnu::noinline, gnu::no_sanitize_address]] void Thread::run_beneath_gap() {
  constexpr std::size_t gap_bytes = 16 << 10;
  // Each thread starts at another page of its stack (net::stagger_bytes), at the cost of a small part of the stack.
  constexpr std::size_t share = 32;
  const std::size_t stagger =
      number() * net::stagger_bytes % (stack().bytes / share / page_bytes * page_bytes + page_bytes);
  void* const gap = __builtin_alloca(gap_bytes + stagger);
  asm volatile("" : : "r"(gap) : "memory");  // keeps the compiler from removing the gap
  body_();
  asm volatile("" : : "r"(gap) : "memory");
}

/// An exception of a model must not unwind through the fiber's frames: act() throws it again outside.
void Thread::run() {
  try {
    if (_setjmp(fiber_.net().landing) == 0) {
      enter();
      run_beneath_gap();
    }
    ending_ = true;
    exchange_net(nullptr);  // what follows is the simulator's own code
    if (at_end_ && !failure_) at_end_();
  } catch (...) {
    failure_ = std::current_exception();
  }
  if (surroundings_) Surroundings::leave();
  swap_state();
}

void Thread::swap_state() {
  const State others{{stdout, stderr},
                     errno,
                     {optind, optarg, opterr, optopt},
                     signgam,
                     program_invocation_name,
                     program_invocation_short_name};
  if (state_.streams.out != nullptr) stdout = state_.streams.out;
  if (state_.streams.error != nullptr) stderr = state_.streams.error;
  errno = state_.error_number;
  optind = state_.options.index;
  optarg = state_.options.argument;
  opterr = state_.options.reports;
  optopt = state_.options.unknown;
  signgam = state_.sign_of_gamma;
  program_invocation_name = state_.name;
  program_invocation_short_name = state_.short_name;
  state_ = others;
}

void Thread::enter() {
  swap_state();
  if (surroundings_) surroundings_->enter();
  if (ending_) exchange_net(nullptr);  // as before it yielded
  if (ending_ || !was_interrupted()) return;
  fiber_.net().fault = Fault{.signal = interrupting_signal()};
  leave();
}

void Thread::give_way() {
  if (surroundings_) Surroundings::leave();
  swap_state();
  fiber_.yield();
  enter();
}

void Thread::wait(Time span) {
  const Time until = run_queue_.after(span);
  if (run_queue_.fast_forward_to(until)) return;
  run_queue_.schedule(*this, until);
  give_way();
}

void Thread::wait(Condition& condition) {
  condition.begin_wait(*this);
  waits_for_ = &condition;
  give_way();
}

void Thread::wait(Time most, Condition& condition) {
  run_queue_.schedule(*this, run_queue_.after(most));
  wait(condition);
}

void Thread::leave() { _longjmp(fiber_.net().landing, 1); }

void Thread::leave(std::exception_ptr failure) {
  failure_ = std::move(failure);
  leave();
}

void Thread::look_at_stack(const std::function<void()>& look) {
  if (net_in_force() == &fiber_.net())
    look();
  else
    fiber_.look_at_stack(look);
}

void Thread::watch(const Image& image, std::string label) {
  SafetyNet& net = fiber_.net();
  net.image = &image;
  net.label = std::move(label);
  net.timeout = warning_timeout;
}

}  // namespace sanvp::native
