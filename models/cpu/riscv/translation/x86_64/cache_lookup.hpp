/// Accesses of translated code to the first-level caches of the program's CPU. A hit on the line that its set has used
/// last changes nothing, so it is found in line; other hits by code that all regions share.
#pragma once

#include <cstdint>

#include "models/cpu/caches/caches.hpp"
#include "models/cpu/riscv/translation/x86_64/registers.hpp"

namespace sanvp::riscv::x86_64 {

/// A cache, whose lines a field of the hart leads to (Cache::lines).
class CacheLookup {
 public:
  /// @param lines  the place of that field in the hart
  CacheLookup(const cpu::CacheShape& shape, std::int32_t lines);

  bool exists() const { return shape_.bytes != 0; }
  const cpu::CacheShape& shape() const { return shape_; }
  std::uint64_t line_bytes() const { return shape_.line_bytes; }
  std::uint64_t line_of(std::uint64_t address) const { return address & ~(shape_.line_bytes - 1); }
  /// The hart's field.
  x86::Mem lines() const { return x86::qword_ptr(hart_register, lines_); }
  /// Bytes from the first line to the set of this address.
  std::int32_t place_of_set(std::uint64_t address) const {
    return static_cast<std::int32_t>(((address >> line_bits_) & (shape_.sets() - 1)) * set_bytes());
  }
  /// The same for an address at run time. @param to  may be the address
  void emit_place_of_set(x86::Assembler& a, const x86::Gp& address, const x86::Gp& to, bool has_bmi2) const;
  /// A function: sets the zero flag if the cache holds the line of the address in rax, which then is the one used last,
  /// and is dirty if the function `writes`. Changes rcx.
  void emit_find(x86::Assembler& a, bool writes) const;

 private:
  std::uint64_t set_bytes() const { return shape_.ways * sizeof(std::uint64_t); }

  cpu::CacheShape shape_;
  int line_bits_;
  std::int32_t lines_;
};

/// Which accesses caches follow.
struct FollowedCaches {
  FollowedCaches(const cpu::CachesSettings& settings, bool of_fetches);

  cpu::Sample sample;
  bool fetches;  ///< instructions go through them, too
  CacheLookup data, instructions;

  /// Whether code for one follows accesses as code for the other.
  bool is_like(const FollowedCaches& other) const {
    return sample.mask == other.sample.mask && fetches == other.fetches && data.shape() == other.data.shape() &&
           instructions.shape() == other.instructions.shape();
  }
  bool follow_all() const { return sample.mask == 0; }
  /// Whether rdx holds where the data cache's lines are.
  bool use_rdx() const { return follow_all() && data.exists(); }
};

}  // namespace sanvp::riscv::x86_64
