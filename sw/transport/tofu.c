/* TOFU: records are puts into slots at the receiver, one set of them for each sender, with a notice that tells of each.
 * Large messages, atomic operations and the barrier are the card's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/tofu/known.h"
#include "sw/tofu/tofu_job.h"
#include "sw/transport/channel.h"
#include "sw/transport/implementation.h"

#define RECORD_BYTES 1920u /* data of one packet: nic.packet.payload */
#define SLOTS 8u           /* records of one sender that nobody has taken yet (A) */
#define STAGES 64u         /* records on their way out of this process (A) */
#define UNDER_WAY_MOST 64u /* puts, gets and atomics: as many as messages/ ever has */
#define EAGER_BYTES 8192u  /* about what costs two copies as much as a round trip (A) */
#define TAG 0u             /* of the channel's own memory, in all processes */

/* What a notice of a put says (edata): who, how many bytes of a record; or that slots are free again. */
#define CREDIT_BYTES 0xffffffffu
#define REMARK(rank, bytes) ((uint64_t)(rank) << 32 | (bytes))

struct under_way {
  volatile uint32_t* done; /* null: free */
  uint64_t* before;
  unsigned left; /* orders */
};

/* Of another process. */
struct peer {
  utofu_vcq_id_t vcq;
  uint32_t sent, came, returned; /* records to it, from it, and those of them it knows of */
};

struct tofu {
  utofu_vcq_hdl_t vcq;
  unsigned long flags; /* of all orders: the path */
  struct peer* peers;
  /* The channel's own memory, laid out alike in all processes: counts of records that each has taken, places of records
   * that go out, slots of each sender. */
  volatile uint32_t* taken; /* [ranks], written by the peers' cards */
  char* stages;
  char* slots;
  utofu_stadd_t base;
  uint32_t staged, left; /* records given to the card, and those of them that have left */
  unsigned from;         /* whose record is looked at */
  int refused, news, barrier;
  struct under_way under_way[UNDER_WAY_MOST];
  struct tofu_known known;
};

static void check(int result, const char* what) {
  if (result == UTOFU_SUCCESS) return;
  char text[160];
  snprintf(text, sizeof text, "transport: %s: uTofu answers %d", what, result);
  hal_abort(text);
}

/* The rank with this queue, or -1. */
static int rank_of(const struct tofu* t, utofu_vcq_id_t vcq) {
  for (int rank = 0; rank < hal_ranks(); ++rank)
    if (t->peers[rank].vcq == vcq) return rank;
  return -1;
}

/* The card's notice of what it could not bring to its end. Answers 1 where that was for a node that is known to be
 * dead: it vanishes. */
static int is_for_the_dead(const struct tofu* t, int result, const struct utofu_mrq_notice* notice) {
  const int rank = result == UTOFU_ERR_MRQ_PEER ? rank_of(t, notice->vcq_id) : -1;
  if (rank >= 0 && hal_is_dead(hal_rank_node(rank))) return 1;
  if (rank >= 0) {
    char text[160];
    snprintf(text, sizeof text,
             "transport: node %d does not answer: it has died, no way leads to it, or its process has no queue",
             hal_rank_node(rank));
    hal_abort(text);
  }
  check(result, "a message");
  return 0;
}

static utofu_stadd_t stadd_of(const struct tofu* t, const volatile void* own) {
  return t->base + (utofu_stadd_t)((const volatile char*)own - (const volatile char*)t->taken);
}
static char* slot_of(const struct tofu* t, unsigned sender, uint32_t record) {
  return t->slots + ((size_t)sender * SLOTS + record % SLOTS) * RECORD_BYTES;
}

static void* start(void) {
  struct tofu* t = calloc(1, sizeof *t);
  const size_t ranks = (size_t)hal_ranks();
  const size_t counts = (ranks * sizeof *t->taken + 127) / 128 * 128;
  const size_t bytes = counts + (STAGES + ranks * SLOTS) * RECORD_BYTES;
  t->taken = aligned_alloc(128, (bytes + 127) / 128 * 128);
  t->peers = calloc(ranks, sizeof *t->peers);
  if (!t->taken) hal_abort("transport: this process's memory has no room for its peers' records; run fewer on a node");
  memset((void*)t->taken, 0, counts);
  t->stages = (char*)t->taken + counts;
  t->slots = t->stages + STAGES * RECORD_BYTES;
  t->flags = UTOFU_ONESIDED_FLAG_PATH(tofu_own_path());
  check(utofu_create_vcq_with_cmp_id(0, TOFU_JOB_COMPONENT, 0, &t->vcq), "opening a queue");
  check(utofu_reg_mem_with_stag(t->vcq, (void*)t->taken, bytes, TAG, 0, &t->base), "registering memory");
  for (size_t rank = 0; rank < ranks; ++rank) t->peers[rank].vcq = tofu_rank_vcq((int)rank, 0, TOFU_JOB_COMPONENT);
  tofu_barrier();
  return t;
}

