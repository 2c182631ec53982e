/* The interface of a network to message-passing libraries (MPI, shmem), so that they are written once: tagged messages,
 * remote memory, barrier and broadcast. There is an implementation for each kind of card; transport.c chooses at start.
 *
 * All calls are made by one thread of control. A fatal error ends the job with a message.
 */
#ifndef SANVP_TRANSPORT_H
#define SANVP_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

#include "sw/support/word.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- start: collective; the first call does it ---- */
void transport_start(void);
unsigned transport_self(void);
unsigned transport_count(void); /* the ranks of the program */
/* If the machine runs file servers after the ranks (sw/io), messages reach them, too. After this call, all operations
 * of all processes are those of the ranks. */
void transport_leave_out_servers(void);
/* Several threads of this process may be in calls (hal_serve_threads): one that waits lets others in. */
void transport_serve_threads(void);

/* ---- tagged messages ----
 * A receive takes the first message with (tag & mask) == (its tag & mask) from the sender it names. Messages of one
 * sender that match the same receive are taken in the order in which they were sent. Any size, 0 included, also to the
 * process itself. A send may or may not wait for its receive. */
struct transport_request;        /* freed by transport_wait or a transport_test that succeeds */
#define TRANSPORT_ANY UINT32_MAX /* from any sender */
struct transport_status {
  unsigned from;
  int dead; /* 1 + the node whose death has ended the wait, of a send as well; written only then */
  uint64_t tag;
  size_t bytes; /* of the message, also if the buffer was smaller and has its beginning */
};
enum transport_flags { TRANSPORT_SYNCHRONOUS = 1 }; /* the send ends when it has been matched */

struct transport_request* transport_send(unsigned to, uint64_t tag, const void* buffer, size_t bytes, int flags);
struct transport_request* transport_receive(unsigned from, uint64_t tag, uint64_t mask, void* buffer, size_t bytes);
/* `status` may be null; it is written for receives. */
int transport_test(struct transport_request* request, struct transport_status* status);
void transport_wait(struct transport_request* request, struct transport_status* status);
/* Sleeps until one of them (null ones are skipped) may be done; test them then. */
void transport_wait_any(struct transport_request* const* requests, size_t count);
/* The first message that a receive would take; the message stays. Waits for one, or returns 0. */
int transport_probe(unsigned from, uint64_t tag, uint64_t mask, int wait, struct transport_status* status);
/* Receives the message that a probe has just found, into a buffer of its size. Null: another thread of the process has
 * been faster. With several threads, it may wait for the message's data. */
struct transport_request* transport_take(const struct transport_status* message, void* buffer);
/* Cancels a receive, or a send that waits for its receive, and its request. Returns 0 if it has been matched, or a send
 * needs no receive to end. For a send, the receiver, or its card, decides. */
int transport_cancel(struct transport_request* request);

/* For a library that can continue when a node dies: `hopeless` returns 1 + the dead node for which a wait for a message
 * from or to `peer` (or TRANSPORT_ANY, a barrier, a broadcast) can never end, or 0. Such a wait then ends, and its
 * request is freed; after a barrier or broadcast, `hopeless` tells whether it ended like this. Without it the job ends
 * (sw/hal/hal.h, hal_is_dead). */
void transport_on_deaths(int (*hopeless)(unsigned peer));

/* Progress hook while any call here waits, for libraries with several operations under way: `make` executes what is
 * possible, starts messages and tests for their ends, and returns how many requests it has put into `pending`: when one
 * of them ends, there is more to do. The last call of transport_background counts. */
void transport_background(size_t (*make)(struct transport_request** pending, size_t room));

/* ---- remote memory ----
 * A symmetric piece of memory exists in every process; a transport address in it means the same position in each. */
typedef uint64_t transport_address;
/* Collective: main memory of whole pages. Null if there is not enough. */
void* transport_symmetric(size_t bytes);
/* Makes memory of this process, such as its globals, symmetric: it must be the same part of the program in all. */
transport_address transport_address_of(const volatile void* pointer, size_t bytes);
/* A batch: operations that are completed together, by one transport_quiet. There is one from the start, number 0. */
typedef unsigned transport_batch;
transport_batch transport_batch_open(void);
void transport_batch_close(transport_batch batch); /* it has been quiet since its last operation; not number 0 */
/* Not complete when they return: transport_quiet waits until all puts of the batch are in place, and all its gets have
 * arrived. `local` must stay until then. */
void transport_put(transport_batch batch, unsigned to, transport_address remote, const void* local, size_t bytes);
void transport_get(transport_batch batch, unsigned from, transport_address remote, void* local, size_t bytes);
/* The same, but `local` may be reused at once: small data are copied. */
void transport_put_copied(transport_batch batch, unsigned to, transport_address remote, const void* local,
                          size_t bytes);
/* Returns when these bytes are here, whatever else is under way. */
void transport_get_now(unsigned from, transport_address remote, void* local, size_t bytes);
void transport_quiet(transport_batch batch);

