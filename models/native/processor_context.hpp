/// The registers of interrupted code, as a signal handler sees them.
#pragma once

#include <ucontext.h>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace sanvp::native {

class ProcessorContext {
 public:
  /// @param context  the third argument of the handler
  explicit ProcessorContext(const void* context)
      : registers_(const_cast<mcontext_t&>(static_cast<const ucontext_t*>(context)->uc_mcontext)) {}

  const std::byte* stack_pointer() const { return reinterpret_cast<const std::byte*>(in(Role::stack)); }
  const void* instruction() const { return reinterpret_cast<const void*>(in(Role::instruction)); }
  /// Argument 0 to 5 of a system call.
  long argument(std::size_t number) const { return static_cast<long>(in(static_cast<Role>(number))); }
  void set_result(long result) { in(Role::result) = static_cast<Register>(result); }

 private:
  enum class Role : std::size_t { stack = 6, instruction, result };

#ifdef __x86_64__
  using Register = greg_t;
  Register& in(Role role) const {
    constexpr std::array<int, 9> numbers{REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9, REG_RSP, REG_RIP, REG_RAX};
    return registers_.gregs[numbers.at(static_cast<std::size_t>(role))];
  }
#else  // aarch64
  using Register = std::remove_reference_t<decltype(std::declval<mcontext_t&>().pc)>;
  Register& in(Role role) const {
    if (role == Role::stack) return registers_.sp;
    if (role == Role::instruction) return registers_.pc;
    return registers_.regs[role == Role::result ? 0 : static_cast<std::size_t>(role)];
  }
#endif

  mcontext_t& registers_;
};

}  // namespace sanvp::native
