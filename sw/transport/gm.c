/* Myrinet: records are GM messages of one size class, puts are directed sends. Matching is on the host. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/gm/gm.h"
#include "sw/hal/hal.h"
#include "sw/transport/channel.h"
#include "sw/transport/implementation.h"
#include "sw/transport/tuned/lanai.h"
#include "sw/transport/tuned/many_lanai.h"

#define FIRST_PORT 2u           /* of a node's first process; the next process has the next port */
#define SIZE_CLASS 12u          /* of all records: with its header one packet of GM */
#define PEER_MOST 4u            /* records under way to one process, so that tokens are left for others (A) */
#define REGIONS_MOST 36u        /* kept registered; GM's own memory needs some of a port's 64 (A) */
#define REGIONS_FOR_MESSAGES 8u /* that windows and symmetric memory leave to messages and copies (A) */
#define REGIONS_FOR_COPIES 2u   /* that those and messages leave to copies (A) */
#define PAGE 4096u
#define RETRY_PS 20000000u /* until a port that is not open yet is retried (A) */
#define WAIT_WORDS 72      /* TRANSPORT_WORDS, and this file's own */

/* Precedes the record. In a greeting, `bytes` is GREETING + its round. */
struct label {
  uint32_t from, bytes;
};
#define GREETING 0x10000u

/* A record or put under way. */
struct sending {
  struct gm_channel* channel;
  unsigned to;
  unsigned char* buffer; /* null: a put */
  volatile uint32_t* done;
  struct sending* next; /* among the free ones */
};

struct region {
  uintptr_t first, end;
  struct share_uses uses;
  unsigned number; /* in the order of registration */
};

struct gm_channel {
  struct gm_port* port;
  struct sending* free_records; /* with buffers */
  struct sending* free_puts;
  unsigned* under_way; /* records to each process */
  unsigned greetings;  /* received, a bit for each round */
  void** early;        /* buffers of records that arrived before the barrier at the start was complete */
  unsigned early_count, early_read;
  void* taken; /* buffer of the record that is being read */
  struct region regions[REGIONS_MOST];
  struct share_limits limits;
  unsigned region_count, oldest, regions_ever;
};

static unsigned node_id(unsigned process) { return (unsigned)hal_rank_node((int)process) + 1; }
static unsigned port_of(unsigned process) { return FIRST_PORT + (unsigned)hal_rank_process((int)process); }

static void give_buffer(struct gm_channel* channel, void* buffer) {
  gm_provide_receive_buffer(channel->port, buffer, SIZE_CLASS, GM_LOW_PRIORITY);
}

/* ---- ends of sends ---- */

static void ignore(struct gm_port* port, void* context, gm_status_t status) {
  (void)port;
  (void)context;
  (void)status;
}

static _Noreturn void not_reached(unsigned to) {
  char text[160];
  snprintf(text, sizeof text,
           "GM: node %d does not answer: it has died, or no way leads to it; leave it out (--map), or let the mapper "
           "look for "
           "ways during the run (-s fault.remap=yes)",
           hal_rank_node((int)to));
  hal_abort(text);
}

static void ended(struct gm_port* port, void* context, gm_status_t status) {
  struct sending* sending = context;
  struct gm_channel* channel = sending->channel;
  const int unreachable = status == GM_SEND_TARGET_NODE_UNREACHABLE;
  if (unreachable) hal_count_as_dead(hal_rank_node((int)sending->to));
  /* A process that has exited, or that GM cannot reach, receives nothing more: messages to it vanish. */
  if (status == GM_SEND_TARGET_PORT_CLOSED || unreachable)
    gm_drop_sends(port, GM_LOW_PRIORITY, node_id(sending->to), port_of(sending->to), ignore, NULL);
  else if (status != GM_SUCCESS && status != GM_SEND_DROPPED)
    hal_abort(gm_strerror(status));
  if (sending->done) *sending->done = unreachable ? CHANNEL_GIVEN_UP : 1;
  struct sending** free_list = sending->buffer ? &channel->free_records : &channel->free_puts;
  if (sending->buffer) --channel->under_way[sending->to];
  sending->next = *free_list;
  *free_list = sending;
}

/* ---- start ---- */

static void greeted(struct gm_port* port, void* context, gm_status_t status) {
  (void)port;
  *(gm_status_t*)context = status;
}

static int is_message(const gm_recv_event_t* event) {
  const enum gm_recv_event_type type = GM_RECV_EVENT_TYPE(event);
  return type >= GM_RECV_EVENT && type <= GM_FAST_HIGH_PEER_RECV_EVENT;
}

/* Handles one event during the barrier at the start: processes that have left it may already send records. */
static void serve(struct gm_channel* channel) {
  gm_recv_event_t* event = gm_blocking_receive(channel->port);
  if (!is_message(event)) {
    gm_unknown(channel->port, event);
    return;
  }
  const struct label* label = event->recv.message;
  if (label->bytes >= GREETING) {
    channel->greetings |= 1u << (label->bytes - GREETING);
    give_buffer(channel, event->recv.buffer);
  } else {
    gm_memorize_message(event->recv.message, event->recv.buffer, event->recv.length);
    channel->early[channel->early_count++] = event->recv.buffer;
  }
}

