/* Requests of processes (ds_linkdrv.h). */
#include <stdlib.h>

#include "sw/abi/hal/driver.h"
#include "sw/ds_linkdrv/card.h"
#include "sw/hal/hal.h"

static uint32_t numbers_of(const struct card* card, const struct hal_identity* identity) {
  return card->links_per_process / (uint32_t)identity->ranks;
}

static const char* attach(const struct card* card, int process, struct ds_attach_request* args) {
  struct hal_identity identity;
  hal_process_identity(process, &identity);
  if ((uint32_t)process >= card->position.processes)
    return "this node has more processes than nic.processes says; give 0 (as many as there are)";
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

static int make_room(struct card* card) {
  if (card->connected_count < card->connected_room) return 1;
  const size_t room = card->connected_room ? 2 * card->connected_room : 16;
  struct connected* larger = realloc(card->connected, room * sizeof *larger);
  if (!larger) return 0;
  card->connected = larger;
  card->connected_room = room;
  return 1;
}

static size_t queue_bytes(uint32_t entries) { return sizeof(struct ds_run_queue) + entries * sizeof(uint32_t); }

static void set_owner(const struct card* card, int process, struct ds_owner owner) {
  card->owners[process] = owner;
  hal_write_block(card->registers + DS_REG_OWNER, &owner, sizeof owner);
}

static const char* listen(struct card* card, int process, struct ds_listen_request* args) {
  if ((uint32_t)process >= card->position.processes) return "the process has not attached";
  const uint64_t queue = hal_process_memory(process, args->queue, queue_bytes(args->queue_entries));
  if (queue == 0) return "the run queue is not the process's own memory";
  if (!card->owners) card->owners = calloc(card->position.processes, sizeof *card->owners);
  if (!card->owners) return "the driver's memory is full; give the node more (host.memory)";
  set_owner(card, process,
            (struct ds_owner){.queue = queue,
                              .queue_entries = args->queue_entries,
                              .first = (uint32_t)process * card->links_per_process,
                              .links = card->links_per_process});
  return NULL;
}

static const char* connect(struct card* card, int process, struct ds_connect_request* args) {
  struct hal_identity identity;
  hal_process_identity(process, &identity);
  const uint32_t numbers = numbers_of(card, &identity);
  if (args->rank >= (uint32_t)identity.ranks) return "the job has no such process";
  if (args->number >= numbers) return "there are fewer virtual links to a process; give nic.virtual_links more";
  if ((uint32_t)process >= card->position.processes || args->process >= card->position.processes)
    return "that node has more processes than nic.processes says; give 0 (as many as there are)";
  const uint64_t block = hal_process_memory(process, args->block, sizeof(struct ds_control_block));
  const uint64_t queue = hal_process_memory(process, args->queue, queue_bytes(args->queue_entries));
  if (block == 0 || queue == 0) return "the control block or the run queue is not the process's own memory";
  if (!make_room(card)) return "the driver's memory is full; give the node more (host.memory)";
  const uint32_t here = link_of(card, (uint32_t)process, args->rank, numbers, args->number);
  const struct ds_connection connection = {
      .block = block,
      .queue = queue,
      .queue_entries = args->queue_entries,
      .node = (uint32_t)identity.rank_nodes[args->rank],
      .link = link_of(card, args->process, (uint32_t)identity.rank, numbers, args->number)};
  args->port = card->channels + (uint64_t)here * DS_PORT_BYTES;
  hal_grant(process, args->port, DS_PORT_CONNECT); /* the rest, for connecting, is the driver's */
  hal_write_block(args->port + DS_PORT_CONNECT, &connection, sizeof connection);
  card->connected[card->connected_count++] = (struct connected){process, args->port, connection};
  return NULL;
}

int64_t hal_driver_ioctl(int process, unsigned request, void* argument) {
  if (!argument) return -1;
  const char* error = "ds_linkdrv does not know this request";
  if (request == DS_ATTACH) error = attach(the_card(), process, argument);
  if (request == DS_CONNECT) error = connect(the_card(), process, argument);
  if (request == DS_LISTEN) error = listen(the_card(), process, argument);
  return hal_answer(request, argument, error);
}

static int lies_in(const struct ds_connection* connection, uint64_t bus_address, uint64_t bytes) {
  return hal_overlap(connection->block, sizeof(struct ds_control_block), bus_address, bytes) ||
         hal_overlap(connection->queue, queue_bytes(connection->queue_entries), bus_address, bytes);
}

/* Whether entry `i` is not the last one of its virtual link. */
static int was_replaced(const struct card* card, size_t i) {
  for (size_t later = i + 1; later < card->connected_count; ++later)
    if (card->connected[later].port == card->connected[i].port) return 1;
  return 0;
}

/* Disconnects a virtual link whose control block or run queue has no memory any more, and tells nothing to a process
 * without its run queue. */
void hal_driver_unmapped(int process, uint64_t bus_address, size_t bytes) {
  static const struct ds_connection nowhere;
  struct card* card = the_card();
  size_t kept = 0;
  for (size_t i = 0; i < card->connected_count; ++i) {
    const struct connected at = card->connected[i];
    const int lost = at.process == process && lies_in(&at.connection, bus_address, bytes);
    if (lost && !was_replaced(card, i)) {
      hal_write_block(at.port + DS_PORT_CONNECT, &nowhere, sizeof nowhere);
      hal_revoke(process, at.port, DS_PORT_CONNECT);
    }
    if (!lost) card->connected[kept++] = at;
  }
  card->connected_count = kept;
  if (!card->owners || (uint32_t)process >= card->position.processes) return;
  struct ds_owner owner = card->owners[process];
  if (owner.queue == 0 || !hal_overlap(owner.queue, queue_bytes(owner.queue_entries), bus_address, bytes)) return;
  owner.queue = 0;
  set_owner(card, process, owner);
}
