/// Zicsr: the counters and the floating-point control registers; calls of the environment. Each ends its block, so that
/// counters are exact.
#include "models/cpu/riscv/floating/host_fpu.hpp"
#include "models/cpu/riscv/instruction.hpp"

namespace sanvp::riscv {
namespace {

enum Csr : std::uint16_t {
  csr_fflags = 0x001,
  csr_frm = 0x002,
  csr_fcsr = 0x003,
  csr_cycle = 0xC00,
  csr_time = 0xC01,
  csr_instret = 0xC02,
  high_half = 0x080,  ///< RV32: csr_cycle | high_half
};

constexpr std::int64_t timebase_ps = 100'000;  // 10 MHz, as QEMU's machine `virt`

template <class Word>
std::optional<std::uint64_t> counter(const Hart<Word>& hart, unsigned number) {
  switch (number) {
    case csr_cycle:
      return hart.cycles();
    case csr_time:
      return hart.time_ps / timebase_ps;
    case csr_instret:
      return hart.retired - 1;  // those before this one
    default:
      return std::nullopt;
  }
}

template <class Word>
std::optional<Word> read(const Hart<Word>& hart, unsigned number) {
  switch (number) {
    case csr_fflags:
      return all_flags(hart);
    case csr_frm:
      return hart.rounding;
    case csr_fcsr:
      return hart.rounding << 5 | all_flags(hart);
    default:
      break;
  }
  if (sizeof(Word) == 8) return counter(hart, number);
  const auto value = counter(hart, number & ~high_half);
  if (!value) return std::nullopt;
  return static_cast<Word>((number & high_half) != 0 ? *value >> 32 : *value);
}

template <class Word>
bool write(Hart<Word>& hart, unsigned number, Word value) {
  if (number < csr_fflags || number > csr_fcsr) return false;  // the counters cannot be written
  if (number != csr_frm) set_flags(hart, value & 0x1F);
  if (number == csr_frm) set_rounding(hart, value & 7);
  if (number == csr_fcsr) set_rounding(hart, value >> 5 & 7);
  return true;
}

struct Replace {
  static std::uint64_t of(std::uint64_t, std::uint64_t operand) { return operand; }
};
struct Set {
  static std::uint64_t of(std::uint64_t before, std::uint64_t operand) { return before | operand; }
};
struct Clear {
  static std::uint64_t of(std::uint64_t before, std::uint64_t operand) { return before & ~operand; }
};

/// @tparam is_immediate  the field rs1 is the operand, not its register
template <class Word, class F, bool is_immediate>
Exit access(Hart<Word>& hart, const Operation<Word>* operation) {
  const unsigned number = operation->immediate & 0xFFF;
  const Word operand = is_immediate ? operation->rs1 : hart.x[operation->rs1];
  const bool writes = std::is_same_v<F, Replace> || operation->rs1 != 0;
  const std::optional<Word> before = read(hart, number);
  if (!before || (writes && !write(hart, number, static_cast<Word>(F::of(*before, operand)))))
    return hart.fail(operation, Cause::illegal_instruction, 0);
  hart.x[operation->rd] = *before;
  hart.pc = operation[1].immediate;
  return Exit::next;
}

template <class Word>
Exit call_environment(Hart<Word>& hart, const Operation<Word>* operation) {
  hart.pc = operation[1].immediate;
  return hart.stop(operation, Exit::environment_call);
}

template <class Word>
Exit break_here(Hart<Word>& hart, const Operation<Word>* operation) {
  return hart.stop(operation, Exit::breakpoint);
}

template <class Word>
std::vector<Instruction<Word>> all() {
  constexpr unsigned op = 0x73;
  const auto row = [](unsigned funct3, typename Operation<Word>::Run run) {
    return Instruction<Word>{fixed_3(op, funct3), run, Shape::system, HAL_INTEGER, true};
  };
  return {row(1, access<Word, Replace, false>),
          row(2, access<Word, Set, false>),
          row(3, access<Word, Clear, false>),
          row(5, access<Word, Replace, true>),
          row(6, access<Word, Set, true>),
          row(7, access<Word, Clear, true>),
          {{op, 0xFFFFFFFF}, call_environment<Word>, Shape::system, HAL_CALL, true},
          {{op | 1U << 20, 0xFFFFFFFF}, break_here<Word>, Shape::system, HAL_INTEGER, true}};
}

const Registration<Extension> registration{{.name = "Zicsr",
                                            .summary = "control and status registers, environment calls",
                                            .rv32 = all<std::uint32_t>(),
                                            .rv64 = all<std::uint64_t>()}};

}  // namespace
}  // namespace sanvp::riscv
