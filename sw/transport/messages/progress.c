/* Progress: handles the records that have arrived, sends those that wait; and waiting. */
#include <stdio.h>

#include "sw/hal/hal.h"
#include "sw/transport/messages/calls.h"

#define BACKGROUND_MOST 256u /* requests that a library under way may name */

/* Records handled before a waiting caller tests its condition, or a polling one returns: others may send requests for
 * ever, such as those that spin for a lock which this process has. */
#define RECORDS_AT_ONCE 64u

void messages_damaged(const char* what) {
  char text[256];
  snprintf(text, sizeof text,
           "MPI and shmem: a record came that makes no sense: %s; bits were wrong on its way (link.bit_error_rate), or "
           "the channel of this card damages records",
           what);
  hal_abort(text);
}

static void act(unsigned from, const void* bytes, size_t size) {
  struct messages* m = messages_state();
  const struct record* head = bytes;
  struct peer* peer = messages_peer(from);
  if (size < offsetof(struct record, tag) || head->kind == 0 || head->kind >= RECORD_KINDS ||
      size < record_head_bytes(head->kind))
    messages_damaged("its kind is unknown");
  peer->window += head->credit;
  const char* body = (const char*)bytes + record_head_bytes(head->kind);
  const size_t body_bytes = size - record_head_bytes(head->kind);
  switch ((enum record_kind)head->kind) {
    case RECORD_EAGER:
    case RECORD_FIRST:
      messages_came_eager(peer, head, body, body_bytes);
      break;
    case RECORD_MORE:
      messages_came_more(peer, body, body_bytes);
      break;
    case RECORD_RTS:
      messages_came_rts(peer, head);
      break;
    case RECORD_CTS:
      messages_came_cts(peer, head);
      break;
    case RECORD_DATA:
      messages_came_data(head, body, body_bytes);
      break;
    case RECORD_FIN:
      messages_came_fin(head);
      break;
    case RECORD_CANCEL:
      messages_came_cancel(peer, head);
      break;
    case RECORD_CANCELLED:
      messages_came_cancelled(head);
      break;
    case RECORD_BARRIER:
      if (head->round >= ROUNDS_MOST) messages_damaged("a barrier has no such round");
      ++m->arrived[head->round];
      ++m->ends;
      break;
    case RECORD_WHERE:
      messages_came_where(peer, head);
      break;
    case RECORD_HERE:
      messages_came_here(peer, head);
      break;
    case RECORD_CREDIT:
    case RECORD_KINDS:
      break;
    default:
      messages_came_remote(peer, head, body, body_bytes);
  }
}

/* Handles records from processes of this node, or from the channel. Returns whether it has handled any. */
static int act_on_some(int intra_node) {
  const struct messages* m = messages_state();
  for (unsigned acted = 0; acted < RECORDS_AT_ONCE; ++acted) {
    unsigned from = 0;
    size_t bytes = 0;
    const void* record =
        intra_node ? messages_intra_node_receive(&from, &bytes) : m->channel->receive(m->card, &from, &bytes);
    if (!record) return acted > 0;
    act(from, record, bytes);
    if (intra_node)
      messages_intra_node_release();
    else
      m->channel->release(m->card);
  }
  return 1;
}

int messages_progress(void) {
  const struct messages* m = messages_state();
  int moved = act_on_some(1);
  moved |= act_on_some(0);
  moved |= messages_direct_progress();
  if (!list_empty(&m->waiting)) moved |= messages_push();
  if (moved) hal_threads_tell(); /* by then, the words that others watch may have their old values */
  return moved;
}

/* ---- waiting ---- */
int messages_begin_wait(void) {
  struct messages* m = messages_state();
  const int before = m->waits;
  m->waits = 1;
  return before;
}

void messages_end_wait(int before) { messages_state()->waits = before; }

void messages_serve_threads(void) {
  struct messages* m = messages_state();
  hal_threads_alone_while(&m->waits, 0);
  hal_threads_own(&m->waits, sizeof m->waits);
}

/* Returns whether there is more to do at once: it yields, so that the caller's condition is tested. */
static int go_on_in_the_background(void) {
  struct messages* m = messages_state();
  struct transport_request* pending[BACKGROUND_MOST];
  m->waits = 0;
  const size_t count = m->background(pending, BACKGROUND_MOST);
  m->waits = 1;
  for (size_t i = 0; i < count; ++i)
    if (pending[i] && pending[i]->done) return 1;
  return 0;
}

