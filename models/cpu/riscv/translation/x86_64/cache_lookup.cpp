#include "models/cpu/riscv/translation/x86_64/cache_lookup.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "models/cpu/riscv/translation/x86_64/layout.hpp"

namespace sanvp::riscv::x86_64 {

CacheLookup::CacheLookup(const cpu::CacheShape& shape, std::int32_t lines)
    : shape_(shape), line_bits_(std::countr_zero(shape.line_bytes)), lines_(lines) {}

void CacheLookup::emit_place_of_set(x86::Assembler& a, const x86::Gp& address, const x86::Gp& to, bool has_bmi2) const {
  const int set_bits = std::countr_zero(set_bytes());
  const int shift = line_bits_ - set_bits;
  if (has_bmi2 && shift > 0) {
    a.rorx(to, address, shift);
  } else {
    if (to != address) a.mov(to, address);
    if (shift > 0) a.shr(to, shift);
    if (shift < 0) a.shl(to, -shift);
  }
  a.and_(to.r32(), static_cast<std::int32_t>((shape_.sets() - 1) << set_bits));
  const auto odd = static_cast<std::int32_t>(set_bytes() >> set_bits);
  if (odd != 1) a.imul(to.r32(), to.r32(), odd);
}

void CacheLookup::emit_find(x86::Assembler& a, bool writes) const {
  constexpr std::uint64_t most_ways = 8;  // the code grows with their square; Cache::touch finds lines in others
  constexpr auto dirty_bit = static_cast<std::int32_t>(cpu::Cache::dirty_bit);
  const auto ways = static_cast<std::int32_t>(std::min(shape_.ways, most_ways));
  const x86::Gp set = x86::rdi, line = x86::rsi, other = x86::rcx;
  const auto way = [&](std::int32_t number) {
    return x86::qword_ptr(set, number * static_cast<std::int32_t>(sizeof(std::uint64_t)));
  };
  a.push(set);
  a.push(line);
  emit_place_of_set(a, x86::rax, set, false);
  a.add(set, lines());
  a.mov(line, x86::rax);
  a.and_(line, -static_cast<std::int32_t>(shape_.line_bytes));
  const asmjit::Label done = a.newLabel();
  std::vector<asmjit::Label> found;
  for (std::int32_t number = 0; number < ways; ++number) {
    found.push_back(a.newLabel());
    a.mov(other, way(number));
    a.xor_(other, line);
    a.cmp(other, dirty_bit);
    a.jbe(found.back());
  }
  a.test(x86::rsp, x86::rsp);  // clears the zero flag
  a.bind(done);
  a.pop(line);
  a.pop(set);
  a.ret();
  for (std::int32_t number = 0; number < ways; ++number) {
    a.bind(found[static_cast<std::size_t>(number)]);
    if (writes)
      a.or_(line, dirty_bit);
    else
      a.or_(line, other);  // it stays dirty
    for (std::int32_t to = number; to > 0; --to) {
      a.mov(other, way(to - 1));
      a.mov(way(to), other);
    }
    a.mov(way(0), line);
    a.xor_(other.r32(), other.r32());  // sets the zero flag
    a.jmp(done);
  }
}

FollowedCaches::FollowedCaches(const cpu::CachesSettings& settings, bool of_fetches)
    : sample(settings.sample()),
      fetches(of_fetches),
      data(cpu::Caches::data_shape(settings), place_in_hart(&Hart64::data_lines)),
      instructions(cpu::Caches::instructions_shape(settings), place_in_hart(&Hart64::instruction_lines)) {}

}  // namespace sanvp::riscv::x86_64
