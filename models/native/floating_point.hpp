/// How this processor rounds and what it traps: what fesetround and feenableexcept of a program change.
#pragma once

#include <cstdint>

namespace sanvp::native {

#ifdef __x86_64__

class FloatingPoint {
 public:
  /// As it is now.
  FloatingPoint() : sse_(__builtin_ia32_stmxcsr()) { asm volatile("fnstcw %0" : "=m"(x87_)); }
  void put_in_force() const {
    __builtin_ia32_ldmxcsr(sse_);
    asm volatile("fldcw %0" : : "m"(x87_));
  }

 private:
  std::uint32_t sse_;  ///< with the exceptions that have been since they were cleared
  std::uint16_t x87_;  ///< of long double
};

#else

/// Elsewhere all threads share it.
class FloatingPoint {
 public:
  void put_in_force() const {}
};

#endif

}  // namespace sanvp::native
