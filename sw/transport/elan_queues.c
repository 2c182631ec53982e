/* QsNET with matching on the host: records through Elanlib's queues, large messages by the card's put and get. For
 * comparison with elan.c, and the simplest example of a channel. */
#include <stdlib.h>
#include <string.h>

#include "sw/elanlib/elan.h"
#include "sw/hal/hal.h"
#include "sw/transport/channel.h"
#include "sw/transport/implementation.h"
#include "sw/transport/tuned/elan3.h"
#include "sw/transport/tuned/many_elan3.h"

#define SLOTS 256u         /* of a process's queue; while all are full, the senders' cards retry (A) */
#define SLOT_BYTES 320u    /* the most that a queue's packet carries (FACTS.md 1.3) */
#define UNDER_WAY_MOST 64u /* puts and gets: as many as messages/ ever has */
/* Tports send up to 288 bytes at once; a slot has space for about as many. */
#define EAGER_BYTES 288u

/* Precedes the record in a slot. */
struct label {
  uint32_t from, bytes;
};

struct under_way {
  ELAN_EVENT* event;
  volatile uint32_t* done;
};

struct elan_queues {
  ELAN_BASE* base;
  ELAN_QUEUE* queue;
  /* Records under way, in Elanlib's order. At most one to each process, so they stay in order. */
  struct sending {
    ELAN_EVENT* event; /* null: none yet */
    unsigned to;
  } sending[ELAN_QUEUE_OUTGOING];
  unsigned sends;
  uint32_t awaited; /* slots (a bit each) that were under way when a record was refused */
  int freed;        /* one of them has been reused: there was space */
  int more;         /* the queue may have records even if its word has not changed */
  struct under_way under_way[UNDER_WAY_MOST];
  unsigned count;
  _Alignas(8) char in[SLOT_BYTES];
  _Alignas(8) char out[SLOT_BYTES];
};

static void* start(void) {
  struct elan_queues* q = aligned_alloc(_Alignof(struct elan_queues), sizeof *q);
  memset(q, 0, sizeof *q);
  q->base = elan_baseInit();
  q->queue = elan_gallocQueue(q->base, SLOTS, SLOT_BYTES);
  return q;
}

static size_t record_bytes(const void* self) {
  (void)self;
  return SLOT_BYTES - sizeof(struct label);
}

/* Records for a dead node are discarded. */
static int is_on_its_way(const struct sending* sending) {
  return sending->event && !*elan_done(sending->event) && !hal_is_dead(hal_rank_node((int)sending->to));
}

/* A bit for each slot. */
static uint32_t on_their_way(const struct elan_queues* q) {
  uint32_t slots = 0;
  for (unsigned i = 0; i < ELAN_QUEUE_OUTGOING; ++i) slots |= (uint32_t)is_on_its_way(&q->sending[i]) << i;
  return slots;
}

static enum channel_room room_for(const struct elan_queues* q, unsigned to, uint32_t taken) {
  if (taken >> q->sends % ELAN_QUEUE_OUTGOING & 1) return CHANNEL_FULL;
  for (unsigned i = 0; i < ELAN_QUEUE_OUTGOING; ++i)
    if (q->sending[i].to == to && taken >> i & 1) return CHANNEL_PEER_FULL;
  return CHANNEL_SENT;
}

static enum channel_room elan_record_send(void* self, unsigned to, const struct channel_record* record) {
  struct elan_queues* q = self;
  /* Read only once: a slot that becomes free after a refusal must be among those that `sleep` watches. */
  const uint32_t taken = on_their_way(q);
  const enum channel_room room = room_for(q, to, taken);
  if (room != CHANNEL_SENT) {
    q->awaited |= taken;
    return room;
  }
  const struct label label = {.from = (uint32_t)hal_rank(),
                              .bytes = (uint32_t)(record->head_bytes + record->body_bytes)};
  memcpy(q->out, &label, sizeof label);
  memcpy(q->out + sizeof label, record->head, record->head_bytes);
  if (record->body_bytes > 0) memcpy(q->out + sizeof label + record->head_bytes, record->body, record->body_bytes);
  const unsigned place = q->sends++ % ELAN_QUEUE_OUTGOING;
  struct sending* sending = &q->sending[place];
  q->freed |= (int)(q->awaited >> place & 1);
  ELAN_EVENT* before = sending->event;
  /* The call copies, and spends the time. */
  *sending = (struct sending){elan_queueReq(q->queue, to, q->out, sizeof label + label.bytes), to};
  if (before) elan_poll(before, ELAN_POLL_EVENT);
  return CHANNEL_SENT;
}

