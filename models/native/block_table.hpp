/// What the assembler of images has recorded of their code (scripts/images/count.py): the basic blocks, each with the
/// instructions that it counts, and the loops in which code yields, each with the memory that it accesses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/cpu/costs/pipeline.hpp"
#include "platform/core/elf_file.hpp"

namespace sanvp::native {

/// A block's update: `addq $price, sanvp_spent`.
struct Block {
  std::uint64_t price_at = 0;      ///< address of the price's four bytes, as in the file
  std::uint32_t instructions = 0;  ///< of x86-64
  cpu::Code code{};                ///< its operations; of libraries and repetitions their counts alone
  bool is_library = false;         ///< of a library in sw/, not of the program
};

/// A memory operand of a loop: base + index * scale + displacement.
struct Operand {
  static constexpr std::uint8_t none = 255;
  static constexpr std::uint8_t instruction_pointer = 16;

  std::uint8_t base = none;  ///< number of a register, 0 to 15; or instruction_pointer: `displacement` is an address
  std::uint8_t index = none;
  std::uint8_t scale = 1;
  std::uint8_t bytes = 0;
  bool stores = false;
  bool own_global = false;  ///< reached through GS
  std::int64_t displacement = 0;
  /// How the address changes from one iteration to the next.
  enum class Motion : std::uint8_t {
    unknown,
    strided,  ///< by a fixed number of bytes: `step`, and `scale` times a register that the loop leaves alone
    loaded    ///< it depends on what the loop has loaded: a gather, or a list
  } motion = Motion::unknown;
  std::int32_t step = 0;
  std::uint8_t step_register = none;
  std::int8_t step_scale = 0;
};

/// A loop that calls sanvp_give_way or sanvp_spin; in libraries also a function that does so at its beginning.
struct Loop {
  std::uint64_t returns_to = 0;  ///< the address behind that call, as in the file
  std::vector<Operand> operands{};
  bool is_library = false;
  /// Addresses of the prices of its blocks; empty if it contains other loops.
  std::vector<std::uint64_t> prices_at{};
  std::int64_t turn_ps = 0;  ///< price of an iteration that runs through all of its blocks; 0: unknown
};

/// What a block adds before it is priced. Images never run in that state.
constexpr std::int32_t unpriced = 0x7fffffff;

/// Throws UserError, which names `path`, for malformed records.
std::vector<Block> read_blocks(const ElfFile& file, const std::string& path);
/// In the order of their addresses.
std::vector<Loop> read_loops(const ElfFile& file, const std::string& path);

}  // namespace sanvp::native