static void greet(struct gm_channel* channel, unsigned to, struct label* label) {
  enum { PENDING = -1 };
  for (;;) {
    gm_status_t status = (gm_status_t)PENDING;
    gm_send_with_callback(channel->port, label, SIZE_CLASS, sizeof *label, GM_LOW_PRIORITY, node_id(to), port_of(to),
                          greeted, &status);
    while ((int)status == PENDING) serve(channel);
    if (status == GM_SUCCESS) return;
    if (status != GM_SEND_TARGET_PORT_CLOSED) not_reached(to);
    gm_drop_sends(channel->port, GM_LOW_PRIORITY, node_id(to), port_of(to), ignore, NULL);
    hal_sleep_ps(RETRY_PS);
  }
}

/* A barrier by dissemination: no process sends records before all have opened their ports. */
static void meet(struct gm_channel* channel) {
  struct label* label = gm_dma_malloc(channel->port, sizeof *label);
  const unsigned count = (unsigned)hal_job_processes(), self = (unsigned)hal_rank();
  for (uint32_t round = 0; 1u << round < count; ++round) {
    *label = (struct label){.from = self, .bytes = GREETING + round};
    greet(channel, (self + (1u << round)) % count, label);
    while (!(channel->greetings >> round & 1u)) serve(channel);
  }
  gm_dma_free(channel->port, label);
}

static void* start(void) {
  struct gm_channel* channel = calloc(1, sizeof *channel);
  channel->limits.most[SHARE_PROGRAM] = REGIONS_MOST - REGIONS_FOR_MESSAGES;
  channel->limits.most[SHARE_MESSAGE] = REGIONS_MOST - REGIONS_FOR_COPIES;
  channel->limits.most[SHARE_COPY] = REGIONS_MOST;
  gm_init();
  const unsigned number = FIRST_PORT + (unsigned)hal_process();
  if (gm_open(&channel->port, 0, number, "transport", GM_API_VERSION) != GM_SUCCESS)
    hal_abort("GM: a node has ports for 14 processes: spread them over more nodes");
  const size_t bytes = (size_t)1 << SIZE_CLASS;
  const unsigned sends = gm_num_send_tokens(channel->port), receives = gm_num_receive_tokens(channel->port);
  channel->under_way = calloc((size_t)hal_job_processes(), sizeof *channel->under_way);
  struct sending* all = calloc(2 * (size_t)sends, sizeof *all);
  unsigned char* memory = gm_dma_malloc(channel->port, (sends + receives) * bytes);
  channel->early = calloc(receives, sizeof *channel->early);
  if (!channel->under_way || !all || !memory || !channel->early) hal_abort("GM: the node's memory is full");
  for (unsigned i = 0; i < 2 * sends; ++i) {
    struct sending** list = i < sends ? &channel->free_records : &channel->free_puts;
    all[i] = (struct sending){.channel = channel, .buffer = i < sends ? memory + i * bytes : NULL, .next = *list};
    *list = &all[i];
  }
  for (unsigned i = 0; i < receives; ++i) give_buffer(channel, memory + (sends + i) * bytes);
  meet(channel);
  return channel;
}

/* ---- records ---- */

static size_t record_bytes(const void* self) {
  (void)self;
  return gm_max_length_for_size(SIZE_CLASS) - sizeof(struct label);
}

static struct sending* gm_sending_take(struct sending** list, struct gm_channel* channel) {
  struct sending* sending = *list;
  if (!sending || !gm_send_token_left(channel->port, GM_LOW_PRIORITY)) return NULL;
  *list = sending->next;
  return sending;
}

static enum channel_room gm_record_send(void* self, unsigned to, const struct channel_record* record) {
  struct gm_channel* channel = self;
  const int peer_full = channel->under_way[to] == PEER_MOST;
  struct sending* sending = peer_full ? NULL : gm_sending_take(&channel->free_records, channel);
  if (!sending) {
    return peer_full ? CHANNEL_PEER_FULL : CHANNEL_FULL;
  }
  const struct label label = {.from = (uint32_t)hal_rank(),
                              .bytes = (uint32_t)(record->head_bytes + record->body_bytes)};
  unsigned char* at = sending->buffer;
  memcpy(at, &label, sizeof label);
  memcpy(at += sizeof label, record->head, record->head_bytes);
  if (record->body_bytes > 0) memcpy(at + record->head_bytes, record->body, record->body_bytes);
  sending->to = to;
  sending->done = NULL;
  ++channel->under_way[to];
  /* A multiple of 8, so that it is aligned at the end of its event. */
  const size_t length = sizeof label + (label.bytes + 7u) / 8u * 8u;
  gm_send_with_callback(channel->port, sending->buffer, SIZE_CLASS, length, GM_LOW_PRIORITY, node_id(to), port_of(to),
                        ended, sending);
  return CHANNEL_SENT;
}

