// The checked longjmp refuses to jump off the signal handler's stack.
#undef _FORTIFY_SOURCE

#include "models/native/safety_net.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "models/native/forked.hpp"
#include "models/native/interpreted/registers.hpp"
#include "models/native/interrupts.hpp"
#include "models/native/processor_context.hpp"
#include "models/native/surroundings.hpp"
#include "models/native/system_calls.hpp"
#include "platform/core/interrupts.hpp"

// Defined by the linker: the bounds of the simulator's own code, which is the library or program that holds this file.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" __attribute__((visibility("hidden"))) const char __ehdr_start, etext;

namespace sanvp::native {
namespace {

/// The net in force. Global, because a signal handler has no other way to find it.
SafetyNet* current = nullptr;
volatile std::sig_atomic_t interrupted = 0;  ///< the signal; 0: none
volatile std::sig_atomic_t passed_on = 0;    ///< the number of an interrupt, by a process between
InterruptCount told;                         ///< by the system
const SafetyNet* volatile interrupted_code = nullptr;
timer_t return_timer{};                     ///< expires when `interrupted_code` has not returned
std::byte* volatile closed_page = nullptr;  ///< of an image's code, to which interrupted code must not return
volatile std::sig_atomic_t ticks = 0;       ///< since the code was resumed
/// The fault whose callers are being unwound; null otherwise.
const Fault* volatile walked = nullptr;

constexpr std::size_t page_bytes = 4096;

constexpr std::array fault_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// Period of the check for runaway code, in CPU time: other load on the computer must not end a program.
constexpr Time tick = 50ms;

/// The stack pointer is in the guard, or within a page above it and the access is in the guard (a push). An access from
/// further up is a wild pointer.
bool is_overflow(const SafetyNet& net, const void* address, const void* context) {
  constexpr std::ptrdiff_t page = 4096;  // frames touch each of theirs: -fstack-clash-protection
  const std::byte* const stack_pointer = ProcessorContext(context).stack_pointer();
  return net.guard.contains(stack_pointer, 1) ||
         (net.guard.contains(address, 1) && net.guard.contains(stack_pointer - page, 1));
}

/// The instruction in the image, if its code is interpreted.
const void* instruction(const void* context) {
  if (current != nullptr && current->interpreted != nullptr) return current->interpreted->pc;
  return ProcessorContext(context).instruction();
}

bool in_image(const SafetyNet& net, const void* code) { return net.image != nullptr && net.image->is_code(code); }

/// Leaves the handler's stack. Signals are not blocked in handlers (SA_NODEFER), so no mask needs to be restored.
[[noreturn]] void land(const Fault& fault) {
  current->fault = fault;
  _longjmp(std::exchange(current, nullptr)->landing, 1);
}

[[noreturn]] void die_of(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  _exit(128 + signal);  // as a shell reports it; raise does not return
}

/// State of a walk over the frames, from the handler outwards.
struct Walk {
  const SafetyNet& net;
  Fault& fault;
  std::size_t found = 0;
};

_Unwind_Reason_Code visit(_Unwind_Context* frame, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  const auto* code = reinterpret_cast<const void*>(_Unwind_GetIP(frame));
  if (!in_image(walk.net, code) || code == walk.fault.code) return _URC_NO_REASON;
  walk.fault.callers[walk.found++] = code;
  return walk.found == Fault::most_callers ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/// Collects the callers and leaves the handler's stack. On an overwritten stack the walk itself may crash: on_fault
/// then lands with the callers found so far.
[[noreturn]] void walk_and_land(Fault fault) {
  walked = &fault;
  Walk walk{*current, fault};
  _Unwind_Backtrace(visit, &walk);
  walked = nullptr;
  land(fault);
}

void warn(const SafetyNet& net) {
  std::array<char, 320> text{};
  const int length = std::snprintf(
      text.data(), text.size(),
      "warning: %s has run for %d s of this computer's time without letting simulated time pass; if it polls memory "
      "in a loop, let it call MPI_Test, shmem_wait_until or usleep there; Ctrl-C ends the run and says where it is\n",
      net.label.c_str(), static_cast<int>(net.timeout / 1000ms));
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), static_cast<std::size_t>(length));
}

/// Ends code only at an instruction of the image: the simulator and the C library would be left in an inconsistent
/// state.
void on_tick(int signal, siginfo_t*, void* context) {
  if (current == nullptr || current->image == nullptr) return;
  ticks = ticks + 1;
  if (current->timeout == Time{0} || ticks * tick < current->timeout) return;
  if (!current->ends_runaway) {
    warn(*current);
    current->timeout = Time{0};
  } else if (in_image(*current, instruction(context))) {
    walk_and_land({.signal = signal, .code = instruction(context)});
  }
}

/// State of a walk from `code` outwards to the first frame of the image.
struct Search {
  const SafetyNet& net;
  const void* code;
  bool reached = false;
  bool through_simulator = false;     ///< a frame of the simulator is before it
  const void* image_frame = nullptr;  ///< where that frame continues
};

_Unwind_Reason_Code search(_Unwind_Context* frame, void* data) {
  Search& search = *static_cast<Search*>(data);
  const auto* code = reinterpret_cast<const char*>(_Unwind_GetIP(frame));
  search.reached = search.reached || code == search.code;
  if (!search.reached) return _URC_NO_REASON;
  if (in_image(search.net, code)) {
    search.image_frame = code;
    return _URC_END_OF_STACK;
  }
  search.through_simulator = search.through_simulator || (code >= &__ehdr_start && code < &etext);
  return _URC_NO_REASON;
}

Search caller_in_image(const SafetyNet& net, const void* code) {
  Search begun{net, code};
  _Unwind_Backtrace(search, &begun);
  return begun;
}

/// Whether `code` is in the image, or in a library that the image has called.
bool is_called_by_image(const SafetyNet& net, const void* code) {
  const Search found = caller_in_image(net, code);
  return found.image_frame != nullptr && !found.through_simulator;
}

/// The page of code to which the simulator's code will return: taken away, so that the return is a fault.
void close_page_of(const void* code) {
  if (closed_page != nullptr) return;
  auto* const page = reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(code) & ~(page_bytes - 1));
  if (mprotect(page, page_bytes, PROT_READ) == 0) closed_page = page;
}

