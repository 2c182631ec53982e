#include "models/cpu/riscv/linux/device_access.hpp"

#include <optional>

#include "models/cpu/riscv/compressed.hpp"
#include "models/cpu/riscv/decoder.hpp"

namespace sanvp::riscv::os {
namespace {

// Fields of instructions: The RISC-V Instruction Set Manual, volume I, chapter 2.
constexpr std::uint32_t load_opcode = 0x03, store_opcode = 0x23, opcode_mask = 0x7F;
constexpr unsigned width_shift = 12, target_shift = 7, source_shift = 20;
constexpr std::uint32_t width_mask = 7, register_mask = 31, size_mask = 3, unsigned_bit = 4;

struct Fetched {
  std::uint32_t word = 0;  ///< the long form
  unsigned bytes = 0;
};

std::optional<Fetched> fetch(const Memory& memory, std::uint64_t pc) {
  const auto first = memory.read<std::uint16_t>(pc);
  if (!first) return std::nullopt;
  const unsigned bytes = instruction_bytes(*first);
  if (bytes == sizeof *first) return Fetched{expand(*first, 64), bytes};
  const auto second = memory.read<std::uint16_t>(pc + sizeof *first);
  if (!second) return std::nullopt;
  return Fetched{*first | std::uint32_t{*second} << 16, bytes};
}

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
  const auto fetched = fetch(memory, hart.pc);
  if (!fetched) return false;
  const std::uint32_t word = fetched->word, width = word >> width_shift & width_mask;
  DeviceAccess access{.address = hart.fault.address, .bytes = 1U << (width & size_mask)};
  access.is_store = (word & opcode_mask) == store_opcode;
  if (!access.is_store && (word & opcode_mask) != load_opcode) return false;
  if (access.is_store) access.value = low_bytes(hart.x[word >> source_shift & register_mask], access.bytes);
  if (!machine.access(thread, access)) return false;
  const unsigned target = word >> target_shift & register_mask;
  const bool extends = (width & unsigned_bit) == 0;
  if (!access.is_store && target != 0)
    hart.x[target] = extends ? sign_extended(access.value, access.bytes) : access.value;
  hart.pc += fetched->bytes;
  ++hart.retired;
  return true;
}

}  // namespace sanvp::riscv::os