static const void* read(struct gm_channel* channel, const void* message, void* buffer, unsigned* from, size_t* bytes) {
  const struct label* label = message;
  channel->taken = buffer;
  *from = label->from;
  *bytes = label->bytes;
  return label + 1;
}

static const void* receive(void* self, unsigned* from, size_t* bytes) {
  struct gm_channel* channel = self;
  if (channel->early_read < channel->early_count) {
    void* buffer = channel->early[channel->early_read++];
    return read(channel, buffer, buffer, from, bytes);
  }
  while (gm_receive_pending(channel->port)) {
    gm_recv_event_t* event = gm_receive(channel->port);
    if (is_message(event)) return read(channel, event->recv.message, event->recv.buffer, from, bytes);
    gm_unknown(channel->port, event);
  }
  return NULL;
}

static void release(void* self) {
  struct gm_channel* channel = self;
  give_buffer(channel, channel->taken);
}

/* Ends of sends are events, too, so one word covers everything. */
static void sleep(void* self, const volatile uint32_t* const* words, const uint32_t* seen, unsigned count) {
  struct gm_channel* channel = self;
  const volatile uint32_t* all[WAIT_WORDS];
  uint32_t values[WAIT_WORDS];
  for (unsigned i = 0; i < count; ++i) {
    all[i] = words[i];
    values[i] = seen[i];
  }
  all[count] = gm_event_word(channel->port, &values[count]);
  hal_wait_words(all, values, (int)count + 1, UINT64_MAX);
}

/* ---- directed sends ---- */

/* The oldest region that contains the bytes, so that it stays the same one while in use. */
static struct region* find(struct gm_channel* channel, const volatile void* pointer, size_t bytes) {
  const uintptr_t first = (uintptr_t)pointer, end = first + bytes;
  struct region* found = NULL;
  for (unsigned i = 0; i < channel->region_count; ++i) {
    struct region* region = &channel->regions[i];
    if (region->first <= first && end <= region->end && (!found || region->number < found->number)) found = region;
  }
  return found;
}

/* The storage of the oldest region that may be forgotten; null: none. */
static struct region* make_room(struct gm_channel* channel) {
  if (channel->region_count < REGIONS_MOST) return &channel->regions[channel->region_count++];
  for (unsigned i = 0; i < REGIONS_MOST; ++i) {
    struct region* region = &channel->regions[channel->oldest++ % REGIONS_MOST];
    if (share_is_used(&region->uses)) continue;
    gm_deregister_memory(channel->port, (void*)region->first, region->end - region->first);
    return region;
  }
  return NULL;
}

static uint64_t expose(void* self, const volatile void* pointer, size_t bytes, int kind) {
  struct gm_channel* channel = self;
  const uintptr_t first = (uintptr_t)pointer / PAGE * PAGE;
  const uintptr_t end = ((uintptr_t)pointer + bytes + PAGE - 1) / PAGE * PAGE;
  static const struct share_uses none;
  struct region* region = find(channel, pointer, bytes);
  if (!share_fits(&channel->limits, region ? &region->uses : &none, (unsigned)kind)) return 0;
  if (!region) {
    region = make_room(channel);
    if (!region) return 0;
    *region = (struct region){.first = first, .end = end, .number = channel->regions_ever++};
    if (gm_register_memory(channel->port, (void*)first, end - first) != GM_SUCCESS) {
      *region = channel->regions[--channel->region_count];
      return 0;
    }
  }
  share_begin(&channel->limits, &region->uses, (unsigned)kind);
  return hal_bus_address(pointer);
}

static void unexpose(void* self, const volatile void* pointer, size_t bytes, int kind) {
  struct gm_channel* channel = self;
  share_end(&channel->limits, &find(channel, pointer, bytes)->uses, (unsigned)kind);
}

static enum channel_room put(void* self, unsigned to, uint64_t remote, const void* local, size_t bytes,
                             volatile uint32_t* done) {
  struct gm_channel* channel = self;
  struct sending* sending = gm_sending_take(&channel->free_puts, channel);
  if (!sending) {
    return CHANNEL_FULL;
  }
  sending->to = to;
  sending->done = done;
  gm_directed_send_with_callback(channel->port, local, remote, bytes, GM_LOW_PRIORITY, node_id(to), port_of(to), ended,
                                 sending);
  return CHANNEL_SENT;
}

/* A record is sent on the same connection as the put before it, whose data its event does not overtake. */
static const struct channel channel = {.start = start,
                                       .record_bytes = record_bytes,
                                       .send = gm_record_send,
                                       .receive = receive,
                                       .release = release,
                                       .sleep = sleep,
                                       .expose = expose,
                                       .unexpose = unexpose,
                                       .put = put,
                                       .puts_in_order = 1};

const struct transport_implementation transport_gm = {
    .card = "lanai", .matching = "host", .channel = &channel, .advice = tuned_lanai, .advice_for_many = many_lanai};
