/* Orders: put, get, atomic read-modify-write. */
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/tofu/context.h"
#include "sw/tofu/prepared.h"

/* Skips the TCQ's entries that the program does not want. @return whether there is room for another order */
static inline __attribute__((always_inline)) int has_room(struct vcq* vcq) {
  while (vcq->ended != vcq->given && !vcq->wanted[vcq->ended % ORDER_ENTRIES]) {
    const struct tofu_tcq_entry* entry = &vcq->tcq[vcq->ended % ORDER_ENTRIES];
    if (entry->number != vcq->ended + 1 || entry->status != TOFU_OK) break;
    vcq_took_left(vcq);
  }
  return vcq->given - vcq->ended < ORDER_ENTRIES;
}

/* The card writes a TCQ entry for every order: so the library knows the free places of the queue. */
static int give(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t to, struct tofu_order* order, unsigned long int flags,
                void* cbdata) {
  struct vcq* vcq = vcq_of(vcq_hdl);
  if (!vcq) return UTOFU_ERR_INVALID_VCQ_HDL;
  if (!has_room(vcq)) return UTOFU_ERR_BUSY;
  const uint32_t path = (uint32_t)(flags >> 28) & 0xffu;
  order->path = (uint8_t)(path ? path : vcq_id_path(to));
  order->notices = TOFU_TCQ_NOTICE;
  if (flags & UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE) order->notices |= TOFU_LOCAL_MRQ_NOTICE;
  if (flags & UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE) order->notices |= TOFU_REMOTE_MRQ_NOTICE;
  order->node = vcq_id_node(to);
  order->tni = (uint8_t)vcq_id_tni(to);
  order->queue = (uint16_t)vcq_id_queue(to);
  const uint32_t slot = vcq->given % ORDER_ENTRIES;
  vcq->wanted[slot] = (flags & UTOFU_ONESIDED_FLAG_TCQ_NOTICE) != 0;
  vcq->remarks[slot] = cbdata;
  ++vcq->given;
  const struct tofu_context* context = tofu_context();
  if (context->direct) {
    hal_write_block(vcq->page + TOFU_PAGE_DIRECT, order, sizeof *order);
  } else {
    vcq->orders[slot] = *order;
    hal_write32(vcq->page + TOFU_PAGE_ORDERS, vcq->given);
  }
  return UTOFU_SUCCESS;
}

static int check_length(size_t length, size_t most) { return length > most ? UTOFU_ERR_INVALID_SIZE : UTOFU_SUCCESS; }

int utofu_put(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd,
              size_t length, uint64_t edata, unsigned long int flags, void* cbdata) {
  if (check_length(length, TOFU_MOST_BYTES)) return UTOFU_ERR_INVALID_SIZE;
  struct tofu_order order = {
      .operation = TOFU_PUT, .length = (uint32_t)length, .remote = rmt_stadd, .remark = edata, .local = lcl_stadd};
  return give(vcq_hdl, rmt_vcq_id, &order, flags, cbdata);
}

int utofu_put_piggyback(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, void* lcl_data, utofu_stadd_t rmt_stadd,
                        size_t length, uint64_t edata, unsigned long int flags, void* cbdata) {
  if (check_length(length, TOFU_INLINE_BYTES)) return UTOFU_ERR_INVALID_SIZE;
  struct tofu_order order = {
      .operation = TOFU_PUT_INLINE, .length = (uint32_t)length, .remote = rmt_stadd, .remark = edata};
  memcpy(order.data, lcl_data, length);
  return give(vcq_hdl, rmt_vcq_id, &order, flags, cbdata);
}

int utofu_put_piggyback8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t lcl_data, utofu_stadd_t rmt_stadd,
                         size_t length, uint64_t edata, unsigned long int flags, void* cbdata) {
  if (check_length(length, sizeof lcl_data)) return UTOFU_ERR_INVALID_SIZE;
  return utofu_put_piggyback(vcq_hdl, rmt_vcq_id, &lcl_data, rmt_stadd, length, edata, flags, cbdata);
}

