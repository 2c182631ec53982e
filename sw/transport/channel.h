/* The interface that a network must offer for MPI and shmem to run on it, if its card only carries bytes between
 * processes: a table of few calls. messages/ implements all of transport.h on them: matching, long messages, put and
 * get, atomic operations, barrier. To port a network, write one file with this table (README.md has a skeleton).
 *
 * A *record* is up to `record_bytes` bytes that go from one process to another. The rules:
 *
 *   reliable   A record that `send` has taken arrives once, whole and unchanged, also if its sender then exits. Records
 *              to a process that has exited are silently discarded.
 *   in order   Records from one process to another arrive in the order in which they were sent. Between different pairs
 *              there is no order.
 *   no waiting `send` and `receive` return at once. `sleep` alone sleeps, and it calls nothing of messages/.
 *   isolation  A process that receives nothing for a long time may use up all space for records to it, but space for
 *              records to other processes must become free without it.
 *   progress   Unless it computes, every process calls these functions again and again, or is in `sleep`. A card that
 *              needs the host's help (to return buffers, to run callbacks) gets it in `receive` and `sleep`.
 *   intra-node Processes of one node communicate through memory, by messages/: a channel carries records only
 *              between nodes, and none from a process to itself.
 *   the dead   Records to a process on a dead node (hal_is_dead) are silently discarded. A channel that detects by
 *              itself that a node does not answer, after a sensible number of attempts, calls hal_count_as_dead: the
 *              waits for that node then end (transport_on_deaths), or the job does.
 *   costs      Compiled instructions are counted, memcpy costs as much as a copy, and device loads and stores take
 * their time. Nothing else needs to be charged.
 *
 * A process is its rank, 0 to hal_job_processes() - 1; hal_rank_node() and hal_rank_process() say where it is. `self`
 * is the result of `start`: there is one channel in a process, and one thread of control calls it. Errors without a
 * remedy (a card that fails, a limit that is exceeded) go to hal_abort: what happened, and what to do.
 */
#ifndef SANVP_TRANSPORT_CHANNEL_H
#define SANVP_TRANSPORT_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

#include "sw/support/shares.h"
#include "sw/support/word.h"

/* Results of `send`. */
enum channel_room {
  CHANNEL_SENT,     /* taken: head and body are the caller's again */
  CHANNEL_FULL,     /* not taken: no space now for a record to any process, such as no free send slot of the card */
  CHANNEL_PEER_FULL /* not taken: no room now for one to this process; there may be for one to another */
};

/* `done` of a put, get or atomic operation that cannot end, because its process is on a dead node: nothing accesses its
 * memory here any more. 1: it is done. */
#define CHANNEL_GIVEN_UP 2u

/* A record need not be one piece of memory: its bytes are those of `head`, then those of `body`. */
struct channel_record {
  const void* head; /* aligned to 8; at most CHANNEL_HEAD_MOST bytes, at least 8, a multiple of 8 */
  size_t head_bytes;
  const void* body; /* anywhere in this process's memory, not aligned; may be null if empty */
  size_t body_bytes;
};
#define CHANNEL_HEAD_MOST 48u    /* bytes of a head: the largest of messages/ */
#define CHANNEL_RECORD_LEAST 64u /* the least value of record_bytes: a head and some of a body */

struct channel {
  /* ---- what every channel has ---- */

  /* Opens the card. Collective: every process of the job calls it, once, before anything else here; it may wait for the
   * others, and when it has returned, records may be sent to any of them. Also called in a job of one process. */
  void* (*start)(void);

  /* Most bytes of a record, head and body; constant. Large enough that the cost per record is small compared to that of
   * its bytes, small enough that the records of a long message are pipelined: 1 to 16 KiB unless the card has its own
   * limit. At least CHANNEL_RECORD_LEAST. */
  size_t (*record_bytes)(const void* self);

  /* Takes a record for process `to`, or refuses it for lack of space (then nothing has happened, and it should have
   * cost little). The caller usually retries after `sleep`, but a refused record may also be sent later, after others,
   * or never. */
  enum channel_room (*send)(void* self, unsigned to, const struct channel_record* record);

  /* The next record that has arrived, from any process, or null. It stays in place, aligned to 8, and unchanged until
   * `release`; `receive` is not called again before that. */
  const void* (*receive)(void* self, unsigned* from, size_t* bytes);
  void (*release)(void* self);

  /* Sleeps until one of these conditions holds, and returns at once if one does already:
   *   - a record has arrived since `receive` last returned null;
   *   - there may be space for one of the records that `send` has refused since the last `sleep` (without a refusal,
   *     free space is no reason to wake);
   *   - a `done` of the optional calls below has been set since then, or `barrier_done` may now return 1;
   *   - words[i] is not seen[i], for one of `count` words of this process's memory.
   * It may also return without a reason. Best implemented by one hal_wait_words() over these words and a few of the
   * card's: a counter at the head of a queue, not a word for each process. `count` may be 0. */
  void (*sleep)(void* self, const volatile uint32_t* const* words, const uint32_t* seen, unsigned count);

  /* ---- what a card may offer besides; null: messages/ does it with records ---- */

  /* Makes memory of this process accessible to the card, as source or destination of puts and gets of this process and
   * others. Returns the address by which the others access it, contiguous as it is here; 0: impossible (records are
   * used then). Memory that is exposed already must cost little: keep it exposed, and forget the oldest if the card has
   * little space for this. `kind` is an enum share_kind: a card with little space returns 0 for the earlier kinds while
   * there is some left for the later ones, since a SHARE_COPY has no other way: it waits until it fits. Required with
   * put or get. */
  uint64_t (*expose)(void* self, const volatile void* pointer, size_t bytes, int kind);
  /* Called once for each such address, except for memory of transport_symmetric, when its put or get has ended, or the
   * window is freed. Until then the memory must not be forgotten. Null: nothing is forgotten so soon. */
  void (*unexpose)(void* self, const volatile void* pointer, size_t bytes, int kind);

  /* Writes local memory, which is exposed, to `remote`, an address that `expose` has returned to process `to`. `*done`
   * becomes 1 when all bytes are in place there, and `local` may be reused; or CHANNEL_GIVEN_UP. CHANNEL_SENT: it is
   * under way, without any order; other results as of `send`. Any number of bytes but 0, of any alignment. */
  enum channel_room (*put)(void* self, unsigned to, uint64_t remote, const void* local, size_t bytes,
                           volatile uint32_t* done);
  /* Whether a record that is sent after a put to the same process arrives after its bytes: then no caller waits for
   * `*done` to notify the receiver of them. */
  int puts_in_order;

  /* The opposite direction: `*done` becomes 1 when all bytes are here. */
  enum channel_room (*get)(void* self, unsigned from, uint64_t remote, void* local, size_t bytes,
                           volatile uint32_t* done);

  /* The eager limit: larger messages are moved by put or get directly into their destination, once their receive is
   * posted; others are copied through records at once. 0: a default (messages/start.c). -s transport.eager overrides
   * it. */
  size_t eager_bytes;

  /* An atomic operation on a word of 4 or 8 bytes of any process, this one included, done by the card. `remote` is
   * exposed there. `*before` becomes the old value of the word, then `*done` 1. */
  enum channel_room (*atomic)(void* self, unsigned to, uint64_t remote, enum word_operation operation, unsigned width,
                              uint64_t operand, uint64_t comparand, uint64_t* before, volatile uint32_t* done);

  /* A barrier of all processes by the card: enters it; tests whether all have entered. The process continues to receive
   * records in between. */
  void (*barrier_begin)(void* self);
  int (*barrier_done)(void* self);
};

#endif
