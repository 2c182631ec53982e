/* Retransmits orders that did not reach their node.
 *
 * The card reports each put and order that did not get through (UTOFU_ERR_MRQ_PEER). It is sent again after an
 * interval, which doubles from attempt to attempt, until routes lead around what is broken, or the node counts as dead.
 */
#include "sw/hal/hal.h"
#include "sw/transport/tofu_channel/tofu_channel.h"

#define INTERVAL_FIRST_PS (10 * HAL_PS_PER_US) /* (A) */
#define INTERVAL_MOST_PS HAL_PS_PER_MS         /* (A) */

/* ---- lost ---- */
/* Has tofu_retry_due send to a peer then, unless a time is set already. */
static void retry_at(struct tofu_channel* t, struct tofu_peer* peer, uint64_t at_ps) {
  if (peer->retry_ps != 0) return;
  ++t->silent;
  peer->retry_ps = at_ps;
  if (t->silent == 1 || at_ps < t->retry_ps) t->retry_ps = at_ps;
}

void tofu_retry_order(struct tofu_channel* t, const struct tofu_order* order) {
  retry_at(t, &t->peers[order->peer], hal_time_ps() + INTERVAL_FIRST_PS);
}

/* The rank with this queue, or -1. */
static int rank_of(const struct tofu_channel* t, utofu_vcq_id_t vcq) {
  for (int rank = 0; rank < hal_job_processes(); ++rank)
    if (t->peers[rank].vcq == vcq) return rank;
  return -1;
}

/* Records a loss. Returns 0 if the lost order has been given up. */
static int note_lost(struct tofu_channel* t, struct tofu_peer* peer, uint64_t edata) {
  if (!(edata & TOFU_OF_RECORD)) {
    struct tofu_order* order = tofu_order_of(t, edata);
    if (!order) return 0;
    order->failed = 1;
    --order->left;
  } else if (TOFU_BYTES_OF(edata) == TOFU_CREDIT_BYTES) {
    peer->lost_credit = 1;
  } else {
    peer->lost |= 1u << TOFU_NUMBER_OF(edata) % TOFU_SLOTS;
  }
  return 1;
}

/* Chooses when to send to the peer again. */
static void schedule(struct tofu_channel* t, struct tofu_peer* peer, uint64_t now_ps) {
  const int is_first = peer->interval_ps == 0 || now_ps - peer->failed_ps > 2 * peer->interval_ps;
  const uint64_t doubled = 2 * peer->interval_ps;
  if (is_first) peer->silent_ps = now_ps;
  peer->interval_ps = is_first ? INTERVAL_FIRST_PS : doubled < INTERVAL_MOST_PS ? doubled : INTERVAL_MOST_PS;
  retry_at(t, peer, now_ps + peer->interval_ps);
}

/* ---- given up ---- */
/* Everything for a dead process is dropped. */
static void give_up(struct tofu_channel* t, unsigned process) {
  struct tofu_peer* peer = &t->peers[process];
  if (peer->retry_ps != 0) --t->silent;
  peer->retry_ps = 0;
  peer->lost = 0;
  peer->lost_credit = 0;
  for (struct tofu_order* order = t->orders; order < t->orders + TOFU_ORDERS_MOST; ++order)
    if (order->done && order->peer == process) tofu_order_end(t, order, CHANNEL_GIVEN_UP);
}

void tofu_retry_deaths(struct tofu_channel* t) {
  t->deaths_seen = *t->deaths;
  for (int rank = 0; rank < hal_job_processes(); ++rank)
    if (hal_is_dead(hal_rank_node(rank))) give_up(t, (unsigned)rank);
}

void tofu_retry_lost(struct tofu_channel* t, int result, const struct utofu_mrq_notice* notice) {
  const int rank = result == UTOFU_ERR_MRQ_PEER ? rank_of(t, notice->vcq_id) : -1;
  if (rank < 0) tofu_channel_check(result, "a message");
  struct tofu_peer* peer = &t->peers[rank];
  const uint64_t now_ps = hal_time_ps();
  if (!note_lost(t, peer, notice->edata)) return;
  if (peer->retry_ps == 0) schedule(t, peer, now_ps);
  peer->failed_ps = now_ps;
  if (now_ps - peer->silent_ps > t->timeout_ps) hal_count_as_dead(hal_rank_node(rank));
  if (hal_is_dead(hal_rank_node(rank))) give_up(t, (unsigned)rank);
}

/* ---- sent again ---- */
/* Whether all lost records have been resent; otherwise the queue has no more room. */
static int send_records(struct tofu_channel* t, unsigned to) {
  struct tofu_peer* peer = &t->peers[to];
  for (uint32_t number = peer->sent - TOFU_SLOTS; peer->lost != 0 && number != peer->sent; ++number) {
    const uint32_t bit = 1u << number % TOFU_SLOTS;
    if (!(peer->lost & bit)) continue;
    if (tofu_record_put(t, to, number) == UTOFU_ERR_BUSY) return 0;
    peer->lost &= ~bit;
  }
  if (peer->lost_credit && tofu_record_credit(t, peer) == UTOFU_ERR_BUSY) return 0;
  peer->lost_credit = 0;
  return 1;
}

/* The same for orders. */
static int issue_orders(struct tofu_channel* t, unsigned to) {
  for (struct tofu_order* order = t->orders; order < t->orders + TOFU_ORDERS_MOST; ++order) {
    const int wanted = order->done && order->peer == to && order->failed && order->left == 0;
    if (!wanted || tofu_order_issue(t, order) != UTOFU_ERR_BUSY) continue;
    order->failed = 1;
    return 0;
  }
  return 1;
}

/* Resends to one peer; returns when the next attempt is due, 0 for none. */
static uint64_t send_again(struct tofu_channel* t, unsigned to, uint64_t now_ps) {
  const uint64_t due_ps = t->peers[to].retry_ps;
  if (due_ps == 0 || due_ps > now_ps) return due_ps;
  if (hal_is_dead(hal_rank_node((int)to))) {
    give_up(t, to);
    return 0;
  }
  if (!send_records(t, to) || !issue_orders(t, to)) return now_ps + INTERVAL_FIRST_PS;
  --t->silent;
  return 0;
}

void tofu_retry_due(struct tofu_channel* t) {
  const uint64_t now_ps = hal_time_ps();
  if (now_ps < t->retry_ps) return;
  t->retry_ps = UINT64_MAX;
  for (int rank = 0; rank < hal_job_processes(); ++rank) {
    struct tofu_peer* peer = &t->peers[rank];
    peer->retry_ps = send_again(t, (unsigned)rank, now_ps);
    if (peer->retry_ps != 0 && peer->retry_ps < t->retry_ps) t->retry_ps = peer->retry_ps;
  }
}
