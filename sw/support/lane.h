/* A lane: a ring of records from one process to another of its node, in shared memory. One process writes, one reads;
 * each has a word that the other looks at, so nothing needs a lock. */
#ifndef SANVP_SW_LANE_H
#define SANVP_SW_LANE_H

#include <stddef.h>
#include <stdint.h>

#define LANE_LINE 64u         /* a cache line: what records are made of */
#define LANE_LINES 1024u      /* of a lane: 64 KiB (A) */
#define LANE_MOST_BYTES 4096u /* of data in a record: long messages come in pieces, so both sides copy at once (A) */

struct lane {
  struct {
    char bytes[LANE_LINE];
  } lines[LANE_LINES];
};

/* What a record begins with; its data follow. */
struct lane_record {
  uint32_t lines; /* of the whole record */
  uint32_t kind;  /* LANE_SKIP, or what the user says, from 1 */
  uint32_t bytes; /* of data in this record */
  uint32_t process;
  uint64_t tag;
  uint32_t sender;
  uint32_t all_bytes; /* of the message */
  uint64_t cookie;    /* the writer's own */
  uint32_t spare[6];
};
#define LANE_SKIP 0u /* nothing, up to the end of the lane */

/* One end of a lane. Positions count lines, from 0, and go around with their 32 bits. */
struct lane_end {
  struct lane* lane;
  volatile uint32_t* own;         /* how far this end is, for the other */
  const volatile uint32_t* other; /* how far the other is */
  uint32_t at;                    /* this end's position; `own` follows */
  uint32_t full;                  /* the writer's: where the reader was when there was no room */
};

/* Where to write a record with `bytes` of data; null where there is no room now: the other end's word will change. */
struct lane_record* lane_begin(struct lane_end* end, size_t bytes);
/* It is written: the reader may have it. */
void lane_send(struct lane_end* end, const struct lane_record* record);
/* The next record; null where there is none. */
const struct lane_record* lane_next(struct lane_end* end);
void lane_take(struct lane_end* end, const struct lane_record* record);

static inline const void* lane_data(const struct lane_record* record) { return record + 1; }

#endif
