/* A registration cache: memory is registered with the card at its first use, and stays registered. For libraries that
 * receive pointers to any memory. */
#ifndef SANVP_TOFU_KNOWN_H
#define SANVP_TOFU_KNOWN_H

#include "sw/tofu/utofu.h"

#define TOFU_KNOWN_MOST 500u /* pieces at once; utofu_reg_mem has 512 tags for a queue */

struct tofu_known {
  struct tofu_known_range {
    uintptr_t begin, end;
    utofu_stadd_t stadd;
    uint64_t number; /* in the order of registration */
    uint64_t used;   /* last use, by the count of all uses */
    unsigned users;  /* uses that have not been let go */
    int keep;
  } ranges[TOFU_KNOWN_MOST];
  size_t count;
  uint64_t numbers, uses;
};

/* The STADD of these bytes, which is valid for other processes, too; UINT64_MAX if they are not this process's memory,
 * or no entry is free. If all entries are used, the least recently used piece is forgotten, except those to be kept for
 * good (`keep`) and those in use: a STADD without `keep` is in use until it is let go. */
utofu_stadd_t tofu_known_stadd(struct tofu_known* known, utofu_vcq_hdl_t vcq, const volatile void* pointer,
                               size_t bytes, int keep);
/* The same STADD again, while it is in use or kept. */
utofu_stadd_t tofu_known_stadd_in_use(struct tofu_known* known, const volatile void* pointer, size_t bytes);
void tofu_known_let_go(struct tofu_known* known, const volatile void* pointer, size_t bytes);

#endif
