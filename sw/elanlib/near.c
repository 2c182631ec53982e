/* Messages among processes of a node: through lanes in memory that both see; matched by the receiver, whenever it is in
 * a call of elanlib.
 *
 * A receive that may take messages of both kinds is posted here and at the card. A near message that matches it first
 * takes it back from there; where the card says that it is late, the message goes on to the next receive. Messages of
 * one sender come one way only, so none overtakes another.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/elanlib/tport_state.h"
#include "sw/hal/hal.h"
#include "sw/support/lane.h"

/* From NEAR_MATCHED on nobody waits for what says so. */
enum near_kind { NEAR_MESSAGE = 1, NEAR_SYNCHRONOUS, NEAR_MORE, NEAR_MATCHED, NEAR_TAKE_BACK, NEAR_TAKEN_BACK };

/* A message that came before its receive. */
struct near_message {
  struct near_message* next;
  struct tport_status label;
  size_t came;                      /* bytes of it that are here */
  struct elan_tport_event* receive; /* that has got it before it was whole */
  uint64_t answer;                  /* cookie of a synchronous send */
  char* data;                       /* behind this record */
};

/* The message of which parts are still to come from a neighbour. */
struct arriving {
  struct tport_status label;
  struct elan_tport_event* receive; /* it goes there, or */
  struct near_message* message;     /* is early */
  size_t came;
};

struct near_list {
  struct elan_tport_event *first, *last;
};

struct neighbour {
  struct lane_end out, in;
  struct near_list waiting; /* sends that are not all in the lane */
  struct arriving arriving;
};

struct near_tport {
  unsigned count, self;
  struct neighbour neighbours[ELAN3_PROCESSES_PER_NODE];
  struct near_list posted;                 /* receives, in order */
  struct near_message *early, **early_end; /* in order of arrival */
  struct near_message* lent;               /* whose data the caller has (RXBUF) */
  int busy;                                /* making progress */
};

/* Positions of both ends of all lanes; each process's in lines of its own. */
struct near_words {
  struct {
    volatile uint32_t written[ELAN3_PROCESSES_PER_NODE]; /* by each sender: what the process watches for messages */
    volatile uint32_t read[ELAN3_PROCESSES_PER_NODE];    /* by each receiver: what it watches for room */
  } of[ELAN3_PROCESSES_PER_NODE];
};
_Static_assert(sizeof(uint32_t[ELAN3_PROCESSES_PER_NODE]) % CACHE_LINE == 0, "whole lines");

/* ---- lists ---- */
static void append(struct near_list* list, struct elan_tport_event* event) {
  event->next = NULL;
  if (list->last)
    list->last->next = event;
  else
    list->first = event;
  list->last = event;
}

static void withdraw_after(struct near_list* list, struct elan_tport_event* before, struct elan_tport_event* event) {
  if (before)
    before->next = event->next;
  else
    list->first = event->next;
  if (list->last == event) list->last = before;
  event->posted = 0;
}

void near_withdraw(struct elan_tport_event* event) {
  struct near_list* list = &event->tport->near->posted;
  struct elan_tport_event* before = NULL;
  for (struct elan_tport_event* at = list->first; at; before = at, at = at->next)
    if (at == event) {
      withdraw_after(list, before, at);
      return;
    }
}

/* ---- start ---- */
/* Both ends find a lane by its name; it costs no memory until one of them does. */
static struct lane* lane_of(unsigned from, unsigned to) {
  char name[48];
  snprintf(name, sizeof name, "elan.lane.%u.%u", from, to);
  struct lane* lane = hal_shared(name, sizeof *lane);
  if (!lane) hal_abort("elan_tportInit: no memory for messages among the processes of a node");
  return lane;
}

