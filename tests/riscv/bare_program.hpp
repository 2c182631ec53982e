/// A few instructions in memory and a hart that runs them, without an operating system.
#pragma once

#include <initializer_list>

#include "models/cpu/riscv/interpreter.hpp"

namespace sanvp::riscv {

constexpr std::uint64_t code_at = 0x1000, data_at = 0x2000, window_bytes = 0x10000;

/// Costs of a nanosecond for each instruction, and of 5 for each load.
inline cpu::InstructionCosts plain_costs() {
  cpu::InstructionCosts costs{.cycle_ps = 1000};
  costs.cycles.fill(1);
  costs.cycles[HAL_LOAD] = 5;
  return costs;
}

template <class Word>
struct BareProgram {
  Memory memory{window_bytes};
  Interpreter<Word> interpreter;
  Hart<Word> hart{};

  /// Code in a page that may be read and executed, and a page of data.
  explicit BareProgram(std::initializer_list<std::uint32_t> words, const Stalls& stalls = {})
      : interpreter{memory, plain_costs(), stalls} {
    std::uint64_t at = code_at;
    for (const std::uint32_t word : words) {
      store_to(memory.window(), at, word);
      at += sizeof word;
    }
    memory.protect(code_at, page_bytes, readable | executable);
    memory.protect(data_at, page_bytes, readable | writable);
    hart.memory = memory.window();
    hart.pc = code_at;
  }
  Stop run(std::uint64_t budget) { return interpreter.run(hart, budget); }
};

/// Words of instructions, by the manual's formats.
constexpr std::uint32_t addi(unsigned rd, unsigned rs1, int immediate) {
  return 0x13 | rd << 7 | rs1 << 15 | static_cast<std::uint32_t>(immediate) << 20;
}
constexpr std::uint32_t add(unsigned rd, unsigned rs1, unsigned rs2) { return 0x33 | rd << 7 | rs1 << 15 | rs2 << 20; }
constexpr std::uint32_t mul(unsigned rd, unsigned rs1, unsigned rs2) { return add(rd, rs1, rs2) | 1U << 25; }
constexpr std::uint32_t lui(unsigned rd, unsigned high) { return 0x37 | rd << 7 | high << 12; }
constexpr std::uint32_t lw(unsigned rd, unsigned rs1, int offset) {
  return 0x2003 | rd << 7 | rs1 << 15 | static_cast<std::uint32_t>(offset) << 20;
}
constexpr std::uint32_t sw(unsigned rs2, unsigned rs1, unsigned offset) {
  return 0x2023 | (offset & 31) << 7 | rs1 << 15 | rs2 << 20 | offset >> 5 << 25;
}
/// To the instruction before the last `back` ones.
constexpr std::uint32_t bne_back(unsigned rs1, unsigned rs2, unsigned back) {
  const std::uint32_t offset = 0U - 4 * back;
  return 0x1063 | rs1 << 15 | rs2 << 20 | (offset >> 11 & 1) << 7 | (offset >> 1 & 15) << 8 | (offset >> 5 & 63) << 25 |
         (offset >> 12 & 1) << 31;
}
constexpr std::uint32_t csrr(unsigned rd, unsigned number) { return 0x2073 | rd << 7 | number << 20; }
constexpr std::uint32_t ecall = 0x73, ebreak = 0x00100073, fence_i = 0x100F, nop = 0x13;

}  // namespace sanvp::riscv
