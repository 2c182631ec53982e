/// Announces stack switches to AddressSanitizer, in builds that have it.
#pragma once

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include "models/native/image.hpp"

namespace sanvp::native {

#ifdef __SANITIZE_ADDRESS__

/// Called before a switch. @param stack  the one that code continues on
inline void leave_stack_for(Range stack) { __sanitizer_start_switch_fiber(nullptr, stack.begin, stack.bytes); }

/// Called first after a switch. @return the stack that was left; empty without AddressSanitizer
inline Range arrive_on_stack() {
  const void* begin = nullptr;
  Range left;
  __sanitizer_finish_switch_fiber(nullptr, &begin, &left.bytes);
  left.begin = static_cast<std::byte*>(const_cast<void*>(begin));
  return left;
}

/// Called before a stack is unmapped: frames of crashed code never returned, and their red zones must not stay for the
/// next user of this memory.
inline void forget_stack(Range stack) { __asan_unpoison_memory_region(stack.begin, stack.bytes); }

#else

inline void leave_stack_for(Range) {}
inline Range arrive_on_stack() { return {}; }
inline void forget_stack(Range) {}

#endif

}  // namespace sanvp::native
