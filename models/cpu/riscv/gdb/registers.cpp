#include "models/cpu/riscv/gdb/registers.hpp"

#include <array>
#include <cstring>

#include <fmt/format.h>

#include "models/cpu/riscv/gdb/packet.hpp"

namespace sanvp::riscv::gdb {
namespace {

// By the calling convention; gdb knows x8 also as s0.
constexpr std::array integer_names{"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "fp", "s1", "a0",
                                   "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                   "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
constexpr std::array float_names{"ft0", "ft1", "ft2", "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",  "fs1", "fa0",
                                 "fa1", "fa2", "fa3", "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",  "fs4", "fs5",
                                 "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};
static_assert(integer_names.size() == 32 && float_names.size() == 32);

std::uint64_t value_of(const Hart64& hart, std::uint64_t number) {
  if (number < pc_number) return hart.x.at(number);
  if (number == pc_number) return hart.pc;
  if (number != fcsr_number) return hart.f.at(number - first_float);
  return static_cast<std::uint64_t>(hart.rounding) << 5 | hart.flags;
}

void set(Hart64& hart, std::uint64_t number, std::uint64_t value) {
  const auto low = static_cast<std::uint8_t>(value);
  if (number == 0) return;
  if (number < pc_number) hart.x.at(number) = value;
  if (number == pc_number) hart.pc = value & ~std::uint64_t{1};
  if (number >= first_float && number < first_float + hart.f.size()) hart.f.at(number - first_float) = value;
  if (number != fcsr_number) return;
  hart.flags = low & 0x1F;
  hart.rounding = low >> 5 & 7;
}

std::size_t bytes_of(std::uint64_t number) { return number != fcsr_number ? 8 : 4; }

bool is_register(std::uint64_t number) {
  constexpr std::uint64_t floats = 32;
  return number < first_float + floats || number == fcsr_number;
}

std::string make_description() {
  std::string xml =
      "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
      "<architecture>riscv:rv64</architecture><osabi>GNU/Linux</osabi><feature name=\"org.gnu.gdb.riscv.cpu\">";
  unsigned number = 0;
  const auto add = [&](const char* name, unsigned bits, const char* type) {
    xml += fmt::format("<reg name=\"{}\" bitsize=\"{}\" type=\"{}\" regnum=\"{}\"/>", name, bits, type, number++);
  };
  for (const char* name : integer_names) add(name, 64, "int");
  add("pc", 64, "code_ptr");
  xml += "</feature><feature name=\"org.gnu.gdb.riscv.fpu\">";
  for (const char* name : float_names) add(name, 64, "ieee_double");
  number = fcsr_number;
  add("fcsr", 32, "int");
  return xml + "</feature></target>";
}

}  // namespace

std::optional<std::string> read_register(const Hart64& hart, std::uint64_t number) {
  if (!is_register(number)) return std::nullopt;
  std::array<char, 8> bytes{};
  const std::uint64_t value = value_of(hart, number);
  std::memcpy(bytes.data(), &value, sizeof value);
  return to_hex({bytes.data(), bytes_of(number)});
}

bool write_register(Hart64& hart, std::uint64_t number, std::string_view& digits) {
  if (!is_register(number) || digits.size() < 2 * bytes_of(number)) return false;
  const auto bytes = from_hex(digits.substr(0, 2 * bytes_of(number)));
  if (!bytes) return false;
  std::uint64_t value = 0;
  std::memcpy(&value, bytes->data(), bytes->size());
  set(hart, number, value);
  digits.remove_prefix(2 * bytes->size());
  return true;
}

std::string read_registers(const Hart64& hart) {
  std::string text;
  for (unsigned number = 0; number <= fcsr_number; ++number) text += read_register(hart, number).value_or("");
  return text;
}

bool write_registers(Hart64& hart, std::string_view digits) {
  for (unsigned number = 0; number <= fcsr_number; ++number)
    if (is_register(number) && !write_register(hart, number, digits)) return false;
  return digits.empty();
}

const std::string& target_description() {
  static const std::string description = make_description();
  return description;
}

}  // namespace sanvp::riscv::gdb
