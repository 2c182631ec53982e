/// From stack to stack, in some 20 instructions (x86-64, System V ABI).
#pragma once

#include "models/native/image.hpp"

namespace sanvp::native {

/// Where code was left: what it will need again lies on its stack, from here on.
using StackPlace = void*;

extern "C" {
/// Leaves this stack at `left`, and goes on on another one. It returns when somebody switches to `left`. What a caller
/// may rely on after a call is kept: registers, and how the processor rounds and what it traps (SSE and x87).
[[gnu::visibility("hidden")]] void sanvp_switch_stack(StackPlace& left, StackPlace to) noexcept;
}

/// A stack on which nothing has run: whoever switches to it for the first time calls entry(argument), which must not
/// return, with the processor's rounding and traps of now.
StackPlace prepare_stack(Range stack, void (*entry)(void*), void* argument);

}  // namespace sanvp::native
