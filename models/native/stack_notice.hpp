/// Tells AddressSanitizer, in builds that have it, which stack code runs on when it changes stacks by itself.
#pragma once

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include "models/native/image.hpp"

namespace sanvp::native {

#ifdef __SANITIZE_ADDRESS__

/// Before code goes on on another stack.
inline void leave_stack_for(Range stack) { __sanitizer_start_switch_fiber(nullptr, stack.begin, stack.bytes); }

/// The first thing there. @return the stack that was left; empty without AddressSanitizer
inline Range arrive_on_stack() {
  const void* begin = nullptr;
  Range left;
  __sanitizer_finish_switch_fiber(nullptr, &begin, &left.bytes);
  left.begin = static_cast<std::byte*>(const_cast<void*>(begin));
  return left;
}

/// Before the memory of a stack is given back: the guards of frames that were never left, as those of code that came to
/// grief, must not be found by whoever gets it next.
inline void forget_stack(Range stack) { __asan_unpoison_memory_region(stack.begin, stack.bytes); }

#else

inline void leave_stack_for(Range) {}
inline Range arrive_on_stack() { return {}; }
inline void forget_stack(Range) {}

#endif

}  // namespace sanvp::native
