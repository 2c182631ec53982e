/* Boots the card; helpers that the whole driver uses. */
#include "sw/elan3drv/card.h"

#include <stdlib.h>
#include <string.h>

#include "sw/abi/hal/driver.h"
#include "sw/hal/hal.h"

#define TABLE_ALIGN 64u
#define TRAP_BITS                                                                                      \
  (E3_INT_INPUT_CH0_USER | E3_INT_INPUT_CH0_SYSTEM | E3_INT_INPUT_CH1_USER | E3_INT_INPUT_CH1_SYSTEM | \
   E3_INT_DMA_TRAP | E3_INT_COMMAND_TRAP | E3_INT_THREAD_TRAP)

struct card* the_card(void) {
  static struct card card;
  return &card;
}

uint32_t card_read(const struct card* card, uint32_t reg) { return hal_read32(card->registers + reg); }

void card_write(const struct card* card, uint32_t reg, uint32_t value) { hal_write32(card->registers + reg, value); }

void card_to_sdram(const struct card* card, uint32_t address, const void* from, size_t bytes) {
  hal_write_block(card->sdram_window + address, from, bytes);
}

struct process* card_process(struct card* card, uint32_t context) {
  for (size_t i = 0; context != 0 && i < card->process_count; ++i)
    if (card->processes[i].context == context) return &card->processes[i];
  return NULL;
}

void card_write_context(const struct card* card, const struct process* process, uint32_t filter) {
  const struct e3_context record = {.root = process->tables.root,
                                    .filter = filter,
                                    .vp_table = process->vp_table,
                                    .vp_mask = process->processes + ELAN3_BROADCASTS - 1};
  card_to_sdram(card, card->contexts + process->context * (uint32_t)sizeof record, &record, sizeof record);
  card_write(card, E3_REG_FLUSH_TLB, 1);
}

void hal_driver_boot(void) {
  struct card* card = the_card();
  card->sdram_window = hal_device(E3_BAR_SDRAM);
  card->registers = hal_device(E3_BAR_REGISTERS);
  hal_read_block(hal_device(E3_BAR_ROM), &card->position, sizeof card->position);
  if (card->registers == 0 || card->position.magic != E3_POSITION_MAGIC)
    hal_abort("elan3drv: there is no Elan3 on this node's bus; give the machine nic.type = elan3");

  /* Address 0 means "none" in several records, so the first bytes are never handed out. */
  extents_init(&card->sdram, TABLE_ALIGN, E3_SDRAM_BYTES - TABLE_ALIGN);
  card->traps = extents_allocate(&card->sdram, E3_TRAP_RECORDS * sizeof(struct e3_trap), TABLE_ALIGN);
  card->contexts = extents_allocate(&card->sdram, ELAN3_CONTEXTS * sizeof(struct e3_context), TABLE_ALIGN);
  card->process_count = (size_t)hal_process_count();
  card->processes = calloc(card->process_count, sizeof *card->processes);

  card_write(card, E3_REG_TRAP_BASE, card->traps);
  card_write(card, E3_REG_CONTEXT_TABLE, card->contexts);
  card_write(card, E3_REG_CONTEXTS, ELAN3_CONTEXTS);
  card_write(card, E3_REG_FLUSH_TLB, 1);
  card_write(card, E3_REG_INTERRUPT_MASK, TRAP_BITS | E3_INT_EVENT | E3_INT_LINK_ERROR);
}

void hal_driver_interrupt(void) {
  static const struct {
    uint32_t bits;
    enum e3_trap_unit unit;
  } units[] = {{E3_INT_COMMAND_TRAP, E3_TRAP_COMMAND},
               {E3_INT_DMA_TRAP, E3_TRAP_DMA},
               {E3_INT_THREAD_TRAP, E3_TRAP_THREAD},
               {E3_INT_INPUT_CH0_USER | E3_INT_INPUT_CH0_SYSTEM, E3_TRAP_INPUT0},
               {E3_INT_INPUT_CH1_USER | E3_INT_INPUT_CH1_SYSTEM, E3_TRAP_INPUT1}};
  struct card* card = the_card();
  const uint32_t pending = card_read(card, E3_REG_INTERRUPT);
  /* Cleared first, so that a unit that traps again as soon as it resumes is not missed. */
  card_write(card, E3_REG_INTERRUPT, pending);
  for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
    if (pending & units[i].bits) trap_handle(card, units[i].unit);
  /* No process waits by interrupt: processes poll the words that block-copy events write. */
  if (pending & E3_INT_EVENT)
    while (card_read(card, E3_REG_EVENT_COOKIE) != 0) continue;
}
