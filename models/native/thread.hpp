/// C code of an image at work: a process of the kernel (SC_THREAD) with a stack of its own, that can be pulled out of
/// whatever it is doing: when it calls exit, and when it crashes.
///
/// What the C library keeps once per program, each thread finds as it left it: stdout, stderr, errno, optind.
#pragma once

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <systemc>

#include "models/native/safety_net.hpp"

namespace sanvp::native {

class Thread {
 public:
  struct Streams {
    std::FILE* out;    ///< null: the program's own
    std::FILE* error;  ///< the same
  };

  /// @param stack_bytes  rounded up to whole pages; the lowest page is a guard
  Thread(std::string name, std::size_t stack_bytes, std::function<void()> body)
      : Thread(std::move(name), stack_bytes, std::move(body), Streams{nullptr, nullptr}) {}
  Thread(std::string name, std::size_t stack_bytes, std::function<void()> body, Streams streams);
  ~Thread();
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  /// Called in the thread after its code has ended, in whatever way.
  void at_end(std::function<void()> call) { at_end_ = std::move(call); }
  /// Its code begins in the next delta cycle, or at time 0. Once.
  void start();

  /// For what runs in this thread: lets simulated time pass. Every wait must go through one of these.
  void wait(const sc_core::sc_time& span);
  void wait(const sc_core::sc_event& event);
  void wait(const sc_core::sc_time& most, const sc_core::sc_event& event);
  /// Ends the code from within, over all its frames: no destructor between here and the body runs.
  [[noreturn]] void leave();

  const std::string& name() const { return name_; }
  bool has_ended() const { return ended_; }
  /// Notified when it has.
  const sc_core::sc_event& end() const { return end_; }
  const std::optional<Fault>& fault() const { return net_.fault; }
  /// Null before it has begun.
  Range stack() const { return net_.stack; }
  /// Code that runs for long without letting time pass is reported as `who`'s. @param image  outlives the thread
  void watch(const Image& image, std::string who);

 private:
  /// Of the C library.
  struct State {
    Streams streams;
    int error_number = 0;
    int option_index = 0;  // 0 makes getopt begin afresh
  };

  void run();
  void run_beneath_gap();
  void swap_state();
  void enter();
  void exit();
  template <class Wait>
  void away(Wait wait) {
    exit();
    wait();
    enter();
  }

  std::string name_;
  std::size_t stack_bytes_;
  std::function<void()> body_;
  std::function<void()> at_end_;
  State state_;  ///< this thread's while it is away, the others' while it runs
  sc_core::sc_event end_;
  SafetyNet net_;
  Range kernel_stack_;  ///< stack_notice.hpp; the kernel does not tell
  bool ending_ = false;
  bool ended_ = false;
};

}  // namespace sanvp::native
