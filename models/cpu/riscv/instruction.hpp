/// An instruction as its extension's file describes it: encoding, operands, class, and the function that executes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/cpu/riscv/hart.hpp"
#include "platform/core/registry.hpp"
#include "sw/abi/hal/library.h"

namespace sanvp::riscv {

/// Which operands an instruction word has.
enum class Shape : std::uint8_t {
  registers,        ///< rd, rs1, rs2, rs3, rm
  float_registers,  ///< the same, rd is a floating-point register
  immediate,        ///< rd, rs1, 12 bits
  float_load,       ///< the same, rd is a floating-point register
  shift,            ///< rd, rs1, shift amount
  store,            ///< rs1, rs2, 12 bits
  upper,            ///< rd, 20 bits
  upper_pc,         ///< the same, added to the program counter
  branch,           ///< rs1, rs2, target
  jump,             ///< rd, target
  jump_register,    ///< rd, rs1, 12 bits
  system,           ///< rd, rs1 or 5 bits, number of a register
};

struct Encoding {
  std::uint32_t match = 0;
  std::uint32_t mask = 0;
};

/// Major opcode, funct3 and funct7 are fixed.
constexpr Encoding fixed_37(unsigned opcode, unsigned funct3, unsigned funct7) {
  return {opcode | funct3 << 12 | funct7 << 25, 0xFE00707F};
}
constexpr Encoding fixed_3(unsigned opcode, unsigned funct3) { return {opcode | funct3 << 12, 0x0000707F}; }
constexpr Encoding fixed_7(unsigned opcode, unsigned funct7) { return {opcode | funct7 << 25, 0xFE00007F}; }
constexpr Encoding fixed_opcode(unsigned opcode) { return {opcode, 0x0000007F}; }
/// The 12 bits of the immediate, too.
constexpr Encoding fixed_12(unsigned opcode, unsigned funct3, unsigned immediate) {
  return {opcode | funct3 << 12 | immediate << 20, 0xFFF0707F};
}
/// rs2 besides: operations with one source.
constexpr Encoding fixed_rs2(Encoding encoding, unsigned rs2) {
  return {encoding.match | rs2 << 20, encoding.mask | 0x1FU << 20};
}

template <class Word>
struct Instruction {
  Encoding encoding{};
  typename Operation<Word>::Run run = nullptr;
  Shape shape = Shape::registers;
  hal_instruction_class of_class = HAL_INTEGER;
  bool ends_block = false;
  bool rounds = false;                                      ///< has a field `rm`, of which two values are reserved
  typename Operation<Word>::Run run_with_caches = nullptr;  ///< in place of `run` if caches take time; null: no other
  typename Operation<Word>::Run run_observed = nullptr;  ///< the same if accesses are reported, with or without caches
};

/// What a file of instructions/ registers.
struct Extension {
  static constexpr const char* kind() { return "RISC-V extension"; }
  std::string name;
  std::string summary;
  std::vector<Instruction<std::uint32_t>> rv32{};
  std::vector<Instruction<std::uint64_t>> rv64{};
};

}  // namespace sanvp::riscv
