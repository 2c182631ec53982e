/* Memory of a process that is registered with its card at the first use, and kept registered. For libraries that
 * receive pointers into any memory. */
#ifndef SANVP_TOFU_KNOWN_H
#define SANVP_TOFU_KNOWN_H

#include "sw/tofu/utofu.h"

#define TOFU_KNOWN_MOST 500u /* most pieces at once; utofu_reg_mem has 512 tags for a queue */

struct tofu_known {
  struct tofu_known_range {
    uintptr_t begin, end;
    utofu_stadd_t stadd;
    uint64_t number; /* in order of registration */
    uint64_t used;   /* time of the last use, counted in uses of all pieces */
    unsigned users;  /* STADDs that have not been released */
    int keep;
  } ranges[TOFU_KNOWN_MOST];
  size_t count;
  uint64_t numbers, uses;
};

/* The STADD of these bytes, which other processes can also use; UINT64_MAX if they are not this process's memory, or
 * all slots are in use. If all slots are taken, the least recently used piece is dropped, except those kept for good
 * (`keep`) and those in use: each STADD without `keep` is in use until it is released. */
utofu_stadd_t tofu_known_stadd(struct tofu_known* known, utofu_vcq_hdl_t vcq, const volatile void* pointer,
                               size_t bytes, int keep);
/* Returns it again, while it is in use or kept. */
utofu_stadd_t tofu_known_stadd_in_use(struct tofu_known* known, const volatile void* pointer, size_t bytes);
void tofu_known_let_go(struct tofu_known* known, const volatile void* pointer, size_t bytes);

#endif
