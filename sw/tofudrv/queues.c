/* Control queues and barrier gates: records that the card reads on request. */
#include <stdlib.h>
#include <string.h>

#include "sw/abi/hal/driver.h"
#include "sw/hal/hal.h"
#include "sw/tofudrv/card.h"

uint32_t queue_index(int process, uint32_t tni, uint32_t component) {
  if (tni >= TOFU_TNIS || component >= TOFU_COMPONENTS) return UINT32_MAX;
  return tni * TOFU_QUEUES + (uint32_t)process * TOFU_COMPONENTS + component;
}

static int is_power_of_two(uint32_t count) { return count != 0 && (count & (count - 1)) == 0; }

static uint64_t page_of(uint32_t index) { return hal_device(TOFU_BAR_QUEUES) + (uint64_t)index * TOFU_PAGE_BYTES; }

const char* queue_open(struct card* card, int process, struct tofudrv_open* args) {
  const uint32_t index = queue_index(process, args->tni, args->component);
  if (index == UINT32_MAX) return "there is no such TNI or component: TNIs go from 0 to 3, components from 0 to 7";
  if (card->steering[index]) return "this control queue is open already";
  if (!is_power_of_two(args->order_entries) || !is_power_of_two(args->tcq_entries) ||
      !is_power_of_two(args->mrq_entries))
    return "a queue has a power of two of entries";
  const uint64_t orders = hal_process_memory(process, args->orders, args->order_entries * sizeof(struct tofu_order));
  const uint64_t tcq = hal_process_memory(process, args->tcq, args->tcq_entries * sizeof(struct tofu_tcq_entry));
  const uint64_t mrq = hal_process_memory(process, args->mrq, args->mrq_entries * sizeof(struct tofu_mrq_entry));
  if (orders == 0 || tcq == 0 || mrq == 0) return "the memory of the queue is not the process's own";
  card->steering[index] = calloc(1, sizeof(struct steering_table));
  card->queues[index] = (struct tofu_queue){.orders = orders,
                                            .tcq = tcq,
                                            .mrq = mrq,
                                            .steering = hal_bus_address(card->steering[index]->entries),
                                            .order_entries = args->order_entries,
                                            .tcq_entries = args->tcq_entries,
                                            .mrq_entries = args->mrq_entries};
  card_write(card, TOFU_REG_LOAD_QUEUE, index);
  args->page = page_of(index);
  hal_grant(process, args->page, TOFU_PAGE_BYTES);
  return NULL;
}

static void shut(struct card* card, int process, uint32_t index) {
  card->queues[index].order_entries = 0;
  card_write(card, TOFU_REG_LOAD_QUEUE, index);
  card_write(card, TOFU_REG_FLUSH, 1);
  hal_revoke(process, page_of(index), TOFU_PAGE_BYTES);
  for (uint32_t tag = 0; tag < TOFU_TAGS; ++tag) free(card->steering[index]->pages[tag]);
  free(card->steering[index]);
  card->steering[index] = NULL;
}

const char* queue_close(struct card* card, int process, const struct tofudrv_close* args) {
  const uint32_t index = queue_index(process, args->tni, args->component);
  if (index == UINT32_MAX || !card->steering[index]) return "this control queue is not open";
  shut(card, process, index);
  return NULL;
}

const char* gate_set(struct card* card, int process, const struct tofudrv_set_gate* args) {
  if (args->gate >= TOFU_PROCESS_GATES) return "a process has 64 barrier gates";
  const uint32_t first = (uint32_t)process * TOFU_PROCESS_GATES;
  const struct tofu_gate* wired = &args->wired;
  if ((wired->flags & TOFU_GATE_LOCAL_DESTINATION) && wired->local_gate - first >= TOFU_PROCESS_GATES)
    return "a gate's local destination is a gate of the same process";
  if ((wired->flags & TOFU_GATE_REMOTE_DESTINATION) &&
      (wired->remote_node >= card->position.nodes || wired->remote_gate >= TOFU_GATES))
    return "there is no such node or gate to be signalled";
  const uint64_t done = args->done != 0 ? hal_process_memory(process, args->done, sizeof(uint32_t)) : 0;
  if (args->done != 0 && done == 0) return "the word for the end of a barrier is not the process's own";
  card->gates[first + args->gate] = *wired;
  card->gates[first + args->gate].done = done;
  card_write(card, TOFU_REG_LOAD_GATE, first + args->gate);
  return NULL;
}

static int lies_in(const struct tofu_queue* queue, uint64_t bus_address, uint64_t bytes) {
  return hal_overlap(queue->orders, queue->order_entries * sizeof(struct tofu_order), bus_address, bytes) ||
         hal_overlap(queue->tcq, queue->tcq_entries * sizeof(struct tofu_tcq_entry), bus_address, bytes) ||
         hal_overlap(queue->mrq, queue->mrq_entries * sizeof(struct tofu_mrq_entry), bus_address, bytes);
}

void queues_revoke(struct card* card, int process, uint64_t bus_address, uint64_t bytes) {
  for (uint32_t tni = 0; tni < TOFU_TNIS; ++tni)
    for (uint32_t component = 0; component < TOFU_COMPONENTS; ++component) {
      const uint32_t index = queue_index(process, tni, component);
      if (!card->steering[index]) continue;
      if (lies_in(&card->queues[index], bus_address, bytes))
        shut(card, process, index);
      else
        memory_revoke(card, index, bus_address, bytes);
    }
  const uint32_t first = (uint32_t)process * TOFU_PROCESS_GATES;
  for (uint32_t gate = first; gate < first + TOFU_PROCESS_GATES; ++gate) {
    if (card->gates[gate].done == 0 || !hal_overlap(card->gates[gate].done, sizeof(uint32_t), bus_address, bytes))
      continue;
    card->gates[gate].done = 0;
    card_write(card, TOFU_REG_LOAD_GATE, gate);
  }
}
