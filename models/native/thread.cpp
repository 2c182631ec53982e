// A checked longjmp takes one out of frames that it does not know for a mistake.
#undef _FORTIFY_SOURCE

#include "models/native/thread.hpp"

#include <getopt.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>

#include "models/native/stack_notice.hpp"
#include "models/net/module.hpp"

namespace sanvp::native {
namespace {

// A person waits; and no program computes for so long without asking the simulator for anything (A).
constexpr Time patience = 10'000ms;

std::size_t whole_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

}  // namespace

Thread::Thread(std::string name, std::size_t stack_bytes, std::function<void()> body, Streams streams)
    : name_(std::move(name)),
      stack_bytes_(whole_pages(stack_bytes)),
      body_(std::move(body)),
      state_{streams},
      end_((name_ + "_end").c_str()) {}

Thread::~Thread() = default;

void Thread::start() {
  sc_core::sc_spawn_options options;
  options.set_stack_size(static_cast<int>(stack_bytes_));
  sc_core::sc_spawn([this] { run(); }, name_.c_str(), &options);
}

/// Below the simulator's own frames: what a program writes beyond an array of its main() lands here, also where
/// AddressSanitizer watches the simulator.
[[gnu::noinline, gnu::no_sanitize_address]] void Thread::run_beneath_gap() {
  constexpr std::size_t gap_bytes = 16 << 10;
  std::array<std::byte, gap_bytes> gap;
  asm volatile("" : : "r"(gap.data()) : "memory");  // it is there, whatever the compiler thinks of it
  body_();
  asm volatile("" : : "r"(gap.data()) : "memory");
}

void Thread::run() {
  std::byte here{};
  const auto top = whole_pages(reinterpret_cast<std::uintptr_t>(&here));
  net_.stack = {reinterpret_cast<std::byte*>(top - stack_bytes_), stack_bytes_};
  if (_setjmp(net_.landing) == 0) {
    enter();
    run_beneath_gap();
  }
  ending_ = true;
  spread(nullptr);  // what follows is the simulator's own
  if (at_end_) at_end_();
  exit();
  ended_ = true;
  end_.notify(sc_core::SC_ZERO_TIME);
}

void Thread::swap_state() {
  const State others{{stdout, stderr}, errno, optind};
  if (state_.streams.out != nullptr) stdout = state_.streams.out;
  if (state_.streams.error != nullptr) stderr = state_.streams.error;
  errno = state_.error_number;
  optind = state_.option_index;
  state_ = others;
}

void Thread::enter() {
  leave_stack_for(net_.stack);
  kernel_stack_ = arrive_on_stack();
  if (!ending_) spread(&net_);
  swap_state();
  if (ending_ || !was_interrupted()) return;
  net_.fault = Fault{.signal = SIGINT};
  leave();
}

void Thread::exit() {
  swap_state();
  spread(nullptr);
  leave_stack_for(kernel_stack_);
  arrive_on_stack();
}

void Thread::wait(const sc_core::sc_time& span) {
  away([&] { sc_core::wait(span); });
}

void Thread::wait(const sc_core::sc_event& event) {
  away([&] { sc_core::wait(event); });
}

void Thread::wait(const sc_core::sc_time& most, const sc_core::sc_event& event) {
  away([&] { sc_core::wait(most, event); });
}

void Thread::leave() { _longjmp(net_.landing, 1); }

void Thread::watch(const Image& image, std::string who) {
  net_.image = &image;
  net_.who = std::move(who);
  net_.patience = patience;
}

}  // namespace sanvp::native