static void sleep_for(const struct watched* watched) {
  const struct messages* m = messages_state();
  const unsigned most = watched->count + messages_intra_node_words();
  const volatile uint32_t* words[most + 1];
  uint32_t seen[most + 1];
  unsigned count = messages_intra_node_watch(words, seen);
  for (unsigned i = 0; i < watched->count; ++i, ++count) {
    words[count] = watched->words[i];
    seen[count] = watched->seen[i];
  }
  m->channel->sleep(m->card, words, seen, count);
}

static void watch(int (*holds)(const void* what), int (*hopeless)(const void* what), const void* what,
                  const struct watched* watched) {
  struct messages* m = messages_state();
  uint32_t ends = m->ends - 1; /* the background has not been called yet */
  for (;;) {
    const int moved = messages_progress();
    if (holds(what)) return;
    if (m->waits && m->background && ends != m->ends) {
      ends = m->ends;
      if (go_on_in_the_background()) ends = m->ends - 1;
    } else if (!moved) {
      if (*m->deaths != 0 && hopeless && m->hopeless && hopeless(what)) return;
      sleep_for(watched);
    }
  }
}

void messages_watch_until(int (*holds)(const void* what), const void* what, const struct watched* watched) {
  watch(holds, NULL, what, watched);
}

void messages_wait_until(int (*holds)(const void* what), const void* what) {
  watch(holds, NULL, what, &(struct watched){NULL, NULL, 0});
}

void messages_wait_unless(int (*holds)(const void* what), int (*hopeless)(const void* what), const void* what) {
  watch(holds, hopeless, what, &(struct watched){NULL, NULL, 0});
}

static int one_differs(const void* what) {
  const struct watched* watched = what;
  for (unsigned i = 0; i < watched->count; ++i)
    if (*watched->words[i] != watched->seen[i]) return 1;
  return 0;
}

void messages_wait_words(const volatile uint32_t* const* words, const uint32_t* seen, unsigned count) {
  const struct watched watched = {words, seen, count};
  const int before = messages_begin_wait();
  messages_watch_until(one_differs, &watched, &watched);
  messages_end_wait(before);
}

void messages_pause(const volatile uint32_t* word, uint32_t seen, uint64_t until_ps) {
  const int before = messages_begin_wait();
  hal_wait_word(word, seen, until_ps);
  messages_end_wait(before);
}

/* ---- all processes ---- */
static int nothing_waits(const void* what) {
  (void)what;
  return list_empty(&messages_state()->waiting);
}

static int has_arrived(const void* round) {
  const struct messages* m = messages_state();
  return (int32_t)(m->arrived[*(const unsigned*)round] - m->barriers) >= 0;
}

static int card_says_so(const void* what) {
  const struct messages* m = messages_state();
  (void)what;
  return m->channel->barrier_done(m->card);
}

static int one_is_dead(const void* what) {
  (void)what;
  return messages_hopeless(TRANSPORT_ANY) != 0;
}

/* Dissemination: in round r each process sends to the one 2^r ahead. A process that leaves may exit, so all that it has
 * to send is sent before, and no optional record (credit) is sent here. */
void messages_barrier(void) {
  struct messages* m = messages_state();
  const int before = messages_begin_wait();
  messages_wait_unless(nothing_waits, one_is_dead, NULL);
  m->in_barrier = 1;
  ++m->barriers;
  if (m->channel->barrier_begin) {
    m->channel->barrier_begin(m->card);
    messages_wait_unless(card_says_so, one_is_dead, NULL);
  } else {
    unsigned round = 0;
    for (unsigned distance = 1; distance < m->count; distance *= 2, ++round) {
      messages_say_head(messages_peer((m->self + distance) % m->count),
                        &(struct record){.kind = RECORD_BARRIER, .round = (uint8_t)round});
      messages_wait_unless(has_arrived, one_is_dead, &round);
    }
  }
  messages_wait_unless(nothing_waits, one_is_dead, NULL);
  m->in_barrier = 0;
  messages_end_wait(before);
}

int messages_broadcast(void* buffer, size_t bytes, unsigned root) {
  (void)buffer;
  (void)bytes;
  (void)root;
  return 0; /* no channel has one: MPI and shmem send messages down a tree */
}
