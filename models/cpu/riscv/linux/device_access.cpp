#include "models/cpu/riscv/linux/device_access.hpp"

#include "models/cpu/riscv/fields.hpp"
#include "models/cpu/riscv/long_form.hpp"

namespace sanvp::riscv::os {
namespace {

constexpr std::uint32_t load_opcode = 0x03, store_opcode = 0x23;
constexpr std::uint32_t size_mask = 3, unsigned_bit = 4;  // of a load's or store's function

std::uint64_t sign_extended(std::uint64_t value, unsigned bytes) {
  const unsigned unused = 64 - 8 * bytes;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
}

std::uint64_t low_bytes(std::uint64_t value, unsigned bytes) {
  return bytes == sizeof value ? value : value & ((std::uint64_t{1} << 8 * bytes) - 1);
}

}  // namespace

bool access_device(Machine& machine, const Memory& memory, Thread& thread) {
  Hart64& hart = thread.hart;
  if (!machine.has_device(hart.fault.address)) return false;
  const auto instruction = long_form_at(memory, hart.pc);
  if (!instruction) return false;
  const Fields fields(instruction->word);
  DeviceAccess access{.address = hart.fault.address, .bytes = 1U << (fields.function() & size_mask)};
  access.is_store = fields.opcode() == store_opcode;
  if (!access.is_store && fields.opcode() != load_opcode) return false;
  if (access.is_store) access.value = low_bytes(hart.x[fields.second_source()], access.bytes);
  if (!machine.access(thread, access)) return false;
  const unsigned target = fields.target();
  const bool extends = (fields.function() & unsigned_bit) == 0;
  if (!access.is_store && target != 0)
    hart.x[target] = extends ? sign_extended(access.value, access.bytes) : access.value;
  hart.pc += instruction->bytes;
  ++hart.retired;
  return true;
}

}  // namespace sanvp::riscv::os
