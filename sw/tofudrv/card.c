/* Boots the card, and serves the requests of processes. */
#include "sw/tofudrv/card.h"

#include <stdlib.h>

#include "sw/abi/hal/driver.h"
#include "sw/hal/hal.h"

#define LINE_BYTES 128u /* SPARC64 VIIIfx: a cache line */

struct card* the_card(void) {
  static struct card card;
  return &card;
}

void card_write(const struct card* card, uint32_t reg, uint32_t value) { hal_write32(card->registers + reg, value); }

void hal_driver_boot(void) {
  struct card* card = the_card();
  card->registers = hal_device(TOFU_BAR_REGISTERS);
  hal_read_block(hal_device(TOFU_BAR_ROM), &card->position, sizeof card->position);
  if (card->registers == 0 || card->position.magic != TOFU_POSITION_MAGIC)
    hal_abort("tofudrv: there is no Tofu controller on this node's bus; give the machine nic.type = tofu");
  card->queues = aligned_alloc(LINE_BYTES, TOFU_TNIS * TOFU_QUEUES * sizeof *card->queues);
  card->gates = aligned_alloc(LINE_BYTES, TOFU_GATES * sizeof *card->gates);
  const uint64_t queues = hal_bus_address(card->queues), gates = hal_bus_address(card->gates);
  card_write(card, TOFU_REG_QUEUES_LOW, (uint32_t)queues);
  card_write(card, TOFU_REG_QUEUES_HIGH, (uint32_t)(queues >> 32));
  card_write(card, TOFU_REG_GATES_LOW, (uint32_t)gates);
  card_write(card, TOFU_REG_GATES_HIGH, (uint32_t)(gates >> 32));
}

/* Processes poll; the card has no reason to interrupt. */
void hal_driver_interrupt(void) {}

static const char* attach(struct card* card, int process, struct tofudrv_attach* args) {
  args->number = (uint32_t)process;
  args->position = card->position;
  args->gates = hal_device(TOFU_BAR_BARRIER) + (uint64_t)process * TOFU_PAGE_BYTES;
  hal_grant(process, args->gates, TOFU_PAGE_BYTES);
  return NULL;
}

void hal_driver_unmapped(int process, uint64_t bus_address, size_t bytes) {
  if ((uint32_t)process < TOFU_PROCESSES) queues_revoke(the_card(), process, bus_address, bytes);
}

int64_t hal_driver_ioctl(int process, unsigned request, void* argument) {
  struct card* card = the_card();
  if (!argument) return -1;
  if ((uint32_t)process >= TOFU_PROCESSES)
    return hal_answer(request, argument, "a node takes 16 processes: spread them over more nodes");
  const char* error = "the Tofu driver knows no such request";
  switch ((enum tofudrv_request)request) {
    case TOFUDRV_ATTACH:
      error = attach(card, process, argument);
      break;
    case TOFUDRV_OPEN:
      error = queue_open(card, process, argument);
      break;
    case TOFUDRV_CLOSE:
      error = queue_close(card, process, argument);
      break;
    case TOFUDRV_REGISTER:
      error = memory_register(card, process, argument);
      break;
    case TOFUDRV_DEREGISTER:
      error = memory_deregister(card, process, argument);
      break;
    case TOFUDRV_SET_GATE:
      error = gate_set(card, process, argument);
      break;
    default:
      break;
  }
  return hal_answer(request, argument, error);
}
