/* Shared by the files of this folder. All state is that of a process: an image is loaded once for each. */
#ifndef SANVP_TRANSPORT_MESSAGES_STATE_H
#define SANVP_TRANSPORT_MESSAGES_STATE_H

#include "sw/support/list.h"
#include "sw/transport/messages/messages.h"
#include "sw/transport/messages/records.h"

/* What a message that waits for its receive costs its receiver's memory beside its bytes: struct early, rounded. */
#define EARLY_HEAD_BYTES 128u

#define DIRECT_MOST 64u      /* puts and gets of the card under way; further ones wait (A) */
#define RECORD_GETS_MOST 64u /* gets by records that are not answered: each needs memory of the responder (A) */
#define SMALL_BYTES 64u      /* that a put keeps for itself: a line */
#define ROUNDS_MOST 32u      /* of a barrier: log2 of as many processes as there can be */

/* ---- requests ---- */
enum request_role { SENDS, RECEIVES, FETCHES /* a get or an atomic operation by records */ };

struct transport_request {
  struct link link; /* among the posted, or the free ones */
  enum request_role role;
  uint32_t id; /* by which other processes name it; from 1 */
  int done;
  int left;                 /* only quiet waits for it: it is freed when it is done */
  int by_records;           /* a get that others must do */
  int announced, cancelled; /* of a send */
  unsigned peer;            /* destination; source, or TRANSPORT_ANY */
  uint64_t tag, mask;
  char* buffer;
  size_t bytes;    /* to be sent; room */
  size_t came;     /* of what is on its way into it */
  size_t exposed;  /* bytes of the buffer that the card knows until the end, for a peer's put or get */
  uint64_t number; /* in the order in which they were made, the last time that this place was taken */
  uint64_t value;  /* of an atomic operation: what the word was */
  struct transport_status got;
};

struct transport_request* messages_request(enum request_role role, unsigned peer, void* buffer, size_t bytes);
struct transport_request* messages_request_of(uint32_t id);
void messages_release(struct transport_request* request);
/* It is done: waiting callers test again. */
void messages_end(struct transport_request* request);
/* Only quiet waits for it. */
void messages_leave(struct transport_request* request);

/* ---- peers ---- */
/* A message that came before its receive. */
struct early {
  struct link link;      /* among all, by arrival */
  struct link peer_link; /* among those of its sender */
  unsigned from;
  uint64_t tag;
  size_t bytes; /* of the message */
  size_t came;  /* of them at `data` */
  char* data;   /* behind this; null: they are still with the sender */
  uint32_t sender;
  uint64_t source;
  struct transport_request* own; /* the send, where this process has sent it itself */
};

/* The message whose RECORD_MOREs are still to come. */
struct inbound {
  struct transport_request* receive; /* it goes there, or */
  struct early* early;               /* there */
  size_t bytes, came;
};

/* A record, or several of one kind, on their way to a peer. */
struct outgoing {
  struct outgoing* next;
  struct record head; /* of the first record that is not sent */
  const char* body;
  size_t bytes, sent;                /* of the body */
  struct transport_request* request; /* done when all is sent; may be null */
};

struct ring_pair; /* intra_node.c */

/* Another process, or this one, from the first that is said to it on. */
struct peer {
  unsigned process;
  struct ring_pair* intra_node; /* of the same node; else null */
  struct outgoing *first, *last;
  struct link waiting; /* among the peers with something outgoing */
  uint32_t window;     /* bytes of messages that it would still keep for us */
  uint32_t owed;       /* bytes of its messages that we keep no more, and have not said so */
  struct inbound inbound;
  struct link posted; /* receives from it */
  struct link early;  /* messages from it */
  int dirty;          /* it has been sent puts or atomic operations since the last flush */
  struct peer* next_dirty;
  uint64_t* bases; /* [pieces]: of symmetric memory, for the card; 0: not requested; memory.c */
  unsigned base_count;
};

struct peer* messages_peer(unsigned process);
/* Sends it now, or keeps a copy of `outgoing` (not of the body) and sends it when there is room. */
void messages_say(struct peer* peer, const struct outgoing* outgoing);
/* A head alone. */
void messages_say_head(struct peer* peer, const struct record* head);
/* What is waiting for room. Answers whether something went. */
int messages_push(void);
size_t messages_record_bytes(const struct peer* peer);
/* Bytes of a message kept for its sender are free. */
void messages_owe(struct peer* peer, size_t bytes);