static size_t record_bytes(const void* self) {
  (void)self;
  return RECORD_BYTES;
}

/* ---- records ---- */
static enum channel_room refuse(struct tofu* t, enum channel_room why) {
  t->refused = 1;
  return why;
}

/* Takes back the places of records that have left. */
static void poll_left(struct tofu* t) {
  for (;;) {
    const int result = utofu_poll_tcq(t->vcq, 0, NULL);
    if (result == UTOFU_ERR_NOT_FOUND) return;
    check(result, "sending");
    ++t->left;
  }
}

static enum channel_room send(void* self, unsigned to, const struct channel_record* record) {
  struct tofu* t = self;
  struct peer* peer = &t->peers[to];
  if (peer->sent - t->taken[to] == SLOTS) return refuse(t, CHANNEL_PEER_FULL);
  if (t->staged - t->left == STAGES) poll_left(t);
  if (t->staged - t->left == STAGES) return refuse(t, CHANNEL_FULL);
  char* stage = t->stages + t->staged % STAGES * RECORD_BYTES;
  const size_t bytes = record->head_bytes + record->body_bytes;
  memcpy(stage, record->head, record->head_bytes);
  if (record->body_bytes > 0) memcpy(stage + record->head_bytes, record->body, record->body_bytes);
  const unsigned long flags = t->flags | UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE | UTOFU_ONESIDED_FLAG_TCQ_NOTICE;
  const int result =
      utofu_put(t->vcq, peer->vcq, stadd_of(t, stage), stadd_of(t, slot_of(t, (unsigned)hal_rank(), peer->sent)), bytes,
                REMARK(hal_rank(), bytes), flags, NULL);
  if (result == UTOFU_ERR_BUSY) return refuse(t, CHANNEL_FULL);
  check(result, "sending");
  ++t->staged;
  ++peer->sent;
  return CHANNEL_SENT;
}

/* An order that was waited for has been answered. */
static void answered(struct tofu* t, const struct utofu_mrq_notice* notice) {
  struct under_way* order = &t->under_way[notice->edata];
  if (notice->notice_type == UTOFU_MRQ_TYPE_LCL_ARMW && order->before) *order->before = notice->rmt_value;
  if (--order->left > 0) return;
  *order->done = 1;
  order->done = NULL;
  t->news = 1;
}

static const void* receive(void* self, unsigned* from, size_t* bytes) {
  struct tofu* t = self;
  for (;;) {
    struct utofu_mrq_notice notice;
    const int result = utofu_poll_mrq(t->vcq, 0, &notice);
    if (result == UTOFU_ERR_NOT_FOUND) return NULL;
    if (result != UTOFU_SUCCESS && is_for_the_dead(t, result, &notice)) continue;
    if (notice.notice_type != UTOFU_MRQ_TYPE_RMT_PUT) {
      answered(t, &notice);
    } else if ((uint32_t)notice.edata == CREDIT_BYTES) {
      t->news = 1;
    } else {
      t->from = *from = (unsigned)(notice.edata >> 32);
      *bytes = (uint32_t)notice.edata;
      return slot_of(t, *from, t->peers[*from].came);
    }
  }
}

/* The sender is told of half of its slots at once. */
static void release(void* self) {
  struct tofu* t = self;
  struct peer* peer = &t->peers[t->from];
  ++peer->came;
  if (peer->came - peer->returned < SLOTS / 2) return;
  peer->returned = peer->came;
  const utofu_stadd_t word = stadd_of(t, &t->taken[hal_rank()]);
  while (utofu_put_piggyback8(t->vcq, peer->vcq, peer->came, word, sizeof *t->taken, REMARK(0, CREDIT_BYTES),
                              t->flags | UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE, NULL) == UTOFU_ERR_BUSY) {
    uint32_t seen;
    const volatile uint32_t* left = tofu_tcq_word(t->vcq, &seen);
    hal_wait_word(left, seen, UINT64_MAX);
    poll_left(t);
  }
}

static void sleep(void* self, const volatile uint32_t* const* words, const uint32_t* seen, unsigned count) {
  struct tofu* t = self;
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
  if (!t->news) hal_wait_words(all, values, (int)count, UINT64_MAX);
  if (t->refused) poll_left(t);
  t->refused = t->news = 0;
}

/* ---- by the card alone ---- */

static uint64_t expose(void* self, const volatile void* pointer, size_t bytes, int keep) {
  struct tofu* t = self;
  const utofu_stadd_t stadd = tofu_known_stadd(&t->known, t->vcq, pointer, bytes, keep);
  return stadd == UINT64_MAX ? 0 : stadd; /* its tag is never 0 */
}

static void unexpose(void* self, const volatile void* pointer, size_t bytes) {
  struct tofu* t = self;
  tofu_known_let_go(&t->known, pointer, bytes);
}

