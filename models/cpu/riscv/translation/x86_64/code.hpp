/// The code of a region while it is written: instructions of the host, and operands that are registers of the program.
#pragma once

#include <array>
#include <bitset>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/cpu/riscv/translation/translation.hpp"
#include "models/cpu/riscv/translation/x86_64/cache_lookup.hpp"
#include "models/cpu/riscv/translation/x86_64/stubs.hpp"

namespace sanvp::riscv::x86_64 {

using asmjit::InstId;
using asmjit::Label;
using Id = x86::Inst::Id;

/// The lowest bytes of a register: 1, 2, 4 or 8.
inline x86::Gp part(const x86::Gp& whole, std::uint32_t bytes) {
  if (bytes == 4) return whole.r32();
  if (bytes == 2) return whole.r16();
  if (bytes == 1) return whole.r8();
  return whole;
}

class Errors final : public asmjit::ErrorHandler {
 public:
  bool failed = false;
  void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { failed = true; }
};

/// What a region's code refers to in a process is in a table: the process's targets; for each of the region's blocks
/// its runs and its address; and for each way out the address of an Entry.
inline constexpr std::size_t place_of_targets = 0;
constexpr std::size_t place_of_runs(std::size_t block) { return 1 + 2 * block; }
constexpr std::size_t place_of_block(std::size_t block) { return 2 + 2 * block; }
constexpr std::size_t place_of_exit(std::size_t blocks, std::size_t number) { return 1 + 2 * blocks + number; }

class Code {
 public:
  /// @param caches  null: none follow accesses
  Code(asmjit::CodeHolder& holder, const Registers& registers, std::uint64_t pages, const TranslationSettings& settings,
       const FollowedCaches* caches);

  x86::Assembler a;
  bool has_bmi2 = false, has_fma = false;
  const Registers& registers;
  std::uint64_t pages;  ///< of the program's window
  const FollowedCaches* caches;

  // Integer registers of the program.
  /// An operand for reading: a host register, or the hart's memory.
  asmjit::Operand operand(unsigned number, std::uint32_t bytes = 8) const;
  /// A host register that holds it: its own, or this one, which is loaded.
  x86::Gp value(unsigned number, const x86::Gp& temporary);
  /// The host register to which a result goes: its own, or rax.
  x86::Gp target(unsigned number) const;
  /// `to` becomes the register's value, of 8 bytes or its low 4.
  void load(const x86::Gp& to, unsigned number, std::uint32_t bytes = 8);
  /// A result is complete.
  void store(unsigned number, const x86::Gp& from);
  void store_constant(unsigned number, std::uint64_t value);
  void constant(const x86::Gp& to, std::uint64_t value);

  // Floating-point registers of the program.
  asmjit::Operand floating_operand(unsigned number, std::uint32_t bytes = 8) const;
  /// All 64 bits.
  void load_floating(const x86::Xmm& to, unsigned number);
  /// All 64 bits, or the low half.
  void load_bits(const x86::Gp& to, unsigned number, std::uint32_t bytes = 8);
  void store_floating(unsigned number, const x86::Xmm& from);
  /// Falls back to the interpreter unless the register holds a NaN-boxed single.
  void expect_boxed(unsigned number);
  /// What a register holds from here on.
  void set_boxed(unsigned number, bool is_boxed) { boxed_[number] = is_boxed; }

  /// To where the interpreter executes the current operation and the rest of its block.
  Label bail();

  // If caches follow accesses, in code_caches.cpp.
  /// The current block begins: its instructions are fetched, and its accesses counted. Uses rax and rcx.
  void begin_accesses();
  /// An aligned access stalls, if its line is followed. Uses rcx.
  void follow(const x86::Gp& address, bool writes);

  /// An instruction could not be written.
  bool failed() const { return errors_.failed; }

  // For the region (emit).
  /// The code is entered, with its table in rax.
  void keep_table();
  /// What the table has at this place. Uses `at` for its address.
  x86::Mem in_table(const x86::Gp& at, std::size_t place);
  /// @param number  of the block in the region
  void begin_block(const Block64& block, std::size_t number);
  void begin_operation(std::size_t index);
  void load_registers();
  void write_back();
  /// Calls the interpreter's function for the current operation; then the code continues.
  void call_interpreter();
  /// Cold code.
  void end(const Stubs& stubs);
  /// Copies of operations to which the code refers.
  std::vector<std::unique_ptr<std::array<Op, 2>>> take_pairs() { return std::move(pairs_); }

 private:
  struct Bail {
    Label label;
    const Block64* block = nullptr;
    std::size_t number = 0;
    std::size_t operation = 0;
  };
  struct Followed {
    Label label, back;
    x86::Gp address;
    bool writes = false;
  };
  struct FetchedLine {
    Label label, back;
    std::uint64_t address = 0;
  };
  // In code_caches.cpp.
  void fetch(const Block64& block);
  void end_followed(const Stubs& stubs);
  using Touch = std::int64_t (*)(Hart64& hart, std::uint64_t address, std::int64_t now_ps);
  void look_up(const Label& label, const void* find, Touch touch, bool counts);
  void take_back_accesses(const Block64& block, std::size_t operation);

  x86::Mem x(unsigned number, std::uint32_t bytes = 8) const;
  x86::Mem f(unsigned number, std::uint32_t bytes = 8) const;

  Errors errors_;
  const Block64* block_ = nullptr;
  std::size_t number_ = 0;
  std::size_t operation_ = 0;
  std::bitset<32> boxed_;
  std::vector<Bail> bails_;
  std::vector<Followed> followed_;
  std::vector<FetchedLine> fetched_;
  std::vector<std::unique_ptr<std::array<Op, 2>>> pairs_;
  Label call_;
  bool calls_ = false;
};

}  // namespace sanvp::riscv::x86_64
