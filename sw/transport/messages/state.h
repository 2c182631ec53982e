/* Shared by the files of this folder. All state is that of one process: each has its copy of an image. */
#ifndef SANVP_TRANSPORT_MESSAGES_STATE_H
#define SANVP_TRANSPORT_MESSAGES_STATE_H

#include "sw/support/list.h"
#include "sw/transport/messages/messages.h"
#include "sw/transport/messages/records.h"

/* Memory of the receiver, in addition to the bytes, for a message that waits for its receive: struct early, rounded. */
#define EARLY_HEAD_BYTES 128u

#define DIRECT_MOST 64u      /* puts and gets of the card under way; further ones wait (A) */
#define RECORD_GETS_MOST 64u /* unanswered gets by records: each needs memory of the responder (A) */
#define SMALL_BYTES 64u      /* that a put copies: a cache line */
#define ROUNDS_MOST 32u      /* of a barrier: log2 of the maximum number of processes */

/* ---- requests ---- */
enum request_role { SENDS, RECEIVES, FETCHES /* a get or an atomic operation by records */ };

struct transport_request {
  struct link link; /* among the posted, or the free ones */
  enum request_role role;
  uint32_t id; /* its name for other processes; from 1 */
  int done;
  unsigned left;            /* only quiet waits for it: LEFT_... and its batch + 1; freed when it is done */
  int by_records;           /* a get that the owner of the memory must execute */
  int announced, cancelled; /* of a send */
  unsigned peer;            /* destination; source, or TRANSPORT_ANY */
  uint64_t tag, mask;
  char* buffer;
  size_t bytes;    /* to be sent; of a receive, size of the buffer */
  size_t came;     /* bytes arrived so far */
  size_t exposed;  /* bytes of the buffer that are exposed to the card until the end, for a peer's put or get */
  uint64_t number; /* in the order of creation, at the last use of this storage */
  uint64_t value;  /* of an atomic operation: the old value of the word */
  struct transport_status got;
};

struct transport_request* messages_request(enum request_role role, unsigned peer, void* buffer, size_t bytes);
struct transport_request* messages_request_of(uint32_t id);
void messages_release(struct transport_request* request);
/* Marks it as done: waiting callers test again. */
void messages_end(struct transport_request* request);
/* From now on only the batch's quiet waits for it. `how`: what its end causes besides. */
enum left { LEFT, LEFT_FETCHES = 1 << 30, LEFT_SIGNALS = 1 << 29, LEFT_BATCH = LEFT_SIGNALS - 1 };
void messages_leave(transport_batch batch, struct transport_request* request, enum left how);
/* Its end, beyond the usual end of a request. */
void messages_end_left(struct transport_request* request);

/* ---- peers ---- */
/* A message that arrived before its receive. */
struct early {
  struct link link;      /* among all, by arrival */
  struct link peer_link; /* among those of its sender */
  unsigned from;
  uint64_t tag;
  size_t bytes; /* of the message */
  size_t came;  /* of them at `data` */
  char* data;   /* after this structure; null: they are still at the sender */
  uint32_t sender;
  uint64_t source;
  struct transport_request* own; /* the send, if this process has sent it itself */
};

/* The message whose RECORD_MOREs are still to come. */
struct inbound {
  struct transport_request* receive; /* its destination, or */
  struct early* early;               /* this one */
  size_t bytes, came;
};

/* A record, or several of one kind, to be sent to a peer. */
struct outgoing {
  struct outgoing* next;
  struct record head; /* of the first record that has not been sent */
  const char* body;
  size_t bytes, sent;                /* of the body */
  struct transport_request* request; /* done when all is sent; may be null */
};

struct ring_pair; /* intra_node.c */

/* Another process, or this one; created at the first communication with it. */
struct peer {
  unsigned process;
  struct ring_pair* intra_node; /* of the same node; else null */
  struct outgoing *first, *last;
  struct link waiting; /* among the peers with something outgoing */
  uint32_t window;     /* bytes of messages that it can still keep for this process */
  uint32_t owed;       /* freed bytes of its messages that it has not been told of */
  struct inbound inbound;
  struct link posted; /* receives from it */
  struct link early;  /* messages from it */
  int dirty;          /* it has been sent puts or atomic operations since the last flush */
  struct peer* next_dirty;
  uint64_t* bases; /* [pieces]: of symmetric memory, for the card; 0: not requested; memory.c */
  unsigned base_count;
};

