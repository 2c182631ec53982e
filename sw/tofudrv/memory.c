/* Steering tables: the memory of a process that a control queue reaches by a tag. */
#include <stdlib.h>

#include "sw/abi/hal/driver.h"
#include "sw/hal/hal.h"
#include "sw/tofudrv/card.h"

/* Bus addresses of the pieces of TOFU_LARGE_PAGE bytes: the operating system backs processes with large pages (assumed,
 * as on the K computer). */
static uint64_t* make_pages(uint64_t memory, uint64_t bytes) {
  const uint64_t count = (bytes + TOFU_LARGE_PAGE - 1) / TOFU_LARGE_PAGE;
  uint64_t* pages = malloc(count * sizeof *pages);
  for (uint64_t i = 0; pages && i < count; ++i) pages[i] = memory + i * TOFU_LARGE_PAGE;
  return pages;
}

const char* memory_register(struct card* card, int process, const struct tofudrv_register* args) {
  const uint32_t index = queue_index(process, args->tni, args->component);
  if (index == UINT32_MAX || !card->steering[index]) return "this control queue is not open";
  if (args->tag >= TOFU_TAGS) return "steering tags go from 0 to 1023";
  if (args->bytes == 0) return "there are no bytes to be registered";
  struct tofu_steering* entry = &card->steering[index]->entries[args->tag];
  if (entry->bytes != 0) return "this steering tag is in use";
  const uint64_t memory = hal_process_memory(process, args->pointer, args->bytes);
  if (memory == 0) return "this memory is not the process's own";
  uint64_t* pages = make_pages(memory, args->bytes);
  if (!pages) return "the node's memory is full";
  card->steering[index]->pages[args->tag] = pages;
  *entry = (struct tofu_steering){.pages = hal_bus_address(pages), .bytes = args->bytes, .flags = args->flags};
  card_write(card, TOFU_REG_FLUSH, 1); /* the card may have cached its absence */
  return NULL;
}

static void forget(struct card* card, struct steering_table* table, uint32_t tag) {
  table->entries[tag].bytes = 0;
  card_write(card, TOFU_REG_FLUSH, 1);
  free(table->pages[tag]);
  table->pages[tag] = NULL;
}

void memory_revoke(struct card* card, uint32_t index, uint64_t bus_address, uint64_t bytes) {
  struct steering_table* table = card->steering[index];
  for (uint32_t tag = 0; tag < TOFU_TAGS; ++tag)
    if (table->pages[tag] && hal_overlap(table->pages[tag][0], table->entries[tag].bytes, bus_address, bytes))
      forget(card, table, tag);
}

const char* memory_deregister(struct card* card, int process, const struct tofudrv_deregister* args) {
  const uint32_t index = queue_index(process, args->tni, args->component);
  if (index == UINT32_MAX || !card->steering[index]) return "this control queue is not open";
  struct steering_table* table = card->steering[index];
  if (args->tag >= TOFU_TAGS || table->entries[args->tag].bytes == 0) return "this steering tag is not in use";
  forget(card, table, args->tag);
  return NULL;
}
