/* TOFU: records are puts into slots at the receiver, one set of them for each sender, with a notice for each.
 * Large messages, atomic operations and the barrier are the card's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/support/size.h"
#include "sw/tofu/known.h"
#include "sw/tofu/tofu_job.h"
#include "sw/transport/channel.h"
#include "sw/transport/implementation.h"

#define RECORD_BYTES 1920u /* data of one packet: nic.packet.payload */
#define SLOTS 8u           /* records of one sender that are not taken yet (A) */
#define UNDER_WAY_MOST 64u /* puts, gets and atomics: as many as messages/ ever has */
#define EAGER_BYTES 8192u  /* about what costs two copies as much as a round trip (A) */
#define TAG 0u             /* of the channel's own memory, in all processes */

/* The card tells of an order that did not get through (UTOFU_ERR_MRQ_PEER), and of no other. It is given again, after
 * a while that doubles from attempt to attempt, until routes lead around what is broken, or the node counts as dead. */
#define AGAIN_FIRST_PS (10 * HAL_PS_PER_US) /* (A) */
#define AGAIN_MOST_PS HAL_PS_PER_MS         /* (A) */

/* What a notice of a put into the channel's own memory says (edata): whose it is, how many bytes of which record; or
 * that slots are free again. Notices of other orders have the order's place, and its use: one that was given up may
 * have left some behind. */
#define OWN (1ull << 63)
#define CREDIT_BYTES 0xffffu
#define REMARK(rank, number, bytes) (OWN | (uint64_t)(rank) << 32 | ((number)&0xffffu) << 16 | (bytes))
#define RANK_OF(remark) ((unsigned)((remark) >> 32) & 0x7fffffffu)
#define NUMBER_OF(remark) ((unsigned)(remark) >> 16)
#define BYTES_OF(remark) ((unsigned)(remark)&0xffffu)
#define ORDER_REMARK(use, place) ((uint64_t)(use) << 8 | (place))

typedef int order_call(utofu_vcq_hdl_t, utofu_vcq_id_t, utofu_stadd_t, utofu_stadd_t, size_t, uint64_t,
                       unsigned long int, void*);

struct under_way {
  volatile uint32_t* done; /* null: free */
  uint32_t use;            /* of this place, counted */
  unsigned peer;
  unsigned left;    /* of its orders */
  int failed;       /* one of them */
  order_call* call; /* null: an atomic operation */
  uint64_t remote;
  utofu_stadd_t here;
  size_t bytes; /* of an atomic operation: its width */
  enum word_operation operation;
  uint64_t operand, comparand;
  uint64_t* before;
};

/* Of another process. */
struct peer {
  utofu_vcq_id_t vcq;
  uint32_t sent, came, returned; /* records to it, from it, and those of them it knows of */
  uint16_t bytes[SLOTS];         /* of records that it may not have taken yet */
  uint16_t here[SLOTS];          /* of those that have come from it and are not taken; 0: it has not come */
  /* What did not get through to it: */
  uint32_t lost; /* a bit for each slot */
  int lost_credit;
  uint64_t again_ps, interval_ps; /* when it is sent again; 0: nothing is */
  uint64_t failed_ps, silent_ps;  /* the last time; the first one without an attempt that got through since */
};

