/// The host's FPU in the guest's service: while a hart runs, MXCSR holds its rounding mode and collects its flags.
#pragma once

#include <xmmintrin.h>

#include "models/cpu/riscv/hart.hpp"

namespace sanvp::riscv {

constexpr unsigned mxcsr_flags = 0x3F;
constexpr unsigned mxcsr_masks = 0x1F80;  // no exception traps
constexpr unsigned mxcsr_rounding_shift = 13;

/// Bits of MXCSR as `fflags` has them. The flag of denormal operands has no counterpart.
inline std::uint8_t flags_of_host() {
  const unsigned host = _mm_getcsr();
  return static_cast<std::uint8_t>((host & 0x01) << 4 | (host & 0x04) << 1 | (host & 0x08) >> 1 | (host & 0x10) >> 3 |
                                   (host & 0x20) >> 5);
}

/// MXCSR's rounding field for frm 0 to 3: x86 has nearest, down, up, toward zero.
constexpr unsigned host_rounding(std::uint8_t rounding) {
  constexpr unsigned of[] = {0, 3, 1, 2};
  return of[rounding];
}

template <class Word>
std::uint8_t all_flags(const Hart<Word>& hart) {
  return hart.flags | flags_of_host();
}

template <class Word>
void set_flags(Hart<Word>& hart, std::uint8_t flags) {
  hart.flags = flags;
  _mm_setcsr(_mm_getcsr() & ~mxcsr_flags);
}

/// x86 lacks `nearest_away`, and reserved modes make instructions illegal: these are for the software.
template <class Word>
void set_rounding(Hart<Word>& hart, std::uint8_t rounding) {
  hart.rounding = rounding;
  hart.host_rounds = rounding <= up ? 1U << rounding | 1U << dynamic_rounding : 0;
  const unsigned field = rounding <= up ? host_rounding(rounding) : 0;
  _mm_setcsr((_mm_getcsr() & ~(3U << mxcsr_rounding_shift)) | field << mxcsr_rounding_shift);
}

/// Gives the FPU to a hart for as long as it lives.
template <class Word>
class FpuLease {
 public:
  explicit FpuLease(Hart<Word>& hart) : hart_(hart), before_(_mm_getcsr()) {
    _mm_setcsr(mxcsr_masks);
    set_rounding(hart, hart.rounding);
  }
  ~FpuLease() {
    hart_.flags = all_flags(hart_);
    _mm_setcsr(before_);
  }
  FpuLease(const FpuLease&) = delete;
  FpuLease& operator=(const FpuLease&) = delete;

 private:
  Hart<Word>& hart_;
  unsigned before_;
};

/// Gives the FPU back to the simulator for as long as it lives, within a lease: arithmetic of the simulator's own
/// neither raises the program's flags nor is rounded as the program wants it.
class FpuReturn {
 public:
  FpuReturn() : guest_(_mm_getcsr()) { _mm_setcsr(mxcsr_masks); }
  ~FpuReturn() { _mm_setcsr(guest_); }
  FpuReturn(const FpuReturn&) = delete;
  FpuReturn& operator=(const FpuReturn&) = delete;

 private:
  unsigned guest_;
};

}  // namespace sanvp::riscv
