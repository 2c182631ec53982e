/// The registers of a hart as gdb numbers them: x0 to x31, pc, f0 to f31, fcsr. These are the ones, in the order, that
/// gdb expects of a program for RV64 before it has read a description: it reads one for its first inferior only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/cpu/riscv/hart.hpp"

namespace sanvp::riscv::gdb {

constexpr unsigned pc_number = 32, first_float = 33, fcsr_number = 68;

/// All registers.
std::string read_registers(const Hart64& hart);
/// False unless `digits` are those of all registers.
bool write_registers(Hart64& hart, std::string_view digits);

/// Hexadecimal digits in the target's byte order; nothing if there is no such register.
std::optional<std::string> read_register(const Hart64& hart, std::uint64_t number);
/// Takes the digits of this register from the front of `digits`. False if they are too few, or no digits.
bool write_register(Hart64& hart, std::uint64_t number, std::string_view& digits);

/// Their description for gdb: an XML document.
const std::string& target_description();

}  // namespace sanvp::riscv::gdb
