/// A coroutine for C code on the timeline: code with a stack of its own that yields and is resumed later, within one
/// thread of the operating system and without a process of the SystemC kernel.
///
/// The switch is Boost.Context's fcontext. Its public class, boost::context::fiber, does not fit: its destructor
/// unwinds the stack with an exception, and C code that ends in a crash, a longjmp or a stopped node is never unwound.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <functional>
#include <span>

#include "models/native/globals_place.hpp"
#include "models/native/safety_net.hpp"
#include "models/native/stack_notice.hpp"
#include "models/net/memory.hpp"

namespace sanvp::native {

class Fiber {
 public:
  /// @param stack_bytes  rounded up to whole pages; guard pages are below it. Throws UserError if there is no memory.
  /// @param body         must not throw
  Fiber(std::size_t stack_bytes, std::function<void()> body);
  /// Code that has not ended is abandoned: no destructor of its frames runs.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Runs the code until it yields or ends. Not to be called in a fiber.
  void resume();
  /// Prefetches the top of its stack, since it will be resumed soon.
  void fetch_ahead() const { net::fetch_lines(inside_, 2 * net::cache_line); }
  /// Called in the fiber: returns to the caller of resume().
  void yield();
  /// Calls `look` on the stack of code that has yielded, where it may walk over the frames. Not to be called in this
  /// fiber, nor before it has begun.
  void look_at_stack(const std::function<void()>& look);
  bool has_ended() const { return ended_; }
  Range stack() const { return net_.stack; }
  /// In force while the fiber runs.
  SafetyNet& net() { return net_; }
  /// Why the code ended, if it did not return from `body`.
  const std::optional<Fault>& fault() const { return net_.fault; }
  /// Code of `image` that runs for `timeout` of the simulating computer's CPU time without a yield ends with a fault.
  void watch(const Image& image, Time timeout);

 private:
  static void enter(boost::context::detail::transfer_t from);
  static boost::context::detail::transfer_t look_here(boost::context::detail::transfer_t from);

  // The fields that every switch reads share one cache line. A context is the stack pointer at which code was left.
  boost::context::detail::fcontext_t outside_ = nullptr;
  boost::context::detail::fcontext_t inside_ = nullptr;
  GlobalsPlace globals_ = 0;  ///< of the image that yielded
  bool ended_ = false;
  SafetyNet net_;
  Range outer_stack_;  ///< the stack that resumed it (stack_notice.hpp)
  std::function<void()> body_;
  std::byte* mapping_ = nullptr;
  std::size_t mapping_bytes_ = 0;
};

// Inline, because after a switch the processor mispredicts each return: its return stack holds the calls of the other
// stack.

inline void Fiber::resume() {
  SafetyNet* const below = exchange_net(&net_);
  leave_stack_for(net_.stack);
  set_globals_place(globals_);
  inside_ = boost::context::detail::jump_fcontext(inside_, this).fctx;
  arrive_on_stack();
  exchange_net(below);
}

inline void Fiber::yield() {
  leave_stack_for(outer_stack_);
  globals_ = globals_place();
  outside_ = boost::context::detail::jump_fcontext(outside_, nullptr).fctx;
  outer_stack_ = arrive_on_stack();
}

}  // namespace sanvp::native
