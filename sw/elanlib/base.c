/* Sleeping, and memory that all processes have at the same Elan address. */
#include <stdlib.h>
#include <string.h>

#include "sw/elanlib/base.h"
#include "sw/hal/hal.h"

/* ---- sleeping ---- */
#define PROGRESS_HOOK_WORDS_MOST (2 * ELAN3_PROCESSES_PER_NODE + 1 + ELAN_BACKGROUND_MOST) /* words */

void elan_background(ELAN_BASE* base, unsigned (*make)(const volatile uint32_t** words, unsigned room)) {
  base->background = make;
}

void elan_sleep(struct elan_base* base, const volatile uint32_t* const* words, const uint32_t* seen, unsigned count) {
  const struct elan_progress_hooks* progress_hooks = &base->progress_hooks;
  if (!progress_hooks->make && !base->background) {
    hal_wait_words(words, seen, (int)count, UINT64_MAX);
    return;
  }
  const volatile uint32_t* all_words[count + PROGRESS_HOOK_WORDS_MOST];
  uint32_t all_seen[count + PROGRESS_HOOK_WORDS_MOST];
  for (unsigned i = 0; i < count; ++i) all_words[i] = words[i], all_seen[i] = seen[i];
  if (base->background) {
    const unsigned more = base->background(all_words + count, ELAN_BACKGROUND_MOST);
    for (const unsigned end = count + more; count < end; ++count) all_seen[count] = 0;
  }
  if (progress_hooks->make) {
    progress_hooks->make(progress_hooks->self);
    count = progress_hooks->watch(progress_hooks->self, all_words, all_seen, count);
  }
  hal_wait_words(all_words, all_seen, (int)count, UINT64_MAX);
}

void elan_hopeless(ELAN_BASE* base, int (*hopeless)(void)) {
  base->hopeless = hopeless;
  base->deaths = hal_deaths();
}

int elan_sleep_with_hope(struct elan_base* base, const volatile uint32_t* word, uint32_t value) {
  while (*word == value) {
    if (elan_is_hopeless(base)) return 0;
    elan_sleep(base, &word, &value, 1);
  }
  return 1;
}

void elan_sleep_while(struct elan_base* base, const volatile uint32_t* word, uint32_t value) {
  while (*word == value) elan_sleep(base, &word, &value, 1);
}

void elan_sleep_until(struct elan_base* base, const volatile uint32_t* word, uint32_t value) {
  for (uint32_t seen = *word; seen != value; seen = *word) elan_sleep(base, &word, &seen, 1);
}

ELAN3_CTX* elan_ctx(const ELAN_BASE* base) { return base->ctx; }

int elan_sameNode(const ELAN_BASE* base, unsigned process) {
  return hal_rank_node((int)process) == hal_rank_node((int)base->self);
}

ELAN_GROUP* elan_allGroup(const ELAN_BASE* base) { return base->all; }

void* elan_gallocHeap(ELAN_BASE* base, size_t size) {
  size = (size + E3_PAGE_BYTES - 1) & ~(size_t)(E3_PAGE_BYTES - 1);
  if (size == 0 || size > ELAN3_SYMMETRIC_BASE + ELAN3_SYMMETRIC_BYTES - base->symmetric) return NULL;
  void* memory = aligned_alloc(E3_PAGE_BYTES, size);
  if (!memory) return NULL;
  elan3_mapSymmetric(base->ctx, memory, base->symmetric, size);
  base->symmetric += (E3_Addr)size;
  return memory;
}

void* elan_gallocMain(ELAN_BASE* base, size_t size) {
  void* memory = elan_gallocHeap(base, size);
  if (memory) memset(memory, 0, size);
  return memory;
}

E3_Addr elan_gallocElan(ELAN_BASE* base, size_t size) { return elan3_gallocElan(base->ctx, CACHE_LINE, size); }

E3_Addr elan_address(ELAN_BASE* base, const volatile void* pointer, size_t size) {
  if (!elan3_addressable(base->ctx, pointer, size))
    hal_abort("elan_address: the buffer is not memory of this process; pass a pointer into its heap, globals or stack");
  return elan3_main2elan_all(base->ctx, pointer, size);
}