struct tofu {
  utofu_vcq_hdl_t vcq;
  unsigned long flags; /* of all orders: the path */
  struct peer* peers;
  /* The channel's own memory, laid out alike in all processes: counts of records that each has taken; records that go
   * out, which stay until they have been taken; slots of each sender. */
  volatile uint32_t* taken; /* [ranks], written by the peers' cards */
  char* stages;
  char* slots;
  utofu_stadd_t base;
  unsigned from;     /* whose record is looked at */
  int more;          /* its next one is here as well */
  unsigned silent;   /* peers that something did not get through to ... */
  uint64_t again_ps; /* ... and when the first of them is tried again */
  uint64_t timeout_ps;
  const volatile uint32_t* deaths; /* that this process knows of, and has acted on */
  uint32_t deaths_seen;
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

static utofu_stadd_t stadd_of(const struct tofu* t, const volatile void* own) {
  return t->base + (utofu_stadd_t)((const volatile char*)own - (const volatile char*)t->taken);
}
/* Of a record to or from a process. */
static char* place_of(char* places, unsigned process, uint32_t record) {
  return places + ((size_t)process * SLOTS + record % SLOTS) * RECORD_BYTES;
}

static void* start(void) {
  struct tofu* t = calloc(1, sizeof *t);
  const size_t ranks = (size_t)hal_ranks();
  const size_t counts = (ranks * sizeof *t->taken + 127) / 128 * 128;
  const size_t bytes = counts + 2 * ranks * SLOTS * RECORD_BYTES;
  t->taken = aligned_alloc(128, (bytes + 127) / 128 * 128);
  t->peers = calloc(ranks, sizeof *t->peers);
  if (!t->taken || !t->peers)
    hal_abort("transport: this process's memory has no room for its peers' records; run fewer on a node");
  memset((void*)t->taken, 0, counts);
  t->stages = (char*)t->taken + counts;
  t->slots = t->stages + ranks * SLOTS * RECORD_BYTES;
  t->flags = UTOFU_ONESIDED_FLAG_PATH(tofu_own_path());
  t->deaths = hal_deaths();
  t->timeout_ps =
      HAL_PS_PER_US *
      size_setting("tofu.unreachable",
                   hal_setting("tofu.unreachable", "1000000",
                               "us without an attempt that gets through, after which MPI and shmem give a node up",
                               "assumed: long beside fault.detect, and what a mapper takes"));
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

/* ---- orders; each answers UTOFU_ERR_BUSY where the queue has no room ---- */
static enum channel_room refuse(struct tofu* t, enum channel_room why) {
  t->refused = 1;
  return why;
}

/* Past orders that the card has refused. */
static void poll_left(struct tofu* t) {
  int result;
  while ((result = utofu_poll_tcq(t->vcq, 0, NULL)) != UTOFU_ERR_NOT_FOUND) check(result, "sending");
}

static void wait_for_room(struct tofu* t) {
  uint32_t seen;
  const volatile uint32_t* left = tofu_tcq_word(t->vcq, &seen);
  hal_wait_word(left, seen, UINT64_MAX);
  poll_left(t);
}

static int put_record(struct tofu* t, unsigned to, uint32_t number) {
  struct peer* peer = &t->peers[to];
  const size_t bytes = peer->bytes[number % SLOTS];
  return utofu_put(t->vcq, peer->vcq, stadd_of(t, place_of(t->stages, to, number)),
                   stadd_of(t, place_of(t->slots, (unsigned)hal_rank(), number)), bytes,
                   REMARK(hal_rank(), number, bytes), t->flags | UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE, NULL);
}

static int put_credit(struct tofu* t, const struct peer* peer) {
  return utofu_put_piggyback8(t->vcq, peer->vcq, peer->came, stadd_of(t, &t->taken[hal_rank()]), sizeof *t->taken,
                              REMARK(hal_rank(), 0, CREDIT_BYTES), t->flags | UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE,
                              NULL);
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

static int give_atomic(struct tofu* t, struct under_way* order, uint64_t number, unsigned long flags) {
  const utofu_vcq_id_t peer = t->peers[order->peer].vcq;
  const uint64_t value = order->operation == WORD_FETCH ? 0 : order->operand;
  if (order->operation == WORD_COMPARE_AND_SET)
    return order->bytes == 4
               ? utofu_cswap4(t->vcq, peer, (uint32_t)order->comparand, (uint32_t)order->operand, order->remote, number,
                              flags, NULL)
               : utofu_cswap8(t->vcq, peer, order->comparand, order->operand, order->remote, number, flags, NULL);
  return order->bytes == 4
             ? utofu_armw4(t->vcq, peer, arithmetic(order->operation), (uint32_t)value, order->remote, number, flags,
                           NULL)
             : utofu_armw8(t->vcq, peer, arithmetic(order->operation), value, order->remote, number, flags, NULL);
}

/* Of a put or get as many as it takes. */
static int give(struct tofu* t, struct under_way* order) {
  const uint64_t number = ORDER_REMARK(order->use, (uint64_t)(order - t->under_way));
  const unsigned long flags = t->flags | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE;
  const size_t most = 8u << 20; /* of one order: below 16 MiB */
  int result;
  order->left = 0;
  order->failed = 0;
  if (!order->call) {
    result = give_atomic(t, order, number, flags);
    if (result == UTOFU_ERR_BUSY) return result;
    check(result, "an atomic operation");
    order->left = 1;
    return result;
  }
  for (size_t at = 0; at < order->bytes; at += most) {
    const size_t some = order->bytes - at < most ? order->bytes - at : most;
    while ((result = order->call(t->vcq, t->peers[order->peer].vcq, order->here + at, order->remote + at, some, number,
                                 flags, NULL)) == UTOFU_ERR_BUSY) {
      if (at == 0) return result;
      wait_for_room(t);
    }
    check(result, "a put or get");
    ++order->left;
  }
  return UTOFU_SUCCESS;
}

static enum channel_room begin(struct tofu* t, const struct under_way* what) {
  unsigned number = 0;
  while (number < UNDER_WAY_MOST && t->under_way[number].done) ++number;
  if (number == UNDER_WAY_MOST) return refuse(t, CHANNEL_FULL);
  struct under_way* order = &t->under_way[number];
  const uint32_t use = order->use + 1;
  *order = *what;
  order->use = use;
  if (give(t, order) != UTOFU_ERR_BUSY) return CHANNEL_SENT;
  order->done = NULL;
  return refuse(t, CHANNEL_FULL);
}

static void end(struct tofu* t, struct under_way* order, uint32_t how) {
  *order->done = how;
  order->done = NULL;
  t->news = 1;
}

/* What did not get through to a peer is given again then, unless that is settled already. */
static void try_at(struct tofu* t, struct peer* peer, uint64_t at_ps) {
  if (peer->again_ps != 0) return;
  ++t->silent;
  peer->again_ps = at_ps;
  if (t->silent == 1 || at_ps < t->again_ps) t->again_ps = at_ps;
}

/* Null where it was given up. */
static struct under_way* order_of(struct tofu* t, uint64_t remark) {
  struct under_way* order = &t->under_way[remark % UNDER_WAY_MOST];
  return order->done && remark == ORDER_REMARK(order->use, remark % UNDER_WAY_MOST) ? order : NULL;
}

/* An order that was waited for has been answered. */
static void answered(struct tofu* t, const struct utofu_mrq_notice* notice) {
  struct under_way* order = order_of(t, notice->edata);
  if (!order) return;
  if (notice->notice_type == UTOFU_MRQ_TYPE_LCL_ARMW && order->before) *order->before = notice->rmt_value;
  if (--order->left > 0) return;
  if (order->failed)
    try_at(t, &t->peers[order->peer], hal_time_ps() + AGAIN_FIRST_PS);
  else
    end(t, order, 1);
}

/* ---- what did not get through ---- */
/* The rank with this queue, or -1. */
static int rank_of(const struct tofu* t, utofu_vcq_id_t vcq) {
  for (int rank = 0; rank < hal_ranks(); ++rank)
    if (t->peers[rank].vcq == vcq) return rank;
  return -1;
}

/* All that is for a dead process vanishes. */
static void bury(struct tofu* t, unsigned process) {
  struct peer* peer = &t->peers[process];
  if (peer->again_ps != 0) --t->silent;
  peer->again_ps = 0;
  peer->lost = 0;
  peer->lost_credit = 0;
  for (struct under_way* order = t->under_way; order < t->under_way + UNDER_WAY_MOST; ++order)
    if (order->done && order->peer == process) end(t, order, CHANNEL_GIVEN_UP);
}

static void bury_the_dead(struct tofu* t) {
  t->deaths_seen = *t->deaths;
  for (int rank = 0; rank < hal_ranks(); ++rank)
    if (hal_is_dead(hal_rank_node(rank))) bury(t, (unsigned)rank);
}

static void not_reached(struct tofu* t, int result, const struct utofu_mrq_notice* notice) {
  const int rank = result == UTOFU_ERR_MRQ_PEER ? rank_of(t, notice->vcq_id) : -1;
  if (rank < 0) check(result, "a message");
  struct peer* peer = &t->peers[rank];
  const uint64_t now_ps = hal_time_ps();
  if (!(notice->edata & OWN)) {
    struct under_way* order = order_of(t, notice->edata);
    if (!order) return;
    order->failed = 1;
    --order->left;
  } else if (BYTES_OF(notice->edata) == CREDIT_BYTES) {
    peer->lost_credit = 1;
  } else {
    peer->lost |= 1u << NUMBER_OF(notice->edata) % SLOTS;
  }
  if (peer->again_ps == 0) {
    const int is_first = peer->interval_ps == 0 || now_ps - peer->failed_ps > 2 * peer->interval_ps;
    const uint64_t doubled = 2 * peer->interval_ps;
    if (is_first) peer->silent_ps = now_ps;
    peer->interval_ps = is_first ? AGAIN_FIRST_PS : doubled < AGAIN_MOST_PS ? doubled : AGAIN_MOST_PS;
    try_at(t, peer, now_ps + peer->interval_ps);
  }
  peer->failed_ps = now_ps;
  if (now_ps - peer->silent_ps > t->timeout_ps) hal_count_as_dead(hal_rank_node(rank));
  if (hal_is_dead(hal_rank_node(rank))) bury(t, (unsigned)rank);
}

/* Answers 0 where the queue has no room for all of it. */
static int send_again(struct tofu* t, unsigned to) {
  struct peer* peer = &t->peers[to];
  for (uint32_t number = peer->sent - SLOTS; peer->lost != 0 && number != peer->sent; ++number) {
    const uint32_t bit = 1u << number % SLOTS;
    if (!(peer->lost & bit)) continue;
    if (put_record(t, to, number) == UTOFU_ERR_BUSY) return 0;
    peer->lost &= ~bit;
  }
  if (peer->lost_credit && put_credit(t, peer) == UTOFU_ERR_BUSY) return 0;
  peer->lost_credit = 0;
  for (struct under_way* order = t->under_way; order < t->under_way + UNDER_WAY_MOST; ++order)
    if (order->done && order->peer == to && order->failed && order->left == 0 && give(t, order) == UTOFU_ERR_BUSY) {
      order->failed = 1;
      return 0;
    }
  return 1;
}

static void try_again(struct tofu* t) {
  const uint64_t now_ps = hal_time_ps();
  if (now_ps < t->again_ps) return;
  t->again_ps = UINT64_MAX;
  for (int rank = 0; rank < hal_ranks(); ++rank) {
    struct peer* peer = &t->peers[rank];
    if (peer->again_ps == 0) continue;
    const int due = peer->again_ps <= now_ps;
    if (due && hal_is_dead(hal_rank_node(rank))) {
      bury(t, (unsigned)rank);
    } else if (due && send_again(t, (unsigned)rank)) {
      peer->again_ps = 0;
      --t->silent;
    } else {
      if (due) peer->again_ps = now_ps + AGAIN_FIRST_PS;
      if (peer->again_ps < t->again_ps) t->again_ps = peer->again_ps;
    }
  }
}

/* ---- records ---- */
static enum channel_room send(void* self, unsigned to, const struct channel_record* record) {
  struct tofu* t = self;
  struct peer* peer = &t->peers[to];
  if (peer->sent - t->taken[to] == SLOTS)
    return hal_is_dead(hal_rank_node((int)to)) ? CHANNEL_SENT : refuse(t, CHANNEL_PEER_FULL);
  char* stage = place_of(t->stages, to, peer->sent);
  memcpy(stage, record->head, record->head_bytes);
  if (record->body_bytes > 0) memcpy(stage + record->head_bytes, record->body, record->body_bytes);
  peer->bytes[peer->sent % SLOTS] = (uint16_t)(record->head_bytes + record->body_bytes);
  const int result = put_record(t, to, peer->sent);
  if (result == UTOFU_ERR_BUSY) return refuse(t, CHANNEL_FULL);
  check(result, "sending");
  ++peer->sent;
  return CHANNEL_SENT;
}

/* What is sent again comes behind what was sent later: those wait in their slots. */
static const void* next_from(struct tofu* t, unsigned sender, size_t* bytes) {
  const struct peer* peer = &t->peers[sender];
  *bytes = peer->here[peer->came % SLOTS];
  if (*bytes == 0) return NULL;
  t->from = sender;
  t->more = 0;
  return place_of(t->slots, sender, peer->came);
}

static const void* receive(void* self, unsigned* from, size_t* bytes) {
  struct tofu* t = self;
  if (t->silent > 0) try_again(t);
  if (t->more) {
    *from = t->from;
    return next_from(t, t->from, bytes);
  }
  for (;;) {
    struct utofu_mrq_notice notice;
    const int result = utofu_poll_mrq(t->vcq, 0, &notice);
    if (result == UTOFU_ERR_NOT_FOUND) return NULL;
    if (result != UTOFU_SUCCESS) {
      not_reached(t, result, &notice);
    } else if (notice.notice_type != UTOFU_MRQ_TYPE_RMT_PUT) {
      answered(t, &notice);
    } else if (BYTES_OF(notice.edata) == CREDIT_BYTES) {
      t->news = 1;
    } else {
      *from = RANK_OF(notice.edata);
      t->peers[*from].here[NUMBER_OF(notice.edata) % SLOTS] = (uint16_t)BYTES_OF(notice.edata);
      const void* record = next_from(t, *from, bytes);
      if (record) return record;
    }
  }
}

/* Returns slots to the sender, half of them with one put. */
static void release(void* self) {
  struct tofu* t = self;
  struct peer* peer = &t->peers[t->from];
  peer->here[peer->came % SLOTS] = 0;
  ++peer->came;
  t->more = peer->here[peer->came % SLOTS] != 0;
  if (peer->came - peer->returned < SLOTS / 2) return;
  peer->returned = peer->came;
  while (put_credit(t, peer) == UTOFU_ERR_BUSY) wait_for_room(t);
}

static void sleep(void* self, const volatile uint32_t* const* words, const uint32_t* seen, unsigned count) {
  struct tofu* t = self;
  if (*t->deaths != t->deaths_seen) bury_the_dead(t);
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
  if (!t->news && !t->more) hal_wait_words(all, values, (int)count, t->silent > 0 ? t->again_ps : UINT64_MAX);
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

static enum channel_room move(struct tofu* t, order_call* call, unsigned peer, uint64_t remote, const void* local,
                              size_t bytes, volatile uint32_t* done) {
  return begin(t, &(struct under_way){.done = done,
                                      .peer = peer,
                                      .call = call,
                                      .remote = remote,
                                      .here = tofu_known_stadd_in_use(&t->known, local, bytes),
                                      .bytes = bytes});
}

static enum channel_room put(void* self, unsigned to, uint64_t remote, const void* local, size_t bytes,
                             volatile uint32_t* done) {
  return move(self, utofu_put, to, remote, local, bytes, done);
}

static enum channel_room get(void* self, unsigned from, uint64_t remote, void* local, size_t bytes,
                             volatile uint32_t* done) {
  return move(self, utofu_get, from, remote, local, bytes, done);
}

static enum channel_room atomic(void* self, unsigned to, uint64_t remote, enum word_operation operation, unsigned width,
                                uint64_t operand, uint64_t comparand, uint64_t* before, volatile uint32_t* done) {
  return begin(self, &(struct under_way){.done = done,
                                         .peer = to,
                                         .remote = remote,
                                         .bytes = width,
                                         .operation = operation,
                                         .operand = operand,
                                         .comparand = comparand,
                                         .before = before});
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
                                       .put = put, /* puts_in_order: no, for it may be given again */
                                       .get = get,
                                       .eager_bytes = EAGER_BYTES,
                                       .atomic = atomic,
                                       .barrier_begin = barrier_begin,
                                       .barrier_done = barrier_done};

const struct transport_implementation transport_tofu = {.card = "tofu", .matching = "host", .channel = &channel};
