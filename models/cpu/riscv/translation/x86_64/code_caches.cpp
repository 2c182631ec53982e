/// Accesses that caches follow. Hits on the line that its set has used last are in line; for others the code calls.
#include <algorithm>
#include <limits>

#include "models/cpu/riscv/translation/x86_64/code.hpp"
#include "models/cpu/riscv/translation/x86_64/layout.hpp"

namespace sanvp::riscv::x86_64 {
namespace {

template <bool writes>
std::int64_t touch_data(Hart64& hart, std::uint64_t address, std::int64_t now_ps) {
  return hart.caches->touch_at(now_ps, address, writes);
}
std::int64_t touch_instructions(Hart64& hart, std::uint64_t address, std::int64_t /*now_ps*/) {
  return hart.caches->touch_instructions(address);
}

/// Accesses of a block from this operation on that follow() makes.
std::int32_t accesses_from(const Block64& block, std::size_t operation) {
  std::int32_t accesses = 0;
  for (std::size_t i = operation; i < block.operations.size(); ++i)
    if (const Rule* const rule = rule_of(block.operations[i]); rule != nullptr && rule->accesses) ++accesses;
  return accesses;
}

x86::Mem count_of_data() { return x86::qword_ptr(hart_register, place_in_hart(&Hart64::data_accesses)); }

}  // namespace

void Code::begin_accesses() {
  if (caches->fetches) fetch(*block_);
  if (!caches->use_rdx()) return;
  if (const std::int32_t accesses = accesses_from(*block_, 0); accesses != 0) a.add(count_of_data(), accesses);
}

/// The addresses of its lines are known, and so are their sets.
void Code::fetch(const Block64& block) {
  const CacheLookup& cache = caches->instructions;
  std::int32_t lines = 0;
  a.mov(x86::rax, cache.lines());
  for (std::uint64_t at = cache.line_of(block.pc); at < block.end; at += cache.line_bytes()) {
    fetched_.push_back({a.newLabel(), a.newLabel(), at});
    const x86::Mem used_last = x86::qword_ptr(x86::rax, cache.place_of_set(at));
    if (at <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) {
      a.cmp(used_last, static_cast<std::int32_t>(at));
    } else {
      a.mov(x86::rcx, at);
      a.cmp(used_last, x86::rcx);
    }
    a.jne(fetched_.back().label);
    a.bind(fetched_.back().back);
    ++lines;
  }
  a.add(x86::qword_ptr(hart_register, place_in_hart(&Hart64::fetched_lines)), lines);
}

/// It is in one line: it is aligned, and no line is shorter. The first store to a line makes it dirty out of line.
void Code::follow(const x86::Gp& address, bool writes) {
  followed_.push_back({a.newLabel(), a.newLabel(), address, writes});
  const Followed& access = followed_.back();
  if (caches->use_rdx()) {
    caches->data.emit_place_of_set(a, address, x86::rcx, has_bmi2);
    a.mov(x86::rcx, x86::qword_ptr(x86::rdx, x86::rcx));
    a.xor_(x86::rcx, address);
    a.cmp(x86::rcx, static_cast<std::int32_t>(caches->data.line_bytes()));
    a.jae(access.label);
    if (writes) {
      a.xor_(x86::ecx, address.r32());
      a.test(x86::cl, static_cast<std::int32_t>(cpu::Cache::dirty_bit));
      a.jz(access.label);
    }
  } else if (caches->follow_all()) {
    a.jmp(access.label);
  } else {
    if (has_bmi2) {
      a.rorx(x86::ecx, address.r32(), 2);  // the sample's bits are far from those that come in at the top
    } else {
      a.mov(x86::ecx, address.r32());
      a.shr(x86::ecx, 2);
    }
    a.xor_(x86::ecx, address.r32());
    a.test(x86::ecx, static_cast<std::int32_t>(caches->sample.mask));
    a.jz(access.label);
  }
  a.bind(access.back);
}

void Code::end_followed(const Stubs& stubs) {
  const Label loads = a.newLabel(), stores = a.newLabel(), instructions = a.newLabel();
  for (const Followed& access : followed_) {
    a.bind(access.label);
    if (access.address != x86::rax) a.mov(x86::rax, access.address);
    a.call(access.writes ? stores : loads);
    a.jmp(access.back);
  }
  for (const FetchedLine& line : fetched_) {
    a.bind(line.label);
    constant(x86::rax, line.address);
    a.call(instructions);
    a.mov(x86::rax, caches->instructions.lines());
    a.jmp(line.back);
  }
  const bool counts = !followed_.empty() && !caches->follow_all();
  if (std::ranges::any_of(followed_, [](const Followed& access) { return !access.writes; }))
    look_up(loads, stubs.find_to_read, touch_data<false>, counts);
  if (std::ranges::any_of(followed_, &Followed::writes)) look_up(stores, stubs.find_to_write, touch_data<true>, counts);
  if (!fetched_.empty()) look_up(instructions, stubs.find_instructions, touch_instructions, false);
}

/// A function: looks the address in rax up in the first level, and has the caches serve a miss. Keeps rax.
/// @param find    null: there is no first level
/// @param counts  the access is not counted by its block
void Code::look_up(const Label& label, const void* find, Touch touch, bool counts) {
  a.bind(label);
  if (find != nullptr) {
    const Label miss = a.newLabel();
    if (counts) a.add(count_of_data(), 1);
    a.call(reinterpret_cast<std::uint64_t>(find));
    a.jnz(miss);
    a.ret();
    a.bind(miss);
  }
  a.push(x86::rax);  // rsp becomes a multiple of 16
  write_back();
  a.mov(x86::rdi, hart_register);
  a.mov(x86::rsi, x86::rax);
  a.mov(x86::rdx, time_register);
  a.mov(x86::rax, reinterpret_cast<std::uint64_t>(touch));
  a.call(x86::rax);
  a.add(time_register, x86::rax);
  load_registers();
  a.pop(x86::rax);
  a.ret();
}

/// The interpreter finishes the block from this operation on, and counts its accesses.
void Code::take_back_accesses(const Block64& block, std::size_t operation) {
  if (caches == nullptr || !caches->use_rdx()) return;
  if (const std::int32_t accesses = accesses_from(block, operation); accesses != 0) a.sub(count_of_data(), accesses);
}

}  // namespace sanvp::riscv::x86_64