struct peer* messages_peer(unsigned process);
/* Sends it now, or keeps a copy of `outgoing` (not of the body) and sends it when there is space. */
void messages_say(struct peer* peer, const struct outgoing* outgoing);
/* The same for a record that is only a head. */
void messages_say_head(struct peer* peer, const struct record* head);
/* Sends records that wait for space. Returns whether it has sent any. */
int messages_push(void);
size_t messages_record_bytes(const struct peer* peer);
/* The bytes of a kept message have become free: credit for its sender. */
void messages_owe(struct peer* peer, size_t bytes);

/* ---- processes of this node (intra_node.c) ---- */
void messages_intra_node_start(void);
/* The rings to and from a process of this node. */
struct ring_pair* messages_intra_node_pair(unsigned process);
enum channel_room messages_intra_node_send(struct ring_pair* pair, const struct channel_record* record);
const void* messages_intra_node_receive(unsigned* from, size_t* bytes);
void messages_intra_node_release(void);
size_t messages_intra_node_record_bytes(void);
unsigned messages_intra_node_words(void); /* the most words that watch adds */
unsigned messages_intra_node_watch(const volatile uint32_t** words, uint32_t* seen);

/* ---- all of it ---- */
struct piece {
  char* memory;
  size_t bytes;
};

struct messages {
  const struct channel* channel;
  void* card; /* the channel's self */
  unsigned self, count;
  size_t most_bytes; /* of a message: the memory of a process */
  size_t eager;      /* the eager limit: most bytes of a message that is sent at once */
  uint32_t window;   /* bytes of a sender's messages that this process keeps */
  int puts, gets;    /* the card has them, and they are enabled */

  struct peer** peers; /* [count]; null: no communication yet */
  struct link waiting; /* peers with something outgoing */
  int full;            /* the card has no space for any peer */
  struct peer* dirty;

  struct link free_requests;
  struct transport_request** chunks; /* [chunk_count] of REQUESTS_AT_ONCE */
  unsigned chunk_count;
  uint32_t ends; /* counts the ends of requests, and other events that may be waited for; wraps around */

  struct link any; /* receives from any source */
  struct link early;
  uint64_t requests; /* number of the last one */

  struct piece* pieces; /* symmetric memory; the first are the globals */
  unsigned piece_count;
  unsigned outstanding; /* puts, gets and atomic operations of batch 0 under way */
  unsigned record_gets;

  struct link direct_waiting, direct_under_way;
  unsigned direct_count;

  uint32_t barriers, arrived[ROUNDS_MOST];
  int in_barrier;

  int (*hopeless)(unsigned peer);  /* transport_on_deaths; null: not set */
  const volatile uint32_t* deaths; /* the number of deaths that this process has been told of */
  size_t (*background)(struct transport_request** pending, size_t room);
  int waits; /* in a call that only waits: the background may make any call */

  unsigned* batches; /* [batch_count]: outstanding ones of batch 1, 2, ... + 1; 0: closed */
  unsigned batch_count;
  unsigned flushes; /* under way, of any batch */
};

struct messages* messages_state(void);

/* ---- what has come (progress.c) ---- */
/* Handles records that have arrived, sends those that wait. Returns whether there were any. */
int messages_progress(void);
/* Makes progress until `holds`. With messages_state()->waits the background progresses, too. */
void messages_wait_until(int (*holds)(const void* what), const void* what);
/* The same, or until a known death makes it impossible. */
void messages_wait_unless(int (*holds)(const void* what), int (*hopeless)(const void* what), const void* what);
/* As messages_wait_until; also tests when one of the words differs from `seen`. */
struct watched {
  const volatile uint32_t* const* words;
  const uint32_t* seen;
  unsigned count;
};
void messages_watch_until(int (*holds)(const void* what), const void* what, const struct watched* watched);
/* Around waits that leave no state of this library half changed. */
int messages_begin_wait(void);
void messages_end_wait(int before);
/* 1 + the dead node for which a wait for this peer can never end; 0: none. */
static inline int messages_hopeless(unsigned peer) {
  const struct messages* m = messages_state();
  return m->hopeless && *m->deaths != 0 ? m->hopeless(peer) : 0;
}
/* Ends the job: on a network without checks, a record may be damaged. */
_Noreturn void messages_damaged(const char* what);
/* Copies into this process's memory, and spends the time. */
void messages_copy(char* to, const char* from, size_t bytes);

