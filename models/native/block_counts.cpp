#include "models/native/block_counts.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>

#include "platform/core/error.hpp"

namespace sanvp::native {
namespace {

constexpr std::size_t most_thunk_bytes = 64;
constexpr std::size_t slot_bytes = 8;
constexpr std::size_t jump_bytes = 5;
constexpr std::size_t price_bytes = 4;

/// The instruction with a block's price in it, which ends with the price.
struct Update {
  std::size_t bytes = 0;
  bool through_gs = false;   ///< addq $price, %gs:sanvp_spent(%rip)
  bool keeps_flags = false;  ///< leaq price(%rax), %rax or the same for another register
  std::uint8_t place = 0;    ///< that register's number
};

bool is_at(const std::byte* code, std::initializer_list<unsigned> bytes) {
  return std::equal(bytes.begin(), bytes.end(), code,
                    [](unsigned wanted, std::byte found) { return wanted == std::to_integer<unsigned>(found); });
}

/// Empty for a block that is counted in another way: the price of a repetition.
Update update_at(const std::byte* price) {
  constexpr std::size_t displacement_bytes = 4;
  if (is_at(price - displacement_bytes - 4, {0x65, 0x48, 0x81, 0x05})) return {.bytes = 12, .through_gs = true};
  for (const unsigned number : {0U, 1U, 2U, 3U, 5U, 6U, 7U, 8U, 9U, 10U, 11U, 13U, 14U, 15U}) {
    const unsigned low = number % 8;  // rsp and r12 are encoded differently
    if (is_at(price - 3, {number < 8 ? 0x48U : 0x4dU, 0x8d, 0x80 | low << 3 | low}))
      return {.bytes = 7, .keeps_flags = true, .place = static_cast<std::uint8_t>(number)};
  }
  if (is_at(price - 2, {0x48, 0x05})) return {.bytes = 6};
  const auto modrm = std::to_integer<unsigned>(price[-1]);
  constexpr unsigned add_to_register = 0xc0, registers = 7;
  if ((is_at(price - 3, {0x48, 0x81}) || is_at(price - 3, {0x49, 0x81})) && (modrm & ~registers) == add_to_register)
    return {.bytes = 7};
  return {};
}

/// Writes instructions one after the other.
class Assembler {
 public:
  explicit Assembler(std::byte* at) : at_(at) {}

  std::byte* here() const { return at_; }
  void bytes(std::initializer_list<unsigned> values) {
    for (const unsigned value : values) *at_++ = static_cast<std::byte>(value);
  }
  void copy(const std::byte* from, std::size_t count) { at_ = std::copy(from, from + count, at_); }
  /// The displacement of `target` from the end of the instruction, which is `rest` bytes further on.
  void way_to(const std::byte* target, std::size_t rest = 0) {
    const auto way = static_cast<std::int32_t>(target - (at_ + sizeof(std::int32_t) + rest));
    std::memcpy(at_, &way, sizeof way);
    at_ += sizeof way;
  }
  void jump(const std::byte* target) {
    bytes({0xe9});
    way_to(target);
  }

 private:
  std::byte* at_;
};

/// Unused memory below or above the code, within the reach of a 32-bit displacement.
std::byte* map_near(const std::byte* code, std::size_t bytes) {
  constexpr std::uintptr_t step = 1 << 20, reach = std::uintptr_t{3} << 29;
  const auto at = reinterpret_cast<std::uintptr_t>(code) & ~(step - 1);
  const auto try_at = [&](std::uintptr_t place) -> std::byte* {
    void* const mapped = mmap(reinterpret_cast<void*>(place), bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (mapped == reinterpret_cast<void*>(place)) return static_cast<std::byte*>(mapped);
    if (mapped != MAP_FAILED) munmap(mapped, bytes);
    return nullptr;
  };
  for (std::uintptr_t way = step; way < reach; way += step)
    for (const std::uintptr_t place : {at - way, at + way})
      if (std::byte* const found = try_at(place); found != nullptr) return found;
  throw UserError("--profile", "there is no memory near the program's code to count its blocks in");
}

/// Increments `slot`, does what `update` does, and jumps to the instruction after it.
void write_thunk(Assembler& to, std::byte* begin, const Update& update, const std::byte* slot,
                 const std::byte* scratch) {
  std::byte* const end = begin + update.bytes;
  if (update.keeps_flags) {
    const unsigned low = update.place % 8;
    const bool is_new = update.place >= 8;
    const unsigned wide = is_new ? 0x4c : 0x48, wide_both = is_new ? 0x4d : 0x48;
    const unsigned operand = 0x05 | low << 3;  // (%rip), register
    to.bytes({wide, 0x89, operand});           // movq %rax, scratch
    to.way_to(scratch);
    to.bytes({wide, 0x8b, operand});  // movq slot, %rax
    to.way_to(slot);
    to.bytes({wide_both, 0x8d, 0x40 | low << 3 | low, 1});  // leaq 1(%rax), %rax
    to.bytes({wide, 0x89, operand});                        // movq %rax, slot
    to.way_to(slot);
    to.bytes({wide, 0x8b, operand});  // movq scratch, %rax
    to.way_to(scratch);
  } else {
    to.bytes({0x48, 0xff, 0x05});  // incq slot
    to.way_to(slot);
  }
  if (update.through_gs) {
    std::int32_t way = 0;
    std::memcpy(&way, end - price_bytes - sizeof way, sizeof way);
    to.copy(begin, update.bytes - price_bytes - sizeof way);
    to.way_to(end + way, price_bytes);
    to.copy(end - price_bytes, price_bytes);
  } else {
    to.copy(begin, update.bytes);
  }
  to.jump(end);
}

}  // namespace

BlockCounts::BlockCounts(std::vector<Block> blocks, std::byte* base) : blocks_(std::move(blocks)), base_(base) {
  if (blocks_.empty()) return;
  const std::size_t slots = (blocks_.size() + 1) * slot_bytes;
  const std::size_t bytes = slots + blocks_.size() * most_thunk_bytes;
  mapping_ = {map_near(base + blocks_.back().price_at, bytes), bytes};
  runs_ = {reinterpret_cast<const std::uint64_t*>(mapping_.data()), blocks_.size()};
  const std::byte* const scratch = mapping_.data() + blocks_.size() * slot_bytes;
  Assembler thunks(mapping_.data() + slots);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    std::byte* const price = base + blocks_[i].price_at;
    const Update update = update_at(price);
    prices_.push_back(price);
    if (update.bytes == 0) continue;
    std::byte* const begin = price + price_bytes - update.bytes;
    const std::byte* const thunk = thunks.here();
    write_thunk(thunks, begin, update, mapping_.data() + i * slot_bytes, scratch);
    prices_.back() = thunks.here() - jump_bytes - price_bytes;
    Assembler(begin).jump(thunk);
    std::fill(begin + jump_bytes, begin + update.bytes, std::byte{0x90});  // nop
  }
}

BlockCounts::~BlockCounts() {
  if (!mapping_.empty()) munmap(mapping_.data(), mapping_.size());
}

Executed& Executed::operator+=(const Executed& other) {
  instructions += other.instructions;
  for (std::size_t i = 0; i < cpu::instruction_classes; ++i) counts[i] += other.counts[i];
  return *this;
}

}  // namespace sanvp::native
