/* Intra-node messages, through rings in shared memory; matched by the receiver, whenever it is in
 * a call of elanlib.
 *
 * A receive that may take messages of both kinds is posted here and at the card. An intra-node message that matches it
 * first cancels it there; if the card has matched it already, the message is matched with the next receive. Messages of
 * one sender come one way only, so none overtakes another.
 */
#include <stdlib.h>
#include <string.h>

#include "sw/elanlib/tport_state.h"
#include "sw/hal/hal.h"
#include "sw/support/shared_ring.h"

/* From INTRA_NODE_MATCHED on a record may come after the receiver has stopped waiting for it. */
enum intra_node_kind {
  INTRA_NODE_MESSAGE = 1,
  INTRA_NODE_SYNCHRONOUS,
  INTRA_NODE_MORE,
  INTRA_NODE_MATCHED,
  INTRA_NODE_TAKE_BACK,
  INTRA_NODE_TAKEN_BACK
};

/* A message that came before its receive. */
struct intra_node_message {
  struct intra_node_message* next;
  struct tport_status label;
  size_t came;                      /* bytes of it that are here */
  struct elan_tport_event* receive; /* that has got it before it was whole */
  uint64_t answer;                  /* cookie of a synchronous send */
  char* data;                       /* behind this record */
};

/* The message of a neighbour whose parts are still arriving. */
struct arriving {
  struct tport_status label;
  struct elan_tport_event* receive;   /* it goes there, or */
  struct intra_node_message* message; /* is early */
  size_t came;
};

struct intra_node_list {
  struct elan_tport_event *first, *last;
};

struct neighbour {
  struct ring_end out, in;
  struct intra_node_list waiting; /* sends that are not all in the ring */
  struct arriving arriving;
};

struct intra_node_tport {
  unsigned count, self;
  struct neighbour neighbours[ELAN3_PROCESSES_PER_NODE];
  struct intra_node_list posted;                 /* receives, in order */
  struct intra_node_message *early, **early_end; /* in order of arrival */
  struct intra_node_message* lent;               /* lent: the caller has its data (RXBUF) */
  int busy;                                      /* making progress */
};

/* Positions of both ends of all rings; each process's in lines of its own. */
struct intra_node_words {
  struct {
    volatile uint32_t written[ELAN3_PROCESSES_PER_NODE]; /* by each sender: what the process watches for messages */
    volatile uint32_t read[ELAN3_PROCESSES_PER_NODE];    /* by each receiver: what the process watches for space */
  } of[ELAN3_PROCESSES_PER_NODE];
};
_Static_assert(sizeof(uint32_t[ELAN3_PROCESSES_PER_NODE]) % CACHE_LINE == 0, "whole lines");

/* ---- lists ---- */
static void append(struct intra_node_list* list, struct elan_tport_event* event) {
  event->next = NULL;
  if (list->last)
    list->last->next = event;
  else
    list->first = event;
  list->last = event;
}

static void withdraw_after(struct intra_node_list* list, struct elan_tport_event* before,
                           struct elan_tport_event* event) {
  if (before)
    before->next = event->next;
  else
    list->first = event->next;
  if (list->last == event) list->last = before;
  event->posted = 0;
}

void intra_node_withdraw(struct elan_tport_event* event) {
  struct intra_node_list* list = &event->tport->intra_node->posted;
  struct elan_tport_event* before = NULL;
  for (struct elan_tport_event* at = list->first; at; before = at, at = at->next)
    if (at == event) {
      withdraw_after(list, before, at);
      return;
    }
}

/* ---- start ---- */
static struct shared_ring* ring_of(unsigned from, unsigned to) {
  return ring_memory("elan", from, to, sizeof(struct shared_ring),
                     "elan_tportInit: no memory for messages among the processes of a node");
}

unsigned intra_node_watch(const struct elan_tport* tport, const volatile uint32_t** words, uint32_t* seen,
                          unsigned count) {
  const struct intra_node_tport* intra_node = tport->intra_node;
  for (unsigned i = 0; i < intra_node->count; ++i) {
    const struct neighbour* neighbour = &intra_node->neighbours[i];
    if (i != intra_node->self) {
      words[count] = neighbour->in.other;
      seen[count++] = neighbour->in.at;
    }
    if (neighbour->waiting.first) {
      words[count] = neighbour->out.other;
      seen[count++] = neighbour->out.full;
    }
  }
  return count;
}

