/// The host's FPU in the guest's service: while a hart runs, it has the hart's rounding mode and collects its flags.
#pragma once

#ifdef __aarch64__
#include "models/cpu/riscv/floating/fpu_aarch64.hpp"
#else
#include "models/cpu/riscv/floating/fpu_x86_64.hpp"
#endif

#include "models/cpu/riscv/hart.hpp"

namespace sanvp::riscv {

/// The flags of operations since they were set last. If the FPU does not find underflow, they lack it: it is in the
/// hart.
inline std::uint8_t flags_of_host() { return fpu::flags_of(fpu::state()); }

template <class Word>
std::uint8_t all_flags(const Hart<Word>& hart) {
  return hart.flags | flags_of_host();
}

template <class Word>
void set_flags(Hart<Word>& hart, std::uint8_t flags) {
  hart.flags = flags;
  fpu::set_state(fpu::state() & ~fpu::flag_bits);
}

/// Sets the rounding mode. The software computes in modes that hosts lack (`nearest_away`); reserved ones make
/// instructions illegal.
template <class Word>
void set_rounding(Hart<Word>& hart, std::uint8_t rounding) {
  hart.rounding = rounding;
  hart.host_rounds = rounding <= up ? 1U << rounding | 1U << dynamic_rounding : 0;
  fpu::set_state(fpu::with_rounding(fpu::state(), rounding <= up ? rounding : std::uint8_t{nearest_even}));
}

/// Gives the FPU to a hart for as long as it lives.
template <class Word>
class FpuLease {
 public:
  explicit FpuLease(Hart<Word>& hart) : hart_(hart), before_(fpu::state()) {
    fpu::set_state(fpu::clean);
    set_rounding(hart, hart.rounding);
  }
  ~FpuLease() {
    hart_.flags = all_flags(hart_);
    fpu::set_state(before_);
  }
  FpuLease(const FpuLease&) = delete;
  FpuLease& operator=(const FpuLease&) = delete;

 private:
  Hart<Word>& hart_;
  fpu::State before_;
};

/// Gives the FPU back to the simulator for as long as it lives, within a lease: the simulator's own arithmetic neither
/// raises the program's flags nor uses the program's rounding mode.
class FpuReturn {
 public:
  FpuReturn() : guest_(fpu::state()) { fpu::set_state(fpu::clean); }
  ~FpuReturn() { fpu::set_state(guest_); }
  FpuReturn(const FpuReturn&) = delete;
  FpuReturn& operator=(const FpuReturn&) = delete;

 private:
  fpu::State guest_;
};

}  // namespace sanvp::riscv
