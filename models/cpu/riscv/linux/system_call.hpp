/// What a file of calls/ registers: a system call of Linux by its number on RISC-V.
#pragma once

#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>

#include "models/cpu/riscv/linux/process.hpp"
#include "platform/core/registry.hpp"

namespace sanvp::riscv::os {

/// A result, or -errno. Nothing: the thread does not return from the call (it waits, has ended, or its registers were
/// set).
using Result = std::optional<std::int64_t>;
constexpr std::nullopt_t no_result = std::nullopt;
/// During a call the program counter is behind the instruction: moved back by the instruction's length, the call is
/// repeated.
constexpr unsigned ecall_bytes = 4;

struct Call {
  Process& process;
  Thread& thread;
  std::array<std::uint64_t, 6> arguments;  ///< a0 to a5

  std::uint64_t operator[](std::size_t index) const { return arguments[index]; }
  int integer(std::size_t index) const { return static_cast<int>(arguments[index]); }
  const Memory& memory() const { return process.space().memory(); }
};

struct SystemCall {
  static constexpr const char* kind() { return "system call"; }
  std::string name;
  std::string summary;
  unsigned number = 0;
  Result (*run)(Call& call) = nullptr;
};

using SystemCallRegistration = Registration<SystemCall>;

/// Null if no call has that number.
const SystemCall* find_system_call(unsigned number);

}  // namespace sanvp::riscv::os
