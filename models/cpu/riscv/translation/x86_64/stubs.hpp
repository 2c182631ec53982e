/// Code that all regions share: how translated code is entered and left.
#pragma once

#include <asmjit/x86.h>

#include "models/cpu/riscv/translation/translation.hpp"
#include "models/cpu/riscv/translation/x86_64/cache_lookup.hpp"

namespace sanvp::riscv::x86_64 {

/// Offsets from rsp of what translated code keeps on the stack.
inline constexpr std::int32_t limit_slot = 0, saved_slot = 8, table_slot = 16;

/// A block's code in a process. It is entered with the table in rax.
struct Entry {
  const void* code = nullptr;
  const std::uint64_t* table = nullptr;  ///< what the code refers to (code.hpp)
};

struct Stubs {
  using Enter = Translation::Outcome (*)(Hart64& hart, const Entry& entry, std::int64_t budget, std::uint64_t limit);

  Enter enter = nullptr;
  const void* leave = nullptr;  ///< the hart's pc is set
  /// Has the interpreter finish a block. rax: the block, ecx: the number of its next operation.
  const void* finish = nullptr;
  /// CacheLookup::emit_find for data, to read or to write them, and for instructions; null without caches.
  const void* find_to_read = nullptr;
  const void* find_to_write = nullptr;
  const void* find_instructions = nullptr;
};

/// @param caches  null: none follow accesses
/// @returns nothing but null pointers if the host gives no memory for code
Stubs make_stubs(asmjit::JitRuntime& runtime, const FollowedCaches* caches);

}  // namespace sanvp::riscv::x86_64
