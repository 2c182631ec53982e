/* Requests of processes (elan3drv.h). */
#include <stdlib.h>
#include <string.h>

#include "sw/abi/hal/driver.h"
#include "sw/elan3drv/card.h"
#include "sw/hal/hal.h"

/* Whether a capability agrees with the operating system's records, so that a forged one is refused. */
static int is_of(const struct elan3_capability* capability, int number, const struct hal_identity* own,
                 int32_t* nodes) {
  const size_t bytes = (size_t)own->ranks * sizeof *nodes;
  return capability->job == (uint32_t)own->job && capability->my_process == (uint32_t)own->rank &&
         capability->processes == (uint32_t)own->ranks &&
         hal_process_read(number, nodes, capability->nodes, bytes) == 0 && memcmp(nodes, own->rank_nodes, bytes) == 0;
}

static const char* attach(struct card* card, struct process* process, int number, struct elan3_attach_request* args) {
  const struct elan3_capability* capability = &args->capability;
  if (process->context != 0) return "this process is attached already";
  struct hal_identity own;
  hal_process_identity(number, &own);
  free(process->nodes); /* of an attempt that was refused */
  process->nodes = malloc((size_t)own.ranks * sizeof *process->nodes);
  if (!is_of(capability, number, &own, process->nodes))
    return "the capability is not this process's: it names another job, process or node";
  if (capability->job >= ELAN3_JOBS) return "the card has contexts for 63 jobs: run fewer at once";
  uint32_t index = 0;
  for (uint32_t i = 0; i < capability->my_process; ++i) index += (uint32_t)process->nodes[i] == card->position.node;
  if (index >= ELAN3_PROCESSES_PER_NODE) return "a node takes 16 processes of a job: spread them over more nodes";

  process->number = number;
  process->job = capability->job;
  process->index = index;
  process->my_process = capability->my_process;
  process->processes = capability->processes;
  const char* error = mapping_create(card, process);
  if (!error) error = routes_create(card, process);
  if (error) return error;
  process->context = context_of(process->job, index);
  card_write_context(card, process, args->blocked ? E3_FILTER_DISCARD : 0);
  args->context = process->context;
  args->command_port = hal_device(E3_BAR_COMMAND) + (uint64_t)process->context * E3_COMMAND_PAGE;
  hal_grant(number, args->command_port, E3_COMMAND_PAGE);
  args->sdram = card->sdram_window;
  args->has_broadcast = card->position.has_broadcast;
  return NULL;
}

static const char* alloc_sdram(struct card* card, struct process* process, struct elan3_sdram_request* args) {
  const uint32_t physical = args->bytes > 0 ? extents_allocate(&card->sdram, args->bytes, E3_PAGE_BYTES) : 0;
  if (physical == 0) return "the card's memory is full: it has 64 MiB for all processes of the node";
  const char* error = mapping_add_range(
      process,
      (struct range){
          .address = args->address, .bytes = args->bytes, .physical = physical, .permission = args->permission});
  if (error) {
    extents_free(&card->sdram, physical, args->bytes);
    return error;
  }
  args->physical = physical;
  hal_grant(process->number, card->sdram_window + physical, args->bytes);
  return mapping_populate(card, process, args->address, args->bytes);
}

static const char* free_sdram(struct card* card, struct process* process, const struct elan3_sdram_request* args) {
  const struct range* range = mapping_find(process, args->address);
  if (!range || range->pointer != 0 || range->address != args->address) return "no Elan memory was allocated there";
  hal_revoke(process->number, card->sdram_window + range->physical, range->bytes);
  extents_free(&card->sdram, range->physical, (uint32_t)range->bytes);
  mapping_remove(card, process, args->address);
  return NULL;
}

static const char* map_main(struct process* process, const struct elan3_map_request* args) {
  if (hal_process_memory(process->number, args->pointer, args->bytes) == 0)
    return "this memory is not the process's own";
  return mapping_add_range(
      process,
      (struct range){
          .address = args->address, .bytes = args->bytes, .pointer = args->pointer, .permission = args->permission});
}

static const char* block_inputter(const struct card* card, const struct process* process,
                                  const struct elan3_block_request* args) {
  card_write_context(card, process, args->blocked ? E3_FILTER_DISCARD : 0);
  return NULL;
}

static const char* load_program(struct elan3_program_request* args) {
  args->name[sizeof args->name - 1] = '\0';
  const int program = hal_load_firmware(args->name);
  if (program < 0) return "there is no such firmware image";
  args->program = (uint32_t)program;
  return NULL;
}

static const char* serve(struct card* card, struct process* process, int number, unsigned request, void* argument) {
  if (request == ELAN3_ATTACH) return attach(card, process, number, argument);
  if (process->context == 0) return "the process must attach first";
  switch (request) {
    case ELAN3_ADDVP: {
      const struct elan3_addvp_request* args = argument;
      return routes_add(card, process, args->first, args->count);
    }
    case ELAN3_BROADCAST_VP:
      return routes_set_broadcast(card, process, argument);
    case ELAN3_ALLOC_SDRAM:
      return alloc_sdram(card, process, argument);
    case ELAN3_FREE_SDRAM:
      return free_sdram(card, process, argument);
    case ELAN3_MAP_MAIN:
      return map_main(process, argument);
    case ELAN3_POPULATE: {
      const struct elan3_populate_request* args = argument;
      return mapping_populate(card, process, args->address, args->bytes);
    }
    case ELAN3_LOAD_PROGRAM:
      return load_program(argument);
    case ELAN3_BLOCK_INPUTTER:
      return block_inputter(card, process, argument);
    default:
      return "the driver knows no such request";
  }
}

int64_t hal_driver_ioctl(int number, unsigned request, void* argument) {
  struct card* card = the_card();
  if (number < 0 || (size_t)number >= card->process_count || !argument) return -1;
  const char* error = serve(card, &card->processes[number], number, request, argument);
  return hal_answer(request, argument, error);
}

void hal_driver_unmapped(int number, uint64_t bus_address, size_t bytes) {
  struct process* process = &the_card()->processes[number];
  if (process->context != 0) mapping_revoke(the_card(), process, bus_address, bytes);
}
