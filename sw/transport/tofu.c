/* TOFU: each record is a put, with a notice, into one of the slots that the receiver has for its sender. The card does
 * large messages, atomic operations and the barrier. tofu_channel/ has the puts themselves, and retries. */
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/support/size.h"
#include "sw/transport/implementation.h"
#include "sw/transport/tofu_channel/tofu_channel.h"
#include "sw/transport/tuned/many_elan3.h"
#include "sw/transport/tuned/tofu.h"

#define EAGER_BYTES 8192u /* about what costs two copies as much as a round trip (A) */
#define TAG 0u            /* of the channel's own memory, in all processes */

/* ---- start ---- */
static void* start(void) {
  struct tofu_channel* t = calloc(1, sizeof *t);
  const size_t ranks = (size_t)hal_job_processes();
  const size_t counts = (ranks * sizeof *t->taken + 127) / 128 * 128;
  const size_t bytes = counts + 2 * ranks * TOFU_SLOTS * TOFU_RECORD_BYTES;
  t->taken = aligned_alloc(128, (bytes + 127) / 128 * 128);
  t->peers = calloc(ranks, sizeof *t->peers);
  if (!t->taken || !t->peers)
    hal_abort("transport: this process's memory has no room for its peers' records; run fewer on a node");
  memset((void*)t->taken, 0, counts);
  t->stages = (char*)t->taken + counts;
  t->slots = t->stages + ranks * TOFU_SLOTS * TOFU_RECORD_BYTES;
  t->flags = UTOFU_ONESIDED_FLAG_PATH(tofu_own_path());
  t->deaths = hal_deaths();
  t->timeout_ps =
      HAL_PS_PER_US *
      size_setting("tofu.unreachable",
                   HAL_SETTING("tofu.unreachable", "1000000",
                               "us without an attempt that gets through, after which MPI and shmem give a node up",
                               "assumed: long beside fault.detect, and what a mapper takes"));
  tofu_known_begin(&t->known);
  tofu_channel_check(utofu_create_vcq_with_cmp_id(0, TOFU_JOB_COMPONENT, 0, &t->vcq), "opening a queue");
  tofu_channel_check(utofu_reg_mem_with_stag(t->vcq, (void*)t->taken, bytes, TAG, 0, &t->base), "registering memory");
  for (size_t rank = 0; rank < ranks; ++rank) t->peers[rank].vcq = tofu_rank_vcq((int)rank, 0, TOFU_JOB_COMPONENT);
  tofu_barrier();
  return t;
}

static size_t record_bytes(const void* self) {
  (void)self;
  return TOFU_RECORD_BYTES;
}

/* ---- records ---- */
static enum channel_room tofu_record_send(void* self, unsigned to, const struct channel_record* record) {
  struct tofu_channel* t = self;
  struct tofu_peer* peer = &t->peers[to];
  if (peer->sent - t->taken[to] == TOFU_SLOTS)
    return hal_is_dead(hal_rank_node((int)to)) ? CHANNEL_SENT : tofu_record_refuse(t, CHANNEL_PEER_FULL);
  char* stage = tofu_record_place(t->stages, to, peer->sent);
  memcpy(stage, record->head, record->head_bytes);
  if (record->body_bytes > 0) memcpy(stage + record->head_bytes, record->body, record->body_bytes);
  peer->bytes[peer->sent % TOFU_SLOTS] = (uint16_t)(record->head_bytes + record->body_bytes);
  const int result = tofu_record_put(t, to, peer->sent);
  if (result == UTOFU_ERR_BUSY) return tofu_record_refuse(t, CHANNEL_FULL);
  tofu_channel_check(result, "sending");
  ++peer->sent;
  return CHANNEL_SENT;
}

/* The sender's next record in order. A record that is sent again arrives after later ones, which wait in their slots.
 */
static const void* next_from(struct tofu_channel* t, unsigned sender, size_t* bytes) {
  const struct tofu_peer* peer = &t->peers[sender];
  *bytes = peer->here[peer->came % TOFU_SLOTS];
  if (*bytes == 0) return NULL;
  t->from = sender;
  t->more = 0;
  return tofu_record_place(t->slots, sender, peer->came);
}

