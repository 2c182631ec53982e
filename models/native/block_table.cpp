#include "models/native/block_table.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "platform/core/error.hpp"
#include "platform/core/own_files.hpp"

namespace sanvp::native {
namespace {

/// Reads a section of records from start to end.
class Records {
 public:
  Records(const ElfFile& file, const char* section, const std::string& path)
      : section_(file.section(section)), path_(path) {}

  bool more() const { return at_ < section_.bytes.size(); }
  std::uint8_t byte() {
    require(1);
    return static_cast<std::uint8_t>(section_.bytes[at_++]);
  }
  /// An address, stored relative to its own place.
  std::uint64_t address() {
    const std::uint64_t here = section_.address + at_;
    return here + static_cast<std::uint64_t>(static_cast<std::int64_t>(word()));
  }
  std::int32_t word() {
    std::int32_t value = 0;
    require(sizeof value);
    std::memcpy(&value, &section_.bytes[at_], sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::uint64_t uleb128() {
    constexpr int payload_bits = 7;
    constexpr std::uint8_t payload = 0x7f;
    std::uint64_t value = 0;
    for (int shift = 0;; shift += payload_bits) {
      const std::uint8_t part = byte();
      if (shift < 64) value |= static_cast<std::uint64_t>(part & payload) << shift;
      if ((part & ~payload) == 0) return value;
    }
  }
  [[noreturn]] void refuse() const {
    throw UserError(path_, "its counts of instructions are damaged",
                    "compile it again with " + own_program("sanvp-cc"));
  }

 private:
  void require(std::size_t bytes) const {
    if (bytes > section_.bytes.size() - at_) refuse();
  }

  ElfFile::Section section_;
  const std::string& path_;
  std::size_t at_ = 0;
};

cpu::Values read_values(Records& records, int count) {
  constexpr int most = 63;
  cpu::Values values = 0;
  for (; count > 0; --count) {
    const int number = records.byte();
    if (number > most) records.refuse();
    values |= cpu::Values{1} << number;
  }
  return values;
}

cpu::Step read_step(Records& records) {
  constexpr std::uint8_t class_bits = 15, has_lanes = 16, is_float_load = 32, most_lanes = 255;
  cpu::Step step;
  const std::uint8_t kind = records.byte();
  static_assert(cpu::instruction_classes == class_bits + 1);
  step.of_class = static_cast<hal_instruction_class>(kind & class_bits);
  step.is_float_load = (kind & is_float_load) != 0;
  if ((kind & has_lanes) != 0)
    step.lanes = static_cast<std::uint8_t>(std::clamp<std::uint64_t>(records.uleb128(), 1, most_lanes));
  const std::uint8_t values = records.byte();
  step.reads = read_values(records, values >> 4);
  step.writes = read_values(records, values & 15);
  return step;
}

/// Adds the operations of blocks to their records.
void read_steps(const ElfFile& file, const std::string& path, std::vector<Block>& blocks) {
  Records records(file, ".sanvp.steps", path);
  if (!records.more()) return;
  std::unordered_map<std::uint64_t, Block*> by_place;
  for (Block& block : blocks) by_place.emplace(block.price_at, &block);
  while (records.more()) {
    const auto found = by_place.find(records.address());
    if (found == by_place.end()) records.refuse();
    cpu::Code& code = found->second->code;
    code.repeats = (records.byte() & 1) != 0;
    code.carried = records.uleb128();
    for (std::uint64_t left = records.uleb128(); left > 0; --left) code.steps.push_back(read_step(records));
  }
}

/// Adds to loops how their operands move.
void read_motions(const ElfFile& file, const std::string& path, std::vector<Loop>& loops) {
  Records records(file, ".sanvp.motions", path);
  while (records.more()) {
    const std::uint64_t address = records.address();
    const auto found =
        std::lower_bound(loops.begin(), loops.end(), address,
                         [](const Loop& loop, std::uint64_t wanted) { return loop.returns_to < wanted; });
    if (found == loops.end() || found->returns_to != address) records.refuse();
    if (records.byte() != found->operands.size()) records.refuse();
    for (Operand& operand : found->operands) {
      const std::uint8_t motion = records.byte();
      if (motion > static_cast<std::uint8_t>(Operand::Motion::loaded)) records.refuse();
      operand.motion = static_cast<Operand::Motion>(motion);
      if (operand.motion != Operand::Motion::strided) continue;
      operand.step = records.word();
      operand.step_register = records.byte();
      operand.step_scale = static_cast<std::int8_t>(records.byte());
    }
    for (int left = records.byte(); left > 0; --left) found->prices_at.push_back(records.address());
  }
}

}  // namespace

std::vector<Block> read_blocks(const ElfFile& file, const std::string& path) {
  std::vector<Block> blocks;
  for (const bool is_library : {false, true}) {
    Records records(file, is_library ? ".sanvp.library_blocks" : ".sanvp.blocks", path);
    while (records.more()) {
      Block& block = blocks.emplace_back();
      block.is_library = is_library;
      block.code.is_foreign = true;
      block.price_at = records.address();
      block.instructions = static_cast<std::uint32_t>(records.uleb128());
      for (int left = records.byte(); left > 0; --left) {
        const std::uint8_t of_class = records.byte();
        if (of_class >= cpu::instruction_classes) records.refuse();
        block.code.counts[of_class] += records.uleb128();
      }
    }
  }
  read_steps(file, path, blocks);
  return blocks;
}

std::vector<Loop> read_loops(const ElfFile& file, const std::string& path) {
  std::vector<Loop> loops;
  for (const bool is_library : {false, true}) {
    Records records(file, is_library ? ".sanvp.library_loops" : ".sanvp.loops", path);
    while (records.more()) {
      Loop& loop = loops.emplace_back();
      loop.is_library = is_library;
      loop.returns_to = records.address();
      for (int left = records.byte(); left > 0; --left) {
        Operand& operand = loop.operands.emplace_back();
        operand.base = records.byte();
        operand.index = records.byte();
        operand.scale = records.byte();
        const std::uint8_t flags = records.byte();
        operand.stores = (flags & 1) != 0;
        operand.own_global = (flags & 2) != 0;
        constexpr int log_of_bytes = 4;
        operand.bytes = static_cast<std::uint8_t>(1U << (flags >> log_of_bytes & 7));
        operand.displacement = operand.base == Operand::instruction_pointer
                                   ? static_cast<std::int64_t>(records.address())
                                   : records.word();
      }
    }
  }
  std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) { return a.returns_to < b.returns_to; });
  read_motions(file, path, loops);
  return loops;
}

}  // namespace sanvp::native
