#include "models/native/stack_notice.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>

namespace sanvp::native {

void leave_stack_for(Range stack) { __sanitizer_start_switch_fiber(nullptr, stack.begin, stack.bytes); }

Range arrive_on_stack() {
  const void* begin = nullptr;
  Range left;
  __sanitizer_finish_switch_fiber(nullptr, &begin, &left.bytes);
  left.begin = static_cast<std::byte*>(const_cast<void*>(begin));
  return left;
}

}  // namespace sanvp::native

#else

namespace sanvp::native {

void leave_stack_for(Range) {}
Range arrive_on_stack() { return {}; }

}  // namespace sanvp::native

#endif
