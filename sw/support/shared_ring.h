/* A shared ring: records from one process to another of its node, in shared memory. One process writes, one reads;
 * each has a word that the other looks at, so nothing needs a lock. */
#ifndef SANVP_SW_SHARED_RING_H
#define SANVP_SW_SHARED_RING_H

#include <stddef.h>
#include <stdint.h>

#define RING_LINE 64u         /* a cache line: what records are made of */
#define RING_LINES 1024u      /* of a ring: 64 KiB (A) */
#define RING_MOST_BYTES 4096u /* of data in a record: long messages come in pieces, so both sides copy at once (A) */

struct shared_ring {
  struct {
    char bytes[RING_LINE];
  } lines[RING_LINES];
};

/* What a record begins with; its data follow. */
struct ring_record {
  uint32_t lines; /* of the whole record */
  uint32_t kind;  /* RING_SKIP, or what the user says, from 1 */
  uint32_t bytes; /* of data in this record */
  uint32_t process;
  uint64_t tag;
  uint32_t sender;
  uint32_t all_bytes; /* of the message */
  uint64_t cookie;    /* the writer's own */
  uint32_t spare[6];
};
#define RING_SKIP 0u /* nothing, up to the end of the ring */

/* One end of a ring. Positions count lines, from 0, and go around with their 32 bits. */
struct ring_end {
  struct shared_ring* ring;
  volatile uint32_t* own;         /* how far this end is, for the other */
  const volatile uint32_t* other; /* how far the other is */
  uint32_t at;                    /* this end's position; `own` follows */
  uint32_t full;                  /* the writer's: where the reader was when there was no room */
};

/* `bytes` of memory that two processes of a node share for the ring from one to the other, zeroed at first; both ends
 * look it up by its library and processes, and it costs no memory until one of them does. Ends the job with `failure`
 * where there is none. */
void* ring_memory(const char* library, unsigned from, unsigned to, size_t bytes, const char* failure);
/* Where to write a record with `bytes` of data; null where there is no room now: the other end's word will change. */
struct ring_record* ring_begin(struct ring_end* end, size_t bytes);
/* It is written: the reader may have it. */
void ring_send(struct ring_end* end, const struct ring_record* record);
/* The next record; null where there is none. */
const struct ring_record* ring_next(struct ring_end* end);
void ring_take(struct ring_end* end, const struct ring_record* record);

static inline const void* ring_data(const struct ring_record* record) { return record + 1; }

#endif