/* ---- messages (match.c, message.c) ---- */
struct transport_request* messages_match(unsigned from, uint64_t tag); /* dequeues the receive; null: none */
void messages_post(struct transport_request* receive);
struct early* messages_find_early(unsigned from, uint64_t tag, uint64_t mask);
/* Stores a peer's message that has no receive yet, with space for its bytes. */
struct early* messages_keep(struct peer* peer, size_t room);
void messages_forget(struct early* early);

void messages_came_eager(struct peer* peer, const struct record* head, const char* body, size_t bytes);
void messages_came_more(struct peer* peer, const char* body, size_t bytes);
void messages_came_rts(struct peer* peer, const struct record* head);
void messages_came_cts(struct peer* peer, const struct record* head);
void messages_came_data(const struct record* head, const char* body, size_t bytes);
void messages_came_fin(const struct record* head);
void messages_came_cancel(struct peer* peer, const struct record* head);
void messages_came_cancelled(const struct record* head);

/* ---- by the card itself (direct.c) ---- */
enum direct_kind { DIRECT_PUT, DIRECT_GET, DIRECT_ATOMIC };

struct direct {
  enum direct_kind kind;
  transport_batch batch; /* whose quiet waits for it, if it has no request */
  struct peer* peer;
  uint64_t remote;
  char* local;
  size_t bytes;
  struct transport_request* request; /* ends with it; may be null: quiet waits for it */
  uint32_t fin;                      /* the peer's request that ends with it; 0: none */
  int small;                         /* the bytes are copied into this structure */
  int exposed;                       /* `local` is exposed, until the end */
  enum word_operation operation;
  uint64_t operand, comparand;
};

void messages_direct(const struct direct* direct);
/* Makes this memory of a message accessible to the card until messages_unexpose; 0: not possible. */
uint64_t messages_expose(const void* pointer, size_t bytes);
void messages_unexpose(const void* pointer, size_t bytes);
int messages_direct_progress(void);

/* ---- remote memory (remote.c, atomics.c, signal.c, batch.c, memory.c) ---- */
/* The operations of a batch that its quiet waits for: another one, one less. */
void messages_batch_begins(transport_batch batch);
void messages_batch_ends(transport_batch batch);
/* The peer has been sent puts or atomic operations that nothing answers: a quiet asks it. */
void messages_must_flush(struct peer* peer);
/* The address by which the card of this process puts to, or gets from, a peer's memory; `local` is exposed then. 0: by
 * records. */
uint64_t messages_by_card(struct peer* peer, transport_address remote, const void* local, size_t bytes, int offered);
/* Puts by records, and returns when the bytes have left `local`. */
void messages_put_by_records(struct peer* peer, transport_address remote, const void* local, size_t bytes);
int messages_request_done(const void* request);
/* An atomic operation by a record, or by the card, whose address for the word is known; nothing waits for it but the
 * quiet of the batch. */
void messages_start_atomic(transport_batch batch, struct peer* peer, transport_address remote,
                           const struct transport_update* update);
/* Until the card's address of a peer's memory is known; at once if atomic operations go by records. */
void messages_know_word(struct peer* peer, transport_address remote);
void messages_signal_now(struct transport_request* put);
void messages_came_atomic(struct peer* peer, const struct record* head);
void messages_came_answer(const struct record* head);
void messages_came_signal(const struct record* head, const char* body, size_t bytes);
void messages_came_remote(struct peer* peer, const struct record* head, const char* body, size_t bytes);
/* This process's memory at a transport address; ends the job if the address is invalid. */
char* messages_memory(transport_address address, size_t bytes);
/* The peer's address of it for put and get; 0 if it is not known yet (then it asks for it) or impossible. */
uint64_t messages_remote(struct peer* peer, transport_address address);
void messages_came_where(struct peer* peer, const struct record* head);
void messages_came_here(struct peer* peer, const struct record* head);
void messages_memory_start(void);

#endif
