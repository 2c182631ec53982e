/* Orders that are written down before they are given: one, or blocks at equal distances. */
#ifndef SANVP_TOFU_PREPARED_H
#define SANVP_TOFU_PREPARED_H

#include "sw/tofu/context.h"

struct prepared {
  struct tofu_order order; /* the first block's */
  utofu_vcq_id_t to;
  unsigned long int flags;
  uint64_t stride, blocks;
};

static inline int tofu_is_atomic(enum utofu_armw_op op) { return op >= UTOFU_ARMW_OP_SWAP && op <= UTOFU_ARMW_OP_OR; }

/* In orders.c. UTOFU_ERR_BUSY: no room for all of its blocks, and none is issued. */
int tofu_give_prepared(utofu_vcq_hdl_t vcq_hdl, const struct prepared* prepared, void* cbdata);

#endif
