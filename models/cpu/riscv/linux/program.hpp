/// A static RV64 executable file, checked and loaded.
#pragma once

#include <cstdint>
#include <string>

#include "models/cpu/riscv/blocks.hpp"
#include "models/cpu/riscv/linux/address_space.hpp"
#include "models/native/loader.hpp"

namespace sanvp::riscv::os {

/// The facts about its program that the new process is given (auxiliary vector).
struct Program {
  std::uint64_t entry = 0;
  std::uint64_t header_table = 0;  ///< address of the program headers; 0 if they are not in memory
  std::uint64_t headers = 0;
  std::uint64_t begin = ~std::uint64_t{0}, end = 0;  ///< of its memory
  std::uint64_t bias = 0;                            ///< what is added to the file's addresses
  bool has_executable_stack = false;
  CodeRange libraries{};  ///< code of the libraries of sw/, of programs that are linked with them
};

/// Maps the program's segments. Throws UserError with a sentence for a file that is damaged or of another kind.
/// @param path  for messages
/// @param most  addresses from here on are not for programs
Program load_program(const std::string& path, const native::File& file, AddressSpace& space, std::uint64_t most);

}  // namespace sanvp::riscv::os
