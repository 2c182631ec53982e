/* Records of one length, made in blocks and kept for reuse. */
#include <stdlib.h>
#include <string.h>

#include "sw/gm/gm_utilities.h"

/* Before each record, so that it finds its list again. */
union record {
  struct {
    struct gm_lookaside* of;
    union record* next; /* free ones */
  } head;
  max_align_t align;
};

struct block {
  struct block* next;
  max_align_t align[];
};

struct gm_lookaside {
  gm_size_t bytes, step, in_block;
  union record* free_list;
  struct block* blocks;
};

static int grow(struct gm_lookaside* lookaside) {
  struct block* block = malloc(sizeof *block + lookaside->in_block * lookaside->step);
  if (!block) return 0;
  block->next = lookaside->blocks;
  lookaside->blocks = block;
  for (gm_size_t i = lookaside->in_block; i-- > 0;) {
    union record* record = (union record*)((char*)block->align + i * lookaside->step);
    record->head.of = lookaside;
    record->head.next = lookaside->free_list;
    lookaside->free_list = record;
  }
  return 1;
}

struct gm_lookaside* gm_create_lookaside(gm_size_t bytes, gm_size_t at_least) {
  struct gm_lookaside* lookaside = calloc(1, sizeof *lookaside);
  if (!lookaside) return NULL;
  lookaside->bytes = bytes;
  lookaside->step =
      sizeof(union record) + (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
  lookaside->in_block = at_least > 16 ? at_least : 16;
  return lookaside;
}

void gm_destroy_lookaside(struct gm_lookaside* lookaside) {
  while (lookaside->blocks) {
    struct block* block = lookaside->blocks;
    lookaside->blocks = block->next;
    free(block);
  }
  free(lookaside);
}

void* gm_lookaside_alloc(struct gm_lookaside* lookaside) {
  if (!lookaside->free_list && !grow(lookaside)) return NULL;
  union record* record = lookaside->free_list;
  lookaside->free_list = record->head.next;
  return record + 1;
}

void* gm_lookaside_zalloc(struct gm_lookaside* lookaside) {
  void* memory = gm_lookaside_alloc(lookaside);
  return memory ? memset(memory, 0, lookaside->bytes) : NULL;
}

void gm_lookaside_free(void* memory) {
  union record* record = (union record*)memory - 1;
  record->head.next = record->head.of->free_list;
  record->head.of->free_list = record;
}
