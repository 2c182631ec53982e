/* Memory of a process that its card knows: registered when it is first wanted, and kept. For libraries that are handed
 * pointers into any memory. */
#ifndef SANVP_TOFU_KNOWN_H
#define SANVP_TOFU_KNOWN_H

#include "sw/tofu/utofu.h"

#define TOFU_KNOWN_MOST 500u /* pieces at once; utofu_reg_mem has 512 tags for a queue */

struct tofu_known {
  struct tofu_known_range {
    uintptr_t begin, end;
    utofu_stadd_t stadd;
    uint64_t number; /* in the order in which they became known */
    uint64_t used;   /* when, in uses of all */
    unsigned users;  /* that have not let go */
    int keep;
  } ranges[TOFU_KNOWN_MOST];
  size_t count;
  uint64_t numbers, uses;
};

/* The STADD of these bytes, by which others can name them too; UINT64_MAX where they are not this process's memory, or
 * no place is left. Where all places are taken, the piece that has not been used for longest is forgotten, but for
 * those to be kept (`keep`, for good) and those that are in use: each STADD without `keep` is, until it is let go. */
utofu_stadd_t tofu_known_stadd(struct tofu_known* known, utofu_vcq_hdl_t vcq, const volatile void* pointer,
                               size_t bytes, int keep);
/* The same once more, while it is in use or to be kept. */
utofu_stadd_t tofu_known_stadd_in_use(struct tofu_known* known, const volatile void* pointer, size_t bytes);
void tofu_known_let_go(struct tofu_known* known, const volatile void* pointer, size_t bytes);

#endif
