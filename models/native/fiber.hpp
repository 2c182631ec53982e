/// Code with a stack of its own that gives the processor away and goes on later, within one thread of the operating
/// system and without the kernel: C code on the timeline.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "models/native/globals_place.hpp"
#include "models/native/safety_net.hpp"
#include "models/native/stack_notice.hpp"
#include "models/native/stack_switch.hpp"
#include "models/net/memory.hpp"

namespace sanvp::native {

class Fiber {
 public:
  /// @param stack_bytes  rounded up to whole pages, below which a guard lies. Throws UserError without memory.
  /// @param body         must not throw
  Fiber(std::size_t stack_bytes, std::function<void()> body);
  /// Code that has not ended is dropped where it stands: no destructor of its frames runs.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Runs it until it yields or ends. Not from within a fiber.
  void resume();
  /// It will be resumed soon: the top of its stack comes into the cache.
  void fetch_ahead() const { net::fetch_lines(inside_, 2 * net::cache_line); }
  /// From within: back to whoever resumed it.
  void yield();
  bool has_ended() const { return ended_; }
  Range stack() const { return net_.stack; }
  /// Spread whenever it is resumed.
  SafetyNet& net() { return net_; }
  /// Why it has, where that was not the end of `body`.
  const std::optional<Fault>& fault() const { return net_.fault; }
  /// Code of `image` that runs for so long (of this computer's processor time) without a yield ends with a fault.
  void watch(const Image& image, Time patience);

 private:
  static void enter(void* fiber);

  // What every switch wants lies together, in one line of the cache.
  StackPlace outside_ = nullptr;
  StackPlace inside_ = nullptr;
  GlobalsPlace globals_ = 0;  ///< of the image whose code yielded
  bool ended_ = false;
  SafetyNet net_;
  Range outer_stack_;  ///< of whoever resumed it (stack_notice.hpp)
  std::function<void()> body_;
  std::byte* mapping_ = nullptr;
  std::size_t mapping_bytes_ = 0;
};

// Part of their callers: after a switch the processor mispredicts each return, as the calls it remembers are those of
// the other stack.

inline void Fiber::resume() {
  SafetyNet* const below = spread(&net_);
  leave_stack_for(net_.stack);
  set_globals_place(globals_);
  sanvp_switch_stack(outside_, inside_);
  arrive_on_stack();
  spread(below);
}

inline void Fiber::yield() {
  leave_stack_for(outer_stack_);
  globals_ = globals_place();
  sanvp_switch_stack(inside_, outside_);
  outer_stack_ = arrive_on_stack();
}

}  // namespace sanvp::native