static void poll_under_way(struct elan_queues* q) {
  for (unsigned i = 0; i < q->count;) {
    if (!elan_poll(q->under_way[i].event, ELAN_POLL_EVENT)) {
      ++i;
      continue;
    }
    *q->under_way[i].done = 1;
    q->under_way[i] = q->under_way[--q->count];
  }
}

static const void* receive(void* self, unsigned* from, size_t* bytes) {
  struct elan_queues* q = self;
  volatile uint32_t* came = elan_queueCame(q->queue);
  poll_under_way(q);
  while (q->more || *came) {
    *came = 0;
    q->more = elan_queuePoll(q->queue, q->in);
    if (!q->more) continue;
    const struct label* label = (const struct label*)q->in;
    *from = label->from;
    *bytes = label->bytes;
    return q->in + sizeof *label;
  }
  return NULL;
}

static void release(void* self) { (void)self; }

static void sleep(void* self, const volatile uint32_t* const* words, const uint32_t* seen, unsigned count) {
  struct elan_queues* q = self;
  const unsigned most = count + q->count + ELAN_QUEUE_OUTGOING + 1;
  const volatile uint32_t* all[most];
  uint32_t values[most];
  for (unsigned i = 0; i < count; ++i) {
    all[i] = words[i];
    values[i] = seen[i];
  }
  memset(values + count, 0, (most - count) * sizeof *values);
  all[count++] = elan_queueCame(q->queue);
  for (unsigned i = 0; i < ELAN_QUEUE_OUTGOING; ++i)
    if (q->awaited >> i & 1) all[count++] = elan_done(q->sending[i].event);
  for (unsigned i = 0; i < q->count; ++i) all[count++] = elan_done(q->under_way[i].event);
  if (!q->freed) hal_wait_words(all, values, (int)count, UINT64_MAX);
  q->awaited = 0;
  q->freed = 0;
}

/* ---- by the card alone ---- */
static uint64_t expose(void* self, const volatile void* pointer, size_t bytes, int keep) {
  struct elan_queues* q = self;
  (void)keep;
  return hal_is_own(pointer, bytes) ? elan_address(q->base, pointer, bytes) : 0;
}

static enum channel_room remember(struct elan_queues* q, ELAN_EVENT* event, volatile uint32_t* done) {
  q->under_way[q->count++] = (struct under_way){event, done};
  return CHANNEL_SENT;
}

static enum channel_room put(void* self, unsigned to, uint64_t remote, const void* local, size_t bytes,
                             volatile uint32_t* done) {
  struct elan_queues* q = self;
  if (q->count == UNDER_WAY_MOST) return CHANNEL_FULL;
  return remember(q, elan_put(q->base, elan_address(q->base, local, bytes), (E3_Addr)remote, bytes, to), done);
}

static enum channel_room get(void* self, unsigned from, uint64_t remote, void* local, size_t bytes,
                             volatile uint32_t* done) {
  struct elan_queues* q = self;
  if (q->count == UNDER_WAY_MOST) return CHANNEL_FULL;
  return remember(q, elan_get(q->base, (E3_Addr)remote, elan_address(q->base, local, bytes), bytes, from), done);
}

static const struct channel channel = {.start = start,
                                       .record_bytes = record_bytes,
                                       .send = elan_record_send,
                                       .receive = receive,
                                       .release = release,
                                       .sleep = sleep,
                                       .expose = expose,
                                       .put = put,
                                       .get = get,
                                       .eager_bytes = EAGER_BYTES};

const struct transport_implementation transport_elan_queues = {
    .card = "elan3", .matching = "host", .channel = &channel, .advice = tuned_elan3, .advice_for_many = many_elan3};
