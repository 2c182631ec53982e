/* Peers, and the records under way to them. */
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/transport/messages/state.h"

struct peer* messages_peer(unsigned process) {
  struct messages* m = messages_state();
  if (m->peers[process]) return m->peers[process];
  struct peer* peer = calloc(1, sizeof *peer);
  if (!peer) hal_abort("MPI and shmem: no memory left to talk to another process; give the nodes more (host.memory)");
  peer->process = process;
  peer->window = m->window;
  list_init(&peer->waiting);
  list_init(&peer->posted);
  list_init(&peer->early);
  m->peers[process] = peer;
  if (process != m->self) peer->intra_node = messages_intra_node_pair(process);
  return peer;
}

size_t messages_record_bytes(const struct peer* peer) {
  struct messages* m = messages_state();
  return peer->intra_node ? messages_intra_node_record_bytes() : m->channel->record_bytes(m->card);
}

static enum channel_room peer_send(struct peer* peer, const struct channel_record* record) {
  struct messages* m = messages_state();
  return peer->intra_node ? messages_intra_node_send(peer->intra_node, record)
                          : m->channel->send(m->card, peer->process, record);
}

/* The head of the next record, after one with `bytes` of the body. */
static void go_on(struct record* head, size_t bytes) {
  if (head->kind == RECORD_FIRST) head->kind = RECORD_MORE;
  if (head->kind == RECORD_PUT) head->address += bytes;
}

static enum channel_room send_next(struct peer* peer, struct outgoing* outgoing) {
  const size_t head_bytes = record_head_bytes(outgoing->head.kind), room = messages_record_bytes(peer) - head_bytes;
  const size_t left = outgoing->bytes - outgoing->sent, bytes = left < room ? left : room;
  outgoing->head.credit = peer->owed;
  const struct channel_record record = {.head = &outgoing->head,
                                        .head_bytes = head_bytes,
                                        .body = bytes > 0 ? outgoing->body + outgoing->sent : NULL,
                                        .body_bytes = bytes};
  const enum channel_room answer = peer_send(peer, &record);
  if (answer != CHANNEL_SENT) return answer;
  peer->owed = 0;
  outgoing->sent += bytes;
  go_on(&outgoing->head, bytes);
  return CHANNEL_SENT;
}

/* Sends all of it, as far as there is space. */
static enum channel_room send_all(struct peer* peer, struct outgoing* outgoing) {
  do {
    const enum channel_room answer = send_next(peer, outgoing);
    if (answer == CHANNEL_FULL && !peer->intra_node) messages_state()->full = 1;
    if (answer != CHANNEL_SENT) return answer;
  } while (outgoing->sent < outgoing->bytes);
  if (outgoing->request) messages_end(outgoing->request);
  return CHANNEL_SENT;
}

void messages_say(struct peer* peer, const struct outgoing* outgoing) {
  struct messages* m = messages_state();
  struct outgoing now = *outgoing;
  if (list_empty(&m->waiting)) m->full = 0; /* set by a credit for which there was no space: now there may be some */
  if (!peer->first && (peer->intra_node || !m->full) && send_all(peer, &now) == CHANNEL_SENT) return;
  struct outgoing* later = malloc(sizeof *later);
  if (!later) hal_abort("MPI and shmem: no memory left for what waits to be sent; wait for some requests first");
  *later = now;
  later->next = NULL;
  if (peer->first) {
    peer->last->next = later;
  } else {
    peer->first = later;
    list_append(&m->waiting, &peer->waiting);
  }
  peer->last = later;
}

void messages_say_head(struct peer* peer, const struct record* head) {
  messages_say(peer, &(struct outgoing){.head = *head});
}

/* Returns whether it has sent anything. */
static int push(struct peer* peer) {
  int went = 0;
  while (peer->first) {
    struct outgoing* outgoing = peer->first;
    const size_t before = outgoing->sent;
    const enum channel_room answer = send_all(peer, outgoing);
    went |= answer == CHANNEL_SENT || outgoing->sent != before;
    if (answer != CHANNEL_SENT) return went;
    peer->first = outgoing->next;
    free(outgoing);
  }
  list_remove(&peer->waiting);
  return went;
}

int messages_push(void) {
  struct messages* m = messages_state();
  int went = 0;
  m->full = 0;
  /* Each once; a peer without space goes behind the others. Intra-node peers need no space on the card. */
  const struct link* last = m->waiting.previous;
  for (struct link *at = m->waiting.next, *next = NULL; at != &m->waiting; at = next) {
    struct peer* peer = LIST_OWNER(at, struct peer, waiting);
    const int is_last = at == last;
    next = at->next;
    if (!m->full || peer->intra_node) went |= push(peer);
    if (peer->first && !m->full) {
      list_remove(&peer->waiting);
      list_append(&m->waiting, &peer->waiting);
    }
    if (is_last) break;
  }
  return went;
}

/* ---- flow control ----
 * A sender sends what its receiver would keep in any case; more than that it only announces. Credit is returned with
 * any record of that direction, or, when half of it has accumulated, by itself. No send waits for it: a sender without
 * credit announces a message, and gets credit with the answer. */
void messages_owe(struct peer* peer, size_t bytes) {
  struct messages* m = messages_state();
  if (peer->process == m->self) return;
  peer->owed += (uint32_t)bytes;
  if (peer->owed < m->window / 2 || peer->first || m->in_barrier || (m->full && !peer->intra_node)) return;
  struct outgoing credit = {.head = {.kind = RECORD_CREDIT}};
  send_all(peer, &credit);
}
