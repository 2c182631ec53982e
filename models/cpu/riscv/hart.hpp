/// A hardware thread: registers, counters and the memory that it sees.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "models/cpu/costs/cpu_caches.hpp"
#include "models/cpu/riscv/memory.hpp"
#include "models/cpu/riscv/operation.hpp"

namespace sanvp::cpu {
class Caches;
}

namespace sanvp::riscv {

class Observed;

/// Exception codes of the privileged specification (mcause).
enum class Cause : std::uint8_t {
  misaligned_fetch = 0,
  fetch_fault = 1,
  illegal_instruction = 2,
  misaligned_load = 4,
  load_fault = 5,
  misaligned_store = 6,
  store_fault = 7,
};

/// Rounding modes as instructions and `frm` have them.
enum Rounding : std::uint8_t {
  nearest_even = 0,
  toward_zero = 1,
  down = 2,
  up = 3,
  nearest_away = 4,
  dynamic_rounding = 7
};

/// Bits of `fflags`.
enum FloatFlag : std::uint8_t { inexact = 1, underflow = 2, overflow = 4, divided_by_zero = 8, invalid = 16 };

struct Fault {
  Cause cause = Cause::illegal_instruction;
  std::uint64_t address = 0;  ///< that was accessed; of an illegal instruction, its bits
};

/// The destination of writes to x0, so that x0 stays zero without a test.
constexpr std::uint8_t discarded = 32;

template <class Word>
struct Block;

/// The position at which a debugger holds a hart in the middle of a block. The block is paid for in full, and execution
/// continues there: so time and budgets are the same as without a debugger.
template <class Word>
struct Left {
  Block<Word>* block = nullptr;  ///< null: the hart is between blocks
  std::size_t operation = 0;     ///< the next one
};

template <class Word>
struct Hart {
  using Signed = std::make_signed_t<Word>;

  std::array<Word, 33> x{};  ///< [32]: see `discarded`
  Word pc = 0;
  Window memory{};
  std::uint64_t retired = 0;  ///< instructions, those of the current block included
  std::int64_t time_ps = 0;   ///< local simulated time, the current block's included
  std::array<std::uint64_t, 32> f{};
  std::uint8_t flags = 0;                        ///< fflags without those that the host's FPU holds while it runs
  std::uint8_t rounding = nearest_even;          ///< frm
  std::uint8_t host_rounds = 1U << 0 | 1U << 7;  ///< values of `rm` for which the host's FPU rounds as it should
  std::optional<Word> reserved{};                ///< address of the last LR, until an SC or another hart's turn
  std::int64_t cycle_ps = 1000;                  ///< for the counter `cycle` ...
  std::int64_t cycles_from_ps = 0;               ///< ... since then,
  std::int64_t cycles_before = 0;                ///< ... and until then
  cpu::Caches* caches = nullptr;       ///< of the CPU that it runs on; never null if Stalls::has_caches is set
  cpu::Sample sample{};                ///< the lines that they follow
  const Observed* observed = nullptr;  ///< never null if Stalls::is_observed is set

  // For translated code: the first levels of `caches`, and accesses that they do not know of yet.
  std::uint64_t* data_lines = nullptr;
  std::uint64_t* instruction_lines = nullptr;
  std::uint64_t data_accesses = 0, fetched_lines = 0;

  Fault fault{};                             ///< after Exit::fault
  const Operation<Word>* stopped = nullptr;  ///< the operation at which it stopped
  Left<Word> left{};

  std::int64_t cycles() const { return cycles_before + (time_ps - cycles_from_ps) / cycle_ps; }
  /// From now on a cycle takes so long.
  void set_clock(std::int64_t period_ps) {
    cycles_before = cycles();
    cycles_from_ps = time_ps;
    cycle_ps = period_ps;
  }

  Exit fail(const Operation<Word>* operation, Cause cause, std::uint64_t address) {
    fault = {cause, address};
    stopped = operation;
    return Exit::fault;
  }
  Exit stop(const Operation<Word>* operation, Exit exit) {
    stopped = operation;
    return exit;
  }
};

using Hart32 = Hart<std::uint32_t>;
using Hart64 = Hart<std::uint64_t>;

}  // namespace sanvp::riscv