/// @return whether the access was to the page that had been taken away
bool open_page_of(const void* address) {
  std::byte* const page = closed_page;
  if (page == nullptr || address < page || address >= page + page_bytes) return false;
  mprotect(page, page_bytes, PROT_READ | PROT_EXEC);
  closed_page = nullptr;
  return true;
}

void look_again_after(Time span) {
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(span);
  const auto rest = std::chrono::duration_cast<std::chrono::nanoseconds>(span - whole);
  const itimerspec once{.it_interval = {}, .it_value = {.tv_sec = whole.count(), .tv_nsec = rest.count()}};
  timer_settime(return_timer, 0, &once, nullptr);
}

/// A process that waits for this one passes an interrupt on with its number (platform/snapshots/fork.hpp); the system
/// may have told both.
void on_interrupt(int signal, siginfo_t* from, void* context) {
  const bool is_passed_on = from->si_code == SI_QUEUE;
  if (is_passed_on) passed_on = from->si_value.sival_int;
  if ((!is_passed_on && told.add() > 1) || passed_on > 1) die_of(signal);
  if (interrupted != 0) return;
  interrupted = signal;
  if (current == nullptr) return;
  if (in_image(*current, instruction(context))) walk_and_land({.signal = signal, .code = instruction(context)});
  interrupted_code = current;
  look_again_after(1000ms);
}

/// Code that still runs this long after an interrupt is blocked in the C library, for instance on a lock that is never
/// released, or calls the simulator again and again. In the library it is abandoned, as the run ends anyway. The
/// simulator's own code may finish: its return to the image is a fault (on_return).
void on_no_return(int, siginfo_t*, void* context) {
  if (current == nullptr || current != interrupted_code) return;
  const Search caller = caller_in_image(*current, instruction(context));
  if (caller.image_frame != nullptr && !caller.through_simulator)
    walk_and_land({.signal = interrupted, .code = instruction(context)});
  if (caller.image_frame != nullptr) close_page_of(caller.image_frame);
  look_again_after(10ms);
}

/// The simulator's code has returned to the image. Code of others on the same page continues.
void on_return(const void* code) {
  if (current != nullptr && current == interrupted_code) walk_and_land({.signal = interrupted, .code = code});
}

/// Runs on the alternate signal stack, since the code's stack may have overflowed.
void on_fault(int signal, siginfo_t* information, void* context) {
  if (signal == SIGSEGV && open_page_of(information->si_addr)) return on_return(information->si_addr);
  if (current == nullptr) die_of(signal);  // a bug of the simulator, not of an image
  if (walked != nullptr) land(*std::exchange(walked, nullptr));
  const bool has_address = signal == SIGSEGV || signal == SIGBUS;
  auto* address = has_address ? static_cast<std::byte*>(information->si_addr) : nullptr;
  const bool overflow = has_address && is_overflow(*current, address, context);
  walk_and_land({signal, address, instruction(context), overflow});
}

/// A pipe without a reader, or a file at its size limit. For the simulator's own files, the first ends it, as any
/// program, and the second is an error of write().
void on_failed_write(int signal, siginfo_t*, void* context) {
  if (current != nullptr && is_called_by_image(*current, instruction(context))) {
    if ((current->handled_signals >> signal & 1) == 0) walk_and_land({.signal = signal, .code = instruction(context)});
  } else if (signal == SIGPIPE) {
    die_of(signal);
  }
}

/// A raw system call. One that does not affect the simulator is made on the code's behalf.
void on_system_call(int signal, siginfo_t* information, void* context) {
  ProcessorContext registers(context);
  const long call = information->si_syscall;
  if (current != nullptr && in_image(*current, instruction(context))) {
    if (ends_process(call) && current->exit) current->exit(static_cast<int>(registers.argument(0)));
    if (ends_process(call) || acts_on_process(call))
      walk_and_land({.signal = signal, .code = instruction(context), .system_call = call});
  }
  if (starts_thread(call)) refuse_thread();  // of a library
  const int error = errno;
  const long result = syscall(call, registers.argument(0), registers.argument(1), registers.argument(2),
                              registers.argument(3), registers.argument(4), registers.argument(5));
  registers.set_result(result == -1 ? -errno : result);
  errno = error;
}

