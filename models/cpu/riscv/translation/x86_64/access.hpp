/// Addresses of loads and stores.
#pragma once

#include "models/cpu/riscv/translation/x86_64/code.hpp"

namespace sanvp::riscv::x86_64 {

/// Checks an aligned access in a page that permits it, as is_plain (models/cpu/riscv/memory.hpp) does; all others are
/// the interpreter's; then has caches follow it. Nothing after it may bail. Uses rax and rcx. @returns the operand in
/// memory
x86::Mem checked(Code& code, const Op& op, std::uint32_t bytes, Permission needed);

}  // namespace sanvp::riscv::x86_64