/* An atomic operation on an aligned word of 4 or 8 bytes (`width`) of any process, this one included: atomic with
 * respect to all operations on the word by these calls, of any process and kind. */
struct transport_update {
  enum word_operation operation;
  unsigned width;
  uint64_t operand, comparand;
};
void transport_start_atomics(void); /* collective, before the first; calls after it do nothing */
/* Returns the word's old value. */
uint64_t transport_atomic_now(unsigned to, transport_address remote, const struct transport_update* update);
/* Not complete when it returns: transport_quiet waits for it. `before`, `width` bytes, then has the old value of the
 * word; null: not wanted. */
void transport_atomic(transport_batch batch, unsigned to, transport_address remote,
                      const struct transport_update* update, void* before);
/* A put and then an atomic operation on a word of the same process, which is done only when the bytes are in place. Not
 * complete when it returns. `copied`: `local` may be reused at once. */
struct transport_signal {
  transport_address word;
  struct transport_update update;
};
void transport_put_signal(transport_batch batch, unsigned to, transport_address remote, const void* local, size_t bytes,
                          int copied, const struct transport_signal* signal);

/* ---- any memory of another process, by the cards alone: for windows ----
 * Bits of what the card does towards a process by itself, without the CPU there. */
enum transport_reach { TRANSPORT_PUTS = 1, TRANSPORT_GETS = 2, TRANSPORT_ATOMICS = 4 };
unsigned transport_reach(unsigned process);
/* Makes memory of this process accessible to the cards of others, until transport_unexpose. Returns its address for the
 * next calls, contiguous as it is here; 0: the card does not reach it. */
uint64_t transport_expose(const volatile void* pointer, size_t bytes);
void transport_unexpose(const volatile void* pointer, size_t bytes);
/* The name of this memory for atomic operations of other processes; 0: its card does none. The first call starts the
 * server of these operations. No other process takes part. */
uint64_t transport_atomics_at(void);
/* They end when the bytes are in place; `local` must stay until then. Null: the card does not reach `local`. */
struct transport_request* transport_put_at(unsigned to, uint64_t remote, const void* local, size_t bytes);
struct transport_request* transport_get_at(unsigned from, uint64_t remote, void* local, size_t bytes);
/* On an aligned word of 4 or 8 bytes: atomic with respect to all operations by this call. */
struct transport_request* transport_atomic_at(unsigned to, uint64_t atomics, uint64_t remote,
                                              enum word_operation operation, unsigned width, uint64_t operand,
                                              uint64_t comparand);
/* As transport_test, for a request of transport_atomic_at: also the old value of the word. */
int transport_fetched(struct transport_request* request, uint64_t* before, struct transport_status* status);

/* Sleeps until one of the words of this process's memory may differ from `seen`; test again then. Meanwhile it serves
 * requests of other processes that no card serves. At most TRANSPORT_WORDS. */
#define TRANSPORT_WORDS 64u
void transport_wait_words(const volatile uint32_t* const* words, const uint32_t* seen, unsigned count);
/* Lets other threads in until the word differs from `seen`, or `until_ps`. It serves no requests: for callers that also
 * poll for something without a word. */
void transport_pause(const volatile uint32_t* word, uint32_t seen, uint64_t until_ps);
/* For callers that poll memory in their own loop: serves requests of other processes. */
void transport_look(void);

/* ---- all processes ---- */
void transport_barrier(void);
/* Sends the root's bytes to all, by the network itself. Returns 0, and has done nothing, if it cannot. */
int transport_broadcast(void* buffer, size_t bytes, unsigned root);

/* ---- advice: which algorithm of a collective operation is fastest. It depends on the cost of a message, and on how
 * many messages card and network carry at once (sw/mpi/COLLECTIVES.md) ---- */
struct transport_advice {
  const char* key;     /* the operation, by its setting: "mpi.alltoall"; null ends the list */
  int powers_of_two;   /* 1: only for so many ranks */
  unsigned most_ranks; /* the first row that fits counts */
  const char* rules;   /* as in the setting: "bruck:64,pairwise" */
};
/* After transport_start. The measurements with few ranks; with `many`, those that apply beyond them. */
const struct transport_advice* transport_advice(int many);

/* ---- some of them ---- */
struct transport_group;
/* Collective over the members, which all list them in the same order, this process among them. Null, in all of them,
 * if the network does not support these processes, or no more groups. */
struct transport_group* transport_group(const unsigned* members, unsigned count);
/* This process has no call on the group under way. Null: does nothing. */
void transport_group_free(struct transport_group* group);
void transport_group_barrier(struct transport_group* group);
/* As transport_broadcast; `root` is an index into the members. */
int transport_group_broadcast(struct transport_group* group, void* buffer, size_t bytes, unsigned root);

#ifdef __cplusplus
}
#endif
#endif
