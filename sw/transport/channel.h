/* What a network must offer for MPI and shmem to run on it, if its card only carries bytes between processes: a table
 * of few calls. messages/ makes all of transport.h out of them: matching, long messages, put and get, atomic
 * operations, barrier. To port a network is to write one file with this table (README.md has a skeleton).
 *
 * A *record* is up to `record_bytes` bytes that go from one process to another. The rules:
 *
 *   reliable   A record that `send` has taken arrives, once, whole, unchanged; also where its sender exits afterwards.
 *              To a process that has exited it vanishes without complaint.
 *   in order   Records from one process to another arrive in the order in which they were sent. Between different pairs
 *              there is no order.
 *   no waiting `send` and `receive` return at once. `sleep` alone sleeps, and it calls nothing of messages/.
 *   no end of the world   A process that takes nothing for long may fill all room for records to it, but room for
 *              records to others must come back without it, sooner or later.
 *   progress   Every process is in one of these calls again and again, or asleep in `sleep`, unless it computes. A card
 *              that wants the host's help (to give back buffers, to run callbacks) gets it in `receive` and `sleep`.
 *   intra-node Processes of one node communicate through memory, by messages/: a channel carries records between
 *              nodes alone, and none from a process to itself.
 *   the dead   A process on a node that is dead (hal_is_dead) takes all records without complaint, and they vanish. A
 *              channel that finds out by itself that a node does not answer, and has tried for as long as makes sense,
 *              says so to hal_count_as_dead: what waits for it then ends (transport_on_deaths), or the job does.
 *   costs      What is compiled is counted, and calls of memcpy cost what a copy costs; device loads and stores take
 *              what they take. Nothing else needs to be said.
 *
 * A process is its rank, 0 to hal_ranks() - 1; hal_rank_node() and hal_rank_process() say where it is. `self` is what
 * `start` has answered: there is one channel in a process, and one thread of control calls it. Errors without a
 * remedy (a card that fails, a limit that is exceeded) go to hal_abort: what happened, and what to do.
 */
#ifndef SANVP_TRANSPORT_CHANNEL_H
#define SANVP_TRANSPORT_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

#include "sw/support/word.h"

/* What `send` answers. */
enum channel_room {
  CHANNEL_SENT,     /* taken: head and body are the caller's again */
  CHANNEL_FULL,     /* not taken: no space now for a record to any process, such as no free send slot of the card */
  CHANNEL_PEER_FULL /* not taken: no room now for one to this process; there may be for one to another */
};

/* What `done` of a put, get or atomic operation becomes where that comes to no end, since its process is on a node that
 * is dead: nothing touches its memory here any more. 1: it is done. */
#define CHANNEL_GIVEN_UP 2u

/* A record need not be one piece of memory: its bytes are those of `head`, then those of `body`. */
struct channel_record {
  const void* head; /* aligned to 8; at most CHANNEL_HEAD_MOST bytes, at least 8, a multiple of 8 */
  size_t head_bytes;
  const void* body; /* anywhere in this process's memory, not aligned; may be null where there is none */
  size_t body_bytes;
};
#define CHANNEL_HEAD_MOST 48u    /* bytes of a head: the largest of messages/ */
#define CHANNEL_RECORD_LEAST 64u /* bytes that record_bytes must have at least: a head and some of a body */

struct channel {
  /* ---- what every channel has ---- */

  /* Opens the card. Collective: every process of the job calls it, once, before anything else here; it may meet the
   * others in it, and when it has returned, records may be sent to any of them. With one process in the job, too. */
  void* (*start)(void);

  /* Most bytes of a record, head and body; constant. Large enough that what each record costs is small beside what its
   * bytes cost, small enough that a long message is under way in several places at once: 1 to 16 KiB where the card has
   * no limit of its own. At least CHANNEL_RECORD_LEAST. */
  size_t (*record_bytes)(const void* self);

  /* Takes a record for process `to`, or says that there is no room (then nothing has happened, and it should have cost
   * little). The caller retries after each `sleep`, but need not: what was refused may be sent later, after
   * others, or never. */
  enum channel_room (*send)(void* self, unsigned to, const struct channel_record* record);

  /* The next record that has come, from any process, or null. It stays where it is, aligned to 8, until `release`,
   * and is not changed meanwhile; `receive` is not called again before that. */
  const void* (*receive)(void* self, unsigned* from, size_t* bytes);
  void (*release)(void* self);

  /* Sleeps until one of these is so, and returns at once where one is already:
   *   - a record has come since `receive` has answered null last;
   *   - there may be room where `send` has answered that there is none, for any of those it refused since the last
   *     `sleep` (without a refusal, free space is no reason to wake);
   *   - a `done` of the optional calls below has been set since then, or `barrier_done` may have come to answer 1;
   *   - words[i] is not seen[i], for one of `count` words of this process's memory.
   * It may also return for no reason. Best by one hal_wait_words() over these words and a few of the card's own: a
   * number that a queue's head counts, not a word for each process. `count` may be 0. */
  void (*sleep)(void* self, const volatile uint32_t* const* words, const uint32_t* seen, unsigned count);

  /* ---- what a card may offer besides; null: messages/ does it with records ---- */

  /* Makes memory of this process known to the card, so that it may be the source or the end of a put or get, by this
   * process or another. The address by which the others name it: bytes follow each other there as they do here. 0: it
   * cannot be (records are used then). Memory that is known already costs little: keep it known, and forget the oldest
   * where the card has little room for this (memory of transport_symmetric excepted, `keep`). Wanted where there is
   * put or get. */
  uint64_t (*expose)(void* self, const volatile void* pointer, size_t bytes, int keep);
  /* For each such answer, but for memory to `keep`: its put or get has ended. Until then it is not forgotten. Null:
   * nothing is forgotten so soon. */
  void (*unexpose)(void* self, const volatile void* pointer, size_t bytes);

  /* Writes local memory, which is exposed, to `remote`, an address that process `to` has got from its `expose`. `*done`
   * becomes 1 when all bytes are in their place there, and `local` may change; or CHANNEL_GIVEN_UP. CHANNEL_SENT: it is
   * under way, in order with nothing; else as with `send`. Any number of bytes but 0, of any alignment. */
  enum channel_room (*put)(void* self, unsigned to, uint64_t remote, const void* local, size_t bytes,
                           volatile uint32_t* done);
  /* Whether a record that is sent after a put to the same process arrives after its bytes: then no caller waits for
   * `*done` to notify the receiver of them. */
  int puts_in_order;

  /* The other way: `*done` becomes 1 when all bytes are here. */
  enum channel_room (*get)(void* self, unsigned from, uint64_t remote, void* local, size_t bytes,
                           volatile uint32_t* done);

  /* Bytes from which on a message is moved by put or get, straight to where it goes, after its receive is there;
   * smaller ones are copied through records at once. 0: a default (messages/start.c). -s transport.eager overrides
   * it. */
  size_t eager_bytes;

  /* An operation on a word of 4 or 8 bytes of any process, this one too, done by the card: never in the middle of
   * another one on the same word. `remote` is exposed there. `*before` becomes what the word was, then `*done` 1. */
  enum channel_room (*atomic)(void* self, unsigned to, uint64_t remote, enum word_operation operation, unsigned width,
                              uint64_t operand, uint64_t comparand, uint64_t* before, volatile uint32_t* done);

  /* A barrier of all processes by the card: tells it that this one is there; whether all are. The process goes on
   * taking records between the two. */
  void (*barrier_begin)(void* self);
  int (*barrier_done)(void* self);
};

#endif
