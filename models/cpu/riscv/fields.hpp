/// Bits of an instruction word of 32 bits, by the formats of the RISC-V Instruction Set Manual, volume I, chapter 2.
#pragma once

#include <cstdint>

namespace sanvp::riscv {

class Fields {
 public:
  explicit Fields(std::uint32_t word) : word_(word) {}

  std::uint32_t opcode() const { return word_ & 0x7F; }
  std::uint32_t function() const { return word_ >> 12 & 7; }
  std::uint8_t target() const { return register_at(7); }
  std::uint8_t source() const { return register_at(15); }
  std::uint8_t second_source() const { return register_at(20); }
  std::uint8_t register_at(unsigned low) const { return word_ >> low & 0x1F; }
  std::uint8_t rounding() const { return static_cast<std::uint8_t>(function()); }
  std::int32_t immediate() const { return signed_word() >> 20; }
  std::int32_t store() const { return (signed_word() >> 25) * 32 + register_at(7); }
  std::int32_t upper() const { return static_cast<std::int32_t>(word_ & 0xFFFFF000); }
  std::int32_t branch() const {
    return (signed_word() >> 31) * 4096 +
           static_cast<std::int32_t>((word_ >> 7 & 1) << 11 | (word_ >> 25 & 0x3F) << 5 | (word_ >> 8 & 0xF) << 1);
  }
  std::int32_t jump() const {
    return (signed_word() >> 31) * 1048576 +
           static_cast<std::int32_t>((word_ & 0xFF000) | (word_ >> 20 & 1) << 11 | (word_ >> 21 & 0x3FF) << 1);
  }

 private:
  std::int32_t signed_word() const { return static_cast<std::int32_t>(word_); }
  std::uint32_t word_;
};

}  // namespace sanvp::riscv
