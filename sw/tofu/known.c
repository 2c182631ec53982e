/* Memory that is registered with the card. */
#include "sw/tofu/known.h"

#include "sw/hal/hal.h"

#define GRANULE ((size_t)1 << 20) /* memory is registered in pieces of this if it is all the process's own (A) */
#define FINER 16u                 /* else in pieces of a 16th, and at last of pages */
#define PAGE_BYTES 4096u
#define FOR_MESSAGES 64u /* entries that windows and symmetric memory leave to messages and copies (A) */
#define FOR_COPIES 8u    /* entries that those and messages leave to copies (A) */

void tofu_known_begin(struct tofu_known* known) {
  known->limits = (struct share_limits){.most = {[SHARE_PROGRAM] = TOFU_KNOWN_MOST - FOR_MESSAGES,
                                                 [SHARE_MESSAGE] = TOFU_KNOWN_MOST - FOR_COPIES,
                                                 [SHARE_COPY] = TOFU_KNOWN_MOST}};
}

/* The pieces around these bytes, as large as they can be. They are counted from the beginning of the heap, the stack or
 * the globals: their number must not depend on the addresses of these in the simulating computer. */
static int widen(struct tofu_known_range* range, const volatile void* pointer, size_t bytes) {
  void* region;
  const size_t region_bytes = hal_region(pointer, &region);
  if (region_bytes == 0) return 0;
  const size_t offset = (size_t)((const volatile char*)pointer - (char*)region);
  if (bytes > region_bytes - offset) return 0;
  size_t unit = GRANULE;
  while (unit >= PAGE_BYTES && (offset + bytes + unit - 1) / unit * unit > region_bytes) unit /= FINER;
  if (unit < PAGE_BYTES) unit = 1; /* at last these bytes alone */
  range->begin = (uintptr_t)region + offset / unit * unit;
  range->end = (uintptr_t)region + (offset + bytes + unit - 1) / unit * unit;
  return 1;
}

static struct tofu_known_range* place(struct tofu_known* known, utofu_vcq_hdl_t vcq) {
  if (known->count < TOFU_KNOWN_MOST) return &known->ranges[known->count++];
  struct tofu_known_range* oldest = NULL;
  for (size_t i = 0; i < known->count; ++i) {
    struct tofu_known_range* range = &known->ranges[i];
    if (!share_is_used(&range->uses) && (!oldest || range->used < oldest->used)) oldest = range;
  }
  return oldest && utofu_dereg_mem(vcq, oldest->stadd, 0) == UTOFU_SUCCESS ? oldest : NULL;
}

/* The first registered one that contains the bytes: while it is in use, always the same one. */
static struct tofu_known_range* find(struct tofu_known* known, const volatile void* pointer, size_t bytes) {
  const uintptr_t begin = (uintptr_t)pointer;
  struct tofu_known_range* found = NULL;
  for (size_t i = 0; i < known->count; ++i) {
    struct tofu_known_range* range = &known->ranges[i];
    if (range->begin <= begin && begin + bytes <= range->end && (!found || range->number < found->number))
      found = range;
  }
  return found;
}

static utofu_stadd_t address(struct tofu_known* known, struct tofu_known_range* range, const volatile void* pointer) {
  range->used = ++known->uses;
  return range->stadd + ((uintptr_t)pointer - range->begin);
}

utofu_stadd_t tofu_known_stadd(struct tofu_known* known, utofu_vcq_hdl_t vcq, const volatile void* pointer,
                               size_t bytes, int kind) {
  static const struct share_uses none;
  struct tofu_known_range* range = find(known, pointer, bytes);
  if (!share_fits(&known->limits, range ? &range->uses : &none, (unsigned)kind)) return UINT64_MAX;
  if (!range) {
    struct tofu_known_range wanted = {.number = known->numbers++};
    if (!widen(&wanted, pointer, bytes)) return UINT64_MAX;
    range = place(known, vcq);
    if (!range) return UINT64_MAX;
    if (utofu_reg_mem(vcq, (void*)wanted.begin, wanted.end - wanted.begin, 0, &wanted.stadd) != UTOFU_SUCCESS) {
      *range = known->ranges[--known->count];
      return UINT64_MAX;
    }
    *range = wanted;
  }
  share_begin(&known->limits, &range->uses, (unsigned)kind);
  return address(known, range, pointer);
}

utofu_stadd_t tofu_known_stadd_in_use(struct tofu_known* known, const volatile void* pointer, size_t bytes) {
  return address(known, find(known, pointer, bytes), pointer);
}

void tofu_known_let_go(struct tofu_known* known, const volatile void* pointer, size_t bytes, int kind) {
  share_end(&known->limits, &find(known, pointer, bytes)->uses, (unsigned)kind);
}