void intra_node_start(struct elan_tport* tport) {
  struct elan_base* base = tport->base;
  if (base->node_count < 2) return;
  struct intra_node_words* words = hal_shared("elan.intra_node", sizeof *words);
  if (!words) hal_abort("elan_tportInit: no memory for messages among the processes of a node");
  struct intra_node_tport* intra_node = calloc(1, sizeof *intra_node);
  intra_node->count = base->node_count;
  intra_node->self = base->node_self;
  intra_node->early_end = &intra_node->early;
  for (unsigned i = 0; i < intra_node->count; ++i) {
    struct neighbour* neighbour = &intra_node->neighbours[i];
    neighbour->out.own = &words->of[i].written[intra_node->self];
    neighbour->out.other = &words->of[intra_node->self].read[i];
    neighbour->in.own = &words->of[i].read[intra_node->self];
    neighbour->in.other = &words->of[intra_node->self].written[i];
  }
  tport->intra_node = intra_node;
}

/* ---- sending ---- */
static unsigned index_of(const struct elan_tport* tport, unsigned process) {
  unsigned index = 0;
  while (tport->base->neighbour[index] != process) ++index;
  return index;
}

/* Copies as much of a send into its ring as fits. Returns whether all of it is in. */
static int push(struct neighbour* neighbour, struct elan_tport_event* event) {
  do {
    const size_t left = event->size - event->moved;
    const size_t bytes = left < RING_MOST_BYTES ? left : RING_MOST_BYTES;
    struct ring_record* record = ring_begin(&neighbour->out, bytes);
    if (!record) return 0;
    record->kind = event->moved > 0 ? INTRA_NODE_MORE : event->record;
    record->process = event->tport->base->self;
    record->tag = event->tag;
    record->sender = event->sender;
    record->all_bytes = (uint32_t)event->size;
    record->cookie = event->cookie;
    if (bytes > 0) memcpy(record + 1, (const char*)event->buffer + event->moved, bytes);
    ring_send(&neighbour->out, record);
    event->moved += bytes;
  } while (event->moved < event->size);
  /* A synchronous send is done when its answer comes. */
  if (event->record >= INTRA_NODE_MATCHED)
    tport_give(event);
  else if (event->record != INTRA_NODE_SYNCHRONOUS)
    event->done = 1;
  return 1;
}

static void push_waiting(struct neighbour* neighbour) {
  while (neighbour->waiting.first) {
    struct elan_tport_event* event = neighbour->waiting.first;
    struct elan_tport_event* next = event->next;
    if (!push(neighbour, event)) return;
    neighbour->waiting.first = next;
    if (!next) neighbour->waiting.last = NULL;
  }
}

static void event_send(struct elan_tport* tport, unsigned index, struct elan_tport_event* event) {
  struct neighbour* neighbour = &tport->intra_node->neighbours[index];
  if (!neighbour->out.ring) neighbour->out.ring = ring_of(tport->intra_node->self, index);
  append(&neighbour->waiting, event);
  push_waiting(neighbour);
}

struct elan_tport_event* intra_node_send(struct elan_tport* tport, int flags, unsigned dest, unsigned sender,
                                         uint64_t tag, const void* buffer, size_t size) {
  struct elan_tport_event* event = tport_take(tport, TX_INTRA_NODE);
  const int synchronous = flags & ELAN_TPORT_TXSYNC;
  event->record = synchronous ? INTRA_NODE_SYNCHRONOUS : INTRA_NODE_MESSAGE;
  event->cookie = synchronous ? (uintptr_t)event : 0;
  event->dest = dest;
  event->tag = tag;
  event->sender = sender;
  event->buffer = (void*)buffer;
  event->size = size;
  event->moved = 0;
  event_send(tport, index_of(tport, dest), event);
  if (!event->done) return event;
  tport_give(event);
  return &tport->sent;
}

