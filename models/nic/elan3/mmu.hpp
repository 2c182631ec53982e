/// The Elan3's memory management (FACTS.md 1.5, "MMU"): 32-bit virtual addresses of a context, translated by a table
/// walk in SDRAM behind a TLB of 16 entries, with permissions for the context's own process and for all others.
#pragma once

#include <array>
#include <cstdint>

#include "models/nic/card/registers.hpp"
#include "models/nic/elan3/counters.hpp"
#include "models/nic/elan3/sdram.hpp"
#include "sw/abi/registers/elan3.h"

namespace sanvp::nic::elan3 {

/// The context and rights with which memory is accessed.
struct Subject {
  std::uint32_t context = 0;
  bool remote = false;  ///< on behalf of another process, by a packet or a DMA that came in a packet
  int input = -1;       ///< the input channel that accesses, for the trace; below 0: another unit
};

enum class Intent : std::uint8_t { read, write, event };

/// Why an access was refused, as in a trap record; false if it was not.
struct Fault {
  std::uint32_t cause = E3_CAUSE_NONE;
  std::uint32_t context = 0;
  e3_addr address = 0;
  std::uint32_t access = E3_PERM_NULL;  ///< the permission that was missing
  explicit operator bool() const { return cause != E3_CAUSE_NONE; }
};

struct Translation {
  std::uint64_t address = 0;  ///< in SDRAM, or on the bus
  bool local = false;         ///< in SDRAM
  int walked = 0;             ///< tables read, an SDRAM access each
  Fault fault{};
};

class Mmu {
 public:
  Mmu(Sdram& sdram, Counters& counters) : sdram_(sdram), counters_(counters) {}

  /// Translates one address, and with it its page.
  Translation translate(Subject subject, e3_addr address, Intent intent);
  /// Fast path for a TLB hit on one page in SDRAM that changes nothing in the entry, which covers nearly all accesses.
  /// Null otherwise: then nothing has been done, and translate() has to be called.
  std::byte* find(Subject subject, e3_addr address, std::size_t bytes, Intent intent) {
    Entry* const entry = glance(subject, address, bytes, intent);
    if (entry == nullptr || entry->bytes == nullptr) return nullptr;
    use(*entry);
    return entry->bytes + address % E3_PAGE_BYTES;
  }
  enum class Kind : std::uint8_t { unknown, local, main };
  /// And whether the bytes are in SDRAM or in main memory; unknown where find() would be null for another reason.
  Kind find_kind(Subject subject, e3_addr address, std::size_t bytes, Intent intent) {
    Entry* const entry = glance(subject, address, bytes, intent);
    if (entry == nullptr) return Kind::unknown;
    use(*entry);
    return (entry->pte & E3_PTE_LOCAL) != 0 ? Kind::local : Kind::main;
  }
  /// Native pointer to the bytes at an address, in SDRAM or in main memory (where a bus address is a pointer,
  /// host/memory.hpp); null on a TLB miss. Not an access: it is not counted, and permissions are not checked.
  const std::byte* place(std::uint32_t context, e3_addr address) const {
    const std::uint32_t page = address / E3_PAGE_BYTES;
    const Entry& entry = tlb_[guess_[guess_index(page)]];
    if (!entry.is(context, page)) return nullptr;
    const std::byte* const begin =
        entry.bytes != nullptr ? entry.bytes : reinterpret_cast<const std::byte*>(entry.pte & E3_PTE_FRAME);
    return begin + address % E3_PAGE_BYTES;
  }
  /// Prefetches the context's descriptor into the cache of the simulating computer.
  void fetch_ahead(std::uint32_t context) const {
    if (exists(context)) __builtin_prefetch(sdram_.find(record_of(context), sizeof(e3_context)));
  }
  void flush() { tlb_ = {}; }

  static Registers<Mmu> registers();

  void set_table(std::uint32_t table) { table_ = table; }
  void set_contexts(std::uint32_t count) { contexts_ = count; }
  std::uint32_t table() const { return table_; }
  std::uint32_t contexts() const { return contexts_; }
  /// Contexts of users, or of the system, whose filter is overridden with E3_FILTER_DISCARD.
  void discard(bool user, bool system) { discards_user_ = user, discards_system_ = system; }
  /// The context's descriptor, as the driver wrote it; for one that does not exist, packets are discarded.
  e3_context context(std::uint32_t number) const;
  /// Its filter only.
  std::uint32_t filter(std::uint32_t context) const;

 private:
  static constexpr int entries = 16;  // FACTS 1.1
  static constexpr std::uint32_t guesses = 64;

  struct Entry {
    std::uint64_t pte = 0;  // not valid: unused
    std::uint32_t context = 0;
    std::uint32_t page = 0;
    std::uint32_t at = 0;  // SDRAM address of the page table entry
    std::uint64_t used = 0;
    std::byte* bytes = nullptr;  // of the page in SDRAM
    std::uint8_t permits = 0;    // bit_of() each kind of access that changes nothing here; 0: unused

    bool is(std::uint32_t of, std::uint32_t number) const {
      return page == number && context == of && (pte & E3_PTE_VALID) != 0;
    }
  };

  static std::uint8_t bit_of(Subject subject, Intent intent) {
    constexpr int intents = 3;
    return static_cast<std::uint8_t>(1U << (static_cast<int>(intent) + (subject.remote ? intents : 0)));
  }
  static std::uint32_t guess_index(std::uint32_t page) { return (page ^ page / guesses) % guesses; }
  std::uint8_t& guess(std::uint32_t page) { return guess_[guess_index(page)]; }
  void use(Entry& entry) {
    entry.used = ++uses_;
    counters_.count(Counter::tlb_hits);
  }
  /// Null also if there are no bytes, or they are on two pages.
  Entry* glance(Subject subject, e3_addr address, std::size_t bytes, Intent intent) {
    const std::uint32_t page = address / E3_PAGE_BYTES;
    Entry& entry = tlb_[guess(page)];
    const bool found = entry.page == page && entry.context == subject.context &&
                       (entry.permits & bit_of(subject, intent)) != 0 && bytes > 0 &&
                       address % E3_PAGE_BYTES + bytes <= E3_PAGE_BYTES;
    return found ? &entry : nullptr;
  }
  static Translation place_in(const Entry& entry, e3_addr address, int walked = 0) {
    return {.address = (entry.pte & E3_PTE_FRAME) | (address % E3_PAGE_BYTES),
            .local = (entry.pte & E3_PTE_LOCAL) != 0,
            .walked = walked};
  }
  void set(Entry& entry, std::uint64_t pte);
  bool exists(std::uint32_t context) const { return table_ != 0 && context < contexts_; }
  /// Address in SDRAM of a context's descriptor.
  std::uint64_t record_of(std::uint32_t context) const { return table_ + std::uint64_t{context} * sizeof(e3_context); }

  /// Null if the walk ends early; `walked` is the number of tables read.
  Entry* find_entry(std::uint32_t context, std::uint32_t page, int& walked);
  Entry* search(std::uint32_t context, std::uint32_t page);
  Entry* walk(std::uint32_t context, std::uint32_t page, int& walked);

  Sdram& sdram_;
  Counters& counters_;
  std::uint32_t table_ = 0;
  std::uint32_t contexts_ = 0;
  bool discards_user_ = false;
  bool discards_system_ = false;
  std::array<Entry, entries> tlb_{};
  std::array<std::uint8_t, guesses> guess_{};  // by bits of the page number: the entry that hit last
  std::uint64_t uses_ = 0;
};

}  // namespace sanvp::nic::elan3