static const void* receive(void* self, unsigned* from, size_t* bytes) {
  struct tofu_channel* t = self;
  if (t->silent > 0) tofu_retry_due(t);
  if (t->more) {
    *from = t->from;
    return next_from(t, t->from, bytes);
  }
  for (;;) {
    struct utofu_mrq_notice notice;
    const int result = utofu_poll_mrq(t->vcq, 0, &notice);
    if (result == UTOFU_ERR_NOT_FOUND) return NULL;
    if (result != UTOFU_SUCCESS) {
      tofu_retry_lost(t, result, &notice);
    } else if (notice.notice_type != UTOFU_MRQ_TYPE_RMT_PUT) {
      tofu_order_answered(t, &notice);
    } else if (TOFU_BYTES_OF(notice.edata) == TOFU_CREDIT_BYTES) {
      t->news = 1;
    } else {
      *from = TOFU_RANK_OF(notice.edata);
      t->peers[*from].here[TOFU_NUMBER_OF(notice.edata) % TOFU_SLOTS] = (uint16_t)TOFU_BYTES_OF(notice.edata);
      const void* record = next_from(t, *from, bytes);
      if (record) return record;
    }
  }
}

/* Returns slots to the sender, half of them at a time: one put for several. */
static void release(void* self) {
  struct tofu_channel* t = self;
  struct tofu_peer* peer = &t->peers[t->from];
  peer->here[peer->came % TOFU_SLOTS] = 0;
  ++peer->came;
  t->more = peer->here[peer->came % TOFU_SLOTS] != 0;
  if (peer->came - peer->returned < TOFU_SLOTS / 2) return;
  peer->returned = peer->came;
  while (tofu_record_credit(t, peer) == UTOFU_ERR_BUSY) tofu_record_wait_for_room(t);
}

static void sleep(void* self, const volatile uint32_t* const* words, const uint32_t* seen, unsigned count) {
  struct tofu_channel* t = self;
  if (*t->deaths != t->deaths_seen) tofu_retry_deaths(t);
  const volatile uint32_t* all[count + 3];
  uint32_t values[count + 3];
  memcpy(all, words, count * sizeof *all);
  memcpy(values, seen, count * sizeof *values);
  all[count] = tofu_mrq_word(t->vcq, &values[count]);
  ++count;
  if (t->refused) {
    all[count] = tofu_tcq_word(t->vcq, &values[count]);
    ++count;
  }
  if (t->barrier) {
    all[count] = tofu_barrier_word(&values[count]);
    ++count;
  }
  if (!t->news && !t->more) hal_wait_words(all, values, (int)count, t->silent > 0 ? t->retry_ps : UINT64_MAX);
  if (t->refused) tofu_record_poll_left(t);
  t->refused = t->news = 0;
}

/* ---- by the card alone ---- */
static uint64_t expose(void* self, const volatile void* pointer, size_t bytes, int kind) {
  struct tofu_channel* t = self;
  const utofu_stadd_t stadd = tofu_known_stadd(&t->known, t->vcq, pointer, bytes, kind);
  return stadd == UINT64_MAX ? 0 : stadd; /* its tag is never 0 */
}

static void unexpose(void* self, const volatile void* pointer, size_t bytes, int kind) {
  struct tofu_channel* t = self;
  tofu_known_let_go(&t->known, pointer, bytes, kind);
}

static void barrier_begin(void* self) {
  struct tofu_channel* t = self;
  tofu_barrier_begin();
  t->barrier = 1;
}

static int barrier_done(void* self) {
  struct tofu_channel* t = self;
  if (!tofu_barrier_done()) return 0;
  t->barrier = 0;
  return 1;
}

static const struct channel channel = {.start = start,
                                       .record_bytes = record_bytes,
                                       .send = tofu_record_send,
                                       .receive = receive,
                                       .release = release,
                                       .sleep = sleep,
                                       .expose = expose,
                                       .unexpose = unexpose,
                                       .put = tofu_order_put, /* puts_in_order: 0, since a put may be sent again */
                                       .get = tofu_order_get,
                                       .eager_bytes = EAGER_BYTES,
                                       .atomic = tofu_order_atomic,
                                       .barrier_begin = barrier_begin,
                                       .barrier_done = barrier_done};

const struct transport_implementation transport_tofu = {
    .card = "tofu", .matching = "host", .channel = &channel, .advice = tuned_tofu, .advice_for_many = many_elan3};