int utofu_get(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd,
              size_t length, uint64_t edata, unsigned long int flags, void* cbdata) {
  if (check_length(length, TOFU_MOST_BYTES)) return UTOFU_ERR_INVALID_SIZE;
  struct tofu_order order = {
      .operation = TOFU_GET, .length = (uint32_t)length, .remote = rmt_stadd, .remark = edata, .local = lcl_stadd};
  return give(vcq_hdl, rmt_vcq_id, &order, flags, cbdata);
}

static int atomic(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, int arithmetic, uint32_t width, uint64_t operand,
                  uint64_t comparand, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags, void* cbdata) {
  if (rmt_stadd % width != 0) return UTOFU_ERR_INVALID_STADD;
  struct tofu_order order = {.operation = TOFU_ATOMIC,
                             .arithmetic = (uint8_t)arithmetic,
                             .length = width,
                             .remote = rmt_stadd,
                             .remark = edata,
                             .operand = operand,
                             .comparand = comparand};
  return give(vcq_hdl, rmt_vcq_id, &order, flags, cbdata);
}

int utofu_armw4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op, uint32_t op_value,
                utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags, void* cbdata) {
  if (!tofu_is_atomic(armw_op)) return UTOFU_ERR_INVALID_OP;
  return atomic(vcq_hdl, rmt_vcq_id, (int)armw_op, 4, op_value, 0, rmt_stadd, edata, flags, cbdata);
}

int utofu_armw8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op, uint64_t op_value,
                utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags, void* cbdata) {
  if (!tofu_is_atomic(armw_op)) return UTOFU_ERR_INVALID_OP;
  return atomic(vcq_hdl, rmt_vcq_id, (int)armw_op, 8, op_value, 0, rmt_stadd, edata, flags, cbdata);
}

int utofu_cswap4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint32_t old_value, uint32_t new_value,
                 utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags, void* cbdata) {
  return atomic(vcq_hdl, rmt_vcq_id, TOFU_COMPARE_AND_SWAP, 4, new_value, old_value, rmt_stadd, edata, flags, cbdata);
}

int utofu_cswap8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t old_value, uint64_t new_value,
                 utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long int flags, void* cbdata) {
  return atomic(vcq_hdl, rmt_vcq_id, TOFU_COMPARE_AND_SWAP, 8, new_value, old_value, rmt_stadd, edata, flags, cbdata);
}

int utofu_nop(utofu_vcq_hdl_t vcq_hdl, unsigned long int flags, void* cbdata) {
  struct tofu_order order = {.operation = TOFU_NOP};
  return give(vcq_hdl, 0, &order, flags, cbdata);
}

/* A block's order is given after the ones before, which take the same path: so the last one's notices are for all. */
int tofu_give_prepared(utofu_vcq_hdl_t vcq_hdl, const struct prepared* prepared, void* cbdata) {
  enum {
    NOTICES =
        UTOFU_ONESIDED_FLAG_TCQ_NOTICE | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE | UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE
  };
  struct vcq* vcq = vcq_of(vcq_hdl);
  if (!vcq) return UTOFU_ERR_INVALID_VCQ_HDL;
  if (!has_room(vcq) || ORDER_ENTRIES - (vcq->given - vcq->ended) < prepared->blocks) return UTOFU_ERR_BUSY;
  struct tofu_order order = prepared->order;
  for (uint64_t left = prepared->blocks; left > 0; --left) {
    struct tofu_order block = order;
    const unsigned long int flags = left > 1 ? prepared->flags & ~(unsigned long int)NOTICES : prepared->flags;
    const int given = give(vcq_hdl, prepared->to, &block, flags, cbdata);
    if (given != UTOFU_SUCCESS) return given;
    order.remote += prepared->stride;
    order.local += prepared->stride;
  }
  return UTOFU_SUCCESS;
}
