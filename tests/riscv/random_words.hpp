/// Random instructions that are mostly valid, and values for their registers, for programs that run by themselves.
#pragma once

#include <array>
#include <iterator>

#include "platform/core/random.hpp"
#include "tests/riscv/bare_program.hpp"

namespace sanvp::riscv {

inline std::uint64_t random_number(Random& random) {
  constexpr std::uint64_t corners[] = {
      0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, std::uint64_t{1} << 63, ~std::uint64_t{0}};
  switch (random.below(3)) {
    case 0:
      return corners[random.below(std::size(corners))];
    case 1:
      return random.below(100);
    default:
      return random.next();
  }
}

constexpr std::uint64_t constants_at = data_at + page_bytes;  ///< a page that may be read only

/// Half of them lie in the page of data, some at its ends, some in the code and in the page of constants.
inline std::uint64_t random_address_or_number(Random& random) {
  switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
      return data_at + 8 * random.below(512);
    case 3:
      return data_at + random.below(page_bytes + 16);
    case 4:
      return code_at + 4 * random.below(256);
    case 5:
      return constants_at + 8 * random.below(512);
    default:
      return random_number(random);
  }
}

/// Singles in a box, doubles, and what is neither.
inline std::uint64_t random_float(Random& random) {
  constexpr std::uint64_t doubles[] = {0,
                                       0x3FF0000000000000,
                                       0x7FF0000000000000,
                                       0x7FF8000000000000,
                                       0x7FF0000000000001,
                                       1,
                                       0x41DFFFFFFFC00000,
                                       0xBFE0000000000000,
                                       0x41E0000000000000,
                                       0xC1E0000000000000,
                                       0x43E0000000000000,
                                       0xC3E0000000000000};
  constexpr std::uint32_t singles[] = {0,          0x3F800000, 0x7F800000, 0x7FC00000, 0x7F800001, 1,
                                       0x4EFFFFFF, 0xBF000000, 0x4F000000, 0xCF000000, 0x5F000000, 0xDF000000};
  constexpr std::uint64_t box = 0xFFFFFFFF00000000;
  switch (random.below(5)) {
    case 0:
      return doubles[random.below(std::size(doubles))];
    case 1:
      return box | singles[random.below(std::size(singles))];
    case 2:
      return box | (random.next() & 0x807FFFFF) | (100 + random.below(50)) << 23;
    default:
      return (random.next() & 0x800FFFFFFFFFFFFF) | (1000 + random.below(50)) << 52;
  }
}