/* For a synchronous message: its outcome to the sender, or a cancellation to the receiver. */
static void tell(struct elan_tport* tport, unsigned process, enum intra_node_kind what, uint64_t cookie) {
  struct elan_tport_event* event = tport_take(tport, TX_INTRA_NODE);
  event->record = what;
  event->cookie = cookie;
  event->size = event->moved = 0;
  event_send(tport, index_of(tport, process), event);
}

/* ---- matching ---- */
static int matches(const struct elan_tport_event* receive, const struct tport_status* label) {
  return ((receive->sender ^ label->sender) & receive->sender_mask) == 0 &&
         ((receive->tag ^ label->tag) & receive->tag_mask) == 0;
}

static void finish(struct elan_tport_event* receive, struct tport_status label) {
  label.done = TPORT_MATCHED;
  receive->status = label;
}

static void copy(void* to, const void* from, size_t bytes) {
  if (bytes > 0) memcpy(to, from, bytes);
}

/* An early message that is whole goes to its receive. */
static void hand_over(struct intra_node_tport* intra_node, struct elan_tport_event* receive,
                      struct intra_node_message* message) {
  const size_t bytes = message->label.bytes;
  finish(receive, message->label);
  if (receive->flags & ELAN_TPORT_RXBUF) {
    receive->buffer = message->data;
    message->next = intra_node->lent;
    intra_node->lent = message;
    return;
  }
  copy(receive->buffer, message->data, bytes < receive->size ? bytes : receive->size);
  free(message);
}

int intra_node_receive(struct elan_tport_event* event) {
  struct intra_node_tport* intra_node = event->tport->intra_node;
  intra_node_progress(event->tport);
  for (struct intra_node_message** link = &intra_node->early; *link; link = &(*link)->next) {
    struct intra_node_message* message = *link;
    if (!matches(event, &message->label)) continue;
    if (event->flags & ELAN_TPORT_RXPROBE) {
      finish(event, message->label);
      return 1;
    }
    if (event->kind == TPORT_RECEIVE_NOWAIT && message->label.bytes != event->size) return 0;
    *link = message->next;
    if (intra_node->early_end == &message->next) intra_node->early_end = link;
    if (message->answer) tell(event->tport, message->label.process, INTRA_NODE_MATCHED, message->answer);
    message->receive = event;
    if (message->came == message->label.bytes) hand_over(intra_node, event, message);
    return 1;
  }
  if (event->flags & ELAN_TPORT_RXNOWAIT) return 0;
  append(&intra_node->posted, event);
  event->posted = 1;
  return 0;
}

/* The first receive that matches a message; matching probes before it are answered. The card may have been faster. */
static struct elan_tport_event* claim(struct intra_node_tport* intra_node, const struct tport_status* label) {
  struct elan_tport_event *before = NULL, *next = NULL;
  for (struct elan_tport_event* receive = intra_node->posted.first; receive; receive = next) {
    next = receive->next;
    if (!receive->status.done && !matches(receive, label)) {
      before = receive;
      continue;
    }
    withdraw_after(&intra_node->posted, before, receive);
    if (receive->status.done || (receive->at_card && !tport_take_back(receive))) continue;
    if (receive->kind == TPORT_RECEIVE) return receive;
    finish(receive, *label);
  }
  return NULL;
}

/* ---- arriving records ---- */
static struct intra_node_message* keep(struct intra_node_tport* intra_node, const struct tport_status* label,
                                       uint64_t cookie) {
  struct intra_node_message* message = malloc(sizeof *message + label->bytes);
  if (!message)
    hal_abort(
        "elanlib: no memory for messages that came before their receives; receive them earlier, or set "
        "host.memory");
  *message = (struct intra_node_message){.label = *label, .answer = cookie, .data = (char*)(message + 1)};
  *intra_node->early_end = message;
  intra_node->early_end = &message->next;
  return message;
}

static void begin(struct elan_tport* tport, struct arriving* arriving, const struct ring_record* record) {
  const struct tport_status label = {
      .tag = record->tag, .sender = record->sender, .process = record->process, .bytes = record->all_bytes};
  *arriving = (struct arriving){.label = label, .receive = claim(tport->intra_node, &label)};
  if (!arriving->receive)
    arriving->message = keep(tport->intra_node, &label, record->cookie);
  else if (record->cookie)
    tell(tport, record->process, INTRA_NODE_MATCHED, record->cookie);
}

