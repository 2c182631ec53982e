/* Steering tables: which memory of a process a control queue reaches by a tag. */
#include <stdlib.h>

#include "sw/hal/driver.h"
#include "sw/hal/hal.h"
#include "sw/tofudrv/card.h"

/* Bus addresses of the pieces of TOFU_LARGE_PAGE bytes. The operating system backs processes with large pages (assumed,
 * as on the K computer), so a piece is contiguous; only its ends are checked. */
static uint64_t* make_pages(const volatile char* pointer, uint64_t bytes) {
  const uint64_t count = (bytes + TOFU_LARGE_PAGE - 1) / TOFU_LARGE_PAGE;
  uint64_t* pages = malloc(count * sizeof *pages);
  for (uint64_t i = 0; pages && i < count; ++i) {
    const uint64_t begin = i * TOFU_LARGE_PAGE, left = bytes - begin;
    const uint64_t last = (left < TOFU_LARGE_PAGE ? left : TOFU_LARGE_PAGE) - 1;
    pages[i] = hal_bus_address(pointer + begin);
    if (hal_bus_address(pointer + begin + last) - pages[i] == last) continue;
    free(pages);
    return NULL;
  }
  return pages;
}

const char* memory_register(struct card* card, int process, const struct tofudrv_register* args) {
  const uint32_t index = queue_index(process, args->tni, args->component);
  if (index == UINT32_MAX || !card->steering[index]) return "this control queue is not open";
  if (args->tag >= TOFU_TAGS) return "steering tags go from 0 to 1023";
  if (args->bytes == 0) return "there are no bytes to be registered";
  struct tofu_steering* entry = &card->steering[index]->entries[args->tag];
  if (entry->bytes != 0) return "this steering tag is in use";
  if (!hal_process_owns(process, args->pointer, args->bytes)) return "this memory is not the process's own";
  uint64_t* pages = make_pages(args->pointer, args->bytes);
  if (!pages) return "this memory is in pieces: it does not lie in large pages";
  card->steering[index]->pages[args->tag] = pages;
  *entry = (struct tofu_steering){.pages = hal_bus_address(pages), .bytes = args->bytes, .flags = args->flags};
  card_write(card, TOFU_REG_FLUSH, 1); /* the card may have cached that there was none */
  return NULL;
}

const char* memory_deregister(struct card* card, int process, const struct tofudrv_deregister* args) {
  const uint32_t index = queue_index(process, args->tni, args->component);
  if (index == UINT32_MAX || !card->steering[index]) return "this control queue is not open";
  struct steering_table* table = card->steering[index];
  if (args->tag >= TOFU_TAGS || table->entries[args->tag].bytes == 0) return "this steering tag is not in use";
  table->entries[args->tag].bytes = 0;
  card_write(card, TOFU_REG_FLUSH, 1);
  free(table->pages[args->tag]);
  table->pages[args->tag] = NULL;
  return NULL;
}