/// Opcodes, formats and lengths as the manual has them; registers and constants at random. A few words are anything.
inline std::uint32_t any_word(Random& random) {
  const auto bits = [&](unsigned count) { return static_cast<std::uint32_t>(random.below(std::uint64_t{1} << count)); };
  // Mostly of a few registers, of which four are kept as addresses.
  const auto source = [&] { return bits(3) == 0 ? bits(5) : 8 + bits(3); };
  const auto target = [&] { return bits(3) == 0 ? bits(5) : 12 + bits(2); };
  const std::uint32_t pointer = bits(4) == 0 ? bits(5) : 8 + bits(2);
  const std::uint32_t registers = target() << 7 | source() << 15 | source() << 20;
  const std::uint32_t access = target() << 7 | pointer << 15 | source() << 20;
  const std::uint32_t funct3 = bits(3) << 12, offset = bits(9) << 20;
  constexpr std::uint32_t funct7_of_integers[] = {0, 0x20, 1, 1};
  constexpr std::uint32_t funct5_of_floats[] = {0, 1, 2, 3, 4, 4, 5, 5, 20};
  constexpr std::uint32_t funct5_of_conversions[] = {8, 11, 24, 24, 24, 26, 26, 28, 30};
  // A block with a rounding mode that is not the current one is the interpreter's: few have one.
  const std::uint32_t mode = bits(5) == 0 ? bits(3) : 7 * bits(1);
  switch (random.below(20)) {
    case 0:
    case 1:
    case 2:  // op, op-32
      return 0x33 | bits(1) << 3 | registers | funct3 | funct7_of_integers[random.below(4)] << 25;
    case 3:
    case 4:  // op-imm, op-imm-32
      return 0x13 | bits(1) << 3 | (registers & ~(31U << 20)) | funct3 | (bits(2) == 0 ? 0 : bits(12) << 20);
    case 5:  // lui, auipc
      return 0x17 | bits(1) << 5 | bits(5) << 7 | bits(20) << 12;
    case 6:
    case 7:  // loads; of floating-point numbers
      return 0x03 | bits(1) << 2 | (access & ~(31U << 20)) | funct3 | (bits(2) == 0 ? offset : bits(4) << 23);
    case 8:
    case 9:  // stores, likewise
      return 0x23 | bits(1) << 2 | (access & ~(31U << 7)) | bits(2) << 12 | bits(2) << 10 | bits(2) << 25;
    case 10:
    case 11:
    case 12: {  // branches, up to 30 instructions away
      const std::uint32_t distance = bits(3) == 0 ? 0U - 4 * (1 + bits(4)) : 4 * (1 + bits(4));
      return 0x63 | funct3 | (registers & ~(31U << 7)) | (distance >> 11 & 1) << 7 | (distance >> 1 & 15) << 8 |
             (distance >> 5 & 63) << 25 | (distance >> 12 & 1) << 31;
    }
    case 13:  // jal, jalr
      return bits(1) == 0 ? 0x6F | bits(1) << 7 | (4 + 4 * bits(4)) << 20
                          : 0x67 | (registers & ~(31U << 20)) | bits(2) << 22;
    case 14:
    case 15:  // arithmetic of F and D
      return 0x53 | registers | mode << 12 | bits(1) << 25 |
             funct5_of_floats[random.below(std::size(funct5_of_floats))] << 27;
    case 16: {  // of one operand: conversions, mostly by truncation to integers; roots, moves
      const std::uint32_t funct5 = funct5_of_conversions[random.below(std::size(funct5_of_conversions))];
      return 0x53 | (registers & ~(31U << 20)) | bits(2) << 20 | (funct5 == 24 && bits(2) != 0 ? 1 : mode) << 12 |
             bits(1) << 25 | funct5 << 27;
    }
    case 17:  // fused
      return 0x43 | bits(2) << 2 | registers | mode << 12 | bits(1) << 25 | bits(5) << 27;
    case 18: {  // atomic; control and status registers, now and then fence.i, ecall, ebreak
      constexpr std::uint32_t numbers[] = {1, 2, 3, 0xC00, 0xC01, 0xC02};
      if (bits(1) == 0) return 0x2F | access | (2 + bits(1)) << 12 | bits(5) << 27;
      if (bits(2) == 0) return bits(1) == 0 ? fence_i : ecall | bits(1) << 20;
      return 0x73 | bits(5) << 7 | funct3 | bits(5) << 15 | numbers[random.below(std::size(numbers))] << 20;
    }
    default:  // two short ones, or anything
      return bits(2) == 0 ? static_cast<std::uint32_t>(random.next())
                          : (bits(16) & ~3U) << 16 | bits(2) % 3 << 16 | (bits(16) & ~3U) | bits(2) % 3;
  }
}

/// Few of them are illegal.
inline std::uint32_t random_word(Random& random) {
  const auto& decoder = Decoder<std::uint64_t>::of_all_extensions();
  const auto illegal = decoder.decode(~std::uint32_t{0}, 0).operation.run;
  std::uint32_t word = 0;
  for (int tries = 0; tries < 8; ++tries) {
    word = any_word(random);
    if (decoder.decode(word, 0).operation.run != illegal) break;
  }
  return word;
}

}  // namespace sanvp::riscv