/* ---- processes of this node (intra_node.c) ---- */
void messages_intra_node_start(void);
/* The rings to and from a process of this node. */
struct ring_pair* messages_intra_node_pair(unsigned process);
enum channel_room messages_intra_node_send(struct ring_pair* pair, const struct channel_record* record);
const void* messages_intra_node_receive(unsigned* from, size_t* bytes);
void messages_intra_node_release(void);
size_t messages_intra_node_record_bytes(void);
unsigned messages_intra_node_words(void); /* most that watch adds */
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
  size_t most_bytes; /* of a message: as many as a process has memory */
  size_t eager;      /* bytes of a message that is sent at once, at most */
  uint32_t window;   /* bytes of a sender's messages that this process keeps */
  int puts, gets;    /* the card has them, and they are wanted */

  struct peer** peers; /* [count]; null: nothing has been said yet */
  struct link waiting; /* peers with something outgoing */
  int full;            /* the card has no space at all */
  struct peer* dirty;

  struct link free_requests;
  struct transport_request** chunks; /* [chunk_count] of REQUESTS_AT_ONCE */
  unsigned chunk_count;
  uint32_t ends; /* requests that have ended, and what else may be waited for: a number that goes around */

  struct link any; /* receives from any source */
  struct link early;
  uint64_t requests; /* made so far */

  struct piece* pieces; /* symmetric memory; the first are the globals */
  unsigned piece_count;
  unsigned outstanding; /* puts, gets, atomic operations and flushes that quiet waits for */
  unsigned record_gets;

  struct link direct_waiting, direct_under_way;
  unsigned direct_count;

  uint32_t barriers, arrived[ROUNDS_MOST];
  int in_barrier;

  int (*hopeless)(unsigned peer);  /* transport_on_deaths; null: not set */
  const volatile uint32_t* deaths; /* that this process knows of */
  size_t (*background)(struct transport_request** pending, size_t room);
  int waits; /* in a call that does nothing else: the background may call what it likes */
};

struct messages* messages_state(void);

/* ---- what has come (progress.c) ---- */
/* Acts on what has come, sends what waits. Answers whether there was something. */
int messages_progress(void);
/* Goes on with all that until `holds`. With messages_state()->waits the background goes on, too. */
void messages_wait_until(int (*holds)(const void* what), const void* what);
/* The same, or until this process knows of a death for which it can never hold. */
void messages_wait_unless(int (*holds)(const void* what), int (*hopeless)(const void* what), const void* what);
/* The first; also looks when one of the words is not what was seen of it. */
struct watched {
  const volatile uint32_t* const* words;
  const uint32_t* seen;
  unsigned count;
};
void messages_watch_until(int (*holds)(const void* what), const void* what, const struct watched* watched);
/* Around whatever waits and leaves nothing here half done. */
int messages_begin_wait(void);
void messages_end_wait(int before);
/* 1 + the dead node for which a wait for this peer can never end; 0: none. */
static inline int messages_hopeless(unsigned peer) {
  const struct messages* m = messages_state();
  return m->hopeless && *m->deaths != 0 ? m->hopeless(peer) : 0;
}
/* Ends the job: on a network without checks, what a record says may be wrong. */
_Noreturn void messages_damaged(const char* what);
/* Copies into memory of this process, and spends the time. */
void messages_copy(char* to, const char* from, size_t bytes);

/* ---- messages (match.c, message.c) ---- */
struct transport_request* messages_match(unsigned from, uint64_t tag); /* takes a receive for a message, or null */
void messages_post(struct transport_request* receive);
struct early* messages_find_early(unsigned from, uint64_t tag, uint64_t mask);
/* A place for a message of a peer that has no receive yet, with room for its bytes. */
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
  struct peer* peer;
  uint64_t remote;
  char* local;
  size_t bytes;
  struct transport_request* request; /* to end with it; may be null: quiet waits for it */
  uint32_t fin;                      /* the peer's request that it ends; 0: none */
  int small;                         /* `bytes` of local are kept here */
  int exposed;                       /* `local` is, until the end */
  enum word_operation operation;
  uint64_t operand, comparand;
};

void messages_direct(const struct direct* direct);
/* Makes this memory accessible to the card until messages_unexpose; 0: not possible. */
uint64_t messages_expose(const void* pointer, size_t bytes);
void messages_unexpose(const void* pointer, size_t bytes);
int messages_direct_progress(void);

/* ---- remote memory (remote.c, memory.c) ---- */
void messages_came_remote(struct peer* peer, const struct record* head, const char* body, size_t bytes);
/* This process's memory at a transport address; the job ends where there is none. */
char* messages_memory(transport_address address, size_t bytes);
/* The peer's address of it for put and get; 0 where it is not known, and asked for, or cannot be. */
uint64_t messages_remote(struct peer* peer, transport_address address);
void messages_came_where(struct peer* peer, const struct record* head);
void messages_came_here(struct peer* peer, const struct record* head);
void messages_memory_start(void);

#endif
