/// Memory as a unit of the card sees it, by virtual address: translated, then SDRAM, or the host's memory over the bus.
/// Data moves at the call; the result says when the unit may go on, for it to wait for.
#pragma once

#include <cstring>
#include <span>

#include "models/net/memory.hpp"
#include "models/nic/elan3/mmu.hpp"
#include "models/nic/elan3/pci.hpp"

namespace sanvp::nic::elan3 {

struct Access {
  Time done{0};
  Fault fault{};      ///< where true, nothing beyond the page before it has moved
  bool main = false;  ///< some of it was main memory
};

class Memory {
 public:
  Memory(Sdram& sdram, Mmu& mmu, Pci& pci) : sdram_(sdram), mmu_(mmu), pci_(pci) {}

  /// @param at  not earlier than now
  Access read(Subject subject, e3_addr address, std::span<std::byte> to, Time at, Intent intent = Intent::read);
  Access write(Subject subject, e3_addr address, std::span<const std::byte> from, Time at,
               Intent intent = Intent::write);
  /// Whether it would be permitted; translates it, so that the access itself finds it in the TLB.
  Access check(Subject subject, e3_addr address, std::uint32_t bytes, Intent intent, Time at) {
    const Mmu::Kind kind = mmu_.find_kind(subject, address, bytes, intent);
    if (kind == Mmu::Kind::unknown) return check_pages(subject, address, bytes, intent, at);
    return {.done = at, .main = kind == Mmu::Kind::main};
  }

  template <class T>
  Access load(Subject subject, e3_addr address, T& value, Time at, Intent intent = Intent::read) {
    if (const std::byte* from = mmu_.find(subject, address, sizeof value, intent); from != nullptr) {
      std::memcpy(&value, from, sizeof value);
      return {.done = at + sdram_.rules().access};
    }
    return read(subject, address, std::as_writable_bytes(std::span{&value, 1}), at, intent);
  }
  template <class T>
  Access store(Subject subject, e3_addr address, const T& value, Time at, Intent intent = Intent::write) {
    if (std::byte* to = mmu_.find(subject, address, sizeof value, intent); to != nullptr) {
      std::memcpy(to, &value, sizeof value);
      return {.done = at + sdram_.rules().access};
    }
    return write(subject, address, std::as_bytes(std::span{&value, 1}), at, intent);
  }

  /// These bytes will be wanted soon, and come into the cache of the computer that simulates, as far as their place is
  /// known at a glance. Nothing of the card changes.
  void fetch_ahead(std::uint32_t context, e3_addr address, std::size_t bytes) const {
    if (const std::byte* const begin = mmu_.place(context, address); begin != nullptr)
      net::fetch_lines(begin, bytes + address % net::cache_line);
  }

  Sdram& sdram() { return sdram_; }
  Mmu& mmu() { return mmu_; }

 private:
  Access check_pages(Subject subject, e3_addr address, std::uint32_t bytes, Intent intent, Time at);
  template <class Move>
  Access walk(Subject subject, e3_addr address, std::size_t bytes, Intent intent, Time at, Move move);

  Sdram& sdram_;
  Mmu& mmu_;
  Pci& pci_;
};

}  // namespace sanvp::nic::elan3
