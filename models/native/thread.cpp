// A checked longjmp takes one out of frames that it does not know for a mistake.
#undef _FORTIFY_SOURCE

#include "models/native/thread.hpp"

#include <getopt.h>

#include <cerrno>
#include <csignal>
#include <utility>

namespace sanvp::native {
namespace {

// A person waits; and no program computes for so long without asking the simulator for anything (A).
constexpr Time patience = 10'000ms;

constexpr std::size_t page_bytes = 4096;  // of the computer that simulates; no page is smaller

}  // namespace

Thread::Thread(net::Agenda& agenda, std::size_t stack_bytes, std::function<void()> body, Streams streams)
    : Actor(agenda),
      agenda_(agenda),
      state_{.streams = streams},
      fiber_(stack_bytes, [this] { run(); }),
      body_(std::move(body)) {}

void Thread::act() {
  if (waits_for_ != nullptr) std::exchange(waits_for_, nullptr)->end_wait(*this);
  if (is_stopped_) return;
  fiber_.resume();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

/// Below the simulator's own frames: what a program writes beyond an array of its main() lands here, also where
/// AddressSanitizer watches the simulator.
[[gnu::noinline, gnu::no_sanitize_address]] void Thread::run_beneath_gap() {
  constexpr std::size_t gap_bytes = 16 << 10;
  // Each thread begins at another page of its stack (net::stagger_bytes), for which it gives up a little of it.
  constexpr std::size_t share = 32;
  const std::size_t stagger =
      number() * net::stagger_bytes % (stack().bytes / share / page_bytes * page_bytes + page_bytes);
  void* const gap = __builtin_alloca(gap_bytes + stagger);
  asm volatile("" : : "r"(gap) : "memory");  // it is there, whatever the compiler thinks of it
  body_();
  asm volatile("" : : "r"(gap) : "memory");
}

/// A model's exception must not travel through the frames of the fiber.
void Thread::run() {
  try {
    if (_setjmp(fiber_.net().landing) == 0) {
      enter();
      run_beneath_gap();
    }
    ending_ = true;
    spread(nullptr);  // what follows is the simulator's own
    if (at_end_) at_end_();
  } catch (...) {
    failure_ = std::current_exception();
  }
  if (surroundings_) Surroundings::leave();
  swap_state();
}

void Thread::swap_state() {
  const State others{{stdout, stderr}, errno, optind, program_invocation_name, program_invocation_short_name};
  if (state_.streams.out != nullptr) stdout = state_.streams.out;
  if (state_.streams.error != nullptr) stderr = state_.streams.error;
  errno = state_.error_number;
  optind = state_.option_index;
  program_invocation_name = state_.name;
  program_invocation_short_name = state_.short_name;
  state_ = others;
}

void Thread::enter() {
  swap_state();
  if (surroundings_) surroundings_->enter();
  if (ending_) spread(nullptr);  // as before it gave way
  if (ending_ || !was_interrupted()) return;
  fiber_.net().fault = Fault{.signal = SIGINT};
  leave();
}

void Thread::give_way() {
  if (surroundings_) Surroundings::leave();
  swap_state();
  fiber_.yield();
  enter();
}

void Thread::wait(Time span) {
  const Time until = agenda_.after(span);
  if (agenda_.fast_forward_to(until)) return;
  agenda_.schedule(*this, until);
  give_way();
}

void Thread::wait(Wakeup& wakeup) {
  wakeup.begin_wait(*this);
  waits_for_ = &wakeup;
  give_way();
}

void Thread::wait(Time most, Wakeup& wakeup) {
  agenda_.schedule(*this, agenda_.after(most));
  wait(wakeup);
}

void Thread::leave() { _longjmp(fiber_.net().landing, 1); }

void Thread::watch(const Image& image, std::string who) {
  SafetyNet& net = fiber_.net();
  net.image = &image;
  net.who = std::move(who);
  net.patience = patience;
}

}  // namespace sanvp::native
