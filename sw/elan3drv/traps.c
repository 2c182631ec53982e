/* Traps: a unit of the card has stopped at an operation that it cannot perform. The driver resolves what it can (pages
 * that may be mapped, partners that are busy), kills the process at fault, and resumes the unit for the others. */
#include <stdio.h>
#include <stdlib.h>

#include "sw/abi/hal/driver.h"
#include "sw/elan3drv/card.h"
#include "sw/hal/hal.h"

/* Pages entered at a fault: 8, doubling to 128 while faults are sequential (FACTS.md 1.5). */
#define FAULT_PAGES_FIRST 8u
#define FAULT_PAGES_MOST 128u
/* A partner that does not answer for this long, while it is retried, is dead (A). */
#define DEAD_AFTER_US 20000u

static const char* unit_name(enum e3_trap_unit unit) {
  static const char* const names[] = {"command", "DMA", "thread", "incoming packet", "incoming packet"};
  return names[unit];
}

static const char* right_name(uint32_t permission) {
  static const char* const names[] = {"none",        "local read",   "read",         "local write",
                                      "remote read", "remote write", "remote event", "all"};
  return permission < sizeof names / sizeof *names ? names[permission] : "unknown";
}

/* Enters the page that was missing, and some after it. @return whether it may be mapped at all */
static int mend_page(struct card* card, struct process* process, e3_addr address) {
  const struct range* range = mapping_find(process, address);
  if (!range) return 0;
  const int sequential = process->fault_pages != 0 && address / E3_PAGE_BYTES == process->next_fault / E3_PAGE_BYTES;
  uint32_t pages = sequential ? 2 * process->fault_pages : FAULT_PAGES_FIRST;
  if (pages > FAULT_PAGES_MOST) pages = FAULT_PAGES_MOST;
  const e3_addr page = address & ~(E3_PAGE_BYTES - 1);
  const uint64_t left = range->address + range->bytes - page;
  const uint64_t bytes = (uint64_t)pages * E3_PAGE_BYTES < left ? (uint64_t)pages * E3_PAGE_BYTES : left;
  process->fault_pages = pages;
  process->next_fault = (e3_addr)(page + bytes);
  return mapping_populate(card, process, page, bytes) == NULL;
}

static int is_read(const struct e3_dma* dma) { return (dma->type & E3_DMA_DIRECTION_MASK) != E3_DMA_WRITE; }

static void describe_thread(const struct e3_trap* trap, char* text, size_t room) {
  char complaint[256];
  hal_firmware_complaint(complaint, sizeof complaint);
  snprintf(text, room, "elan3: %s: thread at Elan address 0x%08x; mend its program", complaint, trap->object);
}

