/* Attaching, channels, and single outputs and inputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/ds_link/state.h"
#include "sw/hal/hal.h"

/* Instructions of a call, beside its store to the card (A: a T9000's in and out are one each, with operands). */
#define BLOCK_ALIGN 64u
/* On a link, a packet before it was connected, an output, an input and a waiting message may be new at once. */
#define EVENTS_PER_LINK 4u

struct ds_state* ds_state(void) {
  static struct ds_state state;
  return &state;
}

static void request(unsigned number, void* argument, const char* what) {
  if (hal_ioctl(number, argument) == 0) return;
  const char* reason = argument; /* the first member */
  char text[256];
  snprintf(text, sizeof text, "%s: %s", what,
           reason[0] ? reason : "this machine has no DS-link card; run it on a macrame machine");
  hal_abort(text);
}

void ds_misused(const Channel* channel, const char* call, const char* what) {
  char text[256];
  snprintf(text, sizeof text, "%s: channel %u %s process %u: %s", call, channel->link->number,
           channel->sends ? "to" : "from", channel->link->rank, what);
  hal_abort(text);
}

void ds_init(void) {
  struct ds_state* state = ds_state();
  if (state->numbers > 0) return;
  hal_require_card("ds_init", "ds_link");
  struct ds_attach_request args = {0};
  request(DS_ATTACH, &args, "ds_init");
  state->numbers = args.numbers;
  state->ranks = (unsigned)hal_job_processes();
  state->links = calloc((size_t)state->ranks * state->numbers, sizeof(struct virtual_link*));
  state->first = args.first;
  state->queue_entries = 1;
  while (state->queue_entries < EVENTS_PER_LINK * state->ranks * state->numbers) state->queue_entries *= 2;
  const size_t queue_bytes = sizeof *state->queue + state->queue_entries * sizeof state->queue->entries[0];
  state->queue = aligned_alloc(BLOCK_ALIGN, (queue_bytes + BLOCK_ALIGN - 1) / BLOCK_ALIGN * BLOCK_ALIGN);
  if (!state->links || !state->queue) hal_abort("ds_init: the node's memory is full; give it more (host.memory)");
  state->queue->count = 0;
  struct ds_listen_request listen = {.queue = hal_address(state->queue), .queue_entries = state->queue_entries};
  request(DS_LISTEN, &listen, "ds_init");
}

unsigned ds_numbers(void) {
  ds_init();
  return ds_state()->numbers;
}

static struct virtual_link* connect(unsigned rank, unsigned number) {
  struct ds_state* state = ds_state();
  struct virtual_link* link = calloc(1, sizeof *link);
  struct ds_control_block* block = aligned_alloc(BLOCK_ALIGN, sizeof *block);
  if (!link || !block) hal_abort("ds_link: the node's memory is full; give it more (host.memory)");
  memset(block, 0, sizeof *block);
  *link = (struct virtual_link){.block = block,
                                .to = {.link = link, .sends = 1},
                                .from = {.link = link, .sends = 0},
                                .rank = rank,
                                .number = number};
  struct ds_connect_request args = {.rank = rank,
                                    .number = number,
                                    .process = (uint32_t)hal_rank_process((int)rank),
                                    .block = hal_address(block),
                                    .queue = hal_address(state->queue),
                                    .queue_entries = state->queue_entries};
  request(DS_CONNECT, &args, "ds_channel");
  link->port = args.port;
  return link;
}

static struct virtual_link* find(unsigned rank, unsigned number) {
  ds_init();
  struct ds_state* state = ds_state();
  if (rank >= state->ranks || number >= state->numbers) {
    char text[160];
    snprintf(text, sizeof text, "ds_channel: process %u, number %u: the job has %u processes and %u links to each",
             rank, number, state->ranks, state->numbers);
    hal_abort(text);
  }
  struct virtual_link** place = &state->links[rank * state->numbers + number];
  if (!*place) *place = connect(rank, number);
  return *place;
}

Channel* ds_channel_to(unsigned rank, unsigned number) { return &find(rank, number)->to; }
Channel* ds_channel_from(unsigned rank, unsigned number) { return &find(rank, number)->from; }

const volatile uint32_t* ds_wake_word(void) {
  ds_init();
  return &ds_state()->queue->count;
}

int64_t ds_next_event(uint32_t* cursor) {
  const struct ds_state* state = ds_state();
  const uint32_t count = state->queue->count;
  if (*cursor == count) return DS_NO_EVENT;
  if (count - *cursor > state->queue_entries) {
    *cursor = count;
    return DS_EVENTS_LOST;
  }
  return state->queue->entries[(*cursor)++ & (state->queue_entries - 1)] - state->first;
}

int ds_sleep(uint32_t seen, uint64_t until_ps) { return hal_wait_word(&ds_state()->queue->count, seen, until_ps); }

static void command(const Channel* channel, const char* call, uint32_t offset, const void* memory, size_t bytes) {
  const struct virtual_link* link = channel->link;
  if (bytes > 0 && !hal_is_own(memory, bytes))
    ds_misused(channel, call, "its bytes are not this process's memory; constants of a program are not: copy them");
  const struct ds_transfer transfer = {.address = bytes > 0 ? hal_bus_address(memory) : 0, .bytes = (uint32_t)bytes};
  hal_write_block(link->port + offset, &transfer, sizeof transfer);
}

void ds_output(Channel* channel, const void* from, size_t bytes) {
  if (!channel->sends) ds_misused(channel, "ds_output", "it is the receiving end; take ds_channel_to");
  if (!ds_output_ended(channel)) ds_misused(channel, "ds_output", "its last output has not ended");
  ++channel->link->outputs;
  command(channel, "ds_output", DS_PORT_OUTPUT, from, bytes);
}

int ds_output_ended(const Channel* channel) { return channel->link->block->outputs == channel->link->outputs; }

void ds_input(Channel* channel, void* to, size_t room) {
  if (channel->sends) ds_misused(channel, "ds_input", "it is the sending end; take ds_channel_from");
  if (!ds_input_ended(channel)) ds_misused(channel, "ds_input", "its last input has not ended");
  ++channel->link->inputs;
  command(channel, "ds_input", DS_PORT_INPUT, to, room);
}

int ds_input_ended(const Channel* channel) { return channel->link->block->inputs == channel->link->inputs; }

size_t ds_input_bytes(const Channel* channel) { return channel->link->block->bytes; }
