/* A registration cache: memory is registered with the card at its first use, and stays registered. For libraries that
 * receive pointers to any memory. */
#ifndef SANVP_TOFU_KNOWN_H
#define SANVP_TOFU_KNOWN_H

#include "sw/support/shares.h"
#include "sw/tofu/utofu.h"

#define TOFU_KNOWN_MOST 500u /* pieces at once; utofu_reg_mem has 512 tags for a queue */

struct tofu_known {
  struct tofu_known_range {
    uintptr_t begin, end;
    utofu_stadd_t stadd;
    uint64_t number;        /* in the order of registration */
    uint64_t used;          /* last use, by the count of all uses */
    struct share_uses uses; /* that have not been let go */
  } ranges[TOFU_KNOWN_MOST];
  size_t count;
  uint64_t numbers, uses;
  struct share_limits limits;
};
void tofu_known_begin(struct tofu_known* known); /* all zeros until then */

/* The STADD of these bytes, which is valid for other processes, too; UINT64_MAX if they are not this process's memory,
 * or no entry is free for this kind of use (enum share_kind). If all entries are used, the least recently used piece is
 * forgotten, except those in use: a STADD is in use until it is released. */
utofu_stadd_t tofu_known_stadd(struct tofu_known* known, utofu_vcq_hdl_t vcq, const volatile void* pointer,
                               size_t bytes, int kind);
/* The same STADD again, while it is in use. */
utofu_stadd_t tofu_known_stadd_in_use(struct tofu_known* known, const volatile void* pointer, size_t bytes);
void tofu_known_let_go(struct tofu_known* known, const volatile void* pointer, size_t bytes, int kind);

#endif
