/* Puts, gets and atomic operations of messages/: begun, issued to the card, answered, ended. */
#include "sw/hal/hal.h"
#include "sw/transport/tofu_channel/tofu_channel.h"

#define COMMAND_BYTES_MOST ((size_t)8 << 20) /* of one put or get: the card takes less than 16 MiB */

static uint64_t edata_of(const struct tofu_channel* t, const struct tofu_order* order) {
  return (uint64_t)order->use << 8 | (uint64_t)(order - t->orders);
}

/* ---- issue ---- */
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

static int issue_atomic(struct tofu_channel* t, struct tofu_order* order, uint64_t edata, unsigned long flags) {
  const utofu_vcq_id_t peer = t->peers[order->peer].vcq;
  const uint64_t value = order->operation == WORD_FETCH ? 0 : order->operand;
  if (order->operation == WORD_COMPARE_AND_SET)
    return order->bytes == 4
               ? utofu_cswap4(t->vcq, peer, (uint32_t)order->comparand, (uint32_t)order->operand, order->remote, edata,
                              flags, NULL)
               : utofu_cswap8(t->vcq, peer, order->comparand, order->operand, order->remote, edata, flags, NULL);
  return order->bytes == 4
             ? utofu_armw4(t->vcq, peer, arithmetic(order->operation), (uint32_t)value, order->remote, edata, flags,
                           NULL)
             : utofu_armw8(t->vcq, peer, arithmetic(order->operation), value, order->remote, edata, flags, NULL);
}

/* A put or get, in as many commands as it takes. */
static int issue_move(struct tofu_channel* t, struct tofu_order* order, uint64_t edata, unsigned long flags) {
  const utofu_vcq_id_t peer = t->peers[order->peer].vcq;
  for (size_t at = 0; at < order->bytes; at += COMMAND_BYTES_MOST) {
    const size_t rest = order->bytes - at;
    const size_t bytes = rest < COMMAND_BYTES_MOST ? rest : COMMAND_BYTES_MOST;
    int result;
    while ((result = order->call(t->vcq, peer, order->local + at, order->remote + at, bytes, edata, flags, NULL)) ==
           UTOFU_ERR_BUSY) {
      if (at == 0) return result;
      tofu_record_wait_for_room(t);
    }
    tofu_channel_check(result, "a put or get");
    ++order->left;
  }
  return UTOFU_SUCCESS;
}

int tofu_order_issue(struct tofu_channel* t, struct tofu_order* order) {
  const uint64_t edata = edata_of(t, order);
  const unsigned long flags = t->flags | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE;
  order->left = 0;
  order->failed = 0;
  if (order->call) return issue_move(t, order, edata, flags);
  const int result = issue_atomic(t, order, edata, flags);
  if (result == UTOFU_ERR_BUSY) return result;
  tofu_channel_check(result, "an atomic operation");
  order->left = 1;
  return result;
}

/* ---- begin ---- */
static enum channel_room begin(struct tofu_channel* t, const struct tofu_order* what) {
  unsigned number = 0;
  while (number < TOFU_ORDERS_MOST && t->orders[number].done) ++number;
  if (number == TOFU_ORDERS_MOST) return tofu_record_refuse(t, CHANNEL_FULL);
  struct tofu_order* order = &t->orders[number];
  const uint32_t use = order->use + 1;
  *order = *what;
  order->use = use;
  if (tofu_order_issue(t, order) != UTOFU_ERR_BUSY) return CHANNEL_SENT;
  order->done = NULL;
  return tofu_record_refuse(t, CHANNEL_FULL);
}

static enum channel_room move(struct tofu_channel* t, tofu_order_call* call, unsigned peer, uint64_t remote,
                              const void* local, size_t bytes, volatile uint32_t* done) {
  return begin(t, &(struct tofu_order){.done = done,
                                       .peer = peer,
                                       .call = call,
                                       .remote = remote,
                                       .local = tofu_known_stadd_in_use(&t->known, local, bytes),
                                       .bytes = bytes});
}

enum channel_room tofu_order_put(void* self, unsigned to, uint64_t remote, const void* local, size_t bytes,
                                 volatile uint32_t* done) {
  return move(self, utofu_put, to, remote, local, bytes, done);
}

enum channel_room tofu_order_get(void* self, unsigned from, uint64_t remote, void* local, size_t bytes,
                                 volatile uint32_t* done) {
  return move(self, utofu_get, from, remote, local, bytes, done);
}

enum channel_room tofu_order_atomic(void* self, unsigned to, uint64_t remote, enum word_operation operation,
                                    unsigned width, uint64_t operand, uint64_t comparand, uint64_t* before,
                                    volatile uint32_t* done) {
  return begin(self, &(struct tofu_order){.done = done,
                                          .peer = to,
                                          .remote = remote,
                                          .bytes = width,
                                          .operation = operation,
                                          .operand = operand,
                                          .comparand = comparand,
                                          .before = before});
}

/* ---- answered, ended ---- */
struct tofu_order* tofu_order_of(struct tofu_channel* t, uint64_t edata) {
  struct tofu_order* order = &t->orders[edata % TOFU_ORDERS_MOST];
  return order->done && edata == edata_of(t, order) ? order : NULL;
}

void tofu_order_end(struct tofu_channel* t, struct tofu_order* order, uint32_t how) {
  *order->done = how;
  order->done = NULL;
  t->news = 1;
}

void tofu_order_answered(struct tofu_channel* t, const struct utofu_mrq_notice* notice) {
  struct tofu_order* order = tofu_order_of(t, notice->edata);
  if (!order) return;
  if (notice->notice_type == UTOFU_MRQ_TYPE_LCL_ARMW && order->before) *order->before = notice->rmt_value;
  if (--order->left > 0) return;
  if (order->failed)
    tofu_retry_order(t, order);
  else
    tofu_order_end(t, order, 1);
}
