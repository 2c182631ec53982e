/// A range of memory.
#pragma once

#include <cstddef>

namespace sanvp::native {

/// Memory of a process.
struct Range {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;

  std::byte* end() const { return begin + bytes; }
  bool contains(const volatile void* pointer, std::size_t length) const {
    const auto* first = static_cast<const volatile std::byte*>(pointer);
    return first >= begin && first <= end() && length <= static_cast<std::size_t>(end() - first);
  }
};

}  // namespace sanvp::native
