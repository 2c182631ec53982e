#include "models/nic/elan3/mmu.hpp"

#include <algorithm>
#include <cstddef>

namespace sanvp::nic::elan3 {
namespace {

/// The permission that `intent` lacks on a page, or E3_PERM_NULL if it is permitted (registers/elan3.h, e3_permission).
std::uint32_t missing(std::uint32_t permission, Subject subject, Intent intent) {
  if (!subject.remote) {
    if (intent == Intent::read) return permission >= E3_PERM_LOCAL_READ ? E3_PERM_NULL : E3_PERM_LOCAL_READ;
    return permission >= E3_PERM_NO_REMOTE ? E3_PERM_NULL : E3_PERM_NO_REMOTE;
  }
  switch (intent) {
    case Intent::read:
      return permission == E3_PERM_READ || permission >= E3_PERM_REMOTE_READ ? E3_PERM_NULL : E3_PERM_REMOTE_READ;
    case Intent::write:
      return permission >= E3_PERM_REMOTE_WRITE ? E3_PERM_NULL : E3_PERM_REMOTE_WRITE;
    case Intent::event:
      return permission >= E3_PERM_REMOTE_EVENT ? E3_PERM_NULL : E3_PERM_REMOTE_EVENT;
  }
  return E3_PERM_REMOTE_ALL;
}

}  // namespace

Registers<Mmu> Mmu::registers() {
  return {{.name = "ContextTable",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_CONTEXT_TABLE,
           .read = get<&Mmu::table>,
           .write = put<&Mmu::set_table>,
           .meaning = "SDRAM address of struct e3_context [Contexts]",
           .source = "FACTS 1.5"},
          {.name = "Contexts",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_CONTEXTS,
           .read = get<&Mmu::contexts>,
           .write = put<&Mmu::set_contexts>,
           .meaning = "number of contexts",
           .source = "assumed"},
          {.name = "FlushTlb",
           .window = E3_BAR_REGISTERS,
           .offset = E3_REG_FLUSH_TLB,
           .write = strobe<&Mmu::flush>,
           .meaning = "a write invalidates the TLB",
           .source = "assumed"}};
}

e3_context Mmu::context(std::uint32_t number) const {
  if (!exists(number)) return {.root = 0, .filter = E3_FILTER_DISCARD, .vp_table = 0, .vp_mask = 0};
  auto record = sdram_.load<e3_context>(record_of(number));
  record.filter = filter(number);
  return record;
}

std::uint32_t Mmu::filter(std::uint32_t context) const {
  if (!exists(context)) return E3_FILTER_DISCARD;
  const auto filter = sdram_.load<std::uint32_t>(record_of(context) + offsetof(e3_context, filter));
  const auto root = sdram_.load<std::uint32_t>(record_of(context) + offsetof(e3_context, root));
  const bool system = (filter & E3_FILTER_SYSTEM) != 0;
  // Without tables no process has attached yet: partners of a process that starts late keep retrying.
  const bool discards = root == 0 || (system ? discards_system_ : discards_user_);
  return discards ? filter | E3_FILTER_DISCARD : filter;
}

Mmu::Entry* Mmu::search(std::uint32_t context, std::uint32_t page) {
  for (Entry& entry : tlb_) {
    if (!entry.is(context, page)) continue;
    guess(page) = static_cast<std::uint8_t>(&entry - tlb_.data());
    return &entry;
  }
  return nullptr;
}

Mmu::Entry* Mmu::find_entry(std::uint32_t context, std::uint32_t page, int& walked) {
  Entry* const known = search(context, page);
  if (known == nullptr) return walk(context, page, walked);
  use(*known);
  return known;
}

/// Walks the tables, and replaces the least recently used entry.
Mmu::Entry* Mmu::walk(std::uint32_t context, std::uint32_t page, int& walked) {
  Entry* const oldest =
      std::min_element(tlb_.begin(), tlb_.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  counters_.count(Counter::tlb_walks);
  const e3_addr address = page * E3_PAGE_BYTES;
  walked = 1;
  const std::uint32_t root = this->context(context).root;
  if (root == 0) return nullptr;
  ++walked;
  const auto first = sdram_.load<std::uint32_t>(root + E3_L1_INDEX(address) * sizeof(std::uint32_t));
  if ((first & E3_PTP_VALID) == 0) return nullptr;
  ++walked;
  const auto second =
      sdram_.load<std::uint32_t>((first & ~E3_PTP_VALID) + E3_L2_INDEX(address) * sizeof(std::uint32_t));
  if ((second & E3_PTP_VALID) == 0) return nullptr;
  ++walked;
  const std::uint32_t at = (second & ~E3_PTP_VALID) + E3_L3_INDEX(address) * sizeof(std::uint64_t);
  const auto pte = sdram_.load<std::uint64_t>(at);
  if ((pte & E3_PTE_VALID) == 0) return nullptr;
  *oldest = {.context = context, .page = page, .at = at, .used = ++uses_};
  set(*oldest, pte | E3_PTE_REFERENCED);
  return oldest;
}

/// Updates the entry in the table in SDRAM, too.
void Mmu::set(Entry& entry, std::uint64_t pte) {
  sdram_.store(entry.at, pte);
  entry.pte = pte;
  entry.bytes = (pte & E3_PTE_LOCAL) != 0 ? sdram_.find(pte & E3_PTE_FRAME, E3_PAGE_BYTES) : nullptr;
  entry.permits = 0;
  const auto permission = static_cast<std::uint32_t>(E3_PTE_PERMISSION(pte));
  for (const bool remote : {false, true}) {
    for (const Intent intent : {Intent::read, Intent::write, Intent::event}) {
      const Subject subject{.remote = remote};
      const bool marks = intent != Intent::read && (pte & E3_PTE_MODIFIED) == 0;
      if (!marks && missing(permission, subject, intent) == E3_PERM_NULL) entry.permits |= bit_of(subject, intent);
    }
  }
}

Translation Mmu::translate(Subject subject, e3_addr address, Intent intent) {
  Translation result;
  if (Entry* const known = glance(subject, address, 1, intent); known != nullptr) {
    use(*known);
    return place_in(*known, address);
  }
  Entry* entry = find_entry(subject.context, address / E3_PAGE_BYTES, result.walked);
  if (entry == nullptr) {
    result.fault = {E3_CAUSE_PAGE, subject.context, address, missing(E3_PERM_NULL, subject, intent)};
    return result;
  }
  const auto permission = static_cast<std::uint32_t>(E3_PTE_PERMISSION(entry->pte));
  if (const std::uint32_t lacks = missing(permission, subject, intent); lacks != E3_PERM_NULL) {
    result.fault = {E3_CAUSE_PERMISSION, subject.context, address, lacks};
    return result;
  }
  if (intent != Intent::read && (entry->pte & E3_PTE_MODIFIED) == 0) {
    set(*entry, entry->pte | E3_PTE_MODIFIED);
  }
  return place_in(*entry, address, result.walked);
}

}  // namespace sanvp::nic::elan3
