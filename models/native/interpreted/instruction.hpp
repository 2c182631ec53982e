/// One instruction of x86-64, taken apart, and its operands. Little-endian hosts only.
#pragma once

#include "models/native/interpreted/registers.hpp"

namespace sanvp::native::interpreted {

template <class T>
T load(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

/// @param size  1, 2, 4 or 8
std::uint64_t load(const void* from, unsigned size);
void store(void* to, std::uint64_t value, unsigned size);

constexpr std::uint64_t mask_of(unsigned size) { return size == 8 ? ~std::uint64_t{0} : (1ULL << size * 8) - 1; }
constexpr std::uint64_t sign_of(unsigned size) { return 1ULL << (size * 8 - 1); }
constexpr std::uint64_t sign_extended(std::uint64_t value, unsigned size) {
  return ((value & mask_of(size)) ^ sign_of(size)) - sign_of(size);
}

/// Which prefix selects a form of a vector instruction: none, 66, F3, F2.
enum class Form : std::uint8_t { plain, operand, repeat, repeat_not };

class Instruction {
 public:
  /// Reads prefixes and opcode at the pc, which it moves behind them.
  explicit Instruction(Registers& registers);

  Registers& at;
  bool is_two_byte = false;  ///< begins with 0F
  std::uint8_t opcode = 0;
  unsigned size = 4;  ///< of operands, by prefixes; instructions on bytes set it to 1
  bool is_wide = false;
  Form form = Form::plain;

  // Operands, after read_modrm().
  unsigned reg = 0;          ///< the register operand, or the number of the operation
  bool is_register = false;  ///< the other operand is `rm`, else it is in memory
  unsigned rm = 0;
  std::byte* memory = nullptr;

  /// @param immediate_bytes  that follow, from which addresses relative to the pc count on
  void read_modrm(unsigned immediate_bytes = 0);
  template <class T>
  T take() {
    const T value = load<T>(at.pc);
    at.pc += sizeof(T);
    return value;
  }
  /// The immediate of an instruction with this operand size, sign-extended.
  std::uint64_t take_immediate();

  std::uint64_t general(unsigned number, unsigned bytes) const;
  void set_general(unsigned number, std::uint64_t value, unsigned bytes);
  std::uint64_t other() const { return is_register ? general(rm, size) : load(memory, size); }
  void set_other(std::uint64_t value) { is_register ? set_general(rm, value, size) : store(memory, value, size); }
  std::uint64_t own() const { return general(reg, size); }
  void set_own(std::uint64_t value) { set_general(reg, value, size); }
  /// The register that the opcode's last three bits name.
  unsigned in_opcode() const { return (opcode & 7U) | (rex_ & 1U) << 3; }

  Vector& own_vector() const { return at.vector[reg]; }
  /// The lowest `bytes` of the other operand; the rest is zero.
  Vector other_vector(std::size_t bytes = sizeof(Vector)) const;

  void push(std::uint64_t value);
  std::uint64_t pop();

  // Sets the flags that arithmetic sets.
  void set_result(std::uint64_t result);
  std::uint64_t add(std::uint64_t a, std::uint64_t b, bool carry);
  std::uint64_t subtract(std::uint64_t a, std::uint64_t b, bool borrow);
  std::uint64_t logic(std::uint64_t result);

 private:
  std::byte* read_address(unsigned mode, unsigned base, unsigned immediate_bytes);

  std::uint8_t rex_ = 0;
  std::uint64_t segment_ = 0;
};

/// Execute the instruction, unless it moves the pc to code that may be the host's (Execution). False: not known.
bool execute_integer(Instruction& instruction);
bool execute_two_byte(Instruction& instruction);
bool execute_vector(Instruction& instruction);

}  // namespace sanvp::native::interpreted
