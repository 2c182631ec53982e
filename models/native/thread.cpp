#include "models/native/thread.hpp"

#include <getopt.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

#include "models/net/module.hpp"

namespace sanvp::native {
namespace {

/// Whose code runs now. A signal handler is given nothing else to find it by.
Thread* running = nullptr;

constexpr std::array fault_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

std::size_t whole_pages(std::size_t bytes) {
  const std::size_t page = page_bytes();
  return (bytes + page - 1) / page * page;
}

}  // namespace

/// On a stack of its own: the thread's may be what has run out.
void on_fault(int signal, siginfo_t* information, void*) {
  if (running == nullptr || running->ending_) {
    // Not the code's fault but our own, or more than can be borne: as if there were no handler.
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  const bool has_address = signal == SIGSEGV || signal == SIGBUS;
  auto* address = has_address ? static_cast<std::byte*>(information->si_addr) : nullptr;
  const Range guard{running->stack_.begin, page_bytes()};
  running->fault_ = Thread::Fault{signal, address, has_address && guard.contains(address, 1)};
  siglongjmp(running->root_, 1);
}

namespace {

void catch_faults() {
  constexpr std::size_t handler_stack_bytes = 64 << 10;
  static std::array<std::byte, handler_stack_bytes> handler_stack;
  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : fault_signals) sigaction(signal, &action, nullptr);
}

}  // namespace

std::string Thread::Fault::to_text() const {
  if (stack_overflow) return "stack overflow";
  switch (signal) {
    case SIGSEGV:
    case SIGBUS: {
      std::array<char, 32> text{};
      std::snprintf(text.data(), text.size(), "%p", address);
      return std::string(signal == SIGSEGV ? "segmentation fault" : "bus error") + " at address " +
             (address == nullptr ? "0" : text.data());
    }
    case SIGFPE:
      return "arithmetic fault, such as a division by 0";
    case SIGILL:
      return "illegal instruction";
    case SIGABRT:
      return "aborted, as by a failed assert";
    default:
      return "signal " + std::to_string(signal);
  }
}

Thread::Thread(std::string name, std::size_t stack_bytes, std::function<void()> body, Streams streams)
    : name_(std::move(name)),
      stack_bytes_(whole_pages(stack_bytes)),
      body_(std::move(body)),
      state_{streams},
      end_((name_ + "_end").c_str()) {
  [[maybe_unused]] static const bool once = (catch_faults(), true);
}

Thread::~Thread() = default;

void Thread::start() {
  sc_core::sc_spawn_options options;
  options.set_stack_size(static_cast<int>(stack_bytes_));
  sc_core::sc_spawn([this] { run(); }, name_.c_str(), &options);
}

void Thread::run() {
  std::byte here{};
  const auto top = whole_pages(reinterpret_cast<std::uintptr_t>(&here));
  stack_ = {reinterpret_cast<std::byte*>(top - stack_bytes_), stack_bytes_};
  enter();
  if (sigsetjmp(root_, 1) == 0) body_();
  ending_ = true;
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
  running = this;
  swap_state();
}

void Thread::exit() {
  swap_state();
  running = nullptr;
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

void Thread::leave() { siglongjmp(root_, 1); }

}  // namespace sanvp::native
