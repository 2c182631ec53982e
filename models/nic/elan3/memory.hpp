/// Memory by virtual address, as the units of the card access it: translated, then SDRAM, or the host's memory over the
/// bus. Data moves at the call; the result contains the time until which the unit has to wait.
#pragma once

#include <cstring>
#include <span>

#include "models/net/memory.hpp"
#include "models/nic/elan3/mmu.hpp"
#include "models/nic/elan3/pci.hpp"

namespace sanvp::nic::elan3 {

struct Access {
  Time done{0};
  Fault fault{};      ///< if true, only data on earlier pages has moved
  bool main = false;  ///< part of it was main memory
};

class Memory {
 public:
  Memory(Sdram& sdram, Mmu& mmu, Pci& pci) : sdram_(sdram), mmu_(mmu), pci_(pci) {}

  /// @param at  not earlier than now
  Access read(Subject subject, e3_addr address, std::span<std::byte> to, Time at, Intent intent = Intent::read);
  Access write(Subject subject, e3_addr address, std::span<const std::byte> from, Time at,
               Intent intent = Intent::write);
  /// Whether an access would be permitted. Loads the translation into the TLB for the access itself.
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

  /// Prefetches these bytes into the cache of the simulating computer, on a TLB hit. The card's state does not change.
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
