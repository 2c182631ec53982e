/* A shared ring: records from one process to another of its node, in shared memory. One process writes, one reads;
 * each has a word that the other reads, so no lock is needed. */
#ifndef SANVP_SW_SHARED_RING_H
#define SANVP_SW_SHARED_RING_H

#include <stddef.h>
#include <stdint.h>

#define RING_LINE 64u         /* a cache line: the unit of records */
#define RING_LINES 1024u      /* of a ring: 64 KiB (A) */
#define RING_MOST_BYTES 4096u /* of data in a record: parts of long messages, so that both sides copy at once (A) */

struct shared_ring {
  struct {
    char bytes[RING_LINE];
  } lines[RING_LINES];
};

/* The head of a record; its data follow. */
struct ring_record {
  uint32_t lines; /* of the whole record */
  uint32_t kind;  /* RING_SKIP, or the user's kind, from 1 */
  uint32_t bytes; /* of data in this record */
  uint32_t process;
  uint64_t tag;
  uint32_t sender;
  uint32_t all_bytes; /* of the message */
  uint64_t cookie;    /* the writer's own */
  uint32_t spare[6];
};
#define RING_SKIP 0u /* padding, up to the end of the ring */

/* One end of a ring. Positions count lines, from 0, and wrap around after 32 bits. */
struct ring_end {
  struct shared_ring* ring;
  volatile uint32_t* own;         /* this end's position, for the other end */
  const volatile uint32_t* other; /* the other end's position */
  uint32_t at;                    /* this end's position; `own` follows */
  uint32_t full;                  /* the writer's: the reader's position when there was no space */
};

/* `bytes` of memory that two processes of a node share for the ring from one to the other, zeroed at first; both ends
 * look it up by its library and processes, and it costs no memory until one of them does. Ends the job with `failure`
 * if no memory is left. */
void* ring_memory(const char* library, unsigned from, unsigned to, size_t bytes, const char* failure);
/* The position for a record with `bytes` of data; null if there is no space now: the other end's word will change. */
struct ring_record* ring_begin(struct ring_end* end, size_t bytes);
/* The record is complete: passes it to the reader. */
void ring_send(struct ring_end* end, const struct ring_record* record);
/* The next record; null if none has arrived. */
const struct ring_record* ring_next(struct ring_end* end);
void ring_take(struct ring_end* end, const struct ring_record* record);

static inline const void* ring_data(const struct ring_record* record) { return record + 1; }

#endif
