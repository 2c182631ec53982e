/// C: instructions of 16 bits, each a short form of one with 32.
#pragma once

#include <cstdint>

namespace sanvp::riscv {

/// The long form; 0, which is illegal, if none exists.
/// @param xlen  32 or 64
std::uint32_t expand(std::uint16_t word, int xlen);

}  // namespace sanvp::riscv
