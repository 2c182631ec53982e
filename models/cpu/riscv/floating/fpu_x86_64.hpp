/// The FPU of x86-64: its state is MXCSR.
#pragma once

#include <emmintrin.h>

#include <cstdint>

namespace sanvp::riscv::fpu {

using State = unsigned;

constexpr State flag_bits = 0x3F;
constexpr State clean = 0x1F80;  ///< no exception traps, to nearest, no flags
constexpr unsigned rounding_shift = 13;

/// Tininess is detected after rounding, as in RISC-V.
constexpr bool finds_underflow = true;

inline State state() { return _mm_getcsr(); }
inline void set_state(State state) { _mm_setcsr(state); }

/// Bits as `fflags` has them. The flag of denormal operands has no counterpart.
constexpr std::uint8_t flags_of(State state) {
  return static_cast<std::uint8_t>((state & 0x01) << 4 | (state & 0x04) << 1 | (state & 0x08) >> 1 |
                                   (state & 0x10) >> 3 | (state & 0x20) >> 5);
}

/// @param rounding  0 to 3; x86 has nearest, down, up, toward zero
constexpr State with_rounding(State state, std::uint8_t rounding) {
  constexpr State fields[] = {0, 3, 1, 2};
  return (state & ~(3U << rounding_shift)) | fields[rounding] << rounding_shift;
}

/// A number that the compiler knows nothing of: an operation on one that it knows to be NaN it would leave out, with
/// the flags.
template <class T>
T unknown(T value) {
  asm volatile("" : "+x"(value));
  return value;
}

inline float root_of(float value) { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(value))); }
inline double root_of(double value) { return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(value))); }

}  // namespace sanvp::riscv::fpu
