/* Matching of receives and messages. Receives from one process and the messages of one are lists of their own, so that
 * only candidates are compared; receives from any source are one more list. The numbers of requests keep the order.
 */
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/transport/messages/state.h"

static struct transport_request* first_receive(const struct link* posted, uint64_t tag) {
  for (const struct link* at = posted->next; at != posted; at = at->next) {
    struct transport_request* receive = LIST_OWNER(at, struct transport_request, link);
    if (((tag ^ receive->tag) & receive->mask) == 0) return receive;
  }
  return NULL;
}

struct transport_request* messages_match(unsigned from, uint64_t tag) {
  struct messages* m = messages_state();
  struct transport_request* named = first_receive(&messages_peer(from)->posted, tag);
  struct transport_request* any = first_receive(&m->any, tag);
  struct transport_request* receive = !any || (named && named->number < any->number) ? named : any;
  if (receive) list_remove(&receive->link);
  return receive;
}

void messages_post(struct transport_request* receive) {
  struct messages* m = messages_state();
  list_append(receive->peer == TRANSPORT_ANY ? &m->any : &messages_peer(receive->peer)->posted, &receive->link);
}

static int matches(const struct early* early, uint64_t tag, uint64_t mask) { return ((early->tag ^ tag) & mask) == 0; }

struct early* messages_find_early(unsigned from, uint64_t tag, uint64_t mask) {
  struct messages* m = messages_state();
  if (from == TRANSPORT_ANY) {
    for (const struct link* at = m->early.next; at != &m->early; at = at->next)
      if (matches(LIST_OWNER(at, struct early, link), tag, mask)) return LIST_OWNER(at, struct early, link);
    return NULL;
  }
  const struct link* list = &messages_peer(from)->early;
  for (const struct link* at = list->next; at != list; at = at->next)
    if (matches(LIST_OWNER(at, struct early, peer_link), tag, mask)) return LIST_OWNER(at, struct early, peer_link);
  return NULL;
}

struct early* messages_keep(struct peer* peer, size_t room) {
  struct early* early = malloc(sizeof *early + room);
  if (!early)
    hal_abort(
        "MPI and shmem: no memory left for messages that came before their receives; choose a smaller "
        "-s transport.unexpected, or post receives earlier");
  *early = (struct early){.from = peer->process};
  if (room > 0) early->data = (char*)(early + 1);
  list_append(&messages_state()->early, &early->link);
  list_append(&peer->early, &early->peer_link);
  return early;
}

void messages_forget(struct early* early) {
  list_remove(&early->link);
  list_remove(&early->peer_link);
  free(early);
}
