#include "sw/support/shared_ring.h"

#include <stdio.h>

#include "sw/hal/hal.h"

/* The reader publishes its progress after this many lines: with what a record may skip, there is always enough for
 * the longest one once all is taken. */
#define TELL_LINES (RING_LINES / 4)

_Static_assert(sizeof(struct ring_record) == RING_LINE, "a record's head is a line");
_Static_assert(2 * (1 + RING_MOST_BYTES / RING_LINE) + TELL_LINES <= RING_LINES, "a record finds room");

static struct ring_record* record_at(const struct ring_end* end, uint32_t position) {
  return (struct ring_record*)&end->ring->lines[position % RING_LINES];
}

void* ring_memory(const char* library, unsigned from, unsigned to, size_t bytes, const char* failure) {
  char name[48];
  snprintf(name, sizeof name, "%s.ring.%u.%u", library, from, to);
  void* memory = hal_shared(name, bytes);
  if (!memory) hal_abort(failure);
  return memory;
}

struct ring_record* ring_begin(struct ring_end* end, size_t bytes) {
  const uint32_t lines = 1 + (uint32_t)((bytes + RING_LINE - 1) / RING_LINE);
  const uint32_t to_end = RING_LINES - end->at % RING_LINES;
  const uint32_t skipped = lines > to_end ? to_end : 0;
  end->full = *end->other;
  if (RING_LINES - (end->at - end->full) < skipped + lines) return NULL;
  if (skipped > 0) {
    *record_at(end, end->at) = (struct ring_record){.lines = skipped, .kind = RING_SKIP};
    end->at += skipped;
  }
  struct ring_record* record = record_at(end, end->at);
  *record = (struct ring_record){.lines = lines, .bytes = (uint32_t)bytes};
  return record;
}

void ring_send(struct ring_end* end, const struct ring_record* record) {
  end->at += record->lines;
  hal_store_word(end->own, end->at);
}

static void advance(struct ring_end* end, uint32_t lines) {
  end->at += lines;
  if (end->at - *end->own >= TELL_LINES) hal_store_word(end->own, end->at);
}

const struct ring_record* ring_next(struct ring_end* end) {
  while (end->at != *end->other) {
    const struct ring_record* record = record_at(end, end->at);
    if (record->kind != RING_SKIP) return record;
    advance(end, record->lines);
  }
  return NULL;
}

void ring_take(struct ring_end* end, const struct ring_record* record) { advance(end, record->lines); }
