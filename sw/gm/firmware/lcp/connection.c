/* Connections: the table of them, acknowledgements, and timeouts.
 * Go-back-N: from the first unacknowledged packet on, all are retransmitted under the same numbers. */
#include "sw/gm/firmware/lcp/lcp_memory.h"

#define FIRST_BACK_OFF 40u /* ticks (A): 20 us, doubling to 5 ms */
#define MOST_BACK_OFF 10000u
#define MOST_DOUBLINGS 3u /* (A) */

static uint32_t key_of(uint32_t node, uint32_t port, uint32_t target, uint32_t priority) {
  return 1 + (node * LCP_PORTS + port) * (LCP_PORTS * LCP_PRIORITIES) + subport(target, priority);
}

/* The slot of a key, or the one to put it in: the tables are at most half full. */
static uint16_t* slot_of(uint16_t* slots, const void* first, size_t bytes, uint32_t key) {
  const uint32_t multiplier = 2654435761u; /* Knuth's, of the golden ratio */
  for (uint32_t i = (key * multiplier) >> 20;; ++i) {
    uint16_t* slot = &slots[i % CONNECTION_SLOTS];
    if (*slot == 0) return slot;
    const uint32_t* known = (const uint32_t*)((const uint8_t*)first + (*slot - 1u) * bytes); /* its first member */
    if (*known == key) return slot;
  }
}

uint16_t sender_known(uint32_t node, uint32_t port, uint32_t target, uint32_t priority) {
  const uint16_t* slot =
      slot_of(lcp()->sender_slots, lcp()->senders, sizeof(struct sender), key_of(node, port, target, priority));
  return (uint16_t)(*slot - 1u); /* 0: NONE */
}

uint16_t sender_of(uint32_t node, uint32_t port, uint32_t target, uint32_t priority) {
  const uint32_t key = key_of(node, port, target, priority);
  uint16_t* slot = slot_of(lcp()->sender_slots, lcp()->senders, sizeof(struct sender), key);
  if (*slot == 0) {
    if (lcp()->sender_count == CONNECTIONS) return NONE;
    *slot = (uint16_t)++lcp()->sender_count;
    lcp()->senders[*slot - 1u] = (struct sender){.key = key, .session = 1, .head = NONE, .tail = NONE, .at = NONE};
  }
  return (uint16_t)(*slot - 1u);
}

struct receiver* receiver_of(const struct packet_header* header) {
  const uint32_t key = key_of(header->sender, header->sender_subport / LCP_PRIORITIES,
                              header->target_subport / LCP_PRIORITIES, header->target_subport % LCP_PRIORITIES);
  uint16_t* slot = slot_of(lcp()->receiver_slots, lcp()->receivers, sizeof(struct receiver), key);
  if (*slot == 0) {
    if (lcp()->receiver_count == CONNECTIONS) return NULL;
    *slot = (uint16_t)++lcp()->receiver_count;
    lcp()->receivers[*slot - 1u] = (struct receiver){.key = key};
  }
  return &lcp()->receivers[*slot - 1u];
}

static uint32_t port_of(const struct sender* sender) {
  return (sender->key - 1) / (LCP_PORTS * LCP_PRIORITIES) % LCP_PORTS;
}

static struct record* record_of(const struct sender* sender, uint16_t record) {
  return &lcp()->ports[port_of(sender)].records[record];
}

void serve(uint16_t index) {
  struct sender* sender = &lcp()->senders[index];
  if (sender->ready || sender->stopped || sender->not_before || sender->sent == sender->end) return;
  if (sender->sent - sender->acked >= lcp()->shared.globals.window) return;
  sender->ready = 1;
  lcp()->ready[(lcp()->ready_first + lcp()->ready_count++) % CONNECTIONS] = index;
}

/* The record that packet `sent` belongs to. */
static void locate(struct sender* sender) {
  uint16_t at = sender->head;
  while (at != NONE && sender->sent - record_of(sender, at)->first >= record_of(sender, at)->packets)
    at = record_of(sender, at)->next;
  sender->at = at;
}

static void end_head(struct sender* sender, enum lcp_status status) {
  const uint32_t port = port_of(sender);
  const uint16_t head = sender->head;
  const struct record* record = record_of(sender, head);
  sender->head = record->next;
  if (sender->head == NONE) sender->tail = NONE;
  if (record->what.type == LCP_SEND_GET && status == LCP_OK && !record->is_over) return ask(&lcp()->ports[port], head);
  complete(port, record->opened, record->what.handle, status);
  release_record(port, head);
}

/* Its first message cannot be delivered: the connection stops until its process resumes it. */
void stop(struct sender* sender, enum lcp_status status) {
  if (sender->head != NONE) end_head(sender, status);
  sender->stopped = 1;
  sender->not_before = 0;
  sender->sent = sender->acked;
  if (port_of(sender) == CARD_PORT) resume((uint16_t)(sender - lcp()->senders), 1); /* no process to do so */
}

/* In a new session, so that packets of the old one that are still under way are not mistaken for the new one's. */
void resume(uint16_t index, int drop) {
  struct sender* sender = &lcp()->senders[index];
  if (!sender->stopped) return;
  while (drop && sender->head != NONE) end_head(sender, LCP_DROPPED);
  ++sender->session;
  sender->acked = sender->sent = sender->end = 0;
  for (uint16_t at = sender->head; at != NONE; at = record_of(sender, at)->next) {
    record_of(sender, at)->first = sender->end;
    sender->end += record_of(sender, at)->packets;
  }
  sender->at = sender->head;
  sender->timed = 0;
  sender->stopped = sender->unheard = sender->doublings = 0;
  serve(index);
}