unsigned near_watch(const struct elan_tport* tport, const volatile uint32_t** words, uint32_t* seen, unsigned count) {
  const struct near_tport* near = tport->near;
  for (unsigned i = 0; i < near->count; ++i) {
    const struct neighbour* neighbour = &near->neighbours[i];
    if (i != near->self) {
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

void near_start(struct elan_tport* tport) {
  struct elan_base* base = tport->base;
  if (base->node_count < 2) return;
  struct near_words* words = hal_shared("elan.near", sizeof *words);
  if (!words) hal_abort("elan_tportInit: no memory for messages among the processes of a node");
  struct near_tport* near = calloc(1, sizeof *near);
  near->count = base->node_count;
  near->self = base->node_self;
  near->early_end = &near->early;
  for (unsigned i = 0; i < near->count; ++i) {
    struct neighbour* neighbour = &near->neighbours[i];
    neighbour->out.own = &words->of[i].written[near->self];
    neighbour->out.other = &words->of[near->self].read[i];
    neighbour->in.own = &words->of[i].read[near->self];
    neighbour->in.other = &words->of[near->self].written[i];
  }
  tport->near = near;
}

/* ---- sending ---- */
static unsigned index_of(const struct elan_tport* tport, unsigned process) {
  unsigned index = 0;
  while (tport->base->neighbour[index] != process) ++index;
  return index;
}

/* Puts as much of a send into its lane as there is room for. Answers whether all is in. */
static int push(struct neighbour* neighbour, struct elan_tport_event* event) {
  do {
    const size_t left = event->size - event->moved;
    const size_t bytes = left < LANE_MOST_BYTES ? left : LANE_MOST_BYTES;
    struct lane_record* record = lane_begin(&neighbour->out, bytes);
    if (!record) return 0;
    record->kind = event->moved > 0 ? NEAR_MORE : event->record;
    record->process = event->tport->base->self;
    record->tag = event->tag;
    record->sender = event->sender;
    record->all_bytes = (uint32_t)event->size;
    record->cookie = event->cookie;
    if (bytes > 0) memcpy(record + 1, (const char*)event->buffer + event->moved, bytes);
    lane_send(&neighbour->out, record);
    event->moved += bytes;
  } while (event->moved < event->size);
  /* A synchronous send is done when its answer comes. */
  if (event->record >= NEAR_MATCHED)
    tport_give(event);
  else if (event->record != NEAR_SYNCHRONOUS)
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

static void send(struct elan_tport* tport, unsigned index, struct elan_tport_event* event) {
  struct neighbour* neighbour = &tport->near->neighbours[index];
  if (!neighbour->out.lane) neighbour->out.lane = lane_of(tport->near->self, index);
  append(&neighbour->waiting, event);
  push_waiting(neighbour);
}

struct elan_tport_event* near_send(struct elan_tport* tport, int flags, unsigned dest, unsigned sender, uint64_t tag,
                                   const void* buffer, size_t size) {
  struct elan_tport_event* event = tport_take(tport, TX_NEAR);
  const int synchronous = flags & ELAN_TPORT_TXSYNC;
  event->record = synchronous ? NEAR_SYNCHRONOUS : NEAR_MESSAGE;
  event->cookie = synchronous ? (uintptr_t)event : 0;
  event->dest = dest;
  event->tag = tag;
  event->sender = sender;
  event->buffer = (void*)buffer;
  event->size = size;
  event->moved = 0;
  send(tport, index_of(tport, dest), event);
  if (!event->done) return event;
  tport_give(event);
  return &tport->sent;
}

/* Of a synchronous message: to its sender what has become of it, to its receiver that it shall come back. */
static void tell(struct elan_tport* tport, unsigned process, enum near_kind what, uint64_t cookie) {
  struct elan_tport_event* event = tport_take(tport, TX_NEAR);
  event->record = what;
  event->cookie = cookie;
  event->size = event->moved = 0;
  send(tport, index_of(tport, process), event);
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
static void hand_over(struct near_tport* near, struct elan_tport_event* receive, struct near_message* message) {
  const size_t bytes = message->label.bytes;
  finish(receive, message->label);
  if (receive->flags & ELAN_TPORT_RXBUF) {
    receive->buffer = message->data;
    message->next = near->lent;
    near->lent = message;
    return;
  }
  copy(receive->buffer, message->data, bytes < receive->size ? bytes : receive->size);
  free(message);
}

int near_receive(struct elan_tport_event* event) {
  struct near_tport* near = event->tport->near;
  near_progress(event->tport);
  for (struct near_message** link = &near->early; *link; link = &(*link)->next) {
    struct near_message* message = *link;
    if (!matches(event, &message->label)) continue;
    if (event->kind != TPORT_RECEIVE) {
      finish(event, message->label);
      return 1;
    }
    *link = message->next;
    if (near->early_end == &message->next) near->early_end = link;
    if (message->answer) tell(event->tport, message->label.process, NEAR_MATCHED, message->answer);
    message->receive = event;
    if (message->came == message->label.bytes) hand_over(near, event, message);
    return 1;
  }
  if (event->kind == TPORT_PROBE_NOWAIT) return 0;
  append(&near->posted, event);
  event->posted = 1;
  return 0;
}

/* The first receive that takes a message; probes on the way are told of it. The card may have been quicker. */
static struct elan_tport_event* claim(struct near_tport* near, const struct tport_status* label) {
  struct elan_tport_event *before = NULL, *next = NULL;
  for (struct elan_tport_event* receive = near->posted.first; receive; receive = next) {
    next = receive->next;
    if (!receive->status.done && !matches(receive, label)) {
      before = receive;
      continue;
    }
    withdraw_after(&near->posted, before, receive);
    if (receive->status.done || (receive->at_card && !tport_take_back(receive))) continue;
    if (receive->kind == TPORT_RECEIVE) return receive;
    finish(receive, *label);
  }
  return NULL;
}

/* ---- what comes ---- */
static struct near_message* keep(struct near_tport* near, const struct tport_status* label, uint64_t cookie) {
  struct near_message* message = malloc(sizeof *message + label->bytes);
  if (!message)
    hal_abort(
        "elanlib: no memory for messages that came before their receives; receive them earlier, or set "
        "host.memory");
  *message = (struct near_message){.label = *label, .answer = cookie, .data = (char*)(message + 1)};
  *near->early_end = message;
  near->early_end = &message->next;
  return message;
}

static void begin(struct elan_tport* tport, struct arriving* arriving, const struct lane_record* record) {
  const struct tport_status label = {
      .tag = record->tag, .sender = record->sender, .process = record->process, .bytes = record->all_bytes};
  *arriving = (struct arriving){.label = label, .receive = claim(tport->near, &label)};
  if (!arriving->receive)
    arriving->message = keep(tport->near, &label, record->cookie);
  else if (record->cookie)
    tell(tport, record->process, NEAR_MATCHED, record->cookie);
}

static void add(struct near_tport* near, struct arriving* arriving, const struct lane_record* record) {
  struct elan_tport_event* receive = arriving->receive;
  struct near_message* message = arriving->message;
  char* to = receive ? receive->buffer : message->data;
  const size_t room = receive ? receive->size : message->label.bytes;
  const size_t left = room > arriving->came ? room - arriving->came : 0;
  copy(to + arriving->came, lane_data(record), record->bytes < left ? record->bytes : left);
  arriving->came += record->bytes;
  if (message) message->came = arriving->came;
  if (arriving->came < arriving->label.bytes) return;
  if (receive)
    finish(receive, arriving->label);
  else if (message->receive)
    hand_over(near, message->receive, message);
}

/* The answer comes after the first record of a message; others may still wait for room in the lane. */
static void was_matched(struct elan_tport_event* event) {
  event->record = NEAR_MESSAGE;
  event->done = event->moved == event->size;
}

/* All of the message is here: what takes it back comes behind it. */
static void give_back(struct elan_tport* tport, const struct lane_record* record) {
  struct near_tport* near = tport->near;
  for (struct near_message** link = &near->early; *link; link = &(*link)->next) {
    struct near_message* message = *link;
    if (message->label.process != record->process || message->answer != record->cookie) continue;
    *link = message->next;
    if (near->early_end == &message->next) near->early_end = link;
    free(message);
    tell(tport, record->process, NEAR_TAKEN_BACK, record->cookie);
    return;
  }
}

static void was_taken_back(struct elan_tport_event* event) {
  event->record = NEAR_TAKEN_BACK;
  event->done = 1;
}

int near_take_back(struct elan_tport_event* event) {
  if (event->record != NEAR_SYNCHRONOUS) return 0;
  tell(event->tport, event->dest, NEAR_TAKE_BACK, event->cookie);
  elan_sleep_while(event->tport->base, &event->done, 0);
  return event->record == NEAR_TAKEN_BACK;
}

static void take_records(struct elan_tport* tport, unsigned index) {
  struct neighbour* neighbour = &tport->near->neighbours[index];
  if (!neighbour->in.lane && *neighbour->in.other == neighbour->in.at) return;
  if (!neighbour->in.lane) neighbour->in.lane = lane_of(index, tport->near->self);
  for (const struct lane_record* record = NULL; (record = lane_next(&neighbour->in));) {
    if (record->kind == NEAR_MATCHED) {
      was_matched((struct elan_tport_event*)(uintptr_t)record->cookie);
    } else if (record->kind == NEAR_TAKE_BACK) {
      give_back(tport, record);
    } else if (record->kind == NEAR_TAKEN_BACK) {
      was_taken_back((struct elan_tport_event*)(uintptr_t)record->cookie);
    } else {
      if (record->kind != NEAR_MORE) begin(tport, &neighbour->arriving, record);
      add(tport->near, &neighbour->arriving, record);
    }
    lane_take(&neighbour->in, record);
  }
}

void near_progress(struct elan_tport* tport) {
  struct near_tport* near = tport->near;
  if (!near || near->busy) return;
  near->busy = 1;
  for (unsigned i = 0; i < near->count; ++i) {
    push_waiting(&near->neighbours[i]);
    take_records(tport, i);
  }
  near->busy = 0;
}

void near_free(struct elan_tport* tport, const void* buffer) {
  if (!tport->near) return;
  for (struct near_message** link = &tport->near->lent; *link; link = &(*link)->next)
    if ((*link)->data == buffer) {
      struct near_message* message = *link;
      *link = message->next;
      free(message);
      return;
    }
}