static void add(struct intra_node_tport* intra_node, struct arriving* arriving, const struct ring_record* record) {
  struct elan_tport_event* receive = arriving->receive;
  struct intra_node_message* message = arriving->message;
  char* to = receive ? receive->buffer : message->data;
  const size_t room = receive ? receive->size : message->label.bytes;
  const size_t left = room > arriving->came ? room - arriving->came : 0;
  copy(to + arriving->came, ring_data(record), record->bytes < left ? record->bytes : left);
  arriving->came += record->bytes;
  if (message) message->came = arriving->came;
  if (arriving->came < arriving->label.bytes) return;
  if (receive)
    finish(receive, arriving->label);
  else if (message->receive)
    hand_over(intra_node, message->receive, message);
}

/* The answer comes after the first record of a message; later ones may still wait for space in the ring. */
static void was_matched(struct elan_tport_event* event) {
  event->record = INTRA_NODE_MESSAGE;
  event->done = event->moved == event->size;
}

/* All of the message has arrived: a cancellation comes after it. */
static void give_back(struct elan_tport* tport, const struct ring_record* record) {
  struct intra_node_tport* intra_node = tport->intra_node;
  for (struct intra_node_message** link = &intra_node->early; *link; link = &(*link)->next) {
    struct intra_node_message* message = *link;
    if (message->label.process != record->process || message->answer != record->cookie) continue;
    *link = message->next;
    if (intra_node->early_end == &message->next) intra_node->early_end = link;
    free(message);
    tell(tport, record->process, INTRA_NODE_TAKEN_BACK, record->cookie);
    return;
  }
}

static void was_taken_back(struct elan_tport_event* event) {
  event->record = INTRA_NODE_TAKEN_BACK;
  event->done = 1;
}

int intra_node_take_back(struct elan_tport_event* event) {
  if (event->record != INTRA_NODE_SYNCHRONOUS) return 0;
  tell(event->tport, event->dest, INTRA_NODE_TAKE_BACK, event->cookie);
  elan_sleep_while(event->tport->base, &event->done, 0);
  return event->record == INTRA_NODE_TAKEN_BACK;
}

static void take_records(struct elan_tport* tport, unsigned index) {
  struct neighbour* neighbour = &tport->intra_node->neighbours[index];
  if (!neighbour->in.ring && *neighbour->in.other == neighbour->in.at) return;
  if (!neighbour->in.ring) neighbour->in.ring = ring_of(index, tport->intra_node->self);
  for (const struct ring_record* record = NULL; (record = ring_next(&neighbour->in));) {
    if (record->kind == INTRA_NODE_MATCHED) {
      was_matched((struct elan_tport_event*)(uintptr_t)record->cookie);
    } else if (record->kind == INTRA_NODE_TAKE_BACK) {
      give_back(tport, record);
    } else if (record->kind == INTRA_NODE_TAKEN_BACK) {
      was_taken_back((struct elan_tport_event*)(uintptr_t)record->cookie);
    } else {
      if (record->kind != INTRA_NODE_MORE) begin(tport, &neighbour->arriving, record);
      add(tport->intra_node, &neighbour->arriving, record);
    }
    ring_take(&neighbour->in, record);
  }
}

void intra_node_progress(struct elan_tport* tport) {
  struct intra_node_tport* intra_node = tport->intra_node;
  if (!intra_node || intra_node->busy) return;
  intra_node->busy = 1;
  for (unsigned i = 0; i < intra_node->count; ++i) {
    push_waiting(&intra_node->neighbours[i]);
    take_records(tport, i);
  }
  intra_node->busy = 0;
}

/* A receive that is withdrawn waits for the card, in the midst of changes to the lists. */
void intra_node_serve_threads(const struct elan_tport* tport) { hal_threads_alone_while(&tport->intra_node->busy, 1); }

void intra_node_free(struct elan_tport* tport, const void* buffer) {
  if (!tport->intra_node) return;
  for (struct intra_node_message** link = &tport->intra_node->lent; *link; link = &(*link)->next)
    if ((*link)->data == buffer) {
      struct intra_node_message* message = *link;
      *link = message->next;
      free(message);
      return;
    }
}
