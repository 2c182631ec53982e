/// Tells AddressSanitizer, in builds that have it, which stack code runs on when it changes stacks by itself.
#pragma once

#include "models/native/image.hpp"

namespace sanvp::native {

/// Before code goes on on another stack.
void leave_stack_for(Range stack);
/// The first thing there. @return the stack that was left; empty without AddressSanitizer
Range arrive_on_stack();

}  // namespace sanvp::native
