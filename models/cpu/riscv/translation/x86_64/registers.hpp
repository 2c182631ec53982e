/// Which registers of the program are in registers of the host while a region runs: those that it uses most.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <asmjit/x86.h>

#include "models/cpu/riscv/translation/x86_64/rules.hpp"

namespace sanvp::riscv::x86_64 {

namespace x86 = asmjit::x86;

/// What host registers hold while translated code runs. rax, rcx, xmm0 and xmm1 are free within an instruction; the
/// rest holds registers of the program.
inline constexpr x86::Gp hart_register = x86::rbx;
inline constexpr x86::Gp budget_register = x86::r12;  ///< instructions retired, less those that may be: negative
inline constexpr x86::Gp time_register = x86::r13;
inline constexpr x86::Gp memory_register = x86::r14;
inline constexpr x86::Gp permissions_register = x86::r15;

class Registers {
 public:
  /// @param keeps_rdx  for something else
  Registers(const std::vector<Block64*>& region, bool keeps_rdx);

  bool has_integer(unsigned number) const { return number < 32 && integer_[number].has_value(); }
  bool has_floating(unsigned number) const { return floating_[number].has_value(); }
  x86::Gp integer(unsigned number) const { return *integer_[number]; }
  x86::Xmm floating(unsigned number) const { return *floating_[number]; }
  bool is_written(unsigned number) const { return written_integers_[number]; }
  bool is_written_floating(unsigned number) const { return written_floatings_[number]; }
  bool uses_rdx() const { return uses_rdx_; }

 private:
  std::array<std::optional<x86::Gp>, 32> integer_{};
  std::array<std::optional<x86::Xmm>, 32> floating_{};
  std::array<bool, 32> written_integers_{}, written_floatings_{};
  bool uses_rdx_ = false;
};

}  // namespace sanvp::riscv::x86_64