static void describe(const struct process* process, enum e3_trap_unit unit, const struct e3_trap* trap, char* text,
                     size_t room) {
  const char* name = unit_name(unit);
  char partner[64];
  if (trap->process < process->processes)
    snprintf(partner, sizeof partner, "process %u (node %d)", trap->process, process->nodes[trap->process]);
  else
    snprintf(partner, sizeof partner, "several nodes at once (virtual process %u)", trap->process);
  switch ((enum e3_trap_cause)trap->cause) {
    case E3_CAUSE_PAGE:
      snprintf(
          text, room,
          "elan3: %s at Elan address 0x%08x, where nothing is mapped; map it first (elan3_addressable), or check the "
          "address",
          name, trap->address);
      break;
    case E3_CAUSE_PERMISSION:
      snprintf(
          text, room,
          "elan3: %s at Elan address 0x%08x needs the right '%s', which its mapping does not give; map it with that "
          "right",
          name, trap->address, right_name(trap->access));
      break;
    case E3_CAUSE_ALIGNMENT:
      snprintf(text, room, "elan3: %s: the record at Elan address 0x%08x is not aligned as it must be; align it", name,
               trap->address);
      break;
    case E3_CAUSE_DESCRIPTOR:
      snprintf(text, room,
               "elan3: %s: the DMA descriptor at Elan address 0x%08x is invalid; check its type, its size (less than "
               "2 GiB, into a queue at most 320 bytes) and that source and dest do not run over the last address",
               name, trap->object);
      break;
    case E3_CAUSE_ROUTE:
      snprintf(text, room,
               "elan3: %s to %s, to which this process has no route: no way leads there (failed parts), it was "
               "not loaded "
               "(elan3_addvp), or the number is wrong (the job has processes 0..%u)",
               name, partner, process->processes - 1);
      break;
    case E3_CAUSE_NO_ANSWER:
      snprintf(text, room,
               "elan3: %s to %s: no answer for 20 ms; a node is dead, or a part on the way has failed since the start "
               "([fault], --fault): routes are those of the start (topology.failed_*)",
               name, partner);
      break;
    case E3_CAUSE_REFUSED:
      if (trap->dma.type & E3_DMA_REMOTE)
        snprintf(text, room,
                 "elan3: get by %s: what it asked this process for does not fit in there, since Elan address 0x%08x is "
                 "not mapped for that; let it check the address (%u bytes) and the rights",
                 partner, trap->dma.dest, trap->dma.size);
      else
        snprintf(text, room,
                 "elan3: %s to %s: refused there, since Elan address 0x%08x is not mapped for that; check the address "
                 "(%u bytes) and the rights",
                 name, partner, is_read(&trap->dma) ? trap->dma.source : trap->dma.dest, trap->dma.size);
      break;
    case E3_CAUSE_QUEUE:
      snprintf(text, room, "elan3: %s: a run queue of the card overflowed; have fewer operations under way", name);
      break;
    case E3_CAUSE_INSTRUCTION:
      if (unit == E3_TRAP_THREAD)
        describe_thread(trap, text, room);
      else
        snprintf(text, room,
                 "elan3: %s runs the thread at Elan address 0x%08x, whose program is none that elan3_loadprogram gave",
                 name, trap->object);
      break;
    case E3_CAUSE_BUS:
      snprintf(text, room,
               "elan3: %s at Elan address 0x%08x: the host's bus refuses what it is mapped to (status %u); map memory "
               "that is there",
               name, trap->address, trap->access);
      break;
    case E3_CAUSE_NONE:
    case E3_CAUSE_FAIL_COUNT: /* always resolved */
    default:
      snprintf(text, room, "elan3: %s stopped for an unknown reason (%u)", name, trap->cause);
  }
}

static void kill_process(struct card* card, struct process* process, enum e3_trap_unit unit,
                         const struct e3_trap* trap) {
  if (process->killed) return;
  process->killed = 1;
  char text[448];
  describe(process, unit, trap, text, sizeof text);
  card_write_context(card, process, E3_FILTER_DISCARD);
  hal_kill(process->number, text);
}

/* Whether the machine's monitoring has reported a partner dead: for a broadcast, any receiver. */
static int partner_is_dead(const struct process* process, const struct e3_trap* trap) {
  if (trap->process < process->processes) return hal_is_dead(process->nodes[trap->process]);
  for (uint32_t i = 0; i < process->processes; ++i)
    if (hal_is_dead(process->nodes[i])) return 1;
  return 0;
}

/* Whether the process continues without the partner that does not answer. */
static int goes_on_without(const struct process* process, const struct e3_trap* trap) {
  return partner_is_dead(process, trap) ||
         (trap->process < process->processes && hal_lose_node(process->number, process->nodes[trap->process]));
}

/* Whether the unit may retry. */
static int mend(struct card* card, struct process* process, const struct e3_trap* trap) {
  if (!process || process->killed) return 0;
  if (trap->cause == E3_CAUSE_PAGE) return mend_page(card, process, trap->address);
  /* Its card works: it takes the packet when a queue has room, or its process has started the library. */
  if (trap->cause == E3_CAUSE_FAIL_COUNT) return 1;
  return trap->cause == E3_CAUSE_NO_ANSWER && trap->access < DEAD_AFTER_US;
}

void trap_handle(struct card* card, enum e3_trap_unit unit) {
  struct e3_trap trap;
  hal_read_block(card->sdram_window + card->traps + (uint32_t)unit * (uint32_t)sizeof trap, &trap, sizeof trap);
  struct process* process = card_process(card, trap.context);
  if (mend(card, process, &trap)) {
    card_write(card, E3_REG_RESUME, unit);
    return;
  }
  /* A request for a dead node is dropped: the process knows as well. */
  if (process && trap.cause == E3_CAUSE_NO_ANSWER && goes_on_without(process, &trap)) {
    card_write(card, E3_REG_RESUME, unit | E3_RESUME_DROP);
    return;
  }
  /* A refused incoming packet is the sender's fault; the sender's driver kills the sender when it learns of it. */
  if (process && unit != E3_TRAP_INPUT0 && unit != E3_TRAP_INPUT1) kill_process(card, process, unit, &trap);
  card_write(card, E3_REG_RESUME, unit | E3_RESUME_DROP);
}
