/// C code of an image in simulated time: a fiber on the run queue of a timeline. It can be ended anywhere in its code:
/// when it calls exit, and when it crashes.
///
/// Each thread has private copies of process-wide state of the C library: stdout, stderr, errno, what getopt and
/// lgamma set, the program's name; and of working directory, umask and locale, if it has changed them.
#pragma once

#include <cerrno>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "models/native/condition.hpp"
#include "models/native/fiber.hpp"
#include "models/native/surroundings.hpp"

namespace sanvp::native {

class Thread final : private net::Actor {
 public:
  struct Streams {
    std::FILE* out;    ///< null: the process's own
    std::FILE* error;  ///< the same
  };

  /// @param stack_bytes  rounded up to whole pages
  Thread(net::RunQueue& run_queue, std::size_t stack_bytes, std::function<void()> body)
      : Thread(run_queue, stack_bytes, std::move(body), Streams{nullptr, nullptr}) {}
  Thread(net::RunQueue& run_queue, std::size_t stack_bytes, std::function<void()> body, Streams streams);

  /// Called in the thread after its code has ended, by return, leave() or a crash.
  void at_end(std::function<void()> call) { at_end_ = std::move(call); }
  /// Starts its code in the run queue's next round at this instant. Call once.
  void start() { run_queue_.schedule(*this, run_queue_.now()); }

  /// Never resumes its code again, as after a power failure of its node. Not called in the thread.
  void stop() { is_stopped_ = true; }

  /// Called in the thread: lets simulated time pass.
  void wait(Time span);
  void wait(Condition& condition);
  void wait(Time most, Condition& condition);
  /// Called in the thread: ends its code with a longjmp. No destructor of its frames runs.
  [[noreturn]] void leave();
  /// The same, with an exception that must not unwind through the code's frames: it is thrown where the thread was
  /// resumed.
  [[noreturn]] void leave(std::exception_ptr failure);

  /// Calls `look` on its stack, where it may walk over the frames of its code. The code has begun and not ended.
  void look_at_stack(const std::function<void()>& look);

  /// Prefetches its stack, since it will be resumed soon.
  void fetch_ahead() const { fiber_.fetch_ahead(); }

  bool has_ended() const { return fiber_.has_ended(); }
  const std::optional<Fault>& fault() const { return fiber_.fault(); }
  Range stack() const { return fiber_.stack(); }
  /// Warns, with `label`, of code that runs for long without letting simulated time pass.
  /// @param image  outlives the thread
  void watch(const Image& image, std::string label);
  /// Its safety net, for further settings.
  SafetyNet& net() { return fiber_.net(); }
  /// Called in the thread: working directory, umask and locale in force now become this thread's own.
  void surroundings_changed() { surroundings_ = std::make_unique<Surroundings>(); }

 private:
  friend class Condition;
  /// Process-wide state of the C library.
  struct State {
    Streams streams;
    int error_number = 0;
    struct Options {  // of getopt
      int index = 0;  // 0 makes it start over
      char* argument = nullptr;
      int reports = 1;
      int unknown = '?';
    } options{};
    int sign_of_gamma = 0;  // of lgamma
    // The prefix of messages of assert and err; sw/hal/run_main.c sets it.
    char* name = program_invocation_name;
    char* short_name = program_invocation_short_name;
  };

  void act() override;
  void run();
  void run_beneath_gap();
  void swap_state();
  void enter();
  void give_way();

  // Members that every wait uses come first.
  net::RunQueue& run_queue_;
  State state_;  ///< this thread's while it is suspended, the other threads' while it runs
  Condition* waits_for_ = nullptr;
  std::unique_ptr<Surroundings> surroundings_;  ///< null: those of the simulator
  std::exception_ptr failure_;
  bool ending_ = false;
  bool is_stopped_ = false;
  Fiber fiber_;
  std::function<void()> body_;
  std::function<void()> at_end_;
};

}  // namespace sanvp::native
