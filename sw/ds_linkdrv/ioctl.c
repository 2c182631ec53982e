/* Requests of processes (ds_linkdrv.h). */
#include "sw/ds_linkdrv/card.h"
#include "sw/hal/driver.h"
#include "sw/hal/hal.h"

static uint32_t numbers_of(const struct card* card, const struct hal_identity* identity) {
  return card->links_per_process / (uint32_t)identity->ranks;
}

static const char* attach(const struct card* card, int process, struct ds_attach_request* args) {
  struct hal_identity identity;
  hal_process_identity(process, &identity);
  if ((uint32_t)process >= card->position.processes)
    return "more processes of this node than have virtual links; give nic.processes the number of host.cpus";
  args->numbers = numbers_of(card, &identity);
  args->first = (uint32_t)process * card->links_per_process;
  if (args->numbers == 0)
    return "the job has more processes than this one has virtual links; give nic.virtual_links a larger number";
  return NULL;
}

/* Virtual links are numbered by a rule that all nodes share, so no message is needed: by the process here, the rank
 * there, and its number. */
static uint32_t link_of(const struct card* card, uint32_t process, uint32_t rank, uint32_t numbers, uint32_t number) {
  return process * card->links_per_process + rank * numbers + number;
}

static const char* connect(const struct card* card, int process, struct ds_connect_request* args) {
  struct hal_identity identity;
  hal_process_identity(process, &identity);
  const uint32_t numbers = numbers_of(card, &identity);
  if (args->rank >= (uint32_t)identity.ranks) return "the job has no such process";
  if (args->number >= numbers) return "there are fewer virtual links to a process; give nic.virtual_links more";
  if (args->process >= card->position.processes) return "that process has no virtual links";
  const size_t queue_bytes = sizeof *args->queue + args->queue_entries * sizeof args->queue->entries[0];
  if (!hal_process_owns(process, args->block, sizeof *args->block) ||
      !hal_process_owns(process, args->queue, queue_bytes))
    return "the control block or the run queue is not the process's own memory";
  const uint32_t here = link_of(card, (uint32_t)process, args->rank, numbers, args->number);
  const struct ds_connection connection = {
      .block = hal_bus_address(args->block),
      .queue = hal_bus_address(args->queue),
      .queue_entries = args->queue_entries,
      .node = (uint32_t)identity.rank_nodes[args->rank],
      .link = link_of(card, args->process, (uint32_t)identity.rank, numbers, args->number)};
  args->port = card->channels + (uint64_t)here * DS_PORT_BYTES;
  hal_write_block(args->port + DS_PORT_CONNECT, &connection, sizeof connection);
  return NULL;
}

int64_t hal_driver_ioctl(int process, unsigned request, void* argument) {
  const char* error = "ds_linkdrv does not know this request";
  if (request == DS_ATTACH) error = attach(the_card(), process, argument);
  if (request == DS_CONNECT) error = connect(the_card(), process, argument);
  *(const char**)argument = error;
  return error ? -1 : 0;
}