/* Number of a free place for what is under way, or UNDER_WAY_MOST. */
static unsigned free_place(const struct tofu* t) {
  unsigned i = 0;
  while (i < UNDER_WAY_MOST && t->under_way[i].done) ++i;
  return i;
}

typedef int order_call(utofu_vcq_hdl_t, utofu_vcq_id_t, utofu_stadd_t, utofu_stadd_t, size_t, uint64_t,
                       unsigned long int, void*);

/* A put or get, in as many orders as it takes. */
static enum channel_room move(struct tofu* t, order_call* call, unsigned peer, uint64_t remote, const void* local,
                              size_t bytes, volatile uint32_t* done) {
  const unsigned number = free_place(t);
  if (number == UNDER_WAY_MOST) return refuse(t, CHANNEL_FULL);
  const size_t most = 8u << 20; /* of one order: below 16 MiB */
  struct under_way* order = &t->under_way[number];
  const utofu_stadd_t here = tofu_known_stadd_in_use(&t->known, local, bytes);
  order->left = 0;
  for (size_t at = 0; at < bytes; at += most) {
    const size_t some = bytes - at < most ? bytes - at : most;
    const unsigned long flags = t->flags | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE;
    int result;
    while ((result = call(t->vcq, t->peers[peer].vcq, here + at, remote + at, some, number, flags, NULL)) ==
           UTOFU_ERR_BUSY) {
      if (at == 0) return refuse(t, CHANNEL_FULL);
      uint32_t seen;
      const volatile uint32_t* left = tofu_tcq_word(t->vcq, &seen);
      hal_wait_word(left, seen, UINT64_MAX);
      poll_left(t);
    }
    check(result, "a put or get");
    ++order->left;
  }
  order->done = done;
  return CHANNEL_SENT;
}

static enum channel_room put(void* self, unsigned to, uint64_t remote, const void* local, size_t bytes,
                             volatile uint32_t* done) {
  return move(self, utofu_put, to, remote, local, bytes, done);
}

static enum channel_room get(void* self, unsigned from, uint64_t remote, void* local, size_t bytes,
                             volatile uint32_t* done) {
  return move(self, utofu_get, from, remote, local, bytes, done);
}

static enum utofu_armw_op arithmetic(enum word_operation operation) {
  switch (operation) {
    case WORD_SET:
      return UTOFU_ARMW_OP_SWAP;
    case WORD_AND:
      return UTOFU_ARMW_OP_AND;
    case WORD_OR:
      return UTOFU_ARMW_OP_OR;
    case WORD_XOR:
      return UTOFU_ARMW_OP_XOR;
    default:
      return UTOFU_ARMW_OP_ADD; /* of 0, to fetch */
  }
}

static enum channel_room atomic(void* self, unsigned to, uint64_t remote, enum word_operation operation, unsigned width,
                                uint64_t operand, uint64_t comparand, uint64_t* before, volatile uint32_t* done) {
  struct tofu* t = self;
  const unsigned number = free_place(t);
  if (number == UNDER_WAY_MOST) return refuse(t, CHANNEL_FULL);
  const unsigned long flags = t->flags | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE;
  const utofu_vcq_id_t peer = t->peers[to].vcq;
  const uint64_t value = operation == WORD_FETCH ? 0 : operand;
  int result;
  if (operation == WORD_COMPARE_AND_SET)
    result = width == 4
                 ? utofu_cswap4(t->vcq, peer, (uint32_t)comparand, (uint32_t)operand, remote, number, flags, NULL)
                 : utofu_cswap8(t->vcq, peer, comparand, operand, remote, number, flags, NULL);
  else
    result = width == 4 ? utofu_armw4(t->vcq, peer, arithmetic(operation), (uint32_t)value, remote, number, flags, NULL)
                        : utofu_armw8(t->vcq, peer, arithmetic(operation), value, remote, number, flags, NULL);
  if (result == UTOFU_ERR_BUSY) return refuse(t, CHANNEL_FULL);
  check(result, "an atomic operation");
  t->under_way[number] = (struct under_way){.done = done, .before = before, .left = 1};
  return CHANNEL_SENT;
}

static void barrier_begin(void* self) {
  struct tofu* t = self;
  tofu_barrier_begin();
  t->barrier = 1;
}

static int barrier_done(void* self) {
  struct tofu* t = self;
  if (!tofu_barrier_done()) return 0;
  t->barrier = 0;
  return 1;
}

static const struct channel channel = {.start = start,
                                       .record_bytes = record_bytes,
                                       .send = send,
                                       .receive = receive,
                                       .release = release,
                                       .sleep = sleep,
                                       .expose = expose,
                                       .unexpose = unexpose,
                                       .put = put,
                                       .puts_in_order = 1,
                                       .get = get,
                                       .eager_bytes = EAGER_BYTES,
                                       .atomic = atomic,
                                       .barrier_begin = barrier_begin,
                                       .barrier_done = barrier_done};

const struct transport_implementation transport_tofu = {.card = "tofu", .matching = "host", .channel = &channel};
