/// The initial stack of a program: arguments, environment and the auxiliary vector.
#pragma once

#include <string>
#include <vector>

#include "models/cpu/riscv/linux/program.hpp"

namespace sanvp::riscv::os {

struct StackContents {
  std::vector<std::string> arguments{};
  std::vector<std::string> environment{};
  std::string path{};
  std::uint64_t random[2] = {};  ///< for stack guards
};

/// Writes it below `top`, in pages that are mapped.
/// @returns the stack pointer; 0 if it takes more than `most` bytes
std::uint64_t write_initial_stack(const Memory& memory, std::uint64_t top, std::uint64_t most, const Program& program,
                                  const StackContents& contents);

}  // namespace sanvp::riscv::os
