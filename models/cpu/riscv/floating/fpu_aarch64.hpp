/// The FPU of aarch64: its state is FPCR, in the upper half here, and FPSR.
#pragma once

#include <cstdint>

namespace sanvp::riscv::fpu {

using State = std::uint64_t;

constexpr State flag_bits = 0x9F;
constexpr State clean = 0;  ///< no exception traps, to nearest, denormal numbers as they are, no flags
constexpr unsigned rounding_shift = 32 + 22;

/// ARM detects tininess before rounding, RISC-V after it: the software decides (models/cpu/riscv/README.md).
constexpr bool finds_underflow = false;

inline State state() {
  State control = 0, status = 0;
  asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control), "=r"(status) : : "memory");
  return control << 32 | (status & 0xFFFFFFFF);
}
inline void set_state(State state) {
  asm volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(state >> 32), "r"(state & 0xFFFFFFFF) : "memory");
}

/// Bits as `fflags` has them, without underflow. That of denormal operands has no counterpart.
constexpr std::uint8_t flags_of(State state) {
  return static_cast<std::uint8_t>((state & 0x01) << 4 | (state & 0x02) << 2 | (state & 0x04) | (state & 0x10) >> 4);
}

/// @param rounding  0 to 3; ARM has nearest, up, down, toward zero
constexpr State with_rounding(State state, std::uint8_t rounding) {
  constexpr State fields[] = {0, 3, 2, 1};
  return (state & ~(State{3} << rounding_shift)) | fields[rounding] << rounding_shift;
}

/// A number that the compiler knows nothing of: an operation on one that it knows to be NaN it would leave out, with
/// the flags.
template <class T>
T unknown(T value) {
  asm volatile("" : "+w"(value));
  return value;
}

inline float root_of(float value) {
  asm volatile("fsqrt %s0, %s0" : "+w"(value));
  return value;
}
inline double root_of(double value) {
  asm volatile("fsqrt %d0, %d0" : "+w"(value));
  return value;
}

}  // namespace sanvp::riscv::fpu
