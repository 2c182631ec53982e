/* A process's address space: its mappings, and the card's page tables for them. */
#include <stdlib.h>
#include <string.h>

#include "sw/abi/hal/driver.h"
#include "sw/elan3drv/card.h"
#include "sw/hal/hal.h"

static const char* const no_sdram = "the card's memory is full: free Elan memory, or map less";

/* A table of the card, empty. Cleared explicitly: the memory may have been used before. */
static uint32_t new_table(struct card* card, uint32_t bytes) {
  static const char zeros[E3_L1_ENTRIES * sizeof(uint32_t)];
  const uint32_t table = extents_allocate(&card->sdram, bytes, bytes);
  if (table != 0) card_to_sdram(card, table, zeros, bytes);
  return table;
}

static void point(struct card* card, uint32_t table, uint32_t index, uint32_t to) {
  hal_write32(card->sdram_window + table + index * (uint32_t)sizeof(uint32_t), to | E3_PTP_VALID);
}

const char* mapping_create(struct card* card, struct process* process) {
  process->tables.root = new_table(card, E3_L1_ENTRIES * sizeof(uint32_t));
  return process->tables.root != 0 ? NULL : no_sdram;
}

const char* mapping_add_range(struct process* process, struct range range) {
  if ((range.address | range.bytes | range.pointer) % E3_PAGE_BYTES != 0 || range.bytes == 0)
    return "a mapping is made of whole pages";
  if (range.permission > E3_PERM_REMOTE_ALL) return "there is no such permission (enum e3_permission)";
  if (range.bytes > (1ull << 32) || range.address + range.bytes > (1ull << 32))
    return "the mapping ends beyond the 32-bit Elan addresses";
  for (size_t i = 0; i < process->range_count; ++i) {
    const struct range* old = &process->ranges[i];
    if (range.address < old->address + old->bytes && old->address < range.address + range.bytes)
      return "something is mapped at these Elan addresses already";
  }
  if (process->range_count == process->range_room) {
    process->range_room = process->range_room ? 2 * process->range_room : 8;
    process->ranges = realloc(process->ranges, process->range_room * sizeof *process->ranges);
  }
  process->ranges[process->range_count++] = range;
  return NULL;
}

const struct range* mapping_find(const struct process* process, e3_addr address) {
  for (size_t i = 0; i < process->range_count; ++i) {
    const struct range* range = &process->ranges[i];
    if (address >= range->address && address - range->address < range->bytes) return range;
  }
  return NULL;
}

/* The level-3 table of an address, made on demand. Null if the card's memory is full. */
static struct level3* level3_of(struct card* card, struct process* process, e3_addr address) {
  struct level2** two = &process->tables.next[E3_L1_INDEX(address)];
  if (!*two) {
    const uint32_t table = new_table(card, E3_L2_ENTRIES * sizeof(uint32_t));
    if (table == 0) return NULL;
    *two = calloc(1, sizeof **two);
    (*two)->table = table;
    point(card, process->tables.root, E3_L1_INDEX(address), table);
  }
  struct level3** three = &(*two)->next[E3_L2_INDEX(address)];
  if (!*three) {
    const uint32_t table = new_table(card, E3_L3_ENTRIES * sizeof(uint64_t));
    if (table == 0) return NULL;
    *three = calloc(1, sizeof **three);
    (*three)->table = table;
    point(card, (*two)->table, E3_L2_INDEX(address), table);
  }
  return *three;
}

/* 0 if the process has given the memory back. */
static uint64_t entry_of(const struct process* process, const struct range* range, e3_addr page) {
  const uint64_t offset = page - range->address;
  const uint64_t rights = E3_PTE_VALID | (uint64_t)range->permission << E3_PTE_PERMISSION_SHIFT;
  if (range->pointer == 0) return rights | E3_PTE_LOCAL | (range->physical + offset);
  const uint64_t frame = hal_process_memory(process->number, range->pointer + offset, E3_PAGE_BYTES);
  return frame != 0 ? rights | (frame & E3_PTE_FRAME) : 0;
}

const char* mapping_populate(struct card* card, struct process* process, e3_addr address, uint64_t bytes) {
  if (bytes > (1ull << 32) - address) return "the range ends beyond the 32-bit Elan addresses";
  const uint64_t end = (uint64_t)address + bytes;
  const uint64_t first_page = address & ~(uint64_t)(E3_PAGE_BYTES - 1);
  uint64_t page = first_page;
  while (page < end) {
    struct level3* table = level3_of(card, process, (e3_addr)page);
    if (!table) return no_sdram;
    /* Entries that follow each other are written in one burst. */
    const uint32_t first = E3_L3_INDEX((e3_addr)page);
    uint32_t changed_first = E3_L3_ENTRIES, changed_end = 0;
    uint32_t index = first;
    for (; index < E3_L3_ENTRIES && page < end; ++index, page += E3_PAGE_BYTES) {
      const struct range* range = mapping_find(process, (e3_addr)page);
      if (!range || (table->valid >> index & 1)) continue;
      const uint64_t entry = entry_of(process, range, (e3_addr)page);
      if (entry == 0 && page == first_page) return "this memory is not the process's own";
      if (entry == 0) continue;
      table->entries[index] = entry;
      table->valid |= 1ull << index;
      if (changed_first == E3_L3_ENTRIES) changed_first = index;
      changed_end = index + 1;
    }
    if (changed_first < changed_end)
      card_to_sdram(card, table->table + changed_first * (uint32_t)sizeof(uint64_t), table->entries + changed_first,
                    (changed_end - changed_first) * sizeof(uint64_t));
  }
  return NULL;
}

static void clear_entry(const struct card* card, struct level3* table, uint32_t index) {
  table->valid &= ~(1ull << index);
  table->entries[index] = 0;
  hal_write64(card->sdram_window + table->table + index * sizeof(uint64_t), 0);
}

static int revoke_in(const struct card* card, struct level3* table, uint64_t bus_address, uint64_t bytes) {
  int any = 0;
  for (uint32_t index = 0; table && index < E3_L3_ENTRIES; ++index) {
    const uint64_t entry = table->entries[index];
    if (!(table->valid >> index & 1) || (entry & E3_PTE_LOCAL) ||
        !hal_overlap(entry & E3_PTE_FRAME, E3_PAGE_BYTES, bus_address, bytes))
      continue;
    clear_entry(card, table, index);
    any = 1;
  }
  return any;
}

void mapping_revoke(struct card* card, struct process* process, uint64_t bus_address, uint64_t bytes) {
  int any = 0;
  for (uint32_t one = 0; one < E3_L1_ENTRIES; ++one) {
    const struct level2* two = process->tables.next[one];
    for (uint32_t i = 0; two && i < E3_L2_ENTRIES; ++i) any |= revoke_in(card, two->next[i], bus_address, bytes);
  }
  if (any) card_write(card, E3_REG_FLUSH_TLB, 1);
}

void mapping_remove(struct card* card, struct process* process, e3_addr address) {
  for (size_t i = 0; i < process->range_count; ++i) {
    const struct range range = process->ranges[i];
    if (range.address != address) continue;
    process->ranges[i] = process->ranges[--process->range_count];
    for (uint64_t page = address; page < address + range.bytes; page += E3_PAGE_BYTES) {
      struct level3* table = level3_of(card, process, (e3_addr)page);
      const uint32_t index = E3_L3_INDEX((e3_addr)page);
      if (!table || !(table->valid >> index & 1)) continue;
      clear_entry(card, table, index);
    }
    card_write(card, E3_REG_FLUSH_TLB, 1);
    return;
  }
}
