/* Records between a process and the thread that matches its messages: in Elan memory, and one in main
 * memory for each receive. Plain C for both sides. */
#ifndef SANVP_TPORT_RECORDS_H
#define SANVP_TPORT_RECORDS_H

#include "sw/abi/registers/elan3.h"

/* A message, or the envelope of one, in a slot of the input queue. */
struct tport_envelope {
  uint32_t process; /* virtual process it comes from */
  uint32_t number;  /* of all that it sent here, from 1: retries may change the order on the way */
  uint64_t tag;
  uint32_t sender; /* what receives are matched with */
  uint32_t bytes;  /* of the message */
  /* If the data do not follow here: their address, and the event there to set when they have been fetched. */
  e3_addr source;
  e3_addr source_event;
  /* With TPORT_NO_MESSAGE as bytes it is not a message, but withdraws one that no receive has matched: the one of this
   * source_event. If it succeeds, the word at `source` becomes 1. */
};
#define TPORT_EAGER_BYTES (E3_QUEUE_MOST_BYTES - sizeof(struct tport_envelope))

/* Process to thread. */
/* TPORT_PLACES gives what the thread has asked for: `size` more struct tport_unexpected, at `buffer`. */
/* TPORT_RECEIVE_NOWAIT takes the first message that matches if it is there already and has exactly `size` bytes; else
 * the status has TPORT_NO_MESSAGE. Kinds from TPORT_PROBE_NOWAIT on stay in no list. */
enum tport_kind {
  TPORT_RECEIVE = 1,
  TPORT_PROBE,
  TPORT_PROBE_NOWAIT,
  TPORT_RECEIVE_NOWAIT,
  TPORT_CANCEL,
  TPORT_PLACES
};
struct tport_command {
  uint32_t number; /* of all commands, from 1; by it the thread sees that this one is new */
  uint32_t kind;
  uint64_t tag, tag_mask;
  uint32_t sender, sender_mask;
  e3_addr buffer;
  uint32_t size;
  e3_addr node;   /* the receive's struct tport_node; of a cancel that of the receive meant */
  e3_addr status; /* its struct tport_status, in main memory */
  uint32_t spare[4];
};

/* Thread to process. The last word marks it complete. */
struct tport_status {
  uint64_t tag;
  uint32_t sender, process, bytes;
  uint32_t spare[10];
  uint32_t done;
};
#define TPORT_NO_MESSAGE \
  UINT32_MAX /* in `bytes`: a probe, or a receive without waiting, found none; of an envelope: see there */
enum tport_done { TPORT_MATCHED = 1, TPORT_CANCELLED = 2, TPORT_CANCEL_FAILED = 3 };

/* A receive as the thread keeps it. The process allocates it, and owns it again once its status is written. */
struct tport_node {
  struct tport_command command;
  struct tport_status status; /* what the event copies when the data have been fetched */
  struct e3_dma dma;
  struct e3_block_event event;
  e3_addr next;
  uint32_t fetch; /* the number of its latest fetch, of all that the thread has started */
  uint32_t spare[18];
};

/* An unexpected message: it came before its receive. */
struct tport_unexpected {
  e3_addr next;
  uint32_t spare[15];
  char slot[E3_QUEUE_MOST_BYTES];
  char pad[128];
};

/* All the thread needs to know; the queue is at the same Elan address in every process. */
struct tport_control {
  struct e3_input_queue queue;
  e3_addr commands;
  uint32_t command_count; /* a power of two */
  e3_addr consumed;       /* in main memory: uint32_t, commands taken so far, updated now and then */
  e3_addr unexpected;     /* struct tport_unexpected[unexpected_count], to begin with */
  uint32_t unexpected_count;
  e3_addr numbers; /* uint32_t for each process: the last message taken from it */
  uint32_t self;
  e3_addr wanted; /* in main memory: uint32_t, how often the thread has had no place left and wanted more */
};
#define TPORT_CONSUMED_STEP 16u

#endif
