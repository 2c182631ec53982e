#include "driver.h"

/* Where the driver's tables are in the card's SDRAM. */
enum { CONTEXTS = 0x1000, TRAPS = 0x2000, ROUTES = 0x4000, TABLES = 0x10000, DATA = 0x100000 };
enum { TIMEOUT = 3 }; /* of a switch for a packet that does not get on: the longest */

static volatile uint32_t* word_at(uintptr_t address) { return (volatile uint32_t*)address; }

static void put(const struct card* card, uint32_t at, uint32_t value) { *word_at(card->sdram + at) = value; }
static uint32_t get(const struct card* card, uint32_t at) { return *word_at(card->sdram + at); }
static void put_double(const struct card* card, uint32_t at, uint64_t value) {
  put(card, at, (uint32_t)value);
  put(card, at + 4, (uint32_t)(value >> 32));
}
static void write_register(const struct card* card, uint32_t offset, uint32_t value) {
  *word_at(card->registers + offset) = value;
}
static uint32_t read_register(const struct card* card, uint32_t offset) { return *word_at(card->registers + offset); }

/* A new page is zeros: the card's memory is so after reset. */
static uint32_t new_table(struct card* card, uint32_t bytes) {
  const uint32_t table = card->next_table;
  card->next_table += bytes;
  return table;
}
static uint32_t table_at(struct card* card, uint32_t pointer, uint32_t bytes) {
  const uint32_t known = get(card, pointer);
  if (known != 0) return known & ~E3_PTP_VALID;
  const uint32_t table = new_table(card, bytes);
  put(card, pointer, table | E3_PTP_VALID);
  return table;
}

static void map(struct card* card, uint32_t root, e3_addr address, uint64_t frame) {
  const uint32_t second = table_at(card, root + E3_L1_INDEX(address) * 4, E3_L2_ENTRIES * 4);
  const uint32_t third = table_at(card, second + E3_L2_INDEX(address) * 4, E3_L3_ENTRIES * 8);
  put_double(card, third + E3_L3_INDEX(address) * 8,
             frame | E3_PTE_VALID | (uint64_t)E3_PERM_REMOTE_ALL << E3_PTE_PERMISSION_SHIFT);
}

void card_boot(struct card* card, uint32_t node, uint32_t nodes) {
  card->next_table = TABLES;
  card->cookie = card->events = 0;
  write_register(card, E3_REG_CONTEXT_TABLE, CONTEXTS);
  write_register(card, E3_REG_CONTEXTS, 1);
  write_register(card, E3_REG_TRAP_BASE, TRAPS);
  write_register(card, E3_REG_INTERRUPT_MASK, E3_INT_EVENT);
  /* The only switch on the way to node n has it at port n. */
  for (uint32_t to = 0; to < nodes; ++to)
    if (to != node)
      put_double(card, ROUTES + to * 8, E3_ROUTE_VALID | E3_ELEMENT_PORT(to) | TIMEOUT << E3_FLIT0_TIMEOUT_SHIFT);
  const uint32_t root = new_table(card, E3_L1_ENTRIES * 4);
  put(card, CONTEXTS + 0, root);
  put(card, CONTEXTS + 4, 0);
  put(card, CONTEXTS + 8, ROUTES);
  put(card, CONTEXTS + 12, nodes - 1);
  for (uint32_t page = 0; page < ELAN_PAGES; ++page) {
    const uint32_t offset = page * E3_PAGE_BYTES;
    map(card, root, ELAN_SDRAM + offset, (DATA + offset) | E3_PTE_LOCAL);
    map(card, root, ELAN_MAIN + offset, offset);
  }
}

void card_store(struct card* card, e3_addr to, const void* from, uint32_t bytes) {
  const uint32_t* words = from;
  for (uint32_t i = 0; i < bytes / 4; ++i) put(card, to - ELAN_SDRAM + DATA + i * 4, words[i]);
}

void card_start_dma(struct card* card, e3_addr descriptor) { *word_at(card->commands + E3_CP_PUT_DMA) = descriptor; }

/* Acknowledges first, then looks once more: an event that comes between is not lost. The load comes after the store. */
void card_interrupt(struct card* card) {
  while ((read_register(card, E3_REG_INTERRUPT) & E3_INT_EVENT) != 0) {
    card->cookie = read_register(card, E3_REG_EVENT_COOKIE);
    ++card->events;
    write_register(card, E3_REG_INTERRUPT, E3_INT_EVENT);
  }
}
