/* Boots the card; link errors and faults. */
#include "sw/ds_linkdrv/card.h"

#include <stdio.h>
#include <stdlib.h>

#include "sw/abi/hal/driver.h"
#include "sw/ds_linkdrv/configure.h"
#include "sw/hal/hal.h"

struct card* the_card(void) {
  static struct card card;
  return &card;
}

/* The cabling follows in the ROM. */
static void load_tables(const struct card* card) {
  const size_t bytes =
      sizeof(struct stc104_network) + (size_t)card->position.switches * STC104_LINKS * sizeof(uint32_t);
  struct stc104_network* network = malloc(bytes);
  if (!network) hal_abort("ds_linkdrv: the node's memory is full; give it more (host.memory)");
  for (size_t at = 0; at < bytes; at += sizeof(uint32_t))
    ((uint32_t*)network)[at / sizeof(uint32_t)] = hal_read32(hal_device(DS_BAR_ROM) + sizeof card->position + at);
  configure(hal_device(DS_BAR_CONTROL), network, card->position.header_links, (int)card->position.deletes_header);
  free(network);
}

static void wait_for_link(const struct card* card) {
  while (hal_read32(card->registers + DS_REG_LINK_STATUS) != DS_LINK_RUNNING) hal_sleep_ps(HAL_PS_PER_US);
}

void hal_driver_boot(void) {
  struct card* card = the_card();
  card->channels = hal_device(DS_BAR_CHANNELS);
  card->registers = hal_device(DS_BAR_REGISTERS);
  hal_read_block(hal_device(DS_BAR_ROM), &card->position, sizeof card->position);
  if (card->position.magic != DS_POSITION_MAGIC)
    hal_abort("ds_linkdrv: there is no DS link on this node; give the machine nic.type = ds_link");
  card->links_per_process = card->position.virtual_links / card->position.processes;
  if (card->position.switches > 0) load_tables(card);
  hal_write32(card->registers + DS_REG_LINK_COMMAND, DS_LINK_START);
  wait_for_link(card);
  hal_write32(card->registers + DS_REG_INTERRUPT, DS_INT_LINK_RUNNING);
  hal_write32(card->registers + DS_REG_MASK, DS_INT_LINK_ERROR | DS_INT_FAULT);
}

static const char* describe(uint32_t cause) {
  switch ((enum ds_fault_cause)cause) {
    case DS_FAULT_ADDRESS:
      return "a message's memory is not this node's; check its address and length";
    case DS_FAULT_BUSY:
      return "an output or input began while the channel had one under way; let one process use a channel's end";
    case DS_FAULT_NOT_CONNECTED:
      return "the channel leads nowhere; get it from ds_channel_to or ds_channel_from";
    case DS_FAULT_NO_ROUTE:
      return "no switch on the way has an interval for the partner; see `sanvp check` of the machine";
    case DS_FAULT_NONE:
    default:
      return "for an unknown reason";
  }
}

static void handle_faults(const struct card* card) {
  uint32_t fault;
  while ((fault = hal_read32(card->registers + DS_REG_FAULT)) != 0) {
    char text[192];
    snprintf(text, sizeof text, "ds_link: virtual link %u: %s", DS_FAULT_LINK(fault), describe(DS_FAULT_CAUSE(fault)));
    hal_kill((int)(DS_FAULT_LINK(fault) / card->links_per_process), text);
  }
}

void hal_driver_interrupt(void) {
  struct card* card = the_card();
  const uint32_t pending = hal_read32(card->registers + DS_REG_INTERRUPT);
  /* Cleared first, so that a new event from now on is not missed. */
  hal_write32(card->registers + DS_REG_INTERRUPT, pending);
  if (pending & DS_INT_LINK_ERROR) hal_write32(card->registers + DS_REG_LINK_COMMAND, DS_LINK_START);
  if (pending & DS_INT_FAULT) handle_faults(card);
}
