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

/* In orders.c. UTOFU_ERR_BUSY: there is no room for all of its blocks, and none is given. */
int tofu_give_prepared(utofu_vcq_hdl_t vcq_hdl, const struct prepared* prepared, void* cbdata);

#endif