void handle(int signal, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | flags;
  sigaction(signal, &action, nullptr);
}

void start_ticks() {
  constexpr timeval period{.tv_sec = 0, .tv_usec = tick / 1us};
  const itimerval timer{period, period};
  setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

int return_signal() { return SIGRTMAX; }  // programs have handlers of their own for SIGALRM

void install_handlers() {
  constexpr std::size_t handler_stack_bytes = 64 << 10;
  static std::array<std::byte, handler_stack_bytes> handler_stack;
  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  sigaltstack(&stack, nullptr);
  for (const int signal : fault_signals) handle(signal, on_fault, 0);
  for (const int signal : {SIGPIPE, SIGXFSZ}) handle(signal, on_failed_write, SA_RESTART);
  handle(SIGSYS, on_system_call, 0);
  keep_surroundings();
  dispatch_system_calls();
  handle(SIGVTALRM, on_tick, SA_RESTART);
  start_ticks();
}

bool catches_faults = false;
bool catches_interrupts = false;

void make_return_timer() {
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = return_signal();
  timer_create(CLOCK_MONOTONIC, &event, &return_timer);
}

}  // namespace

void catch_faults() {
  if (!std::exchange(catches_faults, true)) install_handlers();
}

SafetyNet* exchange_net(SafetyNet* net) {
  ticks = 0;
  return std::exchange(current, net);
}

SafetyNet* net_in_force() { return current; }

void refuse_thread() {
  if (current != nullptr) walk_and_land({.signal = SIGSYS, .system_call = SYS_clone});
}

std::optional<Fault> run_safely(const std::function<void()>& code) {
  SafetyNet net;
  SafetyNet* const below = current;
  if (_setjmp(net.landing) == 0) {
    exchange_net(&net);
    code();
  }
  exchange_net(below);
  return net.fault;
}

void catch_interrupts() {
  catches_interrupts = true;
  handle(return_signal(), on_no_return, SA_RESTART);
  make_return_timer();
  for (const int signal : interrupts)
    if (!is_ignored(signal)) handle(signal, on_interrupt, SA_RESTART);
}

void release_interrupts() {
  for (const int signal : interrupts)
    if (!is_ignored(signal)) std::signal(signal, SIG_DFL);
}

void continue_in_child() {
  if (catches_interrupts) make_return_timer();
  if (!catches_faults) return;
  dispatch_system_calls_again();
  start_ticks();
}

bool was_interrupted() { return interrupted != 0; }

int interrupting_signal() { return interrupted; }

bool is_interrupt(const Fault& fault) { return std::ranges::find(interrupts, fault.signal) != interrupts.end(); }

std::string Fault::to_text() const {
  if (stack_overflow) return "stack overflow";
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
      return fmt::format("{} at address {}", signal == SIGSEGV ? "segmentation fault" : "bus error",
                         address == nullptr ? "0" : fmt::format("{}", address));
    case SIGFPE:
      return "arithmetic fault, such as a division by 0";
    case SIGILL:
      return "illegal instruction";
    case SIGABRT:
      return "aborted, as by a failed assert";
    case SIGVTALRM:
      return "endless loop that lets no simulated time pass";
    case SIGPIPE:
      return "wrote to a pipe that has no reader (SIGPIPE)";
    case SIGXFSZ:
      return "wrote more to a file than is allowed (SIGXFSZ, ulimit -f)";
    case SIGSYS:
      if (code == nullptr)
        return "a library that the program uses starts a thread or a process: a rank is one thread; let the library "
               "work with one, link one without threads, or compile the program with --target riscv64";
      return fmt::format(
          "raw system call {}, which would act on the simulator; let the program call the C library instead",
          system_call);
    case SIGINT:
      return "it was running when Ctrl-C was pressed";
    case SIGTERM:
      return "it was running when SIGTERM came";
    case SIGHUP:
      return "it was running when SIGHUP came";
    default:
      return "signal " + std::to_string(signal);
  }
}

std::string Fault::to_text(const CodeMap& image) const {
  std::string text = to_text();
  std::vector<std::string> open = image.places_of(code);
  const char* next = open.empty() ? " < " : ", called by ";
  const char* link = open.empty() ? ", called by " : ", in ";
  for (const void* caller : callers) {
    if (caller == nullptr) break;
    // The return address may belong to the next line: look up the call instruction.
    for (std::string& place : image.places_of(static_cast<const std::byte*>(caller) - 1))
      open.push_back(std::move(place));
  }
  constexpr std::size_t most_named = 24;  // with those inlined, of which each caller may have many
  if (open.size() > most_named) open.resize(most_named);
  for (const std::string& place : open) {
    text += std::exchange(link, std::exchange(next, " < ")) + place;
    if (place.starts_with("main()")) break;  // its callers are in sw/hal
  }
  return text;
}

}  // namespace sanvp::native