/* Retransmission of packets that are only delayed delays others, until a crowded network carries little else.
 * So the timeout grows with the round-trip time, and with each retry. */
static uint32_t timeout(const struct sender* sender) {
  enum { ROUND_TRIPS = 2 }; /* twice what is usual (A) */
  const uint32_t least = lcp()->shared.globals.resend_ticks, usual = ROUND_TRIPS * lcp()->round_trip;
  return (least > usual ? least : usual) << sender->doublings;
}

void await_answer(struct sender* sender, uint32_t now) {
  sender->resend_at = now + timeout(sender);
  sender->timed = sender->unheard || sender->back_off ? 0 : sender->sent + 1;
  sender->timed_at = now;
}

static void end_timing(struct sender* sender, uint32_t now) {
  struct lcp* self = lcp();
  if (sender->timed == 0 || (int32_t)(sender->acked - sender->timed) < 0) return;
  enum { SAMPLES = 8 }; /* that the mean remembers, about (A) */
  self->round_trip += ((int32_t)(now - sender->timed_at) - (int32_t)self->round_trip) / SAMPLES;
  sender->timed = 0;
}

static void go_back(struct sender* sender) {
  lcp()->shared.statistics.resent += sender->sent - sender->acked;
  sender->sent = sender->acked;
  sender->at = sender->head;
  sender->timed = 0; /* an acknowledgement could be for either copy */
}

static void advance(struct sender* sender, uint32_t expected, uint32_t now) {
  sender->acked = expected;
  sender->progress_at = now;
  sender->back_off = 0;
  if (sender->doublings > 0) --sender->doublings;
  end_timing(sender, now);
  while (sender->head != NONE) {
    const struct record* head = record_of(sender, sender->head);
    if (sender->acked - head->first < head->packets) break;
    end_head(sender, LCP_OK);
  }
  if ((int32_t)(sender->sent - sender->acked) < 0) sender->sent = sender->acked;
  locate(sender);
}

void acknowledged(const struct packet_header* header) {
  const uint16_t index = sender_known(header->sender, header->target_subport / LCP_PRIORITIES,
                                      header->sender_subport / LCP_PRIORITIES, header->target_subport % LCP_PRIORITIES);
  if (index == NONE) return;
  struct sender* sender = &lcp()->senders[index];
  if (sender->session != header->session || sender->stopped) return;
  const uint32_t now = lanai_clock();
  const uint32_t ahead = (uint16_t)(header->sequence - (uint16_t)sender->acked);
  if (ahead > sender->end - sender->acked) return; /* older than what is known */
  sender->heard_at = now;
  sender->unheard = 0;
  if (ahead > 0) advance(sender, sender->acked + ahead, now);
  sender->resend_at = now + timeout(sender);
  switch (header->subtype) {
    case PACKET_NACK:
      go_back(sender);
      break;
    case PACKET_NACK_NO_TOKEN:
      go_back(sender);
      sender->back_off = sender->back_off == 0              ? FIRST_BACK_OFF
                         : sender->back_off < MOST_BACK_OFF ? 2 * sender->back_off
                                                            : sender->back_off;
      sender->not_before = now + sender->back_off;
      want_timer(sender->not_before);
      break;
    case PACKET_NACK_CLOSED:
      stop(sender, LCP_PORT_CLOSED);
      break;
    case PACKET_NACK_REJECT:
      stop(sender, LCP_REJECTED);
      break;
    default:
      break;
  }
  serve(index);
}

void want_timer(uint32_t at) {
  struct lcp* self = lcp();
  if (self->timer_at != 0 && (int32_t)(at - self->timer_at) >= 0) return;
  const uint32_t now = lanai_clock();
  self->timer_at = at == 0 ? 1 : at;
  lanai_timer((int32_t)(at - now) > 0 ? at - now : 1);
}

/* Whether the timer has anything left to check. */
static int look_at(uint16_t index, uint32_t now) {
  const struct lcp_globals* globals = &lcp()->shared.globals;
  struct sender* sender = &lcp()->senders[index];
  if (sender->stopped || sender->acked == sender->end) return 0;
  if (sender->not_before && (int32_t)(now - sender->not_before) >= 0) sender->not_before = 0;
  const int waits = sender->sent != sender->acked; /* for an answer */
  if (waits && (int32_t)(now - sender->heard_at) > (int32_t)globals->unreachable_ticks)
    stop(sender, LCP_UNREACHABLE);
  else if (sender->back_off && (int32_t)(now - sender->progress_at) > (int32_t)globals->no_buffer_ticks)
    stop(sender, LCP_TIMED_OUT);
  if (sender->stopped) return 0;
  if (waits && (int32_t)(now - sender->resend_at) >= 0) {
    go_back(sender);
    sender->unheard = 1;
    if (sender->doublings < MOST_DOUBLINGS) ++sender->doublings;
  }
  if ((int32_t)(now - sender->resend_at) >= 0) sender->resend_at = now + timeout(sender);
  serve(index);
  want_timer(sender->not_before ? sender->not_before : sender->resend_at);
  return 1;
}

void look_at_time(void) {
  struct lcp* self = lcp();
  const uint32_t now = lanai_clock();
  self->timer_at = 0;
  uint16_t index = self->watched;
  self->watched = NONE;
  while (index != NONE) {
    struct sender* sender = &self->senders[index];
    const uint16_t next = sender->next_watched;
    sender->watched = (uint8_t)look_at(index, now);
    if (sender->watched) {
      sender->next_watched = self->watched;
      self->watched = index;
    }
    index = next;
  }
  alarms(now);
  look_at_gets(now);
}
