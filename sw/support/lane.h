/* A lane: records from one process to another on the same node, in shared memory. One process writes, one reads; each
 * has a word that the other reads, so no lock is needed. */
#ifndef SANVP_SW_LANE_H
#define SANVP_SW_LANE_H

#include <stddef.h>
#include <stdint.h>

#define LANE_LINE 64u         /* a cache line, the unit of records */
#define LANE_LINES 1024u      /* of a lane: 64 KiB (A) */
#define LANE_MOST_BYTES 4096u /* of data in a record: long messages come in pieces, so both sides copy at once (A) */

struct lane {
  struct {
    char bytes[LANE_LINE];
  } lines[LANE_LINES];
};

/* The head of a record; its data follow. */
struct lane_record {
  uint32_t lines; /* of the whole record */
  uint32_t kind;  /* LANE_SKIP, or the user's kind, from 1 */
  uint32_t bytes; /* of data in this record */
  uint32_t process;
  uint64_t tag;
  uint32_t sender;
  uint32_t all_bytes; /* of the message */
  uint64_t cookie;    /* for the writer */
  uint32_t spare[6];
};
#define LANE_SKIP 0u /* skip to the end of the lane */

/* One end of a lane. Positions count lines, from 0, and go around with their 32 bits. */
struct lane_end {
  struct lane* lane;
  volatile uint32_t* own;         /* position of this end, for the other */
  const volatile uint32_t* other; /* position of the other end */
  uint32_t at;                    /* this end's position; `own` follows */
  uint32_t full;                  /* for the writer: the reader's position when there was no space */
};

/* Space for a record with `bytes` of data; null if there is none now: the other end's word will change. */
struct lane_record* lane_begin(struct lane_end* end, size_t bytes);
/* The record is complete: the reader may take it. */
void lane_send(struct lane_end* end, const struct lane_record* record);
/* The next record; null if there is none. */
const struct lane_record* lane_next(struct lane_end* end);
void lane_take(struct lane_end* end, const struct lane_record* record);

static inline const void* lane_data(const struct lane_record* record) { return record + 1; }

#endif
