#include "sw/support/lane.h"

#include "sw/hal/hal.h"

/* The reader publishes its progress after this many lines: with what a record may skip, there is always enough for
 * the longest one once all is taken. */
#define TELL_LINES (LANE_LINES / 4)

_Static_assert(sizeof(struct lane_record) == LANE_LINE, "a record's head is a line");
_Static_assert(2 * (1 + LANE_MOST_BYTES / LANE_LINE) + TELL_LINES <= LANE_LINES, "a record finds room");

static struct lane_record* record_at(const struct lane_end* end, uint32_t position) {
  return (struct lane_record*)&end->lane->lines[position % LANE_LINES];
}

struct lane_record* lane_begin(struct lane_end* end, size_t bytes) {
  const uint32_t lines = 1 + (uint32_t)((bytes + LANE_LINE - 1) / LANE_LINE);
  const uint32_t to_end = LANE_LINES - end->at % LANE_LINES;
  const uint32_t skipped = lines > to_end ? to_end : 0;
  end->full = *end->other;
  if (LANE_LINES - (end->at - end->full) < skipped + lines) return NULL;
  if (skipped > 0) {
    *record_at(end, end->at) = (struct lane_record){.lines = skipped, .kind = LANE_SKIP};
    end->at += skipped;
  }
  struct lane_record* record = record_at(end, end->at);
  *record = (struct lane_record){.lines = lines, .bytes = (uint32_t)bytes};
  return record;
}

void lane_send(struct lane_end* end, const struct lane_record* record) {
  end->at += record->lines;
  hal_store_word(end->own, end->at);
}

static void advance(struct lane_end* end, uint32_t lines) {
  end->at += lines;
  if (end->at - *end->own >= TELL_LINES) hal_store_word(end->own, end->at);
}

const struct lane_record* lane_next(struct lane_end* end) {
  while (end->at != *end->other) {
    const struct lane_record* record = record_at(end, end->at);
    if (record->kind != LANE_SKIP) return record;
    advance(end, record->lines);
  }
  return NULL;
}

void lane_take(struct lane_end* end, const struct lane_record* record) { advance(end, record->lines); }
