/// C code of an image at work on simulated time: a fiber on the agenda of a timeline, that can be pulled out of
/// whatever it is doing: when it calls exit, and when it crashes.
///
/// What the C library keeps once per program, each thread finds as it left it: stdout, stderr, errno, optind, and the
/// program's name; and where it has changed them, working folder, file mask and locale.
#pragma once

#include <cerrno>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "models/native/fiber.hpp"
#include "models/native/surroundings.hpp"
#include "models/native/wakeup.hpp"

namespace sanvp::native {

class Thread final : private net::Actor {
 public:
  struct Streams {
    std::FILE* out;    ///< null: the program's own
    std::FILE* error;  ///< the same
  };

  /// @param stack_bytes  rounded up to whole pages
  Thread(net::Agenda& agenda, std::size_t stack_bytes, std::function<void()> body)
      : Thread(agenda, stack_bytes, std::move(body), Streams{nullptr, nullptr}) {}
  Thread(net::Agenda& agenda, std::size_t stack_bytes, std::function<void()> body, Streams streams);

  /// Called in the thread after its code has ended, in whatever way.
  void at_end(std::function<void()> call) { at_end_ = std::move(call); }
  /// Its code begins in the agenda's next round at this instant. Once.
  void start() { agenda_.schedule(*this, agenda_.now()); }

  /// Never lets its code go on, as where its computer has lost its power. From outside.
  void stop() { is_stopped_ = true; }

  /// For what runs in this thread: lets simulated time pass.
  void wait(Time span);
  void wait(Wakeup& wakeup);
  void wait(Time most, Wakeup& wakeup);
  /// Ends the code from within, over all its frames: no destructor between here and the body runs.
  [[noreturn]] void leave();

  /// It will go on soon.
  void fetch_ahead() const { fiber_.fetch_ahead(); }

  bool has_ended() const { return fiber_.has_ended(); }
  const std::optional<Fault>& fault() const { return fiber_.fault(); }
  Range stack() const { return fiber_.stack(); }
  /// Code that runs for long without letting time pass is reported as `who`'s. @param image  outlives the thread
  void watch(const Image& image, std::string who);
  /// Its own net, for what is known of the code besides.
  SafetyNet& net() { return fiber_.net(); }
  /// From within: working folder, file mask and locale that are in force now are this thread's own.
  void surroundings_changed() { surroundings_ = std::make_unique<Surroundings>(); }

 private:
  friend class Wakeup;
  /// Of the C library.
  struct State {
    Streams streams;
    int error_number = 0;
    int option_index = 0;  // 0 makes getopt begin afresh
    // What assert and err begin their lines with; sw/hal/run_main.c sets them.
    char* name = program_invocation_name;
    char* short_name = program_invocation_short_name;
  };

  void act() override;
  void run();
  void run_beneath_gap();
  void swap_state();
  void enter();
  void give_way();

  // What every wait wants comes first.
  net::Agenda& agenda_;
  State state_;  ///< this thread's while it is away, the others' while it runs
  Wakeup* waits_for_ = nullptr;
  std::unique_ptr<Surroundings> surroundings_;  ///< null: those of the simulator
  std::exception_ptr failure_;
  bool ending_ = false;
  bool is_stopped_ = false;
  Fiber fiber_;
  std::function<void()> body_;
  std::function<void()> at_end_;
};

}  // namespace sanvp::native
