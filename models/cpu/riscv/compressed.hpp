/// C: instructions of 16 bits, each a short form of one with 32.
#pragma once

#include <cstdint>

namespace sanvp::riscv {

/// The long form; 0, which is illegal, where there is none.
/// @param xlen  32 or 64
std::uint32_t expand(std::uint16_t word, int xlen);

}  // namespace sanvp::riscv
